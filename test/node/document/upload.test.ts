import { buf as checksumOf } from 'crc-32';

import type { RecordSeed, Rule } from '../../service/service';
import type { TestFile } from '../engine';
import { arrivals, errorOf, file } from '../operations';
import { freshUploads, hinted, inFields, itemEach, named, TO_AGENT } from './uploads';

const { service, upload, uploaded, names, ids, attached } = freshUploads();
const sending = { operation: 'upload' as const };
const asking = { operation: 'initiate' as const };
const stopping = { onError: 'stopWorkflow' as const };

describe('Which files are uploaded', () => {
	const files = [{ ...named('a.txt', 'b.md'), extra: file('c.csv'), other: file('d.pdf') }];

	test.each([
		['the field that is named', 'extra', ['c.csv']],
		['several fields, in the order named, once', 'other, extra,, other', ['d.pdf', 'c.csv']],
		['a list of names from an expression', '={{ ["other", "extra"] }}', ['d.pdf', 'c.csv']],
		['all fields', '*', ['a.txt', 'b.md', 'c.csv', 'd.pdf']],
	])('%s', async (_, binaryPropertyName, fileNames) => {
		const { output } = await upload([], { files, parameters: { binaryPropertyName } });
		expect(uploaded()).toEqual(fileNames);
		const rows = fileNames.map((name) => ({ json: { name, action: 'uploaded', success: true } }));
		expect(output).toMatchObject(rows);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(fileNames.map(() => ({ item: 0 })));
	});

	test('who has no file is led to a node that outputs one', async () => {
		const run = await upload([], { files: [{}], onError: 'continueRegularOutput' });
		expect(errorOf(run)).toMatchObject({
			description: expect.stringMatching(
				/^Pinned data contains no files: .* a form, a download.* Nothing was sent for this item\.$/,
			),
		});
	});

	const a = { data: file('a.txt') };
	test.each<[string, Record<string, TestFile>, string]>([
		['dta', { ...a, b: a.data }, '"dta", and the item has no such file (it has "data", "b")'],
		['={{ $json.missing }}', a, "'Input Data Field Name' is empty"],
		['={{ $binary }}', { ...a, b: a.data }, "'Input Data Field Name' is an object, not text"],
		['data', {}, 'The item has no file'],
		['file_*', { file_0: a.data }, '"file_*", and the item has no such file (it has "file_0")'],
		['={{ [] }}', a, "'Input Data Field Name' is empty"],
		['={{ ["data", "dta"] }}', a, '"dta", and the item has no such file (it has "data")'],
		['more', { ...a, more: file('b.exe') }, `'more', "b.exe", is not of a type`],
		['data, more', { ...a, more: file('~$a.docx') }, `'more', "~$a.docx", is a temporary`],
		['={{ ["*", "more"] }}', { ...a, more: file('b.md', '') }, `'more', "b.md", is empty`],
	])('the field "%s" is refused before anything is sent', async (name, held, words) => {
		const run = await upload([], { files: [held], parameters: { binaryPropertyName: name } });
		expect(service().log).toEqual([]);
		const more = { effect: 'not applied', attempts: 0 };
		expect(errorOf(run)).toMatchObject({ ...more, message: expect.stringContaining(words) });
	});

	test('an upload URL is requested for each file, with its name, type and size, and its bytes are sent there immediately', async () => {
		const mimeType = 'text/markdown; charset=utf-8';
		const bytes = new TextEncoder().encode('x');
		await upload([], {
			files: [{ ...named('a.txt'), file_1: { fileName: 'b', bytes, mimeType } }],
		});
		const sent = ['initiate', 'upload'].flatMap((one) => [`${one} a.txt`, `${one} b.md`]);
		expect(arrivals(service())).toEqual([...sent, 'records']);
		const asked = service().log.filter(({ kind, operation }) => {
			return kind === 'arrived' && operation === 'initiate';
		});
		expect(asked.map(({ body }) => body)).toEqual([
			{ files: [{ fileName: 'a.txt', mimeType: 'text/plain', fileSize: 14 }] },
			{ files: [{ fileName: 'b.md', mimeType: 'text/markdown', fileSize: 1 }] },
		]);
	});
});

type Entry = Record<string, unknown>;
/** Makes a rule that changes the uploads in CometChat's response. */
const giving = (change: (entries: Entry[]) => Entry[]): Rule => {
	return { for: asking, transform: (body) => ({ uploads: change([...Object(body).uploads]) }) };
};

test('The bytes of each file are stored with its own ID, also of two with one name, and with any name in the response', async () => {
	const files = [file('a b.txt', 'one'), file('a b.txt', 'two')];
	service().script({
		...giving((all) => all.map((one) => ({ ...one, fileName: 'a_b.txt' }))),
		times: 2,
	});
	const { output } = await upload([], { files: [inFields(files)] });
	expect(output.map(({ json }) => json.name)).toEqual(['a b.txt', 'a b.txt']);
	const stored = output.map(({ json }) => service().stored(String(json.uniqueId))?.checksum);
	expect(stored).toEqual(files.map(({ bytes }) => checksumOf(bytes)));
});

describe('No bytes are sent, and nothing is deleted, if the upload URL is', () => {
	const first = (change: Entry) => (entries: Entry[]) => [{ ...entries[0], ...change }];

	test.each<[string, (entries: Entry[]) => Entry[]]>([
		['missing', () => []],
		['one of several', (entries) => [...entries, ...entries]],
		['of an ID that could leave an address', first({ uploadId: '..' })],
	])('%s', async (_, change) => {
		service().script(giving(change));
		const message = 'CometChat sent an unexpected answer';
		expect(errorOf(await upload(['a.txt']))).toMatchObject({ message, effect: 'unknown' });
		expect(arrivals(service())).toEqual(['initiate a.txt']);
	});

	test('the URL of another file of the execution', async () => {
		let once: Entry[] | undefined;
		service().script({ ...giving((entries) => (once ??= entries)), times: 2 });
		const error = errorOf(await upload(['a.txt', 'b.txt']));
		expect(error).toMatchObject({ effect: 'partly applied', uniqueIds: [expect.any(String)] });
		expect(arrivals(service())).not.toContain('upload b.txt');
		// The file should be added to no agent.
		expect(Object(error).description).not.toContain('to the agent');
	});

	test('not encrypted', async () => {
		service().script(giving(first({ presignedUrl: 'http://example.com/x' })));
		const message = expect.stringContaining('for "a.txt" that is not encrypted');
		expect(errorOf(await upload(['a.txt']))).toMatchObject({ message });
		expect(service().uploads()).toEqual([]);
	});
});

describe('The request for an upload URL', () => {
	const MAY_BE_EMPTY = 'CometChat may have created an empty document for this file';

	test('that CometChat refuses because the file exists names the document with this name', async () => {
		await upload(['a.txt']);
		const [id] = ids();
		const message = 'A source with the same content is there already';
		service().script({ for: asking, status: 409, message });
		const error = errorOf(await upload(['a.txt'], { parameters: { ifNameExists: 'replace' } }));
		const description = expect.stringMatching(
			`same content .*CometChat has "a.txt" \\(ID ${id}\\)`,
		);
		expect(error).toMatchObject({ description, status: 409 });
	});

	test.each<[string, Rule, boolean]>([
		[
			'whose answer is lost leaves an empty document, which is remarked on',
			{ drop: 'afterApplying', times: 2 },
			true,
		],
		['that waits for the rate limit leaves none', { status: 429, times: 2 }, false],
	])('%s', async (_, rule, isNoted) => {
		service().script({ ...rule, for: asking });
		const run = await upload(['a.txt']);
		expect(run.output[0]?.json).toMatchObject({ success: true });
		expect(hinted(run).split(MAY_BE_EMPTY)).toHaveLength(isNoted ? 2 : 1);
	});

	test('whose answer is lost may have left an empty document, also if the upload then fails', async () => {
		service().script({ drop: 'afterApplying', times: 1, for: asking });
		service().script({ status: 400, for: sending });
		const run = await upload(['a.txt'], { parameters: { ifNameExists: 'fail' } });
		const description = expect.stringContaining('Result unknown, may be in CometChat: "a.txt".');
		expect(errorOf(run)).toMatchObject({ effect: 'unknown', description });
	});
});

describe('Bytes that did not arrive', () => {
	const page = { body: '<html><title>Sign in</title></html>', contentType: 'text/html' };
	const refused = (fileName: string): Rule => ({ for: { ...sending, fileName }, status: 400 });
	/** Without the list, it is unknown which documents are new. */
	const listed = { parameters: { ifNameExists: 'fail' } };
	const deletions = () => arrivals(service()).filter((line) => line.startsWith('delete'));

	test.each<[Rule, RegExp, object]>([
		[
			{ status: 400 },
			/^Run the item again\. .*contact CometChat support\. Not in CometChat: "a.txt"\. .*status 400\./,
			{ attempts: 1 },
		],
		[{ status: 403 }, /Not in CometChat: "a.txt"\. .* status 403\./, { status: 403, attempts: 1 }],
		[{ status: 503 }, /^Run the item again\./, { status: 503, attempts: 5 }],
		[{ status: 200, ...page }, /and a web page/, { attempts: 1 }],
		[{ drop: 'beforeApplying' }, /^Check that the n8n server can reach/, { attempts: 5 }],
		[{ stall: true }, /Check that the n8n server can reach/, { attempts: 2 }],
	])('after %j leave no empty document: surely not uploaded', async (rule, said, more) => {
		service().script({ ...rule, for: sending, times: Infinity });
		const run = await upload(['a.txt'], listed);
		expect(errorOf(run)).toMatchObject({
			message: expect.stringContaining('did not confirm the upload of "a.txt"'),
			description: expect.stringMatching(said),
			effect: 'not applied',
			...more,
		});
		expect(errorOf(run)).not.toHaveProperty('unfinished');
		expect(names()).toEqual([]);
	});

	test('have their empty documents deleted, the other files of the item are uploaded, and the error names the existing ones', async () => {
		service().script(refused('b.txt'));
		const parameters = { ...TO_AGENT, ifNameExists: 'replace' };
		const run = await upload(['a.txt', 'b.txt', 'c.txt'], { parameters });
		expect(names()).toEqual(['a.txt', 'c.txt']);
		expect(attached()).toEqual(ids());
		expect(errorOf(run)).toMatchObject({
			description: expect.stringMatching(
				/^Use these IDs.*In CometChat: "a.txt" \(ID \S+\), "c.txt" \(ID \S+\)\. Not in CometChat: "b.txt"\./,
			),
			effect: 'partly applied',
			...{ name: 'a.txt, b.txt, c.txt', action: 'failed', uniqueIds: ids() },
		});
	});

	test.each<[string, Rule, boolean]>([
		['that cannot be taken away is named, with what to do', { status: 400 }, true],
		['that is gone already is not', { status: 404, code: 'ERR_KB_NOT_FOUND' }, false],
	])('an empty document %s', async (_, rule, isNamed) => {
		service().script(
			{ for: sending, status: 400, latencyMs: 500, times: 2 },
			{ ...rule, for: { operation: 'deleteUpload' }, times: 2 },
		);
		const files = itemEach(['a.txt', 'b.txt']);
		const { error } = await upload([], { ...stopping, ...listed, files });
		const isSaid = (words: RegExp) => words.test(error?.description ?? '');
		const own = /Delete the empty document.*an empty document: "[ab].txt"/;
		const other = /In CometChat: .*, empty document/;
		expect([own, other].map(isSaid)).toEqual([isNamed, isNamed]);
	});

	test('an empty document of Add Another is named and not deleted: no list has shown that it is new', async () => {
		service().script(refused('a.txt'));
		const error = errorOf(await upload(['a.txt']));
		const description = expect.stringMatching(
			/Delete the empty document.*an empty document: "a.txt"/,
		);
		const [uniqueId] = ids();
		expect(error).toMatchObject({ description, unfinished: [{ uniqueId }] });
		expect([names(), deletions()]).toEqual([['a.txt'], []]);
	});

	test('because another item ended the execution: bytes that are being sent arrive, and nothing else starts', async () => {
		const [first = '', ...slow] = Array.from({ length: 39 }, (_, at) => `${at}.txt`);
		service().script(
			{ ...refused('bad.txt'), latencyMs: 2000 },
			{ for: { ...sending, fileName: first }, latencyMs: 10_000 },
			...slow.map((fileName) => ({ for: { ...asking, fileName }, latencyMs: 5000 })),
		);
		const files = itemEach(['bad.txt', first, ...slow, 'later.txt']);
		const { error } = await upload([], { ...stopping, ...listed, files });
		expect(uploaded().sort()).toEqual([first, 'bad.txt']);
		expect(names()).toEqual([first]);
		expect(error?.message).toMatch(/\[item 1\]$/);
		expect(error?.description).toMatch(/1 done\. 1 failed: .* 39 not started: "1.txt", /);
		expect(error?.description).toContain(`In CometChat: "${first}" (ID `);
	});
});

describe('An upload URL that has expired', () => {
	const expired = (latencyMs: number): Rule => ({ for: sending, status: 403, latencyMs });

	test.each<[string, object]>([
		['its empty document is deleted', { parameters: { ifNameExists: 'fail' } }],
		['the note names the empty document that may remain', {}],
	])('is requested once more, and %s', async (_, more) => {
		service().script(expired(61_000));
		const run = await upload(['a.txt'], more);
		expect(run.output[0]?.json).toMatchObject({ name: 'a.txt', success: true });
		const isDeleted = names().length === 1;
		expect(arrivals(service()).filter((line) => line.startsWith('initiate'))).toHaveLength(2);
		expect(hinted(run).includes('empty document for this file')).toBe(!isDeleted);
	});

	test('is not requested again if it is new, or if the next one is refused, too', async () => {
		service().script(expired(59_000));
		expect(errorOf(await upload(['a.txt']))).toMatchObject({ status: 403 });
		service().script(expired(61_000), expired(61_000));
		expect(errorOf(await upload(['b.txt']))).toMatchObject({ status: 403 });
		const asked = arrivals(service()).filter((line) => line.startsWith('initiate'));
		expect(asked).toEqual(['initiate a.txt', 'initiate b.txt', 'initiate b.txt']);
	});
});

describe('An ID that existed before', () => {
	const records: RecordSeed[] = [
		...Array.from({ length: 150 }, (_, at) => `${at}.pdf`),
		'list.pdf',
	].map((sourceName, at) => ({ sourceName, uniqueId: at === 150 ? 'ID1' : `f${at}` }));
	const account = freshUploads({ records });
	const replacing = { parameters: { ...TO_AGENT, ifNameExists: 'replaceAndDelete' } };
	const returning = (uploadId: string): Rule => {
		return giving((entries) => entries.map((one) => ({ ...one, uploadId })));
	};
	const changes = () => arrivals(account.service()).filter((line) => /^(remove|delete)/.test(line));

	test('is not deleted because its bytes did not arrive: another agent has it', async () => {
		account.service().attach('sales-assistant', ['ID1']);
		account.service().script(returning('ID1'));
		account.service().script({ for: sending, status: 500, times: Infinity });
		const said = /the document with the ID ID1: .* existed before/;
		const error = errorOf(await account.upload(['list.pdf'], replacing));
		expect(error).toMatchObject({ description: expect.stringMatching(said) });
		expect(changes()).toEqual([]);
		expect(account.attached('sales-assistant')).toEqual(['ID1']);
	});

	test('is no old version, and the row says so', async () => {
		account.service().attach('support-bot', ['ID1', 'f7']);
		account.service().script(returning('ID1'));
		const { output } = await account.upload(['list.pdf', '7.pdf'], replacing);
		const reason = expect.stringContaining('the ID of a document that existed before');
		expect(output[0]?.json).toMatchObject({ action: 'added', uniqueId: 'ID1', reason });
		expect(account.attached()).toContain('ID1');
		expect(changes().join()).not.toContain('ID1');
	});

	test('that CometChat returns for a file with another name is not removed as an old version of that file', async () => {
		account.service().attach('support-bot', ['f7', 'f8']);
		const rule = returning('f7');
		account.service().script({ ...rule, for: { ...asking, fileName: '8.pdf' } });
		const { output } = await account.upload(['7.pdf', '8.pdf'], replacing);
		expect(output.map(({ json }) => json.old)).toMatchObject([undefined, [{ uniqueId: 'f8' }]]);
		expect(account.attached()).toContain('f7');
		expect(changes().join()).not.toContain('f7');
	});
});
