import type { INodeParameters } from 'n8n-workflow';

import { freshService } from '../fixture';
import { continuing, isCut, errorOf, runFiles } from '../operations';

/** One item, in a run that goes on, unless `more` has others. */
const service = freshService({ agents: 120 });
const list = async (parameters: INodeParameters = {}, more: Parameters<typeof runFiles>[2] = {}) =>
	await runFiles(service(), 'agent.getMany', { ...continuing, ...more, parameters });

const pages = () =>
	service()
		.log.filter(({ kind }) => kind === 'arrived')
		.map(({ path }) => Number(/limit=(\d+)/.exec(path)?.[1]));

test.each<[number, INodeParameters, number[]]>([
	[50, {}, [50]],
	[60, { limit: 60 }, [50, 10]],
	[120, { returnAll: true }, [50, 50, 50]],
])('gives %i agents for %j, newest first, and asks for no more', async (count, given, sizes) => {
	const run = await list(given);
	const newest = service().agents().slice(0, count);
	expect(run.output.map(({ json }) => json.uid)).toEqual(newest.map(({ uid }) => uid));
	expect(isCut(run)).toBe(count < 120);
	expect(pages()).toEqual(sizes);
});

test('an agent says what Agent: Get says of it, with Simplify and without', async () => {
	const one = { limit: 1 };
	const parameters = { uid: service().agents()[0]?.uid };
	for (const simple of [true, false]) {
		const alone = await runFiles(service(), 'agent.get', { parameters: { ...parameters, simple } });
		expect((await list({ ...one, simple })).output[0]?.json).toEqual(alone.output[0]?.json);
	}
});

test('Search gives the agents that CometChat finds by it, for each item its own', async () => {
	const { output } = await list(
		{ filters: { search: '={{ $json.wanted }}' } },
		{ items: [{ wanted: ' agent 007 ' }, { wanted: 'nobody' }, { wanted: 'Agent 10' }] },
	);
	expect(output.map(({ json, pairedItem }) => [json.name, pairedItem])).toEqual([
		['Agent 007', { item: 0 }],
		...Array.from({ length: 10 }, (_, at) => [`Agent 10${at}`, { item: 2 }]),
	]);
});

test('a list that breaks off is an error, and never passed on as if it were all', async () => {
	service().script({}, { status: 400, times: Infinity });
	const run = await list({ returnAll: true });
	expect(run.output).toHaveLength(1);
	expect(errorOf(run)).toMatchObject({
		effect: 'not applied',
		description: expect.stringContaining('The list could not be read to its end.'),
	});
});
