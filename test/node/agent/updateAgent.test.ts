import type { INodeParameters } from 'n8n-workflow';

import type { AgentSeed } from '../../service/service';
import { freshService } from '../fixture';
import type { More } from '../operations';
import { agent, errorOf, prepareRun } from '../operations';

const GUIDE: AgentSeed = { uid: 'guide', name: 'Guide', instruction: 'Be brief.' };
const service = freshService({ agents: [GUIDE, { uid: 'sales', name: 'Sales' }] });
const there = (uid = 'guide') =>
	service()
		.agents()
		.find((one) => one.uid === uid);
const updates = () => service().log.filter(({ operation }) => operation === 'updateAgent');
const sentBodies = () => updates().flatMap(({ kind, body }) => (kind === 'arrived' ? [body] : []));

const run = prepareRun(service, 'agent.update', { uid: agent('guide') });
const update = async (updateFields: INodeParameters, more: More = {}) =>
	await run({ updateFields }, more);

test('only the chosen settings are sent, and only these are in the output', async () => {
	const { output } = await update({ isActive: false, description: 'Old hand' });
	expect(sentBodies()).toEqual([{ description: 'Old hand', isActive: false }]);
	expect(there()).toMatchObject({ ...GUIDE, isActive: false, description: 'Old hand' });
	expect(output.map(({ json }) => json)).toEqual([
		{
			action: 'updated',
			success: true,
			uid: 'guide',
			updatedFields: ['isActive', 'description'],
		},
	]);
});

test('every setting can be changed', async () => {
	const all = { name: 'N', description: 'D', icon: 'I', instruction: 'T', model: 'gpt-4o' };
	await update({ ...all, isActive: true });
	expect(there()).toMatchObject({ ...all, isActive: true });
});

test('items of one agent run one after another, and the later one decides', async () => {
	service().script({ latencyMs: 500 });
	await update({ name: '={{ $json.called }}' }, { items: [{ called: 'One' }, { called: 'Two' }] });
	expect(there()?.name).toBe('Two');
	service().clearLog();
	const parameters = { uid: agent('={{ $json.who }}'), updateFields: { name: 'N' } };
	await run(parameters, { items: [{ who: 'guide' }, { who: 'guide' }] });
	expect(updates().map(({ kind }) => kind)).toEqual([
		...['arrived', 'answered', 'arrived', 'answered'],
	]);
});

test.each<[INodeParameters, string]>([
	[{}, "'Update Fields' is empty"],
	[{ instruction: '' }, "'Instructions' is empty"],
	[{ model: '={{ null }}' }, "'Model Name or ID' is empty"],
	[{ name: '={{ "n".repeat(101) }}' }, "'Name' has 101 characters, more than CometChat accepts"],
])('%j is refused before anything is sent', async (fields, words) => {
	const run = await update(fields);
	expect(service().log).toEqual([]);
	expect(errorOf(run)).toMatchObject({ message: words });
});
