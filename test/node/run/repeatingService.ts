import { KEY } from '../fixture';
import { isRecord } from '../../../nodes/CometChatKnowledgeBase/values/json';

export const SIGNED = 'https://s3.example.com/x?X-Amz-Signature=0123456789abcdef';
const IN_BASE64 = btoa(`key=${KEY}`);
const ENCODED = [...KEY].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('');
/** The key, plain, masked, in Base64 and percent-encoded, and what opens a door like a key. */
export const SAID = [KEY, `${KEY.slice(0, 5)}…${KEY.slice(-5)}`, IN_BASE64, ENCODED, SIGNED].join(
	' ',
);
const SECRETS = [
	...[KEY, KEY.slice(0, 20), `${KEY.slice(0, 5)}…`, IN_BASE64.slice(4, 24)],
	...[ENCODED.slice(0, 30), 'X-Amz'],
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
