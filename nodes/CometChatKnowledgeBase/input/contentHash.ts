import { createHash } from 'node:crypto';

import type { ValidationIssue } from '../values/validationIssue';
import type { Attachment, Content } from './binary';
import { unreadable, withContent } from './binary';

/** The SHA-256 of a file (base64url), read piece by piece: it is never in memory as a whole. */
export async function contentHash(file: Attachment): Promise<string | ValidationIssue> {
	return await withContent(file, async (content: Content) => {
		const hash = createHash('sha256');
		if (!('destroy' in content)) return hash.update(content).digest('base64url');
		try {
			for await (const chunk of content) hash.update(chunk);
			return hash.digest('base64url');
		} catch (thrown) {
			return unreadable(file.field, file.fileName, thrown);
		}
	});
}
