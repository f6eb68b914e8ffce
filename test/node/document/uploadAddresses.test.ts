import { buf as checksumOf } from 'crc-32';

import { isRecord } from '../../../nodes/CometChatKnowledgeBase/values/validationIssue';
import { OUT_OF_PLACE } from '../../rules/input/hostileIds';
import type { TestFile } from '../engine';
import { arrivals, errorOf, file } from '../operations';
import { freshUploads, inFields } from './uploads';

const { service, upload, names: recorded } = freshUploads();

/** The entries of an answer with addresses. */
function entriesOf(body: unknown): Array<Record<string, unknown>> {
	const entries = isRecord(body) ? body.uploads : undefined;
	return Array.isArray(entries) ? entries.filter(isRecord) : [];
}

type Entry = Record<string, unknown>;

const sameSize = [file('a.txt', 'one'), file('a.txt', 'two')];
const sizes = [file('a.txt', 'short'), file('a.txt', 'a longer text')];
const BOTH = ['a.txt', 'b.txt'];
const names = BOTH.map((name) => file(name));

describe('The bytes of each file come under its own ID, whatever the order of the addresses:', () => {
	test.each<[string, TestFile[], (entries: Entry[]) => Entry[]]>([
		['as asked', names, (entries) => entries],
		['another order', names, (entries) => [...entries].reverse()],
		['one name and two sizes', sizes, (entries) => [...entries].reverse()],
		['one name and one size', sameSize, (entries) => [...entries].reverse()],
		[
			'one name and sizes that are not told',
			sameSize,
			(entries) => entries.map((entry) => ({ ...entry, fileSize: undefined })).reverse(),
		],
		[
			'a name in another spelling of Unicode',
			[file('ä.txt'.normalize('NFC')), file('b.txt')],
			(entries) =>
				entries
					.map((entry) => ({ ...entry, fileName: String(entry.fileName).normalize('NFD') }))
					.reverse(),
		],
		[
			'another name for the one file there is',
			[file('a b.txt')],
			(entries) => entries.map((entry) => ({ ...entry, fileName: 'a_b.txt' })),
		],
	])('%s', async (_, files, change) => {
		const transform = (body: unknown) => ({ uploads: change(entriesOf(body)) });
		service().script({ for: { operation: 'initiate' }, transform });
		const { output } = await upload([], { files: [inFields(files)] });
		const { uploads } = output[0]?.json ?? {};
		const told = Array.isArray(uploads) ? uploads : [];
		expect(told.map(({ fileName }) => fileName)).toEqual(files.map(({ fileName }) => fileName));
		const stored = told.map(({ uniqueId }) => service().stored(uniqueId)?.checksum);
		expect(stored).toEqual(files.map(({ bytes }) => checksumOf(bytes)));
	});
});

describe('No bytes are sent, and nothing is deleted, if the addresses are', () => {
	const first = (change: Entry) => (entries: Entry[]) =>
		entries.map((entry, at) => (at === 0 ? { ...entry, ...change } : entry));
	const same = (key: string) => (entries: Entry[]) =>
		entries.map((entry) => ({ ...entry, [key]: entries[0]?.[key] }));

	test.each<[string, (entries: Entry[]) => Entry[]]>([
		['for a name that was not asked for', first({ fileName: 'c.txt' })],
		['for a file without a name', first({ fileName: undefined })],
		['for another size', first({ fileSize: 1 })],
		['for one name twice', same('fileName')],
		['of one ID', same('uploadId')],
		['one and the same', same('presignedUrl')],
		['too few', (entries) => entries.slice(1)],
		['too many', (entries) => [...entries, ...entries]],
		['none', () => []],
		['of no ID', first({ uploadId: undefined })],
		['of an empty ID', first({ uploadId: '' })],
		['of an ID that is no text', first({ uploadId: 7 })],
		['of an ID behind white space', first({ uploadId: ' a' })],
		...OUT_OF_PLACE.map(([name, uploadId]): [string, (entries: Entry[]) => Entry[]] => [
			`of an ID with ${name}`,
			first({ uploadId }),
		]),
	])('%s', async (_, change) => {
		const transform = (body: unknown) => ({ uploads: change(entriesOf(body)) });
		service().script({ for: { operation: 'initiate' }, transform });
		const run = await upload(BOTH);
		expect(arrivals(service())).toEqual(['initiate a.txt,b.txt']);
		expect(errorOf(run)).toMatchObject({
			message: 'CometChat gave another answer than its documentation shows [item 0]',
			effect: 'unknown',
		});
	});
});

test.each(['http://example.com/x', 'ftp://127.0.0.1/x', 'no address'])(
	'Bytes go to no address without encryption: %s',
	async (presignedUrl) => {
		const uploads = [{ uploadId: 'u1', fileName: 'a.txt', presignedUrl }];
		service().script({ for: { operation: 'initiate' }, body: JSON.stringify({ uploads }) });
		const run = await upload(['a.txt']);
		expect(service().uploads()).toEqual([]);
		expect(errorOf(run)).toMatchObject({
			message: 'CometChat gave an upload address for "a.txt" that is not encrypted [item 0]',
		});
	},
);

describe('An address that has expired', () => {
	const expired = freshUploads({ uploads: { expiresMs: 0 } });
	const once = { for: { operation: 'upload' as const }, status: 403 };
	const ids = (host = service()) =>
		host.log
			.filter(({ operation, kind }) => operation === 'upload' && kind === 'arrived')
			.map(({ uniqueIds }) => uniqueIds?.join());

	test('is asked for anew, and the entry of the first is taken away', async () => {
		service().script({ ...once, for: { ...once.for, fileName: 'b.txt' } });
		const { output } = await upload(BOTH);
		const [a, first, second] = ids();
		expect(arrivals(service())).toEqual([
			'initiate a.txt,b.txt',
			'upload a.txt',
			'upload b.txt',
			'initiate b.txt',
			'upload b.txt',
			`deleteUpload ${first}`,
			'records',
		]);
		expect(output[0]?.json).toMatchObject({ success: true, uniqueIds: [a, second] });
		expect(output[0]?.json).not.toHaveProperty('unfinished');
		expect(recorded()).toHaveLength(2);
	});

	test('twice ends the item with what the host said, and leaves no entry', async () => {
		const run = await expired.upload(['a.txt']);
		const [first, second] = ids(expired.service());
		expect(arrivals(expired.service())).toEqual([
			'initiate a.txt',
			'upload a.txt',
			'initiate a.txt',
			'upload a.txt',
			`deleteUpload ${first}`,
			`deleteUpload ${second}`,
		]);
		expect(errorOf(run)).toMatchObject({
			status: 403,
			effect: 'not applied',
		});
		expect(expired.names()).toEqual([]);
	});

	test('without another is told as what it was', async () => {
		service().script(once, { for: { operation: 'initiate' } });
		service().script({ for: { operation: 'initiate' }, status: 400 });
		const run = await upload(['a.txt']);
		expect(errorOf(run)).toMatchObject({
			status: 403,
			effect: 'not applied',
		});
		expect(recorded()).toEqual([]);
	});

	test('of an entry that keeps its ID is not deleted with it once its bytes are there', async () => {
		let given: unknown;
		const transform = (body: unknown) => (given ??= body);
		service().script(once, { for: { operation: 'initiate' }, times: 2, transform });
		const { output } = await upload(['a.txt']);
		const [id = ''] = ids();
		expect(output[0]?.json).toMatchObject({ success: true, uniqueIds: [id] });
		expect(service().stored(id)?.checksum).toBe(checksumOf(file('a.txt').bytes));
		expect(arrivals(service()).filter((line) => line.startsWith('delete'))).toEqual([]);
	});

	test('is not replaced by that of another file of the item', async () => {
		const given: Entry[] = [];
		const transform = (body: unknown) => {
			given.push(...entriesOf(body));
			return given.length === 2 ? body : { uploads: [{ ...given[0], fileName: 'b.txt' }] };
		};
		service().script({ ...once, for: { ...once.for, fileName: 'b.txt' } });
		service().script({ for: { operation: 'initiate' }, times: 2, transform });
		const run = await upload(BOTH);
		const [a = '', b] = ids();
		expect(service().stored(a)?.checksum).toBe(checksumOf(names[0]?.bytes ?? new Uint8Array()));
		expect(arrivals(service()).slice(3)).toEqual(['initiate b.txt', `deleteUpload ${b}`]);
		expect(errorOf(run)).toMatchObject({ effect: 'partly applied', uniqueIds: [a] });
	});
});
