import type { RecordSeed } from '../../service/service';
import { freshService } from '../fixture';
import { arrivals, errorOf, runFiles } from '../operations';

const failed = { status: 'failed' as const };
const RECORDS: RecordSeed[] = [
	...['a', 'b', 'c'].map((id) => ({ sourceName: `${id}.pdf`, uniqueId: id, ...failed })),
	{ sourceName: 'Hours', uniqueId: 't', type: 'text-details', ...failed },
	{ sourceName: 'https://help.example.com', uniqueId: 'w', type: 'website', ...failed },
];
const service = freshService({ records: RECORDS, indexing: { ms: 60_000 } });
const stillFailed = () =>
	service()
		.records()
		.filter(({ status }) => status === 'failed')
		.map(({ uniqueId }) => uniqueId)
		.join('');
const retry = async (fileIds: string, more: Parameters<typeof runFiles>[2] = {}) =>
	await runFiles(service(), 'document.retryIndexing', {
		...more,
		parameters: { fileIds, ...more.parameters },
	});

test('each file is indexed again by a request of its own, and the output says so', async () => {
	const { output } = await retry('a, c');
	expect(arrivals(service())).toEqual(['sync a', 'sync c']);
	expect(stillFailed()).toBe('btw');
	expect(output.map(({ json }) => json)).toEqual([{ success: true, uniqueIds: ['a', 'c'] }]);
});

test.each([
	['a text', 't', 'text', 'abcw'],
	['a website', 'w', 'website', 'abct'],
])('%s is indexed as what it is', async (_, id, sourceType, rest) => {
	await retry(id, { parameters: { sourceType } });
	expect(service().log[0]).toMatchObject({ operation: 'sync', sourceType: sourceType });
	expect(stillFailed()).toBe(rest);
});

test('an ID of another kind is an error, and what was done before it is told', async () => {
	const run = await retry('a, w, b', { onError: 'continueRegularOutput' });
	expect(stillFailed()).toBe('ctw');
	expect(errorOf(run)).toMatchObject({
		status: 404,
		effect: 'partly applied',
		files: { applied: ['a', 'b'], notApplied: ['w'], unknown: [] },
		description: expect.stringContaining('2 were sent to be indexed again'),
	});
});

test('a request whose answer is lost is sent again: a file that is read twice is indexed all the same', async () => {
	service().script({ drop: 'afterApplying' });
	const { output } = await retry('a', { options: { maxWaitSeconds: 0 } });
	expect(arrivals(service())).toEqual(['sync a', 'sync a']);
	expect(output[0]?.json).toEqual({ success: true, uniqueIds: ['a'] });
});

test('a file that several items name is sent once', async () => {
	const { output } = await retry('a', { items: [{}, {}] });
	expect(arrivals(service())).toEqual(['sync a']);
	expect(output).toHaveLength(2);
});
