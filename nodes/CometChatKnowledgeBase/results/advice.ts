/** What keeps the service from reading a file, as far as its pages tell. */
const CHECK_FILE = 'Check that the file opens, has no password and holds text';

/** By status, where there is something to do. The service gives no reason for a failure anywhere. */
const ADVICE_BY_STATUS = new Map<string, string>([
	[
		'failed',
		`CometChat was not able to read it, and gives no reason. ${CHECK_FILE}; if so, try Document: Retry Indexing, otherwise delete it with Document: Delete and upload a corrected one.`,
	],
	['indexing', 'CometChat is still reading it. Ask again in a minute.'],
	[
		'notFound',
		"CometChat's answer says nothing of this ID: the document was deleted, or the ID is that of something else. Document: Get Many lists what there is.",
	],
]);

/** For somebody who has given something else than an ID of CometChat. */
export const FIND_IDS =
	'Document: Get Many lists names and IDs, and Document: Upload gives the ID of what it uploads.';

const FAILED_OTHERWISE =
	'CometChat was not able to read it, and gives no reason. Try Document: Retry Indexing; if it fails again, delete it with Document: Delete and add or crawl it anew.';

/**
 * What to do about a document with this status; undefined for nothing.
 *
 * @param sourceType What it is, as far as it is known: 'uploads' if it is not.
 */
export function adviceFor(status: string, sourceType: string): string | undefined {
	const isOther = status === 'failed' && sourceType !== 'uploads';
	return isOther ? FAILED_OTHERWISE : ADVICE_BY_STATUS.get(status);
}
