import type { RecordSeed } from '../../service/service';
import { freshService } from '../fixture';
import { arrivals, continuing, errorOf, runFiles } from '../operations';

const RECORDS: RecordSeed[] = [
	{ sourceName: 'new.pdf', uniqueId: 'n', status: 'indexing' },
	{ sourceName: 'Hours', uniqueId: 't', type: 'text-details' },
	{ sourceName: 'bad.pdf', uniqueId: 'b', status: 'failed' },
	{ sourceName: 'old.pdf', uniqueId: 'o', status: 'inSync' },
];
const service = freshService({ records: RECORDS });

test('each file is an item with its status, an unknown one too, in the order asked', async () => {
	const { output } = await runFiles(service(), 'getStatus', {
		items: [{ ids: ['o', 'nobody', 'b'] }, { ids: 'n,t' }],
		parameters: { fileIds: '={{ $json.ids }}' },
	});
	expect(output.map(({ json, pairedItem }) => ({ ...json, pairedItem }))).toEqual([
		{ uniqueId: 'o', status: 'inSync', isReady: true, pairedItem: { item: 0 } },
		{ uniqueId: 'nobody', status: 'notFound', isReady: false, pairedItem: { item: 0 } },
		{ uniqueId: 'b', status: 'failed', isReady: false, pairedItem: { item: 0 } },
		{ uniqueId: 'n', status: 'indexing', isReady: false, pairedItem: { item: 1 } },
		{ uniqueId: 't', status: 'indexed', isReady: true, pairedItem: { item: 1 } },
	]);
});

test('more than a hundred are asked for in several requests', async () => {
	const ids = Array.from({ length: 250 }, (_, at) => `f${at}`);
	const { output } = await runFiles(service(), 'getStatus', {
		items: [{ ids }],
		parameters: { fileIds: '={{ $json.ids }}' },
	});
	expect(output.map(({ json }) => json.uniqueId)).toEqual(ids);
	expect(arrivals(service())).toHaveLength(3);
});

test('files picked from the list are asked for', async () => {
	const { output } = await runFiles(service(), 'getStatus', {
		parameters: { filesBy: 'list', pickedFiles: ['b', 'o'] },
	});
	expect(output.map(({ json }) => json.status)).toEqual(['failed', 'inSync']);
});

test('a choice between the list and IDs that is neither is refused, and no files are guessed', async () => {
	const run = await runFiles(service(), 'getStatus', {
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
	const { output } = await runFiles(service(), 'getStatus', {
		...continuing,
		items: [{ ids: 'o' }, { ids: 'b' }, { ids: 't' }],
		parameters: { fileIds: '={{ $json.ids }}' },
	});
	expect(output.map(({ json }) => json.status ?? Object.keys(json).join())).toEqual([
		'inSync',
		'error',
		'indexed',
	]);
});

test('no ID is an error, or skipped if the user wants that', async () => {
	const parameters = { fileIds: '={{ [] }}' };
	const failed = await runFiles(service(), 'getStatus', { ...continuing, parameters });
	expect(errorOf(failed)).toMatchObject({ message: "'File IDs' is empty [item 0]" });
	const options = { ifNoFileIds: 'skip' };
	const { output } = await runFiles(service(), 'getStatus', { parameters, options });
	expect(output[0]?.json).toMatchObject({ skipped: true });
	expect(service().log).toEqual([]);
});
