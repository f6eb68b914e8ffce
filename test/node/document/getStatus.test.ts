import type { RecordSeed } from '../../service/service';
import { freshService } from '../fixture';
import { arrivals, continuing, errorOf, runFiles } from '../operations';

const RECORDS: RecordSeed[] = [
	{ sourceName: 'new.pdf', uniqueId: 'n', status: 'indexing' },
	{ sourceName: 'Hours', uniqueId: 't', type: 'text-details' },
	{ sourceName: 'bad.pdf', uniqueId: 'b', status: 'failed' },
	{ sourceName: 'old.pdf', uniqueId: 'o', status: 'inSync' },
	{ sourceName: 'FAQ', uniqueId: 'f', type: 'text-details', status: 'failed' },
];
const service = freshService({ records: RECORDS });

/** What is asked of the service, and in how many requests. */
const asked = () => arrivals(service()).map((line) => line.split(' ')[0]);

test('each file is an item with its name, its status and what to do, an unknown one too, in the order asked', async () => {
	const { output } = await runFiles(service(), 'document.getStatus', {
		items: [{ ids: ['o', 'nobody', 'b'] }, { ids: 'n,t,f' }],
		parameters: { fileIds: '={{ $json.ids }}' },
	});
	const failed = 'CometChat was not able to read it, and gives no reason.';
	expect(output.map(({ json, pairedItem }) => ({ ...json, pairedItem }))).toEqual([
		{
			name: 'old.pdf',
			status: 'inSync',
			isReady: true,
			advice: null,
			uniqueId: 'o',
			pairedItem: { item: 0 },
		},
		{
			name: null,
			status: 'notFound',
			isReady: false,
			advice:
				"CometChat's answer says nothing of this ID: the document was deleted, or the ID is that of something else. Document: Get Many lists what there is.",
			uniqueId: 'nobody',
			pairedItem: { item: 0 },
		},
		{
			name: 'bad.pdf',
			status: 'failed',
			isReady: false,
			advice: `${failed} Check that the file opens, has no password and holds text; if so, try Document: Retry Indexing, otherwise delete it with Document: Delete and upload a corrected one.`,
			uniqueId: 'b',
			pairedItem: { item: 0 },
		},
		{
			name: 'new.pdf',
			status: 'indexing',
			isReady: false,
			advice: 'CometChat is still reading it. Ask again in a minute.',
			uniqueId: 'n',
			pairedItem: { item: 1 },
		},
		{
			name: 'Hours',
			status: 'indexed',
			isReady: true,
			advice: null,
			uniqueId: 't',
			pairedItem: { item: 1 },
		},
		{
			name: 'FAQ',
			status: 'failed',
			isReady: false,
			advice: `${failed} Try Document: Retry Indexing; if it fails again, delete it with Document: Delete and add it anew.`,
			uniqueId: 'f',
			pairedItem: { item: 1 },
		},
	]);
	expect(Object.keys(output[2]?.json ?? {})[0]).toBe('name');
	expect(asked().sort()).toEqual(['poll', 'poll', 'records']);
});

test('more than a hundred are asked for in several requests; of unknown ones no name is looked for', async () => {
	const ids = Array.from({ length: 250 }, (_, at) => `f${at}`);
	const { output } = await runFiles(service(), 'document.getStatus', {
		items: [{ ids }],
		parameters: { fileIds: '={{ $json.ids }}' },
	});
	expect(output.map(({ json }) => json.uniqueId)).toEqual(ids);
	expect(asked()).toEqual(['poll', 'poll', 'poll']);
});

test.each([
	['refused', { status: 403, times: Infinity }],
	['no list', { body: '<html></html>' }],
])('where the list of names is %s, the statuses are given without them', async (_, rule) => {
	service().script({ for: { operation: 'records' }, ...rule });
	const { output } = await runFiles(service(), 'document.getStatus', {
		parameters: { fileIds: 'o,n' },
	});
	expect(output.map(({ json }) => [json.uniqueId, json.status, 'name' in json])).toEqual([
		['o', 'inSync', false],
		['n', 'indexing', false],
	]);
});

describe('In a large account', () => {
	const many = freshService({ records: 1000 });

	test.each([
		['one page holds', ['001,050', '100', '2'], 1],
		['three pages hold', ['250', '001', '001,150', '250'], 3],
	])('names that %s take as many requests, however many items ask', async (_, places, pages) => {
		const records = many().records();
		const idOf = (place: string) => records[Number(place) - 1]?.uniqueId;
		const items = places.map((place) => ({ ids: place.split(',').map(idOf) }));
		const { output } = await runFiles(many(), 'document.getStatus', {
			items,
			parameters: { fileIds: '={{ $json.ids }}' },
		});
		expect(output.every(({ json }) => typeof json.name === 'string')).toBe(true);
		expect(arrivals(many()).filter((line) => line.startsWith('records'))).toHaveLength(pages);
	});

	test('a list that goes round is not read for ever', async () => {
		const meta = { next: { affix: 'append', cursor: '1.1' } };
		const body = JSON.stringify({ data: [{ uniqueId: 'a' }], meta });
		many().script({ for: { operation: 'records' }, body, times: Infinity });
		const id = many().records()[0]?.uniqueId ?? '';
		const { output } = await runFiles(many(), 'document.getStatus', {
			parameters: { fileIds: id },
		});
		expect(output[0]?.json).toEqual({ status: 'indexed', isReady: true, uniqueId: id });
	});
});

test('files picked from the list are asked for', async () => {
	const { output } = await runFiles(service(), 'document.getStatus', {
		parameters: { filesBy: 'list', pickedFiles: ['b', 'o'] },
	});
	expect(output.map(({ json }) => json.status)).toEqual(['failed', 'inSync']);
});

test('a choice between the list and IDs that is neither is refused, and no files are guessed', async () => {
	const run = await runFiles(service(), 'document.getStatus', {
		...continuing,
		parameters: { filesBy: '={{ "From List" }}', pickedFiles: ['b'], fileIds: 'o' },
	});
	expect(service().log).toEqual([]);
	expect(errorOf(run)).toMatchObject({
		message: "'Files' is not one of its choices [item 0]",
	});
});

test('a refusal fails the item alone', async () => {
	service().script({ for: { containsId: 'b' }, status: 400, times: Infinity });
	const { output } = await runFiles(service(), 'document.getStatus', {
		...continuing,
		items: [{ ids: 'o' }, { ids: 'b' }, { ids: 't' }],
		parameters: { fileIds: '={{ $json.ids }}' },
	});
	expect(output.map(({ json }) => json.status ?? (json.error ? 'error' : null))).toEqual([
		'inSync',
		'error',
		'indexed',
	]);
});

test('no ID is an error, or skipped if the user wants that', async () => {
	const parameters = { fileIds: '={{ [] }}' };
	const failed = await runFiles(service(), 'document.getStatus', { ...continuing, parameters });
	expect(errorOf(failed)).toMatchObject({ message: "'File IDs' is empty [item 0]" });
	const options = { ifNoFileIds: 'skip' };
	const { output } = await runFiles(service(), 'document.getStatus', { parameters, options });
	expect(output[0]?.json).toMatchObject({ skipped: true });
	expect(service().log).toEqual([]);
});
