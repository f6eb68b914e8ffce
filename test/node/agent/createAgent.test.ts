import type { INodeParameters } from 'n8n-workflow';

import type { Rule } from '../../service/service';
import { freshService } from '../fixture';
import { arrivals, errorOf, prepareRun } from '../operations';

const service = freshService();
const sentBodies = () =>
	service().log.flatMap(({ kind, operation, body }) =>
		kind === 'arrived' && operation === 'createAgent' ? [body] : [],
	);
const newest = () => service().agents()[0];

const create = prepareRun(service, 'agent.create', { name: 'Returns' });

const ALL = {
	description: 'Knows what can be sent back',
	icon: 'r.png',
	instruction: 'Be brief.',
	isActive: false,
	model: 'gpt-4o',
};

test('an agent is created with its name only, and CometChat chooses everything else', async () => {
	const { output } = await create();
	expect(sentBodies()).toEqual([{ name: 'Returns' }]);
	expect(output[0]?.json).toMatchObject({ name: 'Returns', uid: newest()?.uid, isActive: true });
	expect(newest()?.name).toBe('Returns');
});

test("the chosen settings are sent, and the output is CometChat's response, with Simplify and without", async () => {
	const { output } = await create({ additionalFields: ALL });
	expect(sentBodies()).toEqual([{ name: 'Returns', ...ALL }]);
	expect(Object.keys(output[0]?.json ?? {})).toEqual([
		...['name', 'action', 'success', 'uid', 'isActive', 'description', 'model', 'files'],
		'websites',
		...['createdAt', 'updatedAt'],
	]);
	const whole = await create({ additionalFields: ALL, simple: false });
	expect(whole.output[0]?.json).toEqual(newest());
});

test('fields with an empty text are left out, so that a table may have gaps', async () => {
	const gaps = { description: '', instruction: '={{ "" }}', model: ' ', icon: '' };
	await create({ additionalFields: gaps });
	expect(sentBodies()).toEqual([{ name: 'Returns' }]);
});

describe('A second agent is never created', () => {
	test.each<[string, Rule]>([
		['CometChat breaks', { status: 500 }],
		[
			'the answer has an agent without an ID',
			{ status: 200, body: '{"agent":{"name":"Returns"}}' },
		],
	])('if %s, the request is not repeated, and the hint says to look first', async (_, rule) => {
		service().script({ times: Infinity, ...rule });
		const run = await create();
		expect(arrivals(service())).toEqual(['createAgent Returns']);
		expect(errorOf(run)).toMatchObject({
			effect: 'unknown',
			attempts: 1,
			name: 'Returns',
			description: expect.stringContaining(
				"Look for the agent with 'Agent: Get Many' before you run the item again.",
			),
		});
	});

	test('a stopped execution names the agents that its other items have created', async () => {
		service().script({ for: { fileName: 'Two' }, latencyMs: 1000, status: 400 });
		const items = [{ called: 'One' }, { called: 'Two' }];
		const stopping = { items, onError: 'stopWorkflow' as const };
		const { error } = await create({ name: '={{ $json.called }}' }, stopping);
		expect(error?.description).toContain(`In CometChat: "One" (ID ${newest()?.uid}).`);
	});
});

test.each<[INodeParameters, string]>([
	[{ name: '={{ "n".repeat(101) }}' }, "'Name' has 101 characters, more than CometChat accepts"],
	[
		{ additionalFields: { instruction: '={{ "i".repeat(32001) }}' } },
		"'Instructions' has 32001 characters, more than CometChat accepts",
	],
])('%j is refused before anything is sent', async (parameters, words) => {
	const run = await create(parameters);
	expect(service().log).toEqual([]);
	expect(errorOf(run)).toMatchObject({ message: words });
});

test('a name of 100 and an instruction of 32,000 characters are sent', async () => {
	const longest = { name: 'n'.repeat(100), additionalFields: { instruction: 'i'.repeat(32_000) } };
	expect((await create(longest)).output[0]?.json).toMatchObject({ name: longest.name });
});
