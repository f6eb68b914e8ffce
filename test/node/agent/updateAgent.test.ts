import type { INodeParameters } from 'n8n-workflow';

import type { AgentSeed, Rule } from '../../service/service';
import { freshService } from '../fixture';
import { agent, arrivals, continuing, errorOf, runFiles } from '../operations';

const GUIDE: AgentSeed = { uid: 'guide', name: 'Guide', instruction: 'Be brief.' };
const service = freshService({ agents: [GUIDE, { uid: 'sales', name: 'Sales' }] });
const there = (uid = 'guide') =>
	service()
		.agents()
		.find((one) => one.uid === uid);
const sentBodies = () =>
	service().log.flatMap(({ kind, body }) => (kind === 'arrived' ? [body] : []));

/** One item, in a run that goes on, unless `more` has others. */
const update = async (
	updateFields: INodeParameters,
	more: Parameters<typeof runFiles>[2] = {},
	uid = 'guide',
) =>
	await runFiles(service(), 'agent.update', {
		...continuing,
		...more,
		parameters: { uid: agent(uid), updateFields },
	});

test('what was chosen is sent and nothing else, and the output says no more than that', async () => {
	const { output } = await update({ isActive: false, description: 'Old hand' });
	expect(sentBodies()).toEqual([{ description: 'Old hand', isActive: false }]);
	expect(there()).toMatchObject({ ...GUIDE, isActive: false, description: 'Old hand' });
	expect(output.map(({ json }) => json)).toEqual([
		{ uid: 'guide', updatedFields: ['description', 'isActive'], success: true },
	]);
});

test('every setting can be changed', async () => {
	const all = { name: 'N', description: 'D', icon: 'I', instruction: 'T', model: 'gpt-4o' };
	await update({ ...all, isActive: true });
	expect(there()).toMatchObject({ ...all, isActive: true });
});

test('items of one agent, in any spelling, go one after another, and the later one stays', async () => {
	service().script({ latencyMs: 500 });
	await update({ name: '={{ $json.called }}' }, { items: [{ called: 'One' }, { called: 'Two' }] });
	expect(there()?.name).toBe('Two');
	service().clearLog();
	await runFiles(service(), 'agent.update', {
		...continuing,
		items: [{ who: 'guide' }, { who: 'GUIDE' }],
		parameters: { uid: agent('={{ $json.who }}'), updateFields: { name: 'N' } },
	});
	expect(service().log.map(({ kind }) => kind)).toEqual([
		...['arrived', 'answered', 'arrived', 'answered'],
	]);
});

test('a change whose answer was lost is sent again: done twice it is the same', async () => {
	service().script({ drop: 'afterApplying' }, { status: 503 });
	const { output } = await update({ name: 'New' }, { options: { maxWaitSeconds: 0 } });
	expect(output[0]?.json.success).toBe(true);
	expect(arrivals(service())).toHaveLength(3);
});

test.each<[string, Rule, object]>([
	[
		'is lost, it is not known',
		{ drop: 'afterApplying' },
		{ effect: 'unknown', words: 'It is not known whether the agent was changed.' },
	],
	[
		'is no success, it is not known',
		{ status: 200, body: '{"agent":{"uid":"guide"}}' },
		{ effect: 'unknown', words: 'It is not known whether the agent was changed.' },
	],
	['is a no, it is not', { status: 400 }, { effect: 'not applied', words: 'was not changed.' }],
])('if the answer %s', async (_, rule, expected) => {
	service().script({ times: Infinity, ...rule });
	const run = await update({ name: 'New' }, { options: { maxAttempts: 1 } });
	const { effect, words } = Object(expected);
	expect(errorOf(run)).toMatchObject({
		effect,
		uid: 'guide',
		updatedFields: ['name'],
		description: expect.stringContaining(words),
	});
});

test.each<[string, Rule[]]>([
	['by its code', []],
	['without a code', [{ status: 404, envelope: 'agentService', message: 'Agent not found' }]],
])('an agent that CometChat does not know is an error that says so, %s', async (_, rules) => {
	service().script(...rules);
	expect(errorOf(await update({ name: 'New' }, {}, 'nobody'))).toMatchObject({
		message: 'CometChat does not know this agent [item 0]',
		description: expect.stringMatching(/The agent was not changed\. Check 'Agent': /),
	});
});

test.each<[INodeParameters, string]>([
	[{}, "'Update Fields' has no field"],
	[{ instruction: '' }, "'Instruction' is empty"],
	[{ name: 'New', description: '={{ $json.nothing }}' }, "'Description' is empty"],
	[{ isActive: '={{ $json.nothing }}' }, "'Active' is empty"],
	[{ isActive: '={{ 1 }}' }, "'Active' is neither true nor false"],
	[{ model: '={{ null }}' }, "'Model Name or ID' is empty"],
	[{ name: '={{ "n".repeat(101) }}' }, "'Name' has 101 characters, more than CometChat takes"],
])('%j is refused before anything is sent', async (fields, words) => {
	const run = await update(fields);
	expect(service().log).toEqual([]);
	expect(errorOf(run)).toMatchObject({ message: `${words} [item 0]` });
});

test('without an agent nothing is sent', async () => {
	const run = await update({ name: 'New' }, {}, '={{ "" }}');
	expect(service().log).toEqual([]);
	expect(errorOf(run)).toMatchObject({ message: "'Agent' is empty [item 0]" });
});
