import { Container } from '@n8n/di';
import { buf as checksumOf } from 'crc-32';
import { BinaryDataService } from 'n8n-core';
import { sleep } from 'n8n-workflow';

import type { Rule } from '../../service/service';
import type { Run, TestFile } from '../engine';
import { openedFiles } from '../engine';
import { add, KEY } from '../fixture';
import { arrivals, errorOf, file, runFiles } from '../operations';
import { freshUploads, hinted, itemEach, TO_AGENT } from './uploads';

const { service, upload, uploaded } = freshUploads();
afterEach(() => jest.restoreAllMocks());

const sending = { operation: 'upload' as const };
const asking = { operation: 'initiate' as const };
const KEPT = ['on disk' as const, 'in memory' as const];
/** More than the system takes in at once. */
const LARGE = new Uint8Array(3_000_000).map((_, at) => (at * 31) % 251);
const large = (fileName = 'a.pdf', more: Partial<TestFile> = {}) => {
	return { file_0: { fileName, bytes: LARGE, ...more } };
};
const stored = Container.get(BinaryDataService);
const storedAs = ({ output }: Run) => service().stored(`${[output[0]?.json.uniqueIds].flat()[0]}`);

async function until(holds: () => boolean): Promise<void> {
	for (let turns = 0; turns < 5000 && !holds(); turns++) await sleep(10);
}

describe('The bytes', () => {
	test.each(KEPT)(
		'of a file that n8n keeps %s arrive as they are, with their length, and without the API key',
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

	test('go to no other host if the upload host sends them on', async () => {
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
			expect(hinted(run)).toMatch(/3\.0 MB in all: "a.pdf".*sent more than once.*No agent answers/);
			// Read anew for each attempt: piece by piece from the disk, never whole.
			expect([opened.length, whole.mock.calls.length]).toEqual(
				kept === 'on disk' ? [3, 0] : [0, 3],
			);
		},
	);

	test('of files in memory are decoded when their turn comes', async () => {
		const sentBefore: number[] = [];
		const decode = stored.getAsBuffer.bind(stored);
		jest.spyOn(stored, 'getAsBuffer').mockImplementation(async (binary) => {
			sentBefore.push(uploaded().length);
			return await decode(binary);
		});
		const files = ['a.txt', 'b.txt'].map((name) => large(name, { kept: 'in memory' }));
		await upload([], { files, options: { parallelRequests: 1 } });
		expect(sentBefore).toEqual([0, 1]);
	});

	test('that are not as many as were announced are not sent', async () => {
		jest.spyOn(stored, 'getAsBuffer').mockResolvedValue(Buffer.from('short'));
		const failed = errorOf(await upload([], { files: [large('a.pdf', { kept: 'in memory' })] }));
		const message = expect.stringContaining('has 5 bytes, and 3000000 were announced');
		expect(failed).toMatchObject({ message, effect: 'not applied' });
		expect(uploaded()).toEqual([]);
	});

	test('that n8n cannot read to their end are told from a lost connection, and not sent again', async () => {
		const open = stored.getAsStream.bind(stored);
		jest.spyOn(stored, 'getAsStream').mockImplementation(async (...asked) => {
			const stream = await open(...asked);
			// Once a part of it has gone out.
			void sleep(1000).then(() => stream.destroy(new Error('EIO: i/o error, read')));
			return stream;
		});
		service().script({ for: sending, bytesPerSecond: 100_000, times: Infinity });
		const failed = errorOf(
			await upload([], { files: [large('a.pdf', { bytes: new Uint8Array(20_000_000) })] }),
		);
		expect(failed).toMatchObject({ message: expect.stringContaining('"EIO: i/o error, read"') });
		expect(uploaded()).toHaveLength(1);
	});

	test('that n8n has deleted meanwhile are said to be, and not a lost connection', async () => {
		const failed = errorOf(await upload([], { files: [large('a.pdf', { kept: 'deleted' })] }));
		expect(failed).toMatchObject({ message: expect.stringContaining('"a.pdf": "File not found"') });
		expect(uploaded()).toEqual([]);
	});

	test('that arrived though the answer was lost count as stored, and are not refused', async () => {
		service().script({ for: sending, drop: 'afterApplying' });
		const { output } = await upload(['a.txt']);
		const ends = service().log.filter(({ host, kind }) => host === 'uploads' && kind !== 'arrived');
		expect(ends.map(({ kind, status }) => status ?? kind)).toEqual(['dropped', 412]);
		expect(output[0]?.json.success).toBe(true);
	});
});

describe('No file stays open after an upload', () => {
	async function expectClosed(opened: Array<{ closed: boolean }>, atLeast: number): Promise<void> {
		// Waits a while for what the system still has to do.
		await until(() => opened.every(({ closed }) => closed));
		expect(opened.length).toBeGreaterThanOrEqual(atLeast);
		expect(opened.filter(({ closed }) => !closed)).toEqual([]);
	}

	test.each<Rule>([
		{},
		{ status: 403, afterBytes: 1000 },
		{ drop: 'beforeApplying', afterBytes: 1000 },
		{ bytesPerSecond: 1000 },
	])('that went like this: %j', async (rule) => {
		const opened = openedFiles();
		service().script({ ...rule, for: sending, times: Infinity });
		await upload([], { files: [large()], options: { maxAttempts: 1, timeoutSeconds: 1 } });
		await expectClosed(opened, 1);
	});

	test('of a run that stops because of another item', async () => {
		const opened = openedFiles();
		service().script({ for: { ...sending, fileName: 'b.pdf' }, status: 400, afterBytes: 0 });
		const files = ['a.pdf', 'b.pdf', 'c.pdf'].map((name) => large(name));
		await upload([], { files, onError: 'stopWorkflow', options: { parallelRequests: 3 } });
		await expectClosed(opened, 2);
	});

	test.each<Rule>([
		{ stall: true },
		{ latencyMs: 60_000, afterBytes: 1 },
		{ bytesPerSecond: 1000 },
	])('of a run that is stopped by hand while bytes are under way: %j', async (rule) => {
		const opened = openedFiles();
		service().script({ ...rule, for: sending, times: Infinity });
		const stop = until(() => uploaded().length === 2);
		await upload([], { files: [large('a.pdf'), large('b.pdf')], stop });
		await expectClosed(opened, 2);
	});

	test('of a run that is stopped by hand while n8n opens the file', async () => {
		const opened = openedFiles(async () => await sleep(500));
		await upload([], { files: [large()], stop: until(() => opened.length > 0) });
		await expectClosed(opened, 1);
		expect(uploaded()).toEqual([]);
	});
});

describe('At the upload host', () => {
	/** The most requests that were under way at once, at one of the hosts or at both. */
	function mostAtOnce(...hosts: string[]): number {
		const underWay = new Set<number>();
		let most = 0;
		for (const { host, kind, request } of service().log) {
			if (!hosts.includes(host)) continue;
			if (kind === 'arrived') underWay.add(request);
			else underWay.delete(request);
			most = Math.max(most, underWay.size);
		}
		return most;
	}
	const slow: Rule = { for: sending, latencyMs: 1000, times: Infinity };

	test.each([1, 2, 3])(
		'five times as many are at work as Parallel Requests allows (%i), and no address is asked for long before its turn',
		async (parallelRequests) => {
			service().script(slow);
			const names = Array.from({ length: 20 }, (_, at) => `${at}.txt`);
			const { output } = await upload([], {
				files: itemEach(names),
				options: { parallelRequests },
			});
			const told = names.map((fileName) => ({ json: { uploads: [{ fileName }] } }));
			expect(output).toMatchObject(told);
			const most = parallelRequests === 1 ? 1 : 5 * parallelRequests;
			expect(mostAtOnce('uploads')).toBe(most);
			expect(mostAtOnce('api')).toBeLessThanOrEqual(parallelRequests);
			let waiting = 0;
			for (const { kind, operation } of service().log) {
				if (kind === 'answered' && operation === 'initiate') waiting += 1;
				if (kind === 'answered' && operation === 'upload') waiting -= 1;
				expect(waiting).toBeLessThanOrEqual(most);
			}
		},
	);

	test.each([
		['on disk' as const, 3],
		['in memory' as const, 2],
	])('of files that n8n keeps %s, of which three come to 102 MB, %i are', async (kept, most) => {
		service().script({ ...slow, afterBytes: 0, status: 400 });
		const bytes = new Uint8Array(34_000_000);
		const files = ['a.pdf', 'b.pdf', 'c.pdf'].map((name) => large(name, { bytes, kept }));
		await upload([], { files });
		expect(uploaded()).toHaveLength(3);
		expect(mostAtOnce('uploads')).toBe(most);
	});
});

describe('No part of an upload address is shown', () => {
	/** Everything that whoever has it could write to the upload host with. */
	const secretsOf = (address: string) => {
		const { pathname, searchParams } = new URL(address);
		const signature = searchParams.get('X-Amz-Signature') ?? '';
		const [key = ''] = (searchParams.get('X-Amz-Credential') ?? '').split('/');
		return [
			address,
			pathname,
			signature.slice(0, 20),
			signature.slice(-8),
			key,
			'X-Amz',
			'X%2DAmz',
		];
	};
	const shownOf = ({ error, hints, stored: kept }: Run) =>
		[kept, JSON.stringify([error ?? null, hints]), String(error?.stack)].join('\n');
	const BOTH = ['continueRegularOutput', 'stopWorkflow'] as const;
	type Make = (address: string, body: unknown) => unknown;

	/** Makes initiate answer with another body, whose address is noted. */
	function initiateAnswers(rule: Omit<Rule, 'transform'>, make: Make): { address: string } {
		const noted = { address: '' };
		const transform = (body: unknown) => {
			noted.address = Object(body).uploads[0].presignedUrl;
			return make(noted.address, body);
		};
		service().script({ times: Infinity, ...rule, for: asking, transform });
		return noted;
	}

	const refused = { status: 400, apply: true };
	const inLines = (url: string) => url.replace(/.{12}/g, '$&\n');
	const inParts: Make = (url) => {
		const { host, pathname: path, searchParams } = new URL(url);
		return { message: JSON.stringify({ host, path, ...Object.fromEntries(searchParams) }) };
	};
	test.each<[string, Omit<Rule, 'transform'>, Make]>([
		['the documented one', {}, (_, body) => body],
		['under other names', {}, (url) => ({ uploads: [{ id: 'a', fileName: 'a.txt', url }] })],
		['beside no success', {}, (url) => ({ success: false, message: `Not stored at ${url}` })],
		['in short lines', {}, (url) => inLines(url)],
		['with 500', { ...refused, status: 500 }, (url) => ({ error: { code: 'ERR', message: url } })],
		['in details', refused, (url) => ({ error: { details: ['Not stored at', url] } })],
		['in a page', refused, (url) => `<html><title>${url}</title>${url}</html>`],
		['where the quotation is cut', refused, (url) => ({ message: `${'x '.repeat(120)}${url}` })],
		[
			'without its start',
			refused,
			(url) => ({ message: url.slice(url.indexOf('Signature=') + 12) }),
		],
		['with escaped slashes', refused, (url) => JSON.stringify({ url }).replaceAll('/', '\\/')],
		['percent-encoded', refused, (url) => ({ message: `next=${encodeURIComponent(url)}` })],
		['in Base64', refused, (url) => ({ message: btoa(url) })],
		[
			'as the code',
			refused,
			(url) => ({ error: { code: url.split('Signature=')[1], message: 'No.' } }),
		],
		['in parts', refused, inParts],
	])('whatever CometChat answers with it: %s', async (_, rule, make) => {
		const noted = initiateAnswers(rule, make);
		for (const onError of BOTH) {
			const shown = shownOf(await upload(['a.txt'], { onError, options: { maxAttempts: 1 } }));
			for (const secret of secretsOf(noted.address)) expect(shown).not.toContain(secret);
		}
	});

	test('nor in the answers to other requests, and in other operations of the account', async () => {
		const noted = initiateAnswers({}, (_, body) => body);
		const transform = () => ({ message: `See ${noted.address}`, [noted.address]: noted.address });
		for (const operation of ['poll', 'add', 'records'] as const) {
			service().script({ status: 400, times: Infinity, transform, for: { operation } });
		}
		const runs = [
			await upload(['a.txt'], { parameters: { ...TO_AGENT, waitUntilIndexed: true } }),
			await upload(['a.txt'], { parameters: TO_AGENT }),
			await add(service(), [{ agent: 'support-bot', files: ['a'] }]),
			await runFiles(service(), 'document.getMany'),
		];
		for (const shown of runs.map(shownOf)) {
			expect(shown).toContain('See [address].');
			for (const secret of secretsOf(noted.address)) expect(shown).not.toContain(secret);
		}
	});

	test.each<Rule>([
		{ status: 503 },
		{ drop: 'beforeApplying' },
		{ stall: true },
		{ status: 307, headers: { Location: 'https://example.com/?X-Amz-Date=1' } },
		{ status: 403 },
	])('whatever the upload host does: %j', async (rule) => {
		const noted = initiateAnswers({}, (_, body) => body);
		service().script({ ...rule, for: sending, times: Infinity });
		for (const onError of BOTH) {
			const options = { maxAttempts: 2, maxWaitSeconds: 0, timeoutSeconds: 1 };
			const shown = shownOf(await upload(['a.txt'], { onError, options }));
			expect(shown).toContain('a.txt');
			for (const secret of secretsOf(noted.address)) expect(shown).not.toContain(secret);
		}
	});
});

describe('At a rate limit', () => {
	const limited = freshUploads({ rateLimit: { requests: 8, windowMs: 1000 }, createdStatus: 201 });

	test('every file arrives once, and requests wait as long as CometChat asks', async () => {
		const run = await limited.upload([], {
			files: itemEach(Array.from({ length: 20 }, (_, at) => `${at}.txt`)),
		});
		expect(run.output.every(({ json }) => json.success === true)).toBe(true);
		expect(limited.names()).toHaveLength(20);
		expect(hinted(run)).toContain('CometChat asked to slow down');
	});
});
