import type { INodeParameters } from 'n8n-workflow';

import type { AgentSeed } from '../../service/service';
import { freshService } from '../fixture';
import { agent, continuing, errorOf, runFiles } from '../operations';

const GUIDE: AgentSeed = { uid: 'guide', name: 'Guide', instruction: 'Be brief.' };
const service = freshService({ agents: [GUIDE, { uid: 'sales', name: 'Sales' }] });
const there = (uid = 'guide') =>
	service()
		.agents()
		.find((one) => one.uid === uid);
const updates = () => service().log.filter(({ operation }) => operation === 'updateAgent');
const sentBodies = () => updates().flatMap(({ kind, body }) => (kind === 'arrived' ? [body] : []));

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

test('items of one agent go one after another, and the later one stays', async () => {
	service().script({ latencyMs: 500 });
	await update({ name: '={{ $json.called }}' }, { items: [{ called: 'One' }, { called: 'Two' }] });
	expect(there()?.name).toBe('Two');
	service().clearLog();
	await runFiles(service(), 'agent.update', {
		...continuing,
		items: [{ who: 'guide' }, { who: 'guide' }],
		parameters: { uid: agent('={{ $json.who }}'), updateFields: { name: 'N' } },
	});
	expect(updates().map(({ kind }) => kind)).toEqual([
		...['arrived', 'answered', 'arrived', 'answered'],
	]);
});

describe('A look at the changed agent', () => {
	const looks = { operation: 'agent' } as const;
	const other = (body: unknown) => ({ ...Object(body), icon: 'https://cdn.example.com/i.png' });

	test('names a field that CometChat shows with another value, and the item is done', async () => {
		service().script({ for: looks, times: Infinity, transform: other });
		const { output, hints } = await update({ icon: 'i.png', description: ' New ' });
		expect(output[0]?.json).toMatchObject({ success: true });
		expect(hints).toMatchObject([
			{ type: 'warning', message: expect.stringMatching(/^Check 'Icon' of the agent "guide"/) },
		]);
	});

	test.each([
		['shows the change late', { transform: other }],
		['fails', { status: 500 }],
		['shows no settings', { body: '{"uid":"guide"}' }],
	])('that %s gives no warning', async (_, rule) => {
		service().script({ for: looks, ...rule });
		const { output, hints } = await update({ icon: 'i.png' });
		expect(output[0]?.json).toMatchObject({ success: true });
		expect(hints).toEqual([]);
	});
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
