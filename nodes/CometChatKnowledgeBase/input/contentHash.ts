import { createHash } from 'node:crypto';

import type { ValidationIssue } from '../values/validationIssue';
import type { Attachment } from './binary';
import { opened, unreadable } from './binary';

/** The SHA-256 of a file (base64url), read piece by piece: it is never in memory as a whole. */
export async function contentHash(file: Attachment): Promise<string | ValidationIssue> {
	const content = await opened(file);
	if ('what' in content) return content;
	const hash = createHash('sha256');
	if (!('destroy' in content)) return hash.update(content).digest('base64url');
	try {
		for await (const chunk of content) hash.update(chunk);
		return hash.digest('base64url');
	} catch (thrown) {
		return unreadable(file.field, file.fileName, thrown);
	} finally {
		content.destroy();
	}
}
