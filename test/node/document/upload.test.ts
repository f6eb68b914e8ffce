import { buf as checksumOf } from 'crc-32';
import type { IDataObject } from 'n8n-workflow';

import type { Rule } from '../../service/service';
import type { TestFile } from '../engine';
import { arrivals, errorOf, file } from '../operations';
import { freshUploads, inFields, itemEach, named, TO_AGENT } from './uploads';

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

	test.each([
		['in a workflow, to a node that brings one', false, /^Nothing was sent .*a form, a download/],
		[
			'as a tool of an AI agent, to an upload before it',
			true,
			/tools of an AI Agent.*Chat Trigger/,
		],
	])('who has no file is led on: %s', async (_, isTool, way) => {
		const run = await upload([], { files: [{}], isTool, onError: 'continueRegularOutput' });
		expect(errorOf(run)).toMatchObject({ description: expect.stringMatching(way) });
	});

	test.each<[string, IDataObject]>([
		[
			'of an upload',
			{ name: 'a.txt', action: 'added', success: true, uniqueId: 'u', sourceType: 'uploads' },
		],
		[
			'of an upload of several files',
			{ action: 'uploaded', uniqueIds: ['u', 'v'], sourceType: 'uploads' },
		],
		[
			'of an upload that failed',
			{ action: 'failed', success: false, name: 'a.txt', sourceType: 'uploads' },
		],
		['of a list', { name: 'a.txt', sourceType: 'uploads', status: 'indexed', uniqueId: 'u' }],
	])(
		'an output item %s has no file, which is said, with what to connect instead',
		async (_, row) => {
			const run = await upload([], { items: [row], files: [{}] });
			expect(service().log).toEqual([]);
			expect(errorOf(run)).toMatchObject({
				message: 'The item has no file: it is an output item of a CometChat Knowledge Base node',
				description: expect.stringMatching(
					/connect this node to the node that outputs the files\. .*Add Files/,
				),
			});
		},
	);

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
	])('what "%s" names is refused before anything is sent', async (name, held, words) => {
		const run = await upload([], { files: [held], parameters: { binaryPropertyName: name } });
		expect(service().log).toEqual([]);
		const more = { effect: 'not applied', attempts: 0 };
		expect(errorOf(run)).toMatchObject({ ...more, message: expect.stringContaining(words) });
	});

	test('an address is asked for each, with its name, type and size, and its bytes are sent there at once', async () => {
		const mimeType = 'text/markdown; charset=utf-8';
		const bytes = new TextEncoder().encode('x');
		await upload([], {
			files: [{ ...named('a.txt'), file_1: { fileName: 'b', bytes, mimeType } }],
		});
		const all = service().log.filter(({ kind }) => kind === 'arrived');
		expect(all.map(({ operation }) => operation)).toEqual([
			...['initiate', 'upload', 'initiate', 'upload'],
		]);
		expect([all[0]?.body, all[2]?.body]).toEqual([
			{ files: [{ fileName: 'a.txt', mimeType: 'text/plain', fileSize: 14 }] },
			{ files: [{ fileName: 'b.md', mimeType: 'text/markdown', fileSize: 1 }] },
		]);
	});
});

type Entry = Record<string, unknown>;
/** CometChat gives other entries than it has made. */
const giving = (change: (entries: Entry[]) => Entry[]): Rule => {
	return { for: asking, transform: (body) => ({ uploads: change([...Object(body).uploads]) }) };
};

test('The bytes of each file come under its own ID, also of two with one name, and whatever name the answer has', async () => {
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

describe('No bytes are sent, and nothing is deleted, if the address is', () => {
	const first = (change: Entry) => (entries: Entry[]) => [{ ...entries[0], ...change }];

	test.each<[string, (entries: Entry[]) => Entry[]]>([
		['missing', () => []],
		['one of several', (entries) => [...entries, ...entries]],
		['of an ID that could leave an address', first({ uploadId: '..' })],
	])('%s', async (_, change) => {
		service().script(giving(change));
		const message = 'CometChat gave another answer than its documentation shows';
		expect(errorOf(await upload(['a.txt']))).toMatchObject({ message, effect: 'unknown' });
		expect(arrivals(service())).toEqual(['initiate a.txt']);
	});

	test('that of the file before, of which the answer has come once more', async () => {
		let once: Entry[] | undefined;
		service().script({ ...giving((entries) => (once ??= entries)), times: 2 });
		const error = errorOf(await upload(['a.txt', 'b.txt']));
		expect(error).toMatchObject({ effect: 'partly applied', uniqueIds: [expect.any(String)] });
		expect(arrivals(service())).toEqual(['initiate a.txt', 'upload a.txt', 'initiate b.txt']);
		// It was to go to none.
		expect(Object(error).description).not.toContain('to the agent');
	});

	test('not encrypted', async () => {
		service().script(giving(first({ presignedUrl: 'http://example.com/x' })));
		const message = expect.stringContaining('for "a.txt" that is not encrypted');
		expect(errorOf(await upload(['a.txt']))).toMatchObject({ message });
		expect(service().uploads()).toEqual([]);
	});
});

describe('An address that has expired', () => {
	const expired: Rule = { for: sending, status: 403 };
	const sentTo = () =>
		service().log.flatMap(({ operation, kind, uniqueIds }) =>
			operation === 'upload' && kind === 'arrived' ? [uniqueIds?.join()] : [],
		);

	test('is asked for anew, and the entry of the first is taken away', async () => {
		service().script({ ...expired, for: { ...sending, fileName: 'b.txt' } });
		const { output } = await upload(['a.txt', 'b.txt']);
		const [a, before, after] = sentTo();
		const again = ['initiate b.txt', 'upload b.txt', `deleteUpload ${before}`];
		expect(arrivals(service()).slice(4)).toEqual(again);
		expect(output.map(({ json }) => json.uniqueId)).toEqual([a, after]);
		expect(names()).toHaveLength(2);
	});

	test.each<[string, Rule[]]>([
		['twice', [{ ...expired, times: 2 }]],
		['without another', [expired, { for: asking }, { for: asking, status: 400 }]],
	])('%s ends the item with what the host said, and leaves no entry', async (_, rules) => {
		service().script(...rules);
		const more = { status: 403, effect: 'not applied' };
		expect(errorOf(await upload(['a.txt']))).toMatchObject(more);
		expect(names()).toEqual([]);
	});

	test('twice ends a run that is to stop at once, and not when its entries are gone', async () => {
		const twice = { ...expired, for: { ...sending, fileName: 'a.txt' }, times: 2 };
		const late = { for: { ...asking, fileName: 'b.txt' }, latencyMs: 2000 };
		service().script(twice, late, { for: { operation: 'deleteUpload' }, latencyMs: 5000 });
		const files = itemEach(['a.txt', 'b.txt']);
		await upload([], { files, ...stopping });
		expect(sentTo()).toHaveLength(2);
	});
});

describe('Bytes that did not arrive', () => {
	const page = { body: '<html><title>Sign in</title></html>', contentType: 'text/html' };
	const refused = (fileName: string): Rule => ({ for: { ...sending, fileName }, status: 400 });

	test.each<[Rule, RegExp, object]>([
		[{ status: 400 }, /status 400\. Not in CometChat: "a.txt"\. .*ask CometChat/, { attempts: 1 }],
		[{ status: 503 }, /Upload it again later\./, { status: 503, attempts: 5 }],
		[{ status: 200, ...page }, /a page that no storage sends/, { attempts: 1 }],
		[{ drop: 'beforeApplying' }, /\(ECONNRESET\).*Check that this/, { attempts: 5 }],
		[{ stall: true }, /Check that this n8n reaches/, { attempts: 5 }],
	])('after %j leave no entry behind: surely not uploaded', async (rule, said, more) => {
		service().script({ ...rule, for: sending, times: Infinity });
		const run = await upload(['a.txt']);
		expect(errorOf(run)).toMatchObject({
			message: expect.stringContaining('did not confirm that "a.txt" arrived'),
			description: expect.stringMatching(said),
			effect: 'not applied',
			...more,
		});
		expect(errorOf(run)).not.toHaveProperty('unfinished');
		expect(names()).toEqual([]);
	});

	test('have their entries taken away, no file after them is sent, and the words name what is there', async () => {
		service().script(refused('b.txt'));
		const run = await upload(['a.txt', 'b.txt', 'c.txt'], { parameters: TO_AGENT });
		const [a] = ids();
		expect(uploaded()).toEqual(['a.txt', 'b.txt']);
		expect(names()).toEqual(['a.txt']);
		expect(attached()).toEqual([]);
		expect(errorOf(run)).toMatchObject({
			description: expect.stringMatching(
				/In CometChat: "a.txt" \(ID \S+\)\. Not in CometChat: "b.txt", "c.txt"\. .*To go on, use these IDs/,
			),
			effect: 'partly applied',
			...{ name: 'a.txt, b.txt, c.txt', action: 'failed', uniqueIds: [a] },
		});
	});

	test.each<[string, Rule, boolean]>([
		['that cannot be taken away is named, with what to do', { status: 400 }, true],
		['that is gone already is not', { status: 404, code: 'ERR_KB_NOT_FOUND' }, false],
	])('an entry %s', async (_, rule, isNamed) => {
		service().script(
			{ for: sending, status: 400, latencyMs: 500, times: 2 },
			{ ...rule, for: { operation: 'deleteUpload' }, times: 2 },
		);
		const files = itemEach(['a.txt', 'b.txt']);
		const { error } = await upload([], { ...stopping, files });
		const isSaid = (words: RegExp) => words.test(error?.description ?? '');
		const own = /an entry without content: "[ab].txt".* Delete it with/;
		const other = /In CometChat now: .*, without content/;
		expect([own, other].map(isSaid)).toEqual([isNamed, isNamed]);
	});

	test('because another item ended the run have their entries taken away all the same', async () => {
		service().script({ for: { ...sending, fileName: 'first.txt' }, latencyMs: 10_000 });
		service().script({ ...refused('bad.txt'), latencyMs: 2_000 });
		const files = [named('first.txt', 'second.txt'), named('bad.txt')];
		const { error } = await upload([], { ...stopping, files });
		expect(uploaded()).not.toContain('second.txt');
		expect(names()).toEqual(['first.txt']);
		expect(error?.message).toContain('[item 2] (0 of 2 done, 2 failed, 0 not started)');
		expect(error?.description).toContain('In CometChat now: "first.txt" (ID ');
	});
});
