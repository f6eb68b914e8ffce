import type { INodeParameters } from 'n8n-workflow';

import type { Rule } from '../../service/service';
import { add, freshService } from '../fixture';
import { agent as locator, arrivals, continuing, errorOf, runFiles } from '../operations';

const HOURS = { uniqueId: 'hours', sourceName: 'Hours', type: 'text-details' as const };
const service = freshService({ records: [HOURS, { uniqueId: 'file', sourceName: 'a.pdf' }] });
const toAgent = { addToAgent: true, uid: locator('support-bot') };
const bodies = () =>
	service().log.flatMap(({ kind, operation, body }) =>
		kind === 'arrived' && operation === 'updateText' ? [body] : [],
	);

/** One item, in a run that goes on, unless `more` has others. */
const update = async (
	updateFields: INodeParameters,
	{ parameters, ...more }: Parameters<typeof runFiles>[2] = {},
) =>
	await runFiles(service(), 'text.update', {
		...continuing,
		...more,
		parameters: { textId: locator('hours'), updateFields, ...parameters },
	});

test.each<[object, object]>([
	[{ text: 'Closed.' }, { title: 'Hours', changed: 'text' }],
	[{ title: 'Times' }, { title: 'Times', changed: 'title' }],
	[
		{ title: 'Times', text: '' },
		{ title: 'Times', changed: 'title' },
	],
	[
		{ title: 'Times', text: '={{ "Closed." }}' },
		{ title: 'Times', changed: 'title, text' },
	],
])('given %j, just that is sent, and the rest stays', async (fields, told) => {
	const { output } = await update({ ...fields });
	expect(output.map(({ json }) => json)).toEqual([{ ...told, success: true, uniqueId: 'hours' }]);
	expect(bodies()).toHaveLength(1);
	expect(Object.keys(Object(bodies()[0])).sort().join()).toBe(
		output[0]?.json.changed === 'title, text' ? 'text,title' : output[0]?.json.changed,
	);
	expect(service().records()[0]?.sourceName).toBe(output[0]?.json.title);
	expect(service().text('hours')).toBe(
		'text' in fields && fields.text ? 'Closed.' : 'This is hours.',
	);
});

test('it keeps its ID and its agents, is waited for, and goes to another agent if asked', async () => {
	await add(service(), [{ agent: 'sales-assistant', files: ['hours'] }], {
		parameters: { sourceType: 'text' },
	});
	service().clearLog();
	const { output } = await update(
		{ text: 'Closed.' },
		{ parameters: { ...toAgent, waitUntilIndexed: true } },
	);
	expect(new Set(arrivals(service()))).toEqual(
		new Set(['updateText hours', 'poll hours', 'add support-bot hours']),
	);
	expect(arrivals(service()).at(-1)).toBe('add support-bot hours');
	expect(Object.entries(output[0]?.json ?? {})).toEqual([
		['title', 'Hours'],
		['changed', 'text'],
		['status', 'indexed'],
		['addedToAgent', true],
		['success', true],
		['uniqueId', 'hours'],
		['uid', 'support-bot'],
	]);
	for (const uid of ['support-bot', 'sales-assistant']) {
		expect(service().files(uid, 'text')).toEqual(['hours']);
	}
});

test('after a lost answer it is sent again: the same change twice does no harm', async () => {
	service().script({ for: { operation: 'updateText' }, drop: 'afterApplying' }, { status: 503 });
	const { output } = await update({ text: 'Closed.' }, { options: { maxWaitSeconds: 0 } });
	expect(output[0]?.json.success).toBe(true);
	expect(bodies()).toEqual(Array(3).fill({ text: 'Closed.' }));
});

test('items that change the same text go one after another', async () => {
	service().script({ for: { operation: 'updateText' }, latencyMs: 500 });
	const items = Array.from({ length: 9 }, (_, at) => ({ text: `Version ${at}` }));
	await update({ text: '={{ $json.text }}' }, { items });
	expect(bodies()).toEqual(items);
	expect(service().text('hours')).toBe('Version 8');
});

describe('A text that could not be', () => {
	const again = 'To go on, run the item again: to change the text once more does no harm.';

	test.each<[string, Rule, string, string]>([
		['changed', { status: 400 }, 'not applied', 'The text was not changed.'],
		[
			'known to be changed',
			{ drop: 'afterApplying' },
			'unknown',
			`It is not known whether the text was changed. ${again}`,
		],
		[
			'said to be changed',
			{ body: '{}' },
			'unknown',
			`It is not known whether the text was changed. ${again}`,
		],
	])('%s is said to be just that', async (_, rule, effect, words) => {
		service().script({ for: { operation: 'updateText' }, times: Infinity, ...rule });
		const run = await update({ text: 'Closed.' }, { options: { maxAttempts: 1 } });
		expect(errorOf(run)).toMatchObject({
			effect,
			uniqueId: 'hours',
			description: expect.stringContaining(words),
		});
	});

	test('found is one that CometChat does not know, and so is a file', async () => {
		for (const id of ['none', 'file']) {
			const run = await update({ text: 'x' }, { parameters: { textId: locator(id) } });
			expect(errorOf(run)).toMatchObject({
				message: 'CometChat does not know this text [item 0]',
				description: expect.stringContaining('The text was not changed.'),
				effect: 'not applied',
			});
		}
	});

	test('read keeps its ID and its agents: the words say to change it, and not to delete it', async () => {
		service().scriptIndexing({ ends: 'failed' });
		const parameters = { ...toAgent, waitUntilIndexed: true };
		expect(errorOf(await update({ text: 'x', title: 'Times' }, { parameters }))).toMatchObject({
			message: 'CometChat was not able to read "Times" [item 0]',
			description:
				'The text "Times" (ID hours) is changed in CometChat. Not added to the agent. Change "Times" (ID hours) with Text: Update: its ID stays, and the agents that have it keep it.',
			effect: 'partly applied',
			addedToAgent: false,
			indexingStatus: 'failed',
		});
	});

	test('added to the agent is changed all the same', async () => {
		const parameters = { addToAgent: true, uid: locator('nobody') };
		expect(errorOf(await update({ text: 'x' }, { parameters }))).toMatchObject({
			message: 'CometChat does not know this agent [item 0]',
			description: expect.stringContaining(
				`The text (ID hours) is changed in CometChat. Not added to the agent. ${again}`,
			),
		});
	});
});

const nothing = "Neither 'Title' nor 'Text' under 'Update Fields' holds anything";
test.each<[INodeParameters, INodeParameters, string]>([
	[{}, {}, nothing],
	[{ title: '', text: '={{ null }}' }, {}, nothing],
	[{ title: ' ' }, {}, "'Title' is empty"],
	[{ title: 't'.repeat(501) }, {}, "'Title' has 501 characters"],
	[{ text: 't'.repeat(5001) }, {}, "'Text' has 5001 characters"],
	[{ text: '={{ [1] }}' }, {}, "'Text' is not a text"],
	[{ text: 'x' }, { textId: locator('={{ "" }}') }, "'Text' is empty"],
	[{ text: 'x' }, { addToAgent: true, uid: locator('={{ "" }}') }, "'Agent' is empty"],
])('%j with %j is refused before anything is sent', async (fields, parameters, words) => {
	const run = await update(fields, { parameters });
	expect(service().log).toEqual([]);
	expect(errorOf(run)).toMatchObject({ message: expect.stringContaining(words) });
});
