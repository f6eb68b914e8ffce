/**
 * n8n's own scanner, the one that verification runs on a published package, on the sources here:
 * with the plugin versions that it pins, and deaf to inline exceptions.
 */
import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';

const { passed, message, details } = await analyzePackage(process.cwd(), SOURCE_FILE_PATTERNS);
if (passed) {
	console.log("n8n's scanner found nothing in the sources.");
} else {
	console.error(`n8n's scanner: ${message ?? ''}\n${details ?? ''}`);
	process.exitCode = 1;
}
