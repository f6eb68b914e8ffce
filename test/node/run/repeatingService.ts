import { KEY } from '../fixture';
import { isRecord } from '../../../nodes/CometChatKnowledgeBase/text/json';

export const SIGNED = 'https://s3.example.com/x?X-Amz-Signature=00112233445566778899aabbccddeeff';
/** The API key: complete, in a URL, shortened, and masked by CometChat and others. */
export const SAID = [
	...[KEY, `https://example.com/?apikey=${KEY}&x=1`, `${KEY.slice(0, 12)}`],
	...[`${KEY.slice(0, 5)}…${KEY.slice(-5)}`, `${KEY.slice(0, 8)}********${KEY.slice(-8)}`],
].join(' ');
/** Signed links are only removed from errors. */
export const SAID_IN_ERRORS = `${SAID} ${SIGNED}`;
const SECRETS = [
	...[KEY.slice(0, 8), `${KEY.slice(0, 5)}…`, KEY.slice(-8), `…${KEY.slice(-5)}`],
	...['X-Amz', '00112233'],
];

/** Fields that requests need. `repeatedKey.test.ts` plants the key there. */
const NEEDED = [
	...['uniqueId', 'uploadId', 'uid', 'model', 'presignedUrl', 'urlId', 'processedUrls'],
	...['id', 'parentId', 'category', 'success', 'type', 'cursor', 'files', 'websites', 'meta'],
];
const STATUSES = ['indexing', 'indexed', 'processed', 'processing', 'discovered', 'failed'];

/** Repeats the key in each text of a response, and in more fields. */
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
