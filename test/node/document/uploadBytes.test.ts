import { Container } from '@n8n/di';
import { buf as checksumOf } from 'crc-32';
import { BinaryDataService } from 'n8n-core';
import { sleep } from 'n8n-workflow';

import type { Rule } from '../../service/service';
import type { Run, TestFile } from '../engine';
import { openedFiles } from '../engine';
import { KEY } from '../fixture';
import { arrivals, errorOf, file } from '../operations';
import { freshUploads, hinted, itemEach } from './uploads';

const { service, upload, uploaded } = freshUploads();
afterEach(() => jest.restoreAllMocks());

const sending = { operation: 'upload' as const };
const asking = { operation: 'initiate' as const };
const KEPT = ['on disk' as const, 'in memory' as const];
/** Larger than the buffer of the system. */
const LARGE = pdfOf(3_000_000);
const large = (fileName = 'a.pdf', more: Partial<TestFile> = {}) => {
	return { file_0: { fileName, bytes: LARGE, ...more } };
};
function pdfOf(length: number): Uint8Array {
	const bytes = new Uint8Array(length).map((_, at) => (at * 31) % 251);
	bytes.set(file('a.pdf').bytes);
	return bytes;
}
const stored = Container.get(BinaryDataService);
const storedAs = ({ output }: Run) => service().stored(String(output[0]?.json.uniqueId));

async function until(holds: () => boolean): Promise<void> {
	for (let turns = 0; turns < 5000 && !holds(); turns++) await sleep(10);
}

describe('The bytes', () => {
	test.each(KEPT)(
		'of a file that n8n keeps %s arrive unchanged, with their length, and without the API key',
		async (kept) => {
			const run = await upload([], { files: [large('größe (neu).pdf', { kept })] });
			expect(storedAs(run)).toEqual({ bytes: LARGE.length, checksum: checksumOf(LARGE) });
			const [{ headers, path } = { headers: { apikey: KEY } }] = service().uploads();
			expect(headers).toMatchObject({
				'content-length': '3000000',
				'content-type': 'application/pdf',
			});
			expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['transfer-encoding']));
			expect(JSON.stringify([headers, path])).not.toMatch(new RegExp(`${KEY}|apikey`));
		},
	);

	test('are sent to no other host if the upload host redirects', async () => {
		const headers = { Location: `${service().baseUrl}/elsewhere` };
		service().script({ for: sending, status: 307, headers });
		const more = { status: 307, effect: 'not applied' };
		expect(errorOf(await upload(['a.txt']))).toMatchObject(more);
		expect(service().log.filter(({ path }) => path.includes('elsewhere'))).toEqual([]);
	});

	test.each(KEPT)(
		'are sent again from their start when the upload host was busy or the connection was lost (%s)',
		async (kept) => {
			const opened = openedFiles();
			service().script(
				{ for: sending, status: 503, afterBytes: 100_000 },
				{ for: sending, drop: 'beforeApplying', afterBytes: 100_000 },
			);
			const whole = jest.spyOn(stored, 'getAsBuffer');
			const run = await upload([], { files: [large('a.pdf', { kept })] });
			const uploads = Array(3).fill('upload a.pdf');
			expect(arrivals(service())).toEqual(['initiate a.pdf', ...uploads, 'records']);
			expect(storedAs(run)?.checksum).toBe(checksumOf(LARGE));
			expect(hinted(run)).toMatch(/^No agent uses/);
			// Opened for the first bytes and for each attempt: a file on the disk is never read as a whole.
			expect([opened.length, whole.mock.calls.length]).toEqual(
				kept === 'on disk' ? [4, 0] : [0, 4],
			);
		},
	);

	test('that n8n cannot read to their end are distinguished from a lost connection, and not sent again', async () => {
		const open = stored.getAsStream.bind(stored);
		jest.spyOn(stored, 'getAsStream').mockImplementation(async (...asked) => {
			const stream = await open(...asked);
			// After a part of the file was sent.
			void sleep(1000).then(() => stream.destroy(new Error('EIO: i/o error, read')));
			return stream;
		});
		service().script({ for: sending, bytesPerSecond: 100_000, times: Infinity });
		const failed = errorOf(
			await upload([], { files: [large('a.pdf', { bytes: pdfOf(20_000_000) })] }),
		);
		expect(failed).toMatchObject({ message: expect.stringContaining('"EIO: i/o error, read"') });
		expect(uploaded()).toHaveLength(1);
	});

	test('that arrived with a lost response count as stored, and are not refused', async () => {
		service().script({ for: sending, drop: 'afterApplying' });
		const { output } = await upload(['a.txt']);
		const ends = service().log.filter(({ host, kind }) => host === 'uploads' && kind !== 'arrived');
		expect(ends.map(({ kind, status }) => status ?? kind)).toEqual(['dropped', 412]);
		expect(output[0]?.json.success).toBe(true);
	});
});

describe('No file stays open after an upload', () => {
	async function expectClosed(opened: Array<{ closed: boolean }>, atLeast: number): Promise<void> {
		// Waits for the system to close them.
		await until(() => opened.every(({ closed }) => closed));
		expect(opened.length).toBeGreaterThanOrEqual(atLeast);
		expect(opened.filter(({ closed }) => !closed)).toEqual([]);
	}

	test.each<Rule>([{}, { status: 403, afterBytes: 1000 }, { stall: true }])(
		'that went like this: %j, nor of one that was stopped because of it',
		async (rule) => {
			const opened = openedFiles();
			service().script({ ...rule, for: { ...sending, fileName: 'b.pdf' }, times: Infinity });
			const files = ['a.pdf', 'b.pdf'].map((name) => large(name));
			await upload([], { files, onError: 'stopWorkflow' });
			await expectClosed(opened, 2);
		},
	);

	test('of an execution that is stopped manually while bytes are being sent', async () => {
		const opened = openedFiles();
		service().script({ for: sending, latencyMs: 60_000, afterBytes: 1, times: Infinity });
		const stop = until(() => uploaded().length === 2);
		await upload([], { files: [large('a.pdf'), large('b.pdf')], stop });
		await expectClosed(opened, 2);
	});
});

test('at most 40 requests and 20 uploads are open at a time, and an upload URL is requested when its file is next', async () => {
	service().script(
		{ for: sending, latencyMs: 1000, times: Infinity },
		{ for: { operation: 'pages' }, latencyMs: 5000, times: Infinity },
	);
	const files = itemEach(Array.from({ length: 90 }, (_, at) => `${at}.txt`));
	await upload([], { files, parameters: { waitUntilIndexed: true } });
	const sum = { requests: 0, uploads: 0, looks: 0, waiting: 0 };
	const most = { ...sum };
	for (const { kind, operation } of service().log) {
		const change = kind === 'arrived' ? 1 : -1;
		// The other host is the upload host.
		sum[operation === 'upload' ? 'uploads' : 'requests'] += change;
		if (operation === 'pages') sum.looks += change;
		if (kind === 'answered' && operation === 'initiate') sum.waiting += 1;
		if (kind === 'answered' && operation === 'upload') sum.waiting -= 1;
		for (const name of ['requests', 'uploads', 'looks', 'waiting'] as const) {
			most[name] = Math.max(most[name], sum[name]);
		}
	}
	expect([most.requests, most.uploads, most.looks]).toEqual([40, 20, 40]);
	expect(most.waiting).toBeLessThanOrEqual(20);
});

describe('No part of an upload URL is shown', () => {
	let addresses: string[] = [];
	beforeEach(() => {
		addresses = [];
	});
	type Make = (address: string, body: unknown) => unknown;

	/** Changes the body of 'initiate', and stores the original upload URL. */
	function initiateAnswers(rule: Omit<Rule, 'transform'>, make: Make): void {
		const transform = (body: unknown) => {
			const [{ presignedUrl }] = Object(body).uploads;
			addresses.push(presignedUrl);
			return make(presignedUrl, body);
		};
		service().script({ times: Infinity, ...rule, for: asking, transform });
	}

	/** Expects no upload URL and no part of it, which would allow anybody to write the file. */
	function expectHidden({ error, hints, stored: kept }: Run): void {
		const shown = [kept, JSON.stringify([error ?? null, hints]), `${error?.stack}`].join('\n');
		for (const address of addresses) {
			const { pathname, searchParams } = new URL(address);
			const signature = searchParams.get('X-Amz-Signature') ?? '';
			const [key = ''] = (searchParams.get('X-Amz-Credential') ?? '').split('/');
			const parts = [pathname, signature.slice(0, 20), signature.slice(-8), key, 'X-Amz'];
			for (const secret of [address, ...parts]) expect(shown).not.toContain(secret);
		}
		expect(addresses).not.toEqual([]);
	}

	const refused = { status: 400, apply: true };
	test.each<[string, Omit<Rule, 'transform'>, Make]>([
		['the documented one', {}, (_, body) => body],
		['beside no success', {}, (url) => ({ success: false, message: `Not stored at ${url}` })],
		['in an error', refused, (url) => ({ error: { message: `Not stored at "${url}".` } })],
		['in another shape', {}, (url) => ({ message: url.split(/[?&=]/).join('\n') })],
	])('whatever response of CometChat contains it: %s', async (_, rule, make) => {
		initiateAnswers(rule, make);
		for (const onError of ['continueRegularOutput', 'stopWorkflow'] as const) {
			expectHidden(await upload(['a.txt'], { onError }));
		}
	});

	test.each<Rule>([
		{ drop: 'beforeApplying' },
		{ status: 307, headers: { Location: 'https://example.com/?X-Amz-Date=1' } },
		{ status: 403 },
	])('whatever the upload host does: %j', async (rule) => {
		initiateAnswers({}, (_, body) => body);
		service().script({ ...rule, for: sending, times: Infinity });
		const run = await upload(['a.txt'], { onError: 'stopWorkflow' });
		expect(run.error?.message).toContain('a.txt');
		expectHidden(run);
	});
});
