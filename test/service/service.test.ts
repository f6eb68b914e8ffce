import axios from 'axios';
import { type Service, type ServiceOptions, startService } from './service';

/*
 * Faults of the simulation that would mislead other tests without a failure: it accepts what CometChat refuses,
 * ignores a rule, or does not notice what was sent.
 */

const KEYS = { apiKey: 'k'.repeat(40), authKey: 'a'.repeat(40) };
const AGENTS = '/ai-agents/agent-builder/agents';
const RECORDS = '/ai-agents/agent-builder/knowledge-base';
const ADD = `${AGENTS}/support-bot/knowledge-base/uploads/add`;
const INITIATE = `${RECORDS}/uploads/initiate`;
const CRAWL = `${RECORDS}/website/scrape`;
const TEXT = new TextEncoder().encode('Opening hours: 9 to 5. Größe: 7 µm.');
const GUIDE = { fileName: 'guide.txt', mimeType: 'text/plain', fileSize: TEXT.length };
const PLAIN = { 'Content-Type': 'text/plain' };

let service: Service;
afterEach(() => service.stop());

async function start(options: Partial<ServiceOptions> = {}): Promise<void> {
	service = await startService({ ...KEYS, ...options });
}

async function call(method: string, path: string, data?: unknown, type = 'application/json') {
	const url = `${service.baseUrl}${path}`;
	const headers = { 'Content-Type': type, apikey: KEYS.apiKey };
	return await axios.request<unknown>({ method, url, data, headers, validateStatus: null });
}

/** Announces a file, and returns its ID and upload URL. */
async function announce(fileSize = TEXT.length): Promise<Record<string, string>> {
	const { data } = await call('POST', INITIATE, { files: [{ ...GUIDE, fileSize }] });
	return Object(data).uploads[0];
}

async function send(url = '', bytes = TEXT, method = 'PUT', headers: object = PLAIN) {
	const data = Buffer.from(bytes);
	return await axios.request<unknown>({
		method,
		url,
		data,
		headers: { ...headers },
		validateStatus: null,
	});
}

test.each<[string, string, string, unknown?, string?]>([
	['another property', 'PATCH', ADD, { uniqueIds: ['1'], force: true }],
	['broken JSON', 'PATCH', ADD, '{"uniqueIds":['],
	['another type', 'PATCH', ADD, '{"uniqueIds":["1"]}', 'text/plain'],
	['a query where there is none', 'PATCH', `${ADD}?force=1`, { uniqueIds: ['1'] }],
	['a thread for nobody', 'GET', '/messages/1/thread'],
	['no page of agents', 'GET', `${AGENTS}?limit=0`],
	['a cursor that it never gave', 'GET', `${RECORDS}?cursor=x`],
	['too long a text', 'POST', `${RECORDS}/text`, { title: 'x', text: '😀'.repeat(5001) }],
	['a change of nothing', 'PATCH', `${RECORDS}/text/1`, {}],
	['too deep a crawl', 'POST', CRAWL, { url: 'https://example.test', maxDepth: 11 }],
	['a retry of no pages', 'PATCH', `${RECORDS}/website/1/discovered-urls/sync`, { uniqueIds: [] }],
	['more than 50 MB', 'POST', INITIATE, { files: [{ ...GUIDE, fileSize: 50 * 1024 ** 2 + 1 }] }],
	['a type of another name', 'POST', INITIATE, { files: [{ ...GUIDE, fileName: 'x.pdf' }] }],
])('%s is refused with 400, and nothing is done', async (_, method, path, ...[data, type]) => {
	await start();
	const refused = { statusCode: 400, message: expect.any(String), error: 'Bad Request' };
	expect(await call(method, path, data, type)).toMatchObject({ status: 400, data: refused });
	expect([service.files('support-bot', 'uploads'), service.records()]).toEqual([[], []]);
});

test.each<[string, number, string, ...unknown[]]>([
	['another verb', 403, 'SignatureDoesNotMatch', TEXT, 'POST'],
	['another type', 403, 'SignatureDoesNotMatch', TEXT, 'PUT', { 'Content-Type': 'text/csv' }],
	['other bytes in number', 403, 'SignatureDoesNotMatch', TEXT.subarray(1)],
	['another key', 400, 'InvalidArgument', TEXT, 'PUT', { ...PLAIN, Authorization: 'Bearer x' }],
	['what was not signed', 403, 'AccessDenied', TEXT, 'PUT', { ...PLAIN, 'x-amz-acl': 'private' }],
])('the upload host refuses %s, and accepts bytes once', async (_, status, code, ...sending) => {
	await start();
	const { presignedUrl, uploadId } = await announce();
	const reply = await Reflect.apply(send, undefined, [presignedUrl, ...sending]);
	expect(reply).toMatchObject({ status, data: expect.stringContaining(`<Code>${code}</Code>`) });
	expect(service.stored(`${uploadId}`)).toBeUndefined();
	for (const then of [200, 412]) expect(await send(presignedUrl)).toMatchObject({ status: then });
});

test('the upload host refuses a URL that was changed, or belongs to a deleted file', async () => {
	await start();
	const { presignedUrl, uploadId } = await announce();
	for (const part of [/guide/, /Signature=.{6}/])
		expect(await send(presignedUrl?.replace(part, 'abcdef'))).toMatchObject({ status: 403 });
	await call('DELETE', `${RECORDS}/uploads/${uploadId}`);
	expect(await send(presignedUrl)).toMatchObject({ status: 403 });
});

test('the log contains unchanged paths and all headers, so that it shows a leaked key', async () => {
	await start({ agents: [{ uid: '../x', name: 'X' }] });
	await call('PATCH', ADD.replace('support-bot', '..%2Fx'), { uniqueIds: ['1'] });
	const path = `/v3${AGENTS}/..%2Fx/knowledge-base/uploads/add`;
	expect(service.requests()).toMatchObject([{ path, uid: '../x', uniqueIds: ['1'] }]);
	const { presignedUrl, uploadId } = await announce();
	await send(presignedUrl, TEXT, 'PUT', { ...PLAIN, apikey: 'leaked' });
	const uploaded = { method: 'PUT', uniqueIds: [uploadId], headers: { apikey: 'leaked' } };
	expect(service.uploads()).toMatchObject([uploaded]);
});

test('it only reads as fast and as far as its rule says', async () => {
	await start();
	const rule = { for: { operation: 'upload' as const } };
	service.script({ ...rule, bytesPerSecond: 10_000_000 }, { ...rule, afterBytes: 100_000 });
	const many = new Uint8Array(5_000_000).fill(7);
	const { presignedUrl, uploadId } = await announce(many.length);
	const startedMs = Date.now();
	await send(presignedUrl, many);
	expect(Date.now() - startedMs).toBeGreaterThan(450);
	expect(service.stored(`${uploadId}`)?.bytes).toBe(many.length);
	const cut = await announce(many.length);
	expect(await send(cut.presignedUrl, many)).toMatchObject({ status: 400 });
});
