import { createHash } from 'node:crypto';

import { quoted } from '../values/quoting';
import { UserError } from '../values/userError';
import type { InputFile, Content } from './binary';
import { unreadable, withContent } from './binary';

/** What each web page begins with, and no file that the service takes. */
const WEB_PAGE = /^\s*(?:<!doctype html|<html)[\s>]/i;

/** As much of a file tells whether it is one. */
const HEAD_BYTES = 256;

/**
 * The SHA-256 of a file (base64url), read piece by piece: it is never in memory as a whole. Refused is a web
 * page in the place of a file: a download gives one where it was asked to log in.
 */
export async function contentHash(file: InputFile): Promise<string> {
	return await withContent(file, async (content: Content) => {
		const hash = createHash('sha256');
		if (!('destroy' in content)) {
			if (isWebPage(content)) throw webPage(file);
			return hash.update(content).digest('base64url');
		}
		let isFirst = true;
		try {
			for await (const chunk of content) {
				if (isFirst && isWebPage(chunk)) throw webPage(file);
				isFirst = false;
				hash.update(chunk);
			}
			return hash.digest('base64url');
		} catch (thrown) {
			throw unreadable(file.field, file.fileName, thrown);
		}
	});
}

function isWebPage(start: Uint8Array): boolean {
	return WEB_PAGE.test(new TextDecoder().decode(start.subarray(0, HEAD_BYTES)));
}

function webPage({ field, fileName }: InputFile): UserError {
	return new UserError(
		`The file in '${field}', ${quoted(fileName)}, is a web page`,
		'A page that asks to log in, or tells an error, may have come in its place: check the node that downloads it.',
	);
}
