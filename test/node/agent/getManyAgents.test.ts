import type { INodeParameters } from 'n8n-workflow';

import type { AgentSeed } from '../../service/agents';
import { freshService } from '../fixture';
import { isCut, errorOf, prepareRun } from '../operations';

const service = freshService({ agents: 120 });
const list = prepareRun(service, 'agent.getMany');

const pages = () =>
	service()
		.log.filter(({ kind }) => kind === 'arrived')
		.map(({ path }) => Number(/limit=(\d+)/.exec(path)?.[1]));

test.each<[number, INodeParameters, number[]]>([
	[50, {}, [50]],
	[60, { limit: 60 }, [50, 50]],
	[120, { returnAll: true }, [50, 50, 50]],
])('returns %i agents for %j, newest first, and requests no more', async (count, given, sizes) => {
	const run = await list(given);
	const newest = service().agents().slice(0, count);
	expect(run.output.map(({ json }) => json.uid)).toEqual(newest.map(({ uid }) => uid));
	expect(isCut(run)).toBe(count < 120);
	expect(pages()).toEqual(sizes);
});

describe('Agents that were created at the same time', () => {
	const createdAt = Date.UTC(2026, 0, 1);
	const twins = (count: number) =>
		Array.from({ length: count }, (_, at) => ({
			uid: `twin-${at}`,
			name: `Twin ${at}`,
			createdAt,
		}));
	const newest = { uid: 'newest', name: 'Newest' };
	const agents: AgentSeed[] = [];
	const account = freshService({ agents });
	const listAll = async (count: number) => {
		agents.splice(0, Infinity, newest, ...twins(count));
		account().reset();
		return await prepareRun(account, 'agent.getMany')({ returnAll: true });
	};

	test.each([49, 50])('are all listed, wherever a page ends: newest and %i', async (count) => {
		const { output } = await listAll(count);
		expect(output.map(({ json }) => json.uid)).toEqual(
			account()
				.agents()
				.map(({ uid }) => uid),
		);
	});

	test('are an error if a full page has no new agent: CometChat cannot list the others', async () => {
		const message = "CometChat's list could not be read to the end";
		expect(errorOf(await listAll(70))).toMatchObject({ message });
	});
});

test('an agent has the same fields as in Agent: Get, with Simplify and without', async () => {
	const one = { limit: 1 };
	const uid = service().agents()[0]?.uid;
	for (const simple of [true, false]) {
		const alone = await prepareRun(service, 'agent.get')({ uid, simple });
		expect((await list({ ...one, simple })).output[0]?.json).toEqual(alone.output[0]?.json);
	}
});

test('Search returns the agents that CometChat finds, for each item its own', async () => {
	const { output } = await list(
		{ filters: { search: '={{ $json.wanted }}' } },
		{ items: [{ wanted: ' agent 007 ' }, { wanted: 'nobody' }, { wanted: 'Agent 10' }] },
	);
	expect(output.map(({ json, pairedItem }) => [json.name, pairedItem])).toEqual([
		['Agent 007', { item: 0 }],
		...Array.from({ length: 10 }, (_, at) => [`Agent 10${at}`, { item: 2 }]),
	]);
});

test('an incomplete list is an error', async () => {
	service().script({}, { status: 400, times: Infinity });
	const run = await list({ returnAll: true });
	expect(run.output).toHaveLength(1);
	expect(errorOf(run)).toMatchObject({
		effect: 'not applied',
		description: expect.stringContaining('Nothing was changed.'),
	});
});
