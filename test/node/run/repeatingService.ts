import { KEY } from '../fixture';
import { isRecord } from '../../../nodes/CometChatKnowledgeBase/text/json';

export const SIGNED = 'https://s3.example.com/x?X-Amz-Signature=00112233445566778899aabbccddeeff';
/** The API key: whole, in a URL, cut off, and masked as CometChat and others do it. */
export const SAID = [
	...[KEY, `https://example.com/?apikey=${KEY}&x=1`, `${KEY.slice(0, 12)}`],
	...[`${KEY.slice(0, 5)}…${KEY.slice(-5)}`, `${KEY.slice(0, 8)}********${KEY.slice(-8)}`],
].join(' ');
/** Only an error loses its signed links. */
export const SAID_IN_ERRORS = `${SAID} ${SIGNED}`;
const SECRETS = [
	...[KEY.slice(0, 8), `${KEY.slice(0, 5)}…`, KEY.slice(-8), `…${KEY.slice(-5)}`],
	...['X-Amz', '00112233'],
];

/** Without these, nothing could be asked for any more; what they may hold is in `repeatedKey.test.ts`. */
const NEEDED = [
	...['uniqueId', 'uploadId', 'uid', 'model', 'presignedUrl', 'urlId', 'processedUrls'],
	...['id', 'parentId', 'category', 'success', 'type', 'cursor', 'files', 'websites', 'meta'],
];
const STATUSES = ['indexing', 'indexed', 'processed', 'processing', 'discovered', 'failed'];

/** The same answer of a service that repeats the key in every text, and in fields of its own. */
function repeated(body: unknown, name = ''): unknown {
	if (NEEDED.includes(name)) return body;
	if (typeof body === 'string') return STATUSES.includes(body) ? body : `${body} ${SAID}`;
	if (Array.isArray(body)) return body.map((entry: unknown) => repeated(entry, name));
	if (!isRecord(body)) return body;
	const entries = Object.entries(body).map(([inner, value]) => [inner, repeated(value, inner)]);
	return { ...Object.fromEntries(entries), note: SAID, [SAID]: [{ deep: SAID }] };
}

export const repeating = { times: Infinity, transform: (body: unknown) => repeated(body) };

export function expectHidden(...shown: unknown[]): void {
	const text = JSON.stringify(shown);
	expect(SECRETS.filter((secret) => text.includes(secret))).toEqual([]);
}
