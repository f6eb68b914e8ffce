import { errorOf } from '../operations';
import type { Contents } from './folder';
import { actionsOf, freshFolder } from './folder';

const { service, night, known, changes, idsOf, give } = freshFolder({
	records: [{ sourceName: 'handbook.pdf', uniqueId: 'handbook' }],
});

// So that the lists tell what each agent has.
beforeEach(async () => await give('support-bot', 'handbook'));

const COUNT = 40;

/** Forty files, each with a text of its own. */
function forty(text: string): Contents {
	return Object.fromEntries(
		Array.from({ length: COUNT }, (_, at) => [`${at}.txt`, `${text} ${at}`]),
	);
}

const ALL = [...Object.keys(forty('')), 'handbook.pdf'].sort();

/** The files in each request of one kind. */
function sent(operation: 'add' | 'remove', by = service()): string[][] {
	return by
		.requests()
		.filter((one) => one.operation === operation)
		.map(({ uniqueIds = [] }) => uniqueIds);
}

/** While the first request has no answer, all others become ready. */
function slowAtFirst(operation: 'add' | 'remove'): void {
	service().script({ for: { operation }, latencyMs: 2000 });
}

/** No request that holds this file takes anything from the agent. */
function refuseRemoving(containsId: string): void {
	service().script({ for: { operation: 'remove', containsId }, status: 400, times: Infinity });
}

test('What becomes ready while the agent is changed goes to it together, each file once', async () => {
	slowAtFirst('add');
	await night(forty('old'));
	expect(sent('add').length).toBeLessThan(5);
	expect(sent('add').flat()).toHaveLength(COUNT);
	expect(known()).toEqual(ALL);

	slowAtFirst('add');
	slowAtFirst('remove');
	const run = await night(forty('new'));
	expect(actionsOf(run)).toEqual(Object.keys(forty('')).map((name) => `replaced ${name}`));
	expect(sent('remove').length).toBeLessThan(5);
	expect(sent('remove').flat()).toHaveLength(COUNT);
	expect(known()).toEqual(ALL);
	expect(service().records()).toHaveLength(COUNT + 1);
	// The agents are asked for anew before something is deleted: once for all that are ready.
	const lists = service()
		.requests()
		.filter(({ operation }) => operation === 'list');
	expect(lists.length).toBeLessThan(8);
});

test('Of those that go together, only the one that is refused fails', async () => {
	await night(forty('old'));
	const [refused = ''] = idsOf('7.txt');
	slowAtFirst('remove');
	refuseRemoving(refused);
	const run = await night(forty('new'));
	expect(actionsOf(run).filter((said) => said.startsWith('replaced'))).toHaveLength(COUNT - 1);
	expect(errorOf(run, 7)).toMatchObject({ fileName: '7.txt', effect: 'partly applied' });
	expect(known()).toEqual([...ALL, '7.txt'].sort());
	expect(sent('remove').length).toBeLessThan(COUNT / 2);
});

test('Where the answer to a request for several is lost, each of them says so, and the next night adds none twice', async () => {
	slowAtFirst('add');
	service().script({ for: { operation: 'add' }, times: 5, drop: 'afterApplying' });
	const run = await night(forty('old'));
	const unknown = run.output.filter((_, index) => Object(errorOf(run, index)).unknown === 'added');
	expect(unknown.length).toBeGreaterThan(20);
	await night(forty('old'));
	expect(changes()).toEqual([]);
	expect(known()).toEqual(ALL);
});

test('In a run that stops, all that have their new version lose the old one, but for the refused one', async () => {
	await night(forty('old'));
	const [refused = ''] = idsOf('7.txt');
	slowAtFirst('remove');
	refuseRemoving(refused);
	const { error } = await night(forty('new'), { onError: 'stopWorkflow' });
	expect(error?.message).toMatch(
		`CometChat refused the request [item 7] (${COUNT - 1} of ${COUNT}`,
	);
	expect(known()).toEqual([...ALL, '7.txt'].sort());
});

test('In a run that stops, nothing more is added once the refused one is found', async () => {
	service().script({ for: { operation: 'add' }, status: 402, times: Infinity });
	await night(forty('old'));
	service().clearScript();
	const [refused = ''] = idsOf('7.txt');
	slowAtFirst('add');
	service().script({
		for: { operation: 'add', containsId: refused },
		status: 400,
		times: Infinity,
	});
	await night(forty('old'), { onError: 'stopWorkflow' });
	expect(sent('add').at(-1)).toEqual([refused]);
	expect(ALL.length - known().length).toBeGreaterThan(1);
});

test('An old version that is gone already stops nothing', async () => {
	await night(forty('old'));
	const [gone = ''] = idsOf('7.txt');
	service().script({
		for: { operation: 'remove', containsId: gone },
		status: 404,
		code: 'ERR_KB_NOT_FOUND',
		times: Infinity,
	});
	const { error, output } = await night(forty('new'), { onError: 'stopWorkflow' });
	expect([error, output.length]).toEqual([undefined, COUNT]);
});

describe('What leaves an agent at once', () => {
	const records = Array.from({ length: 250 }, (_, at) => ({
		sourceName: `${at}.txt`,
		uniqueId: `id-${at}`,
	}));
	const folder = freshFolder({ records });
	const options = { onlyThisFolder: true, maxShareToRemove: 100 };

	test('goes in requests of a hundred files each', async () => {
		const ids = records.map(({ uniqueId }) => uniqueId);
		await folder.give('support-bot', ...ids);
		await folder.night({ 'a.txt': 'A' }, { options });
		const requests = sent('remove', folder.service());
		expect(requests.map(({ length }) => length)).toEqual([100, 100, 50]);
		expect(requests.flat().sort()).toEqual(ids.sort());
	});
});
