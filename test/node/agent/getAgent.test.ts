import type { INodeParameters } from 'n8n-workflow';

import { AGENT_FIELDS } from '../../../nodes/CometChatKnowledgeBase/api/agents';
import type { AgentSeed } from '../../service/service';
import { freshService } from '../fixture';
import { agent, errorOf, prepareRun } from '../operations';

const GUIDE: AgentSeed = {
	uid: 'guide',
	name: 'Onboarding Guide',
	description: 'Shows new users around',
	instruction: 'Be brief.',
	tools: ['search'],
	createdAt: 1795301932599,
	updatedAt: 1795301999000,
};
const service = freshService({ agents: [GUIDE, { uid: 'sales', name: 'Sales', isActive: false }] });

const get = prepareRun(service, 'agent.get', { uid: agent('guide') });

test('an agent has at most ten fields: first its name, its documents, and readable times', async () => {
	service().attach('guide', ['a', 'b']);
	service().attach('guide', ['w'], 'website');
	const { output } = await get();
	expect(output.map(({ json }) => Object.entries(json))).toEqual([
		[
			['name', 'Onboarding Guide'],
			['uid', 'guide'],
			['isActive', true],
			['description', 'Shows new users around'],
			['model', 'gpt-4o-mini'],
			['files', ['a', 'b']],
			['websites', ['w']],
			['createdAt', '2026-11-21T22:58:52.599Z'],
			['updatedAt', '2026-11-21T22:59:59.000Z'],
		],
	]);
});

test("without Simplify, the output is CometChat's agent", async () => {
	const { output } = await get({ simple: false });
	expect(output[0]?.json).toEqual(service().agents()[0]);
	expect(output[0]?.json).toMatchObject({ tools: ['search'], instruction: 'Be brief.' });
});

test.each<[string, INodeParameters, unknown]>([
	['the simplified agent by default', {}, AGENT_FIELDS],
	['the raw agent', { toolOutput: 'raw' }, expect.arrayContaining(['instruction', 'tools'])],
	[
		'the selected fields, in their usual order',
		{ toolOutput: 'selected', toolFields: ['model', 'name', 'noField'] },
		['name', 'model'],
	],
	// n8n has no such field outside a tool.
	['all simplified fields outside a tool', { isTool: false, toolOutput: 'raw' }, AGENT_FIELDS],
])('as a tool, the node returns %s', async (_, { isTool = true, ...parameters }, names) => {
	const { output } = await get(parameters, { isTool: Boolean(isTool) });
	expect(Object.keys(output[0]?.json ?? {})).toEqual(names);
});

test('as a tool, no selected field is an input to correct', async () => {
	const chosen = { toolOutput: 'selected', toolFields: [] };
	expect(errorOf(await get(chosen, { isTool: true }))).toMatchObject({
		message: "'Fields' is empty",
	});
});

test.each<[string, object, object]>([
	['nothing but its ID', { uid: 'guide' }, { name: 'guide', uid: 'guide' }],
	[
		'other values than documented',
		{ uid: 'guide', name: 7, files: [{ id: 'a' }], websites: null, createdAt: 'yesterday' },
		{ uid: 'guide', name: 'guide', files: [{ id: 'a' }], websites: null, createdAt: 'yesterday' },
	],
])('an agent with %s has the fields that exist', async (_, body, told) => {
	service().script({ body: JSON.stringify(body), times: 2 });
	expect((await get()).output[0]?.json).toStrictEqual(told);
	expect((await get({ simple: false })).output[0]?.json).toEqual(body);
});

test('an agent that CometChat does not know is an error that says so, also without a code', async () => {
	service().script({ status: 404, envelope: 'agentService', message: 'Agent not found' });
	expect(errorOf(await get({ uid: agent('nobody') }))).toEqual({
		message: 'CometChat has no agent with this ID',
		description: expect.stringMatching(/^Check 'Agent': .* Nothing was changed\. .*not found\.$/),
		effect: 'not applied',
		item: 0,
		uid: 'nobody',
		attempts: 1,
		status: 404,
	});
});
