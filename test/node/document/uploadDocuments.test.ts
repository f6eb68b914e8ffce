import { Container } from '@n8n/di';
import { buf as checksumOf } from 'crc-32';
import { BinaryDataService } from 'n8n-core';
import { sleep } from 'n8n-workflow';

import { startService } from '../../service/service';
import type { TestFile } from '../engine';
import { KEY } from '../fixture';
import { arrivals, errorOf, file } from '../operations';
import { freshUploads, itemEach, named, TO_AGENT } from './uploads';

const { service, upload, uploaded } = freshUploads();
const when = { operation: 'upload' as const };
const KEPT = ['on disk' as const, 'in memory' as const];

describe('Which files are uploaded', () => {
	const files = [{ ...named('a.txt', 'b.md'), extra: file('c.csv'), other: file('d.pdf') }];

	test.each([
		['the field that is named', 'extra', ['c.csv']],
		['several fields, in the order named', 'other, extra', ['d.pdf', 'c.csv']],
		['all fields that start alike', 'file_*', ['a.txt', 'b.md']],
		['a field once, however often it is named', 'file_*, file_1,,', ['a.txt', 'b.md']],
		['all fields', '*', ['a.txt', 'b.md', 'c.csv', 'd.pdf']],
	])('%s', async (_, binaryPropertyName, names) => {
		const { output } = await upload([], { files, parameters: { binaryPropertyName } });
		expect(uploaded()).toEqual(names);
		expect(output).toHaveLength(1);
		expect(output[0]?.json).toMatchObject({
			success: true,
			uploads: names.map((fileName) => ({ fileName })),
			addedToAgent: false,
		});
	});

	test('addresses are asked for once for all files of an item, with their type and size', async () => {
		await upload(['a.txt', 'b.MD']);
		const [first, ...others] = service().log.filter(({ kind }) => kind === 'arrived');
		expect(first).toMatchObject({
			operation: 'initiate',
			body: {
				files: [
					{ fileName: 'a.txt', mimeType: 'text/plain', fileSize: 14 },
					{ fileName: 'b.MD', mimeType: 'text/markdown', fileSize: 13 },
				],
			},
		});
		expect(others.map(({ operation }) => operation)).toEqual(['upload', 'upload', 'records']);
	});

	const big: TestFile = { fileName: 'big.pdf', bytes: new Uint8Array(50_000_001) };
	const bytes = new TextEncoder().encode('x');
	const a = { data: file('a.txt') };
	test.each<[string, Record<string, TestFile>, string, string]>([
		['a field that is not there', { ...a, b: a.data }, 'dta', '"dta" (it has "data", "b")'],
		['one of several that is not there', a, 'data, dta', '"dta" (it has "data")'],
		['two files dragged in', { ...a, b: a.data }, '={{ $binary }}', "Name' is not a name"],
		['nothing dragged in', {}, '={{ $json }}', "Name' is not a name"],
		['an item without files', {}, 'data', 'no file, in "data" or elsewhere'],
		['no field name', a, ' , ', "'Input Data Field Name' is empty"],
		['a start that no field has', a, 'file_*', 'no file in the field "file_*" (it has "data")'],
		['another type', { data: file('a.png') }, 'data', `"a.png", is not of a type`],
		['no name and no type', { data: { bytes } }, 'data', `The file in 'data' has no name, and its`],
		['an empty file', { data: file('a.txt', '') }, 'data', `"a.txt", is empty`],
		['more than 50 MB', { data: big }, 'data', `"big.pdf", has 50.0 MB`],
		['one bad file among good ones', { ...a, more: file('b.exe') }, '*', `'more', "b.exe", is not`],
	])('%s is refused in words before anything is sent', async (_, held, name, words) => {
		const run = await upload([], { files: [held], parameters: { binaryPropertyName: name } });
		expect(service().log).toEqual([]);
		expect(errorOf(run)).toMatchObject({
			message: expect.stringContaining(words),
			description: expect.stringMatching(/^Nothing was sent for this item\. ./),
			effect: 'not applied',
			attempts: 0,
		});
	});

	test('of an item with one that CometChat does not take, the others are named as not sent', async () => {
		const names = ['manual.pdf', 'prices.xlsx', 'faq.txt'];
		expect(errorOf(await upload(names))).toMatchObject({
			fileName: 'prices.xlsx',
			description: expect.stringMatching(
				/^Nothing was sent .* Its other files were not sent either: "manual.pdf", "faq.txt"\. CometChat takes .* Without this file, the others are sent\.$/,
			),
		});
		expect(errorOf(await upload(['prices.xlsx']))).toMatchObject({
			description: expect.not.stringContaining('other'),
		});
	});

	test.each([
		['a wrong name', 'dta', 'there is no field "dta"'],
		[
			'the field itself, dragged in',
			'={{ $binary.Document }}',
			"'Input Data Field Name' is not a name",
		],
		['text around it', '={{ $binary.Document }} ', "'Input Data Field Name' is not a name"],
		[
			'an expression that finds nothing',
			'={{ $json.missing }}',
			"'Input Data Field Name' is not a name",
		],
	])('the only file of an item is taken for %s, and a hint says so', async (_, given, instead) => {
		const run = await upload([], {
			files: [{ Document: file('a.txt') }, { Document: file('b.txt') }],
			parameters: { binaryPropertyName: given },
		});
		expect(uploaded()).toEqual(['a.txt', 'b.txt']);
		expect(run.hints.map(({ message }) => message)).toContain(
			`Took the file in "Document", because ${instead}; if a form may bring several, leave the field at * ("a.txt", "b.txt").`,
		);
	});

	test('a file without a name gets one from its type', async () => {
		const mimeType = 'text/plain; charset=utf-8';
		await upload([], { files: [{ file_0: { bytes, mimeType } }] });
		expect(uploaded()).toEqual(['file.txt']);
	});

	test.each([
		['waitUntilIndexed', 'Wait Until Indexed'],
		['addToAgent', 'Add to Agent'],
	])('a switch whose expression gives no switch is refused: %s', async (name, label) => {
		const run = await upload(['a.txt'], { parameters: { ...TO_AGENT, [name]: '={{ "yes" }}' } });
		expect(service().log).toEqual([]);
		expect(errorOf(run)).toMatchObject({
			message: `'${label}' is neither true nor false [item 0]`,
		});
	});
});

describe('The bytes', () => {
	const large = new Uint8Array(3_000_000).map((_, at) => (at * 31) % 251);
	const stored = Container.get(BinaryDataService);

	afterEach(() => jest.restoreAllMocks());

	test.each(KEPT)(
		'of a file that n8n keeps %s arrive as they are, with their length',
		async (kept) => {
			const data: TestFile = { fileName: 'größe (neu).pdf', bytes: large, kept };
			const { output } = await upload([], { files: [{ file_0: data }] });
			const [id = ''] = Object.values(output[0]?.json.uniqueIds ?? {});
			expect(service().stored(id)).toEqual({ bytes: large.length, checksum: checksumOf(large) });
			const [{ headers } = { headers: {} }] = service().uploads();
			expect(headers).toMatchObject({
				'content-length': String(large.length),
				'content-type': 'application/pdf',
			});
			expect(headers).not.toHaveProperty('transfer-encoding');
		},
	);

	test('go to the upload host without the API key', async () => {
		await upload(['a.txt']);
		const [{ headers, path } = { headers: { apikey: KEY } }] = service().uploads();
		expect(Object.keys(headers)).not.toContain('apikey');
		expect(JSON.stringify([headers, path])).not.toContain(KEY);
	});

	test('go to no other host if the upload host sends them on', async () => {
		const elsewhere = await startService({ apiKey: KEY, authKey: 'other' });
		const headers = { Location: `${elsewhere.uploadOrigin}/x` };
		service().script({ for: when, status: 307, headers });
		const run = await upload(['a.txt']);
		expect(elsewhere.log).toEqual([]);
		await elsewhere.stop();
		expect(service().uploads()).toHaveLength(1);
		expect(errorOf(run)).toMatchObject({ status: 307, effect: 'not applied' });
	});

	test.each(KEPT)(
		'are sent again from their start when the upload host was busy or the connection was lost (%s)',
		async (kept) => {
			service().script(
				{ for: when, status: 503, afterBytes: 100_000 },
				{ for: when, drop: 'beforeApplying', afterBytes: 100_000 },
				{ for: when, status: 500 },
			);
			const data: TestFile = { fileName: 'a.pdf', bytes: large, kept };
			const { output, hints } = await upload([], { files: [{ file_0: data }] });
			const uploads = Array(4).fill('upload a.pdf');
			expect(arrivals(service())).toEqual(['initiate a.pdf', ...uploads, 'records']);
			const [id = ''] = Object.values(output[0]?.json.uniqueIds ?? {});
			expect(service().stored(id)?.checksum).toBe(checksumOf(large));
			expect(hints.map(({ message }) => message)).toEqual([
				'1 file was uploaded, 3.0 MB in all: "a.pdf".',
				'1 item was sent more than once, because CometChat was busy or the connection was lost.',
				"No agent answers from the uploaded files yet: switch on 'Add to Agent', or use their IDs in Add Files.",
			]);
		},
	);

	test('of a file on disk are read piece by piece, anew for each attempt, and let go of after it', async () => {
		const whole = jest.spyOn(stored, 'getAsBuffer');
		const pieces = jest.spyOn(stored, 'getAsStream');
		service().script({ for: when, status: 503, afterBytes: 0 }, { for: when, status: 400 });
		await upload([], { files: [{ file_0: { fileName: 'a.pdf', bytes: large } }] });
		const streams = await Promise.all(pieces.mock.results.map(({ value }) => value));
		expect(streams.map(({ destroyed }) => destroyed)).toEqual([true, true]);
		expect(whole).not.toHaveBeenCalled();
	});

	test('of files in memory are decoded when their turn comes, and anew for each attempt', async () => {
		const sentBefore: number[] = [];
		const decode = stored.getAsBuffer.bind(stored);
		jest.spyOn(stored, 'getAsBuffer').mockImplementation(async (binary) => {
			sentBefore.push(uploaded().length);
			return await decode(binary);
		});
		service().script({ for: { ...when, fileName: 'b.txt' }, status: 503 });
		const { output } = await upload([], {
			files: ['a.txt', 'b.txt', 'c.txt'].map((name) => ({
				file_0: { ...file(name), kept: 'in memory' },
			})),
			options: { parallelRequests: 1 },
		});
		expect(output.map(({ json }) => json.success)).toEqual([true, true, true]);
		expect(sentBefore).toEqual([0, 1, 2, 3]);
		expect(arrivals(service())[0]).toBe('initiate a.txt');
	});

	test('that are not as many as were announced are not sent, and the words say so', async () => {
		jest.spyOn(stored, 'getAsBuffer').mockResolvedValue(Buffer.from('short'));
		const run = await upload([], { files: [{ file_0: { ...file('a.txt'), kept: 'in memory' } }] });
		expect(uploaded()).toEqual([]);
		expect(errorOf(run)).toMatchObject({
			message: `The file in 'file_0', "a.txt", has 5 bytes, and 14 were announced to CometChat [item 0]`,
			effect: 'not applied',
		});
	});

	test('that n8n cannot read to their end are told from a lost connection, and not sent again', async () => {
		const open = stored.getAsStream.bind(stored);
		jest.spyOn(stored, 'getAsStream').mockImplementation(async (...asked) => {
			const stream = await open(...asked);
			// Once a part of it has gone out.
			void sleep(1000).then(() => stream.destroy(new Error('EIO: i/o error, read')));
			return stream;
		});
		service().script({ for: when, bytesPerSecond: 100_000, times: Infinity });
		const bytes = new Uint8Array(20_000_000);
		const run = await upload([], { files: [{ file_0: { fileName: 'a.pdf', bytes } }] });
		expect(uploaded()).toHaveLength(1);
		expect(errorOf(run)).toMatchObject({
			message: expect.stringContaining('"EIO: i/o error, read"'),
		});
	});

	test('that arrived though the answer was lost count as stored, and are not refused', async () => {
		service().script({ for: when, drop: 'afterApplying' });
		const { output } = await upload(['a.txt']);
		const ends = service().log.filter(({ host, kind }) => host === 'uploads' && kind !== 'arrived');
		expect(ends.map(({ kind, status }) => status ?? kind)).toEqual(['dropped', 412]);
		expect(output[0]?.json.success).toBe(true);
	});

	test('412 at the first attempt is a refusal', async () => {
		service().script({ for: when, status: 412 });
		expect(errorOf(await upload(['a.txt']))).toMatchObject({ status: 412, effect: 'not applied' });
	});

	test('a file that n8n has deleted meanwhile is said to be, and not a lost connection', async () => {
		const gone: TestFile = { fileName: 'a.txt', bytes: large, kept: 'deleted' };
		const run = await upload([], { files: [{ file_0: gone }] });
		expect(service().uploads()).toEqual([]);
		expect(errorOf(run)).toMatchObject({
			message: `n8n was not able to read the file in 'file_0', "a.txt": "File not found" [item 0]`,
		});
	});
});

describe('At a rate limit', () => {
	const limited = freshUploads({ rateLimit: { requests: 8, windowMs: 1000 } });

	test('every file arrives once, and requests wait as long as CometChat asks', async () => {
		const files = itemEach(Array.from({ length: 20 }, (_, at) => `${at}.txt`));
		const { output, hints } = await limited.upload([], { files });
		expect(output.every(({ json }) => json.success === true)).toBe(true);
		expect(limited.names()).toHaveLength(20);
		expect(hints.map(({ message }) => message)).toContainEqual(
			expect.stringMatching(/^CometChat asked to slow down/),
		);
	});
});

describe.each([200 as const, 201 as const])(
	'An answer of %i with the addresses',
	(createdStatus) => {
		const other = freshUploads({ createdStatus });

		test('is taken', async () => {
			expect((await other.upload(['a.txt'])).output[0]?.json.success).toBe(true);
		});
	},
);
