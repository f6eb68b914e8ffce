import type { INodeParameters } from 'n8n-workflow';

import type { RecordSeed } from '../../service/service';
import { freshService } from '../fixture';
import type { More } from '../operations';
import { agent, continuing, errorOf, runFiles } from '../operations';

const records = Array.from({ length: 120 }, (_, at): RecordSeed => {
	return { uniqueId: `id${at}`, sourceName: `Text ${at}`, type: 'text-details' };
});
const service = freshService({ records, indexing: { ms: 20_000 } });

/** Updates texts, and waits until they are indexed again, for a minute at most. */
const change = async (count: number, { parameters, ...more }: More = {}) =>
	await runFiles(service(), 'text.update', {
		...continuing,
		items: records.slice(0, count).map(({ uniqueId }) => ({ uniqueId })),
		options: { maxIndexingMinutes: 1 },
		...more,
		parameters: {
			textId: agent('={{ $json.uniqueId }}'),
			updateFields: { text: 'New.' },
			waitUntilIndexed: true,
			...parameters,
		},
	});
const asked = () => {
	const all = service().log.filter((one) => one.kind === 'arrived' && one.operation === 'poll');
	return all.map(({ atMs, uniqueIds = [] }) => ({
		seconds: Math.round((atMs - (all[0]?.atMs ?? 0)) / 1000),
		count: uniqueIds.length,
	}));
};

test('a wait asks immediately, then after half the time, up to fifteen seconds, and at the end', async () => {
	service().scriptIndexing({ ms: Infinity });
	const run = await change(1);
	const times = asked().map(({ seconds }) => seconds);
	expect(times).toEqual([0, 1, 2, 3, 5, 7, 10, 15, 23, 34, 49, 60]);
	expect(errorOf(run)).toMatchObject({
		message: "CometChat didn't finish indexing within 'Indexing Timeout (Minutes)'",
		status: 'indexing',
	});
});

test('the first status of a changed text may be the old failure', async () => {
	const failedBefore = (body: unknown) =>
		JSON.parse(JSON.stringify(body).replace(/"(?:indexing|indexed)"/g, '"failed"'));
	service().script({ for: { operation: 'poll' }, transform: failedBefore });
	const run = await change(1);
	expect(run.output[0]?.json).toMatchObject({ action: 'updated', status: 'indexed' });
});

test('items share their requests: a hundred IDs in each, and rounds are a second apart', async () => {
	const run = await change(120);
	expect(run.output.filter(({ json }) => json.status === 'indexed')).toHaveLength(120);
	expect(asked().every(({ count }) => count <= 100)).toBe(true);
	// Two requests in each round, with growing pauses.
	expect(asked().length).toBeLessThan(30);
});

test('an item continues once its own text is ready, and not with the slowest', async () => {
	service().scriptIndexing({ for: { uniqueId: 'id0' }, ms: 0 });
	const toAgent: INodeParameters = { addToAgent: true, uid: agent('support-bot') };
	await change(2, { parameters: toAgent });
	const added = service().log.filter((one) => one.kind === 'arrived' && one.operation === 'add');
	const [first, second] = added.map(({ atMs }) => atMs);
	expect((second ?? 0) - (first ?? 0)).toBeGreaterThan(10_000);
});

test('a text that CometChat cannot index, or no longer knows, only fails its own item', async () => {
	service().scriptIndexing({ for: { uniqueId: 'id7' }, ends: 'failed' });
	const unknown = { status: 404, code: 'ERR_KB_NOT_FOUND', times: Infinity };
	service().script({ for: { operation: 'poll', containsId: 'id50' }, ...unknown });
	const run = await change(120);
	expect(run.output.flatMap(({ json }, at) => (json.error ? [at] : []))).toEqual([7, 50]);
	// One by one, and only once: the next rounds don't contain the unknown ID.
	expect(asked().length).toBeLessThan(130);
});

test('a text that cannot be indexed stops the execution, after the others that were written', async () => {
	const parameters = { addToAgent: true, uid: agent('support-bot') };
	service().scriptIndexing({ for: { uniqueId: 'id0' }, ms: 0, ends: 'failed' });
	const { error } = await change(2, { onError: 'stopWorkflow', parameters });
	expect(error?.message).toContain(`CometChat couldn't index "Text 0" [item 1]`);
	expect(service().files('support-bot', 'text')).toEqual(['id1']);
});
