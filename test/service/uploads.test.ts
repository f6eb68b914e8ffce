import axios from 'axios';

import type { Service, ServiceOptions } from './service';
import { startService } from './service';
import { checksumOf } from './storage/checksum';

const KEYS = { apiKey: 'k'.repeat(40), authKey: 'a'.repeat(40) };
const INITIATE = '/ai-agents/agent-builder/knowledge-base/uploads/initiate';
const TEXT = new TextEncoder().encode('Opening hours: 9 to 5. Größe: 7 µm.');
const GUIDE = { fileName: 'guide.txt', mimeType: 'text/plain', fileSize: TEXT.length };

interface Announced {
	uploadId: string;
	s3Key: string;
	presignedUrl: string;
}

let service: Service;
afterEach(() => service.stop());

async function start(options: Partial<ServiceOptions> = {}): Promise<void> {
	service = await startService({ ...KEYS, ...options });
}

function initiate(files: unknown) {
	const headers = { apikey: KEYS.apiKey };
	const url = `${service.baseUrl}${INITIATE}`;
	return axios.post<{ uploads: Announced[] }>(url, { files }, { headers, validateStatus: null });
}

async function announce(file: object = GUIDE): Promise<Announced> {
	const { data } = await initiate([file]);
	const [upload] = data.uploads;
	if (upload === undefined) throw new Error('There is no upload.');
	return upload;
}

interface Sending {
	method?: string;
	headers?: Record<string, string>;
	timeout?: number;
}

function send(url: string, bytes: Uint8Array = TEXT, sending: Sending = {}) {
	const { method = 'PUT', headers = { 'Content-Type': 'text/plain' }, timeout } = sending;
	const whole = { maxBodyLength: Infinity, maxContentLength: Infinity };
	const plain = { validateStatus: null, maxRedirects: 0, ...whole };
	return axios.request<string>({
		method,
		url,
		data: Buffer.from(bytes),
		headers,
		timeout,
		...plain,
	});
}

/** A body without a length. */
function sendPieces(url: string, pieces: Uint8Array[]) {
	const body = new ReadableStream<Uint8Array>({
		start: (controller) => {
			for (const piece of pieces) controller.enqueue(piece);
			controller.close();
		},
	});
	const headers = { 'Content-Type': 'text/plain' };
	const init = { method: 'PUT', headers, body, duplex: 'half' as const };
	return fetch(url, init);
}

const ends = () =>
	service.log.filter((entry) => entry.kind !== 'arrived').filter(({ host }) => host === 'uploads');
const STORED = { bytes: TEXT.length, checksum: checksumOf(TEXT) };

describe('announcing files', () => {
	it('gives each an ID and a URL of another origin, in their order', async () => {
		await start();
		const plan = { fileName: 'Plan (neu) 100%.PDF', mimeType: 'application/pdf', fileSize: 5 };
		const { status, data } = await initiate([GUIDE, plan]);
		expect(status).toBe(201);
		expect(data).toEqual({
			uploads: [GUIDE, plan].map((file) => ({
				...file,
				uploadId: expect.stringMatching(/^[\da-f]{8}-0000-4000-8000-0{12}$/),
				s3Key: expect.stringMatching(/^stand-in-app\/uploads\/[\da-f]{8}\/.+/),
				presignedUrl: expect.stringContaining(`${service.uploadOrigin}/stand-in-bucket/`),
			})),
		});
		expect(service.uploadOrigin).not.toBe(new URL(service.baseUrl).origin);
		expect(data.uploads[1]?.s3Key).toMatch(/Plan \(neu\) 100%\.PDF$/);
	});

	it.each([
		['no file', []],
		['no size', [{ ...GUIDE, fileSize: undefined }]],
		['a size of nothing', [{ ...GUIDE, fileSize: 0 }]],
		['more than 50 MB', [{ ...GUIDE, fileSize: 50 * 1024 * 1024 + 1 }]],
		['a property of no meaning', [{ ...GUIDE, public: true }]],
		['another type by its name', [GUIDE, { ...GUIDE, fileName: 'photo.png' }]],
		['a name without an ending', [{ ...GUIDE, fileName: 'pdf' }]],
		['another media type', [{ ...GUIDE, mimeType: 'application/octet-stream' }]],
		['a media type of another ending', [{ ...GUIDE, fileName: 'guide.pdf' }]],
	])('with %s is refused with 400, all of it', async (_, files) => {
		await start();
		const data = { statusCode: 400, message: expect.any(String), error: 'Bad Request' };
		expect(await initiate(files)).toMatchObject({ status: 400, data });
		expect(service.records()).toEqual([]);
	});

	it('is refused by what the options say, and by nothing else', async () => {
		const uploads = { maxFileBytes: 9, maxFilesPerCall: 2, typeShownBy: 'name' as const };
		await start({ uploads });
		const small = { fileName: 'a.MD', mimeType: 'application/octet-stream', fileSize: 9 };
		const statuses = [];
		for (const files of [
			[small, small],
			[small, small, small],
			[{ ...small, fileSize: 10 }],
			[{ ...small, fileName: 'a.png' }],
		]) {
			statuses.push((await initiate(files)).status);
		}
		expect(statuses).toEqual([201, 400, 400, 400]);
	});

	it('gives URLs that lead nowhere if a rule keeps it from being done', async () => {
		await start();
		service.script({ for: { fileName: 'guide.txt' }, apply: false });
		const { presignedUrl } = await announce();
		expect(await send(presignedUrl)).toMatchObject({ status: 403 });
		expect(service.records()).toEqual([]);
	});
});

describe('the upload host', () => {
	it('tells apart the same bytes in another order', () => {
		expect(checksumOf(Uint8Array.of(1, 2))).not.toBe(checksumOf(Uint8Array.of(2, 1)));
		expect(checksumOf(new Uint8Array())).toBe('811c9dc5');
	});

	it('logs every request with all its headers, so that a leaked key shows', async () => {
		await start();
		const { presignedUrl, uploadId } = await announce();
		await send(presignedUrl, TEXT, { headers: { 'Content-Type': 'text/plain', apikey: 'leaked' } });
		expect(service.uploads()).toMatchObject([
			{
				host: 'uploads',
				operation: 'upload',
				method: 'PUT',
				path: presignedUrl.slice(service.uploadOrigin.length),
				uniqueIds: [uploadId],
				fileNames: ['guide.txt'],
				headers: { apikey: 'leaked', 'content-length': String(TEXT.length) },
			},
		]);
		expect(service.requests()).toEqual([]);
	});

	it.each<[string, number, string, Partial<Sending>, Uint8Array?]>([
		['another verb', 403, 'SignatureDoesNotMatch', { method: 'POST' }],
		['another type', 403, 'SignatureDoesNotMatch', { headers: { 'Content-Type': 'text/csv' } }],
		['other bytes in number', 403, 'SignatureDoesNotMatch', {}, TEXT.subarray(1)],
		[
			'an Authorization header',
			400,
			'InvalidArgument',
			{ headers: { 'Content-Type': 'text/plain', Authorization: 'Bearer x' } },
		],
		[
			'an x-amz header that was not signed',
			403,
			'AccessDenied',
			{ headers: { 'Content-Type': 'text/plain', 'x-amz-acl': 'private' } },
		],
	])('refuses %s with %i %s in XML', async (_, status, code, sending, bytes = TEXT) => {
		await start();
		const { presignedUrl, uploadId } = await announce();
		const reply = await send(presignedUrl, bytes, sending);
		expect(reply.status).toBe(status);
		expect(reply.headers['content-type']).toBe('application/xml');
		expect(reply.data).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<Error>.*<\/Error>$/);
		expect(reply.data).toContain(`<Code>${code}</Code>`);
		expect(service.stored(uploadId)).toBeUndefined();
		expect(await send(presignedUrl)).toMatchObject({ status: 200 });
	});

	it('refuses a URL that has expired, that it never gave, or that was changed', async () => {
		await start({ uploads: { expiresMs: 0 } });
		const { presignedUrl } = await announce();
		const replies = [
			await send(presignedUrl),
			await send(presignedUrl.replace('guide', 'other')),
			await send(presignedUrl.replace(/Signature=.{6}/, 'Signature=abcdef')),
			await send(`${service.uploadOrigin}/stand-in-bucket/guide.txt`),
		];
		expect(replies.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
		expect(replies.map(({ data }) => /<Code>(\w+)/.exec(data)?.[1])).toEqual([
			'AccessDenied',
			'SignatureDoesNotMatch',
			'SignatureDoesNotMatch',
			'AccessDenied',
		]);
		expect(replies[0]?.data).toContain('<Message>Request has expired</Message>');
	});

	it('takes the same URL in another spelling', async () => {
		await start();
		const { presignedUrl } = await announce({ ...GUIDE, fileName: "it's (new)!.txt" });
		const spelled = presignedUrl
			.replaceAll("'", '%27')
			.replaceAll('(', '%28')
			.replaceAll('!', '%21');
		expect(spelled).not.toBe(presignedUrl);
		expect(await send(spelled)).toMatchObject({ status: 200 });
	});

	it.each([
		['refuse' as const, 412],
		['accept' as const, 200],
	])('told to %s a second use, answers it with %i', async (secondUse, status) => {
		await start({ uploads: { secondUse } });
		const { presignedUrl } = await announce();
		await send(presignedUrl);
		expect(await send(presignedUrl)).toMatchObject({ status });
	});

	it.each([
		['refuse' as const, 501],
		['accept' as const, 200],
	])('told to %s a body without a length, answers it with %i', async (chunked, status) => {
		await start({ uploads: { chunked } });
		const { presignedUrl, uploadId } = await announce();
		const reply = await sendPieces(presignedUrl, [TEXT.subarray(0, 9), TEXT.subarray(9)]);
		expect(reply.status).toBe(status);
		expect(service.stored(uploadId)).toEqual(status === 200 ? STORED : undefined);
		const next = await announce();
		expect((await sendPieces(next.presignedUrl, [TEXT.subarray(9)])).ok).toBe(false);
	});

	it('can want another verb, another type and any length', async () => {
		const contentType = 'application/octet-stream';
		await start({ uploads: { method: 'POST', contentType, length: 'any' } });
		const { presignedUrl, uploadId } = await announce();
		const sending = { method: 'POST', headers: { 'Content-Type': contentType } };
		expect(await send(presignedUrl)).toMatchObject({ status: 403 });
		expect(await send(presignedUrl, TEXT.subarray(1), sending)).toMatchObject({ status: 200 });
		expect(service.stored(uploadId)?.bytes).toBe(TEXT.length - 1);
	});

	it('does not know a file any more that was deleted before its bytes came', async () => {
		await start();
		const { presignedUrl, uploadId } = await announce();
		const url = `${service.baseUrl}${INITIATE.replace('initiate', uploadId)}`;
		await axios.delete(url, { headers: { apikey: KEYS.apiKey } });
		expect(await send(presignedUrl)).toMatchObject({ status: 403 });
	});

	it('forgets its URLs on reset', async () => {
		await start();
		const { presignedUrl, uploadId } = await announce();
		service.reset();
		expect(await send(presignedUrl)).toMatchObject({ status: 403 });
		expect((await announce()).uploadId).not.toBe(uploadId);
	});
});

describe('told to misbehave, the upload host', () => {
	const many = new Uint8Array(5_000_000).fill(7);
	const MANY = { ...GUIDE, fileSize: many.length };

	it('says yes, and stores nothing, if told so', async () => {
		await start();
		service.script({ for: { operation: 'upload' }, apply: false });
		const { presignedUrl, uploadId } = await announce();
		expect(await send(presignedUrl)).toMatchObject({ status: 200 });
		expect(service.stored(uploadId)).toBeUndefined();
	});

	it('takes what it was told of the first bytes for all of them', async () => {
		await start();
		service.script({ for: { operation: 'upload' }, afterBytes: 100_000 });
		const { presignedUrl, uploadId } = await announce(MANY);
		expect(await send(presignedUrl, many)).toMatchObject({ status: 400 });
		expect(service.stored(uploadId)).toBeUndefined();
	});

	it('leaves a client stuck amid the body, and notices its own end', async () => {
		await start();
		service.script({ for: { operation: 'upload' }, latencyMs: 60_000, afterBytes: 100_000 });
		const { presignedUrl } = await announce(MANY);
		const reply = send(presignedUrl, many, { timeout: 400 });
		await expect(reply).rejects.toMatchObject({ code: 'ECONNABORTED' });
		await service.stop();
		expect(ends()).toMatchObject([{ kind: 'dropped', applied: false }]);
		expect(ends()[0]?.received?.bytes).toBeLessThan(1_000_000);
	});

	it('reads no faster than it is told', async () => {
		await start();
		service.script({ for: { operation: 'upload' }, bytesPerSecond: 10_000_000 });
		const { presignedUrl, uploadId } = await announce(MANY);
		const startedMs = Date.now();
		await send(presignedUrl, many);
		expect(Date.now() - startedMs).toBeGreaterThan(450);
		expect(service.stored(uploadId)?.checksum).toBe(checksumOf(many));
	});
});
