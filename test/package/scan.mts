/** Runs n8n's own scanner, which verifies published packages, on the sources here, without inline exceptions. */
import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { ESLint } from 'eslint';
import { basename } from 'node:path';

/** n8n's older request helpers. n8n's own rule only finds `this.helpers.…`, this pattern finds any form. */
const OLDER_HELPERS = [
	'MemberExpression[property.name=/^request(WithAuthentication|OAuth[12])?$/]',
	'ObjectPattern > Property[key.name=/^request(WithAuthentication|OAuth[12])?$/]',
];

const { passed, message, details } = await analyzePackage(process.cwd(), SOURCE_FILE_PATTERNS);
if (passed) {
	console.log("n8n's scanner found nothing in the sources.");
} else {
	console.error(`n8n's scanner: ${message ?? ''}\n${details ?? ''}`);
	process.exitCode = 1;
}

const files = await filesWithOlderHelpers();
if (files.length === 0) {
	console.log("n8n's older request helpers are not used.");
} else {
	console.error(`n8n's older request helpers are used in: ${files.join(', ')}.`);
	process.exitCode = 1;
}

/** Returns the names of the files, once for each use. */
async function filesWithOlderHelpers(): Promise<string[]> {
	const eslint = new ESLint({
		overrideConfig: { rules: { 'no-restricted-syntax': ['error', ...OLDER_HELPERS] } },
		ruleFilter: ({ ruleId }) => ruleId === 'no-restricted-syntax',
	});
	const results = await eslint.lintFiles(['nodes', 'credentials']);
	return results.flatMap(({ filePath, messages }) => messages.map(() => basename(filePath)));
}
