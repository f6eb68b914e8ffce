import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import { sleep } from 'n8n-workflow';

import { startService } from '../service/service';
import { checksumOf } from '../service/storage/checksum';
import type { TestFile } from './engine';
import { add, freshService, KEY } from './fixture';
import { agent, arrivals, errorOf, file, runFiles } from './uploaded';

const service = freshService();
const continuing = { onError: 'continueRegularOutput' as const };
const named = (...names: string[]): Record<string, TestFile> =>
	Object.fromEntries(names.map((name, at) => [`file_${at}`, file(name)]));
const all = { binaryPropertyName: 'file_*' };
const toAgent = { addToAgent: true, uid: agent('support-bot') };
const attached = () => service().files('support-bot', 'uploads');
const uploaded = () =>
	service()
		.uploads()
		.map(({ fileNames }) => fileNames?.join());

/** Everything that whoever has it could write to the upload host with. */
function secretsOf(host = service()): string[] {
	return host.uploads().flatMap(({ path }) => [path, /Signature=(\w+)/.exec(path)?.[1] ?? path]);
}

describe('Which files are uploaded', () => {
	const files = [{ ...named('a.txt', 'b.md'), extra: file('c.csv'), other: file('d.pdf') }];

	test.each([
		['the field that is named', 'extra', ['c.csv']],
		['several fields, in the order named', 'other, extra', ['d.pdf', 'c.csv']],
		['all fields that start alike', 'file_*', ['a.txt', 'b.md']],
		['a field once, however often it is named', 'file_*, file_1,,', ['a.txt', 'b.md']],
		['all fields', '*', ['a.txt', 'b.md', 'c.csv', 'd.pdf']],
	])('%s', async (_, binaryPropertyName, names) => {
		const { output } = await runFiles(service(), 'upload', {
			files,
			parameters: { binaryPropertyName },
		});
		expect(uploaded()).toEqual(names);
		expect(output).toHaveLength(1);
		expect(output[0]?.json).toMatchObject({
			success: true,
			uploads: names.map((fileName) => ({ fileName })),
			addedToAgent: false,
		});
	});

	test('addresses are asked for once for all files of an item, with their type and size', async () => {
		await runFiles(service(), 'upload', { files: [named('a.txt', 'b.MD')], parameters: all });
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
		expect(others.map(({ operation }) => operation)).toEqual(['upload', 'upload']);
	});

	const big: TestFile = { fileName: 'big.pdf', bytes: new Uint8Array(50_000_001) };
	const bytes = new TextEncoder().encode('x');
	test.each<[string, Record<string, TestFile>, string, string]>([
		[
			'a field that is not there',
			{ data: file('a.txt') },
			'dta',
			'The item has no file in the field "dta" (it has "data")',
		],
		['an item without files', {}, 'data', 'The item has no file in the field "data"'],
		['no field name', { data: file('a.txt') }, ' , ', "'Input Data Field Name' is empty"],
		[
			'a start that no field has',
			{ data: file('a.txt') },
			'file_*',
			'The item has no file in the field "file_*" (it has "data")',
		],
		[
			'a type that CometChat does not take',
			{ data: file('a.png') },
			'data',
			`The file in 'data', "a.png", is not of a type that CometChat takes`,
		],
		[
			'no name and no type',
			{ data: { bytes } },
			'data',
			`The file in 'data' has no name, and its type, "application/octet-stream", is none that CometChat takes`,
		],
		['an empty file', { data: file('a.txt', '') }, 'data', `The file in 'data', "a.txt", is empty`],
		[
			'more than 50 MB',
			{ data: big },
			'data',
			`The file in 'data', "big.pdf", has 50.0 MB, more than CometChat takes`,
		],
		[
			'one bad file among good ones',
			{ data: file('a.txt'), more: file('b.exe') },
			'*',
			`The file in 'more', "b.exe", is not of a type that CometChat takes`,
		],
	])('%s is refused in words before anything is sent', async (_, held, name, words) => {
		const run = await runFiles(service(), 'upload', {
			...continuing,
			files: [held],
			parameters: { binaryPropertyName: name },
		});
		expect(service().log).toEqual([]);
		expect(errorOf(run)).toMatchObject({
			message: expect.stringContaining(words),
			description: expect.stringMatching(/^Nothing was sent for this item\. ./),
			effect: 'not applied',
			attempts: 0,
		});
	});

	test('a file without a name gets one from its type', async () => {
		const mimeType = 'text/plain; charset=utf-8';
		await runFiles(service(), 'upload', { files: [{ data: { bytes, mimeType } }] });
		expect(uploaded()).toEqual(['file.txt']);
	});

	test.each([
		['waitUntilIndexed', 'Wait Until Indexed'],
		['addToAgent', 'Add to Agent'],
	])('a switch whose expression gives no switch is refused: %s', async (name, label) => {
		const parameters = { uid: agent('support-bot'), [name]: '={{ "yes" }}' };
		const run = await runFiles(service(), 'upload', {
			...continuing,
			files: [{ data: file('a.txt') }],
			parameters,
		});
		expect(service().log).toEqual([]);
		expect(errorOf(run)).toMatchObject({
			message: `'${label}' is neither true nor false [item 0]`,
		});
	});
});

describe('The bytes', () => {
	const large = new Uint8Array(3_000_000).map((_, at) => (at * 31) % 251);

	test.each(['on disk' as const, 'in memory' as const])(
		'of a file that n8n keeps %s arrive as they are, with their length',
		async (kept) => {
			const data: TestFile = { fileName: 'größe (neu).pdf', bytes: large, kept };
			const { output } = await runFiles(service(), 'upload', { files: [{ data }] });
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
		await runFiles(service(), 'upload', { files: [{ data: file('a.txt') }] });
		expect(service().uploads()).toHaveLength(1);
		for (const { headers, path } of service().uploads()) {
			expect(Object.keys(headers)).not.toContain('apikey');
			expect(JSON.stringify([headers, path])).not.toContain(KEY);
		}
	});

	test('go to no other host if the upload host sends them on', async () => {
		const elsewhere = await startService({ apiKey: KEY, authKey: 'other' });
		const headers = { Location: `${elsewhere.uploadOrigin}/x` };
		service().script({ for: { operation: 'upload' }, status: 307, headers });
		const run = await runFiles(service(), 'upload', {
			...continuing,
			files: [{ data: file('a.txt') }],
		});
		expect(elsewhere.log).toEqual([]);
		await elsewhere.stop();
		expect(service().uploads()).toHaveLength(1);
		expect(errorOf(run)).toMatchObject({
			message: 'The upload address did not take "a.txt" [item 0]',
			status: 307,
		});
	});

	test.each(['http://example.com/x', 'ftp://127.0.0.1/x', 'no address'])(
		'go to no address without encryption: %s',
		async (presignedUrl) => {
			const uploads = [{ uploadId: 'u1', fileName: 'a.txt', presignedUrl }];
			const body = JSON.stringify({ uploads });
			service().script({ for: { operation: 'initiate' }, status: 201, body });
			const run = await runFiles(service(), 'upload', {
				...continuing,
				files: [{ data: file('a.txt') }],
			});
			expect(service().uploads()).toEqual([]);
			expect(errorOf(run)).toMatchObject({
				message: 'CometChat gave an upload address that is not encrypted [item 0]',
			});
			expect(run.stored).not.toContain(presignedUrl);
		},
	);

	test('of one file never go to the address of another', async () => {
		const address = (fileName: string) => {
			return { uploadId: fileName, fileName, presignedUrl: `${service().uploadOrigin}/x` };
		};
		const body = JSON.stringify({ uploads: [address('b.txt'), address('a.txt')] });
		service().script({ for: { operation: 'initiate' }, status: 201, body });
		const run = await runFiles(service(), 'upload', {
			...continuing,
			files: [named('a.txt', 'b.txt')],
			parameters: all,
		});
		expect(service().uploads()).toEqual([]);
		expect(errorOf(run)).toMatchObject({
			message: 'CometChat gave another answer than its documentation shows [item 0]',
		});
	});

	test.each(['on disk' as const, 'in memory' as const])(
		'are sent again from their start when the upload host was busy or the connection was lost (%s)',
		async (kept) => {
			const when = { operation: 'upload' as const };
			service().script(
				{ for: when, status: 503, afterBytes: 100_000 },
				{ for: when, drop: 'beforeApplying', afterBytes: 100_000 },
				{ for: when, status: 500 },
			);
			const data: TestFile = { fileName: 'a.pdf', bytes: large, kept };
			const { output, hints } = await runFiles(service(), 'upload', {
				files: [{ data }],
				options: { maxWaitSeconds: 0 },
			});
			expect(arrivals(service())).toEqual(['initiate a.pdf', ...Array(4).fill('upload a.pdf')]);
			const [id = ''] = Object.values(output[0]?.json.uniqueIds ?? {});
			expect(service().stored(id)?.checksum).toBe(checksumOf(large));
			expect(hints.map(({ message }) => message)).toEqual([
				'1 file was uploaded, 3.0 MB in all.',
				'1 item was sent more than once, because CometChat was busy or the connection was lost.',
			]);
		},
	);

	test('of a file on disk are read piece by piece, anew for each attempt, and let go of after it', async () => {
		const files = Container.get(BinaryDataService);
		const whole = jest.spyOn(files, 'getAsBuffer');
		const pieces = jest.spyOn(files, 'getAsStream');
		const when = { operation: 'upload' as const };
		service().script({ for: when, status: 503, afterBytes: 0 }, { for: when, status: 400 });
		await runFiles(service(), 'upload', {
			...continuing,
			files: [{ data: { fileName: 'a.pdf', bytes: large } }],
			options: { maxWaitSeconds: 0 },
		});
		const streams = await Promise.all(pieces.mock.results.map(({ value }) => value));
		expect(streams.map(({ destroyed }) => destroyed)).toEqual([true, true]);
		expect(whole).not.toHaveBeenCalled();
		jest.restoreAllMocks();
	});

	test('of files in memory are decoded when their turn comes, and anew for each attempt', async () => {
		const sentBefore: number[] = [];
		const stored = Container.get(BinaryDataService);
		const decode = stored.getAsBuffer.bind(stored);
		jest.spyOn(stored, 'getAsBuffer').mockImplementation(async (binary) => {
			sentBefore.push(uploaded().length);
			return await decode(binary);
		});
		service().script({ for: { operation: 'upload', fileName: 'b.txt' }, status: 503 });
		const { output } = await runFiles(service(), 'upload', {
			files: ['a.txt', 'b.txt', 'c.txt'].map((name) => ({
				data: { ...file(name), kept: 'in memory' },
			})),
			options: { maxWaitSeconds: 0, parallelRequests: 1 },
		});
		jest.restoreAllMocks();
		expect(output.map(({ json }) => json.success)).toEqual([true, true, true]);
		expect(sentBefore).toEqual([0, 1, 2, 3]);
		expect(arrivals(service())[0]).toBe('initiate a.txt');
	});

	test('that are not as many as were announced are not sent, and the words say so', async () => {
		const stored = Container.get(BinaryDataService);
		jest.spyOn(stored, 'getAsBuffer').mockResolvedValue(Buffer.from('short'));
		const run = await runFiles(service(), 'upload', {
			...continuing,
			files: [{ data: { ...file('a.txt'), kept: 'in memory' } }],
		});
		jest.restoreAllMocks();
		expect(arrivals(service())).toEqual(['initiate a.txt']);
		expect(errorOf(run)).toMatchObject({
			message: `The file in 'data', "a.txt", has 5 bytes, and 14 were announced to CometChat [item 0]`,
			effect: 'not applied',
		});
	});

	test('that n8n can not read to their end are told from a lost connection, and not sent again', async () => {
		const stored = Container.get(BinaryDataService);
		const open = stored.getAsStream.bind(stored);
		jest.spyOn(stored, 'getAsStream').mockImplementation(async (...asked) => {
			const stream = await open(...asked);
			// Once a part of it has gone out.
			void sleep(100).then(() => stream.destroy(new Error('EIO: i/o error, read')));
			return stream;
		});
		const when = { operation: 'upload' as const };
		service().script({ for: when, bytesPerSecond: 1_000_000, times: Infinity });
		const run = await runFiles(service(), 'upload', {
			...continuing,
			files: [{ data: { fileName: 'a.pdf', bytes: new Uint8Array(20_000_000) } }],
			options: { maxWaitSeconds: 0 },
		});
		jest.restoreAllMocks();
		expect(uploaded()).toHaveLength(1);
		expect(errorOf(run)).toMatchObject({
			message: `n8n was not able to read the file in 'data', "a.pdf": "EIO: i/o error, read" [item 0]`,
		});
	});

	test('that arrived though the answer was lost count as stored, and are not refused', async () => {
		service().script({ for: { operation: 'upload' }, drop: 'afterApplying' });
		const { output } = await runFiles(service(), 'upload', {
			files: [{ data: file('a.txt') }],
			options: { maxWaitSeconds: 0 },
		});
		const ends = service().log.filter(({ host, kind }) => host === 'uploads' && kind !== 'arrived');
		expect(ends.map(({ kind, status }) => status ?? kind)).toEqual(['dropped', 412]);
		expect(output[0]?.json.success).toBe(true);
	});

	test('412 at the first attempt is a refusal', async () => {
		service().script({ for: { operation: 'upload' }, status: 412 });
		const run = await runFiles(service(), 'upload', {
			...continuing,
			files: [{ data: file('a.txt') }],
		});
		expect(errorOf(run)).toMatchObject({ status: 412, effect: 'not applied' });
	});

	test('a file that n8n has deleted meanwhile is said to be, and not a lost connection', async () => {
		const gone: TestFile = { fileName: 'a.txt', bytes: large, kept: 'deleted' };
		const run = await runFiles(service(), 'upload', { ...continuing, files: [{ data: gone }] });
		expect(service().uploads()).toEqual([]);
		expect(errorOf(run)).toMatchObject({
			message: `n8n was not able to read the file in 'data', "a.txt": "File not found" [item 0]`,
		});
	});
});

describe('An upload that does not succeed', () => {
	const expired = freshService({ uploads: { expiresMs: 0 } });
	const unsigned = freshService({ uploads: { contentType: 'image/png' } });
	const when = { operation: 'upload' as const };

	test.each<[string, object, object]>([
		[
			'an address that has expired',
			{ status: 403, code: 'AccessDenied', message: 'Request has expired' },
			{
				status: 403,
				effect: 'not applied',
				attempts: 1,
				description: expect.stringMatching(
					/^The upload address answered with status 403\. Not uploaded: "a\.txt"\. CometChat may show an entry without content \(ID [\da-f-]{36}\): delete it with Delete Files\. Such addresses hold for a short time only: upload it again\./,
				),
			},
		],
		[
			'a host that stays busy',
			{ status: 503, times: Infinity },
			{ status: 503, effect: 'unknown', attempts: 2 },
		],
		[
			'a connection that is lost again and again',
			{ drop: 'beforeApplying', times: Infinity },
			{
				effect: 'unknown',
				attempts: 2,
				message: 'The connection was lost while "a.txt" was uploaded [item 0]',
				description: expect.stringContaining('Not uploaded, as far as is known: "a.txt".'),
			},
		],
		['a host that does not answer', { stall: true, times: Infinity }, { effect: 'unknown' }],
	])('%s is said in words that do not show the address', async (_, rule, words) => {
		service().script({ ...rule, for: when });
		for (const onError of ['continueRegularOutput', 'stopWorkflow'] as const) {
			const run = await runFiles(service(), 'upload', {
				onError,
				files: [{ data: file('a.txt') }],
				options: { maxAttempts: 2, maxWaitSeconds: 0, timeoutSeconds: 1 },
			});
			if (onError === 'continueRegularOutput') expect(errorOf(run)).toMatchObject(words);
			expect(secretsOf().length).toBeGreaterThan(0);
			for (const secret of [...secretsOf(), 'X-Amz', 'Signature']) {
				expect(run.stored).not.toContain(secret);
				expect(String(run.error?.stack)).not.toContain(secret);
				expect(JSON.stringify(run.error ?? null)).not.toContain(secret);
			}
		}
	});

	test.each([
		['expired', expired],
		['of another signature, which the host repeats', unsigned],
	])('an address that is %s is refused with 403, and shown nowhere', async (_, host) => {
		for (const onError of ['continueRegularOutput', 'stopWorkflow'] as const) {
			const run = await runFiles(host(), 'upload', { onError, files: [{ data: file('a.txt') }] });
			expect(run.stored).toContain('The upload address answered with status 403.');
			for (const secret of [...secretsOf(host()), 'X-Amz', 'Signature']) {
				expect(run.stored).not.toContain(secret);
			}
		}
	});

	test('an upload that succeeds does not show the address either', async () => {
		const run = await runFiles(service(), 'upload', { files: [{ data: file('a.txt') }] });
		for (const secret of [...secretsOf(), 'X-Amz']) expect(run.stored).not.toContain(secret);
	});

	test('after some of the files says which are there, with their IDs, and which are not', async () => {
		service().script({ for: { ...when, fileName: 'b.txt' }, status: 400 });
		const run = await runFiles(service(), 'upload', {
			...continuing,
			files: [named('a.txt', 'b.txt', 'c.txt')],
			parameters: { ...all, ...toAgent },
		});
		const [c, b, a] = service()
			.records()
			.map(({ uniqueId }) => uniqueId);
		expect(uploaded()).toEqual(['a.txt', 'b.txt']);
		expect(attached()).toEqual([]);
		expect(errorOf(run)).toMatchObject({
			message: 'The upload address did not take "b.txt" [item 0]',
			description: expect.stringContaining(
				`Uploaded: "a.txt" (ID ${a}). Not uploaded: "b.txt", "c.txt". CometChat may show entries without content (ID ${b}, ${c}): delete them with Delete Files.`,
			),
			effect: 'partly applied',
			uniqueIds: [a],
			uploads: [{ uniqueId: a, fileName: 'a.txt' }],
			unfinished: [
				{ uniqueId: b, fileName: 'b.txt' },
				{ uniqueId: c, fileName: 'c.txt' },
			],
			addedToAgent: false,
		});
	});

	test('for want of an address uploads nothing, and names no field that the operation does not have', async () => {
		service().script({ for: { operation: 'initiate' }, status: 400, message: 'No room.' });
		const run = await runFiles(service(), 'upload', {
			...continuing,
			files: [{ data: file('a.txt') }],
		});
		expect(service().uploads()).toEqual([]);
		expect(errorOf(run)).toMatchObject({
			message: 'CometChat refused the request [item 0]',
			description:
				'CometChat answered with status 400 (ERR_BAD_REQUEST): No room. Not uploaded: "a.txt". Check what this item gives against what CometChat says above.',
		});
	});

	test('fails alone: the other items go on', async () => {
		service().script({ for: { ...when, fileName: 'b.txt' }, status: 400 });
		const { output } = await runFiles(service(), 'upload', {
			...continuing,
			files: ['a.txt', 'b.txt', 'c.txt'].map((name) => ({ data: file(name) })),
		});
		expect(output.map(({ json }) => json.success ?? Object.keys(json))).toEqual([
			true,
			['error'],
			true,
		]);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2].map((item) => ({ item })));
	});

	test('goes to the error output with its own words', async () => {
		service().script({ for: { ...when, fileName: 'b.txt' }, status: 400 });
		const { output, errorOutput } = await runFiles(service(), 'upload', {
			onError: 'continueErrorOutput',
			files: ['a.txt', 'b.txt'].map((name) => ({ data: file(name) })),
		});
		expect(output).toHaveLength(1);
		expect(errorOutput).toHaveLength(1);
		expect(JSON.stringify(errorOutput[0]?.json.error)).toContain('did not take \\"b.txt\\"');
	});

	test('ends a run that is set to stop, and is named as its cause, not an item that it cut off', async () => {
		service().scriptIndexing({ for: { fileName: 'slow.txt' }, ms: Infinity });
		service().script({ for: { ...when, fileName: 'bad.txt' }, status: 400, latencyMs: 500 });
		const { error } = await runFiles(service(), 'upload', {
			files: ['slow.txt', 'bad.txt'].map((name) => ({ data: file(name) })),
			parameters: { waitUntilIndexed: true },
		});
		expect(error?.message).toBe(
			'The upload address did not take "bad.txt" [item 1] (0 of 2 items applied, 2 failed, 0 not sent)',
		);
		const slow = service()
			.records()
			.find(({ sourceName }) => sourceName === 'slow.txt');
		expect(error?.description).toContain(
			`In CometChat now: "slow.txt" (ID ${slow?.uniqueId}, item 0).`,
		);
	});
});

describe('After the upload', () => {
	test('the output goes into Add Files as it is, as IDs and as records', async () => {
		const { output } = await runFiles(service(), 'upload', {
			files: [named('a.txt', 'b.txt')],
			parameters: all,
		});
		const items = output.map(({ json }) => ({ agent: 'support-bot', ...json }));
		const ids = service()
			.records()
			.map(({ uniqueId }) => uniqueId)
			.reverse();
		await add(service(), items, { parameters: { fileIds: '={{ $json.uniqueIds }}' } });
		expect(attached()).toEqual(ids);
		const sales = { uid: agent('sales-assistant'), fileIds: '={{ $json.uploads }}' };
		await add(service(), items, { parameters: sales });
		expect(service().files('sales-assistant', 'uploads')).toEqual(ids);
	});

	test('the files are added to the agent at once if asked, in one request', async () => {
		const { output } = await runFiles(service(), 'upload', {
			files: [named('a.txt', 'b.txt')],
			parameters: { ...all, ...toAgent },
		});
		expect(service().requests()).toHaveLength(1);
		expect(attached()).toEqual(output[0]?.json.uniqueIds);
		expect(output[0]?.json).toMatchObject({ uid: 'support-bot', addedToAgent: true });
	});

	test("one agent's changes never overlap, however its ID is written, and those of several do", async () => {
		const body = '{"success":true}';
		const when = { operation: 'add' as const };
		service().script({ for: when, status: 200, body, latencyMs: 60, times: Infinity });
		const agents = ['support-bot', 'SUPPORT-BOT', 'sales-assistant'];
		await runFiles(service(), 'upload', {
			items: Array.from({ length: 9 }, (_, at) => ({ agent: agents[at % 3] ?? '' })),
			files: Array.from({ length: 9 }, (_, at) => ({ data: file(`${at}.txt`) })),
			parameters: { addToAgent: true, uid: agent('={{ $json.agent }}') },
		});
		expect(service().requests()).toHaveLength(9);
		expect(service().maxInFlight('support-bot')).toBe(1);
		expect(service().maxInFlight()).toBe(2);
	});

	test('the one that is refused ends a run that is set to stop before the next has its turn', async () => {
		service().script({ for: { operation: 'add' }, status: 400, latencyMs: 200 });
		const { error } = await runFiles(service(), 'upload', {
			files: ['a.txt', 'b.txt'].map((name) => ({ data: file(name) })),
			parameters: toAgent,
		});
		expect(error?.message).toContain('(0 of 2 items applied, 2 failed, 0 not sent)');
		expect(service().requests()).toHaveLength(1);
		expect(attached()).toEqual([]);
	});

	test('a status that CometChat does not give says nothing of the agent, which was not asked', async () => {
		service().script({ for: { operation: 'poll' }, status: 500 });
		const run = await runFiles(service(), 'upload', {
			...continuing,
			files: [{ data: file('a.txt') }],
			options: { maxAttempts: 1 },
			parameters: { ...toAgent, waitUntilIndexed: true },
		});
		expect(errorOf(run)).toMatchObject({
			description: expect.stringContaining('Not added to the agent.'),
			addedToAgent: false,
		});
		expect(service().requests()).toEqual([]);
	});

	test('waits until all are indexed before it adds them, asking less and less often', async () => {
		service().scriptIndexing({ for: { fileName: 'slow.txt' }, ms: 4000 });
		const { output } = await runFiles(service(), 'upload', {
			files: [named('a.txt', 'slow.txt')],
			parameters: { ...all, ...toAgent, waitUntilIndexed: true },
		});
		const asked = service().log.filter(
			({ kind, operation }) => kind === 'arrived' && operation === 'poll',
		);
		const gaps = asked.slice(1).map(({ atMs }, at) => atMs - (asked[at]?.atMs ?? 0));
		expect(gaps.length).toBeGreaterThanOrEqual(2);
		expect(gaps).toEqual([...gaps].sort((one, other) => one - other));
		// A file that is ready is not asked for again.
		expect(asked.at(-1)?.uniqueIds).toHaveLength(1);
		expect(arrivals(service()).at(-1)).toMatch(/^add support-bot /);
		expect(output[0]?.json).toMatchObject({
			uploads: [{ status: 'indexed' }, { status: 'indexed' }],
			addedToAgent: true,
		});
	});

	test('a file that can not be indexed is an error that says what to do, and is not added', async () => {
		service().scriptIndexing({ for: { fileName: 'b.pdf' }, ends: 'failed' });
		const run = await runFiles(service(), 'upload', {
			...continuing,
			files: [named('a.txt', 'b.pdf')],
			parameters: { ...all, ...toAgent, waitUntilIndexed: true },
		});
		const [b, a] = service()
			.records()
			.map(({ uniqueId }) => uniqueId);
		expect(attached()).toEqual([]);
		expect(errorOf(run)).toMatchObject({
			message: 'CometChat was not able to read the file [item 0]',
			description: `Uploaded: "a.txt" (ID ${a}), "b.pdf" (ID ${b}). Not added to the agent. Check that the file opens, is not protected by a password and holds text; then delete it ("${b}") and upload it again.`,
			effect: 'partly applied',
			uploads: [
				{ uniqueId: a, status: 'indexed' },
				{ uniqueId: b, status: 'failed' },
			],
		});
	});

	test('an agent that is unknown does not lose the files: the output has their IDs', async () => {
		const run = await runFiles(service(), 'upload', {
			...continuing,
			files: [{ data: file('a.txt') }],
			parameters: { addToAgent: true, uid: agent('nobody') },
		});
		const ids = service()
			.records()
			.map(({ uniqueId }) => uniqueId);
		expect(errorOf(run)).toMatchObject({
			message: 'CometChat does not know this agent [item 0]',
			description: expect.stringContaining(
				`Uploaded: "a.txt" (ID ${ids.join()}). Not added to the agent. To go on, use these IDs in Get Status and Add Files; uploading again would make a second copy.`,
			),
			uniqueIds: ids,
			effect: 'partly applied',
			status: 404,
		});
	});

	test('the stop button ends the waiting, and no further request is sent', async () => {
		service().scriptIndexing({ ms: Infinity });
		const stop = (async () => {
			while (!arrivals(service()).some((line) => line.startsWith('poll'))) await sleep(5);
			await sleep(50);
		})();
		const startedMs = Date.now();
		const { status } = await runFiles(service(), 'upload', {
			files: [{ data: file('a.txt') }],
			parameters: { ...toAgent, waitUntilIndexed: true },
			stop,
		});
		const sent = arrivals(service()).length;
		expect(Date.now() - startedMs).toBeLessThan(20_000);
		expect(status).toBe('canceled');
		await sleep(1500);
		expect(arrivals(service())).toHaveLength(sent);
		expect(attached()).toEqual([]);
	});
});

describe('At a rate limit', () => {
	const limited = freshService({ rateLimit: { requests: 8, windowMs: 1000 } });

	test('every file arrives once, and requests wait as long as CometChat asks', async () => {
		const { output, hints } = await runFiles(limited(), 'upload', {
			files: Array.from({ length: 20 }, (_, at) => ({ data: file(`${at}.txt`) })),
		});
		expect(output.every(({ json }) => json.success === true)).toBe(true);
		expect(limited().records()).toHaveLength(20);
		expect(hints.map(({ message }) => message)).toContainEqual(
			expect.stringMatching(/^CometChat asked to slow down/),
		);
	});
});

describe.each([200 as const, 201 as const])(
	'An answer of %i with the addresses',
	(createdStatus) => {
		const other = freshService({ createdStatus });

		test('is taken', async () => {
			const { output } = await runFiles(other(), 'upload', { files: [{ data: file('a.txt') }] });
			expect(output[0]?.json.success).toBe(true);
		});
	},
);
