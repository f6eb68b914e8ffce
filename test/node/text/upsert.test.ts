import type { IDataObject } from 'n8n-workflow';

import type { RecordSeed } from '../../service/service';
import { seededText } from '../../service/texts';
import type { Run } from '../engine';
import { add, freshService } from '../fixture';
import type { More } from '../operations';
import { agent as locator, arrivals, errorOf, prepareRun, runFiles } from '../operations';

const text = (uniqueId: string, sourceName = uniqueId, more: Partial<RecordSeed> = {}) => {
	return { uniqueId, sourceName, type: 'text-details' as const, ...more };
};
const faq = Array.from({ length: 300 }, (_, at) => `faq-${at}`);
const lagsMs = { texts: 0 };
const service = freshService({
	lagsMs,
	records: [
		text('hours', 'Opening hours'),
		text('umlaut', 'O\u0308ffnungszeiten'),
		text('broken', 'Broken', { status: 'failed' }),
		text('slow', 'Slow', { status: 'indexing' }),
		text('twin-1', 'Twins'),
		text('twin-2', 'Twins'),
		{ uniqueId: 'file', sourceName: 'A file' },
		...faq.map((id) => text(id)),
	],
});
const toAgent = { addToAgent: true, uid: locator('support-bot'), waitUntilIndexed: true };
const same = { title: 'Opening hours', text: seededText('hours') };
const unchanged = faq.map((title) => ({ title, text: seededText(title) }));
const fresh = { title: 'New', text: 'x' };
const ANYWAY = { fileIds: 'hours', ifUsed: 'delete' };

beforeEach(() => {
	lagsMs.texts = 0;
});

const ofItem = { title: '={{ $json.title }}', text: '={{ $json.text }}' };
const run = prepareRun(service, 'text.upsert', ofItem);
const upsert = async (items: IDataObject[], { parameters, ...more }: More = {}) =>
	await run(parameters, { ...more, items });
const jsonOf = ({ output }: Run) => output.map(({ json }) => json);
const actions = (done: Run) => jsonOf(done).map(({ action }) => action);
const held = () => service().files('support-bot', 'text');
const give = async (...files: string[]) => {
	await add(service(), [{ agent: 'support-bot', files }], { parameters: { sourceType: 'text' } });
	service().clearLog();
};
const newest = () => service().records()[0]?.uniqueId;

test('a text that is the same is left alone, another text is changed in place, and a new text is written', async () => {
	const { length } = service().records();
	const changed = { title: 'faq-1', text: 'New.' };
	const run = await upsert([same, changed, { title: 'A file', text: 'Is no text.' }]);
	const more = { success: true, sourceType: 'text' };
	expect(jsonOf(run)).toEqual([
		{ ...more, name: same.title, action: 'unchanged', status: 'indexed', uniqueId: 'hours' },
		{
			...{ ...more, name: 'faq-1', action: 'updated', uniqueId: 'faq-1' },
			oldText: seededText('faq-1'),
		},
		{ ...more, name: 'A file', action: 'created', uniqueId: newest() },
	]);
	const sent = ['createText A file', 'listTexts', 'records', 'updateText faq-1'];
	expect(arrivals(service()).sort()).toEqual(sent);
	expect(service().text('faq-1')).toBe('New.');
	expect(service().records()).toHaveLength(length + 1);
});

test('a stored text of ten times the maximum length is another text, even if only white space makes the difference', async () => {
	const padded = { data: [{ uniqueId: 'hours', ...same, text: same.text + ' '.repeat(50_000) }] };
	service().script({ for: { operation: 'listTexts' }, body: JSON.stringify(padded) });
	expect(actions(await upsert([same]))).toEqual(['updated']);
});

test('hundreds of unchanged texts take one list, one question for the agent that has them, and few requests to give it those it lacks; nothing is written', async () => {
	const apart = await upsert(unchanged, { parameters: { waitUntilIndexed: true } });
	expect(new Set(actions(apart))).toEqual(new Set(['unchanged']));
	expect(arrivals(service())).toEqual(['listTexts']);
	await upsert(unchanged, { parameters: toAgent });
	expect(arrivals(service()).filter((line) => line.startsWith('add ')).length).toBeLessThan(20);
	service().clearLog();
	const told = jsonOf(await upsert(unchanged, { parameters: toAgent }));
	expect(told.every(({ uid, success }) => uid === 'support-bot' && success === true)).toBe(true);
	expect(arrivals(service()).sort()).toEqual(['agent support-bot', 'listTexts']);
});

test('white space around it, other line breaks and differently composed letters make no other text', async () => {
	await upsert([{ ...same, text: 'One.\nTwo \u00f6.' }]);
	service().clearLog();
	const run = await upsert([
		{ title: ' \u00d6ffnungszeiten', text: ` ${seededText('umlaut')}\n` },
		{ ...same, text: 'One.\r\nTwo\u00a0o\u0308.' },
	]);
	expect(actions(run)).toEqual(['unchanged', 'unchanged']);
	expect(arrivals(service())).toEqual(['listTexts']);
});

test('a title with a no-break space is found again if CometChat stores a plain space', async () => {
	const transform = (body: unknown) => JSON.parse(JSON.stringify(body).replace(/\u00a0/g, ' '));
	service().script({ for: { operation: 'listTexts' }, times: Infinity, transform });
	const entry = { title: 'Room\u00a01  and 2', text: 'One.' };
	expect(actions(await upsert([entry]))).toEqual(['created']);
	expect(actions(await upsert([entry]))).toEqual(['unchanged']);
});

test('a new text entry names those whose titles differ in case, punctuation or spaces only', async () => {
	const run = await upsert([{ title: 'Opening-Hours!', text: 'New.' }, fresh]);
	const reason = 'CometChat also has a text entry with a similar title: "Opening hours" (ID hours)';
	expect(jsonOf(run)).toMatchObject([{ action: 'created', reason }, { action: 'created' }]);
	expect(jsonOf(run)[1]).not.toHaveProperty('reason');
});

test('a text that CometChat could not index is written again, and a text that is being indexed is waited for', async () => {
	const items = [
		{ title: 'Broken', text: seededText('broken') },
		{ title: 'Slow', text: seededText('slow') },
	];
	const options = { maxIndexingMinutes: 1 };
	const run = await upsert(items, { parameters: { waitUntilIndexed: true }, options });
	expect(jsonOf(run)[0]).toMatchObject({ action: 'updated', status: 'indexed' });
	expect(errorOf(run, 1)).toMatchObject({ action: 'failed', status: 'indexing' });
	const written = arrivals(service()).filter((line) => line.startsWith('updateText'));
	expect(written).toEqual(['updateText broken']);
});

describe('The agent', () => {
	test.each<[string, IDataObject, string[], string[]]>([
		['has what is unchanged: nothing is sent', same, ['hours'], []],
		[
			'lacks what is unchanged: it gets it, once CometChat confirms that it exists',
			same,
			[],
			['list', 'poll hours', 'add support-bot hours'],
		],
		[
			'has what is changed: it gets it once more, once it is indexed',
			{ ...same, text: 'New.' },
			['hours'],
			['updateText hours', 'poll hours', 'add support-bot hours'],
		],
	])('%s', async (_, item, has, sent) => {
		if (has.length > 0) await give(...has);
		const run = await upsert([item], { parameters: toAgent });
		expect(jsonOf(run)[0]).toMatchObject({ success: true, status: 'indexed' });
		expect(held()).toEqual(['hours']);
		const lines = [...new Set(arrivals(service()))];
		expect(lines.filter((line) => !/^(?:agent |listTexts|records)/.test(line))).toEqual(sent);
	});

	test('does not get a deleted document that a late list still shows', async () => {
		await runFiles(service(), 'document.delete', { parameters: ANYWAY });
		lagsMs.texts = 60_000;
		const parameters = { ...toAgent, waitUntilIndexed: false };
		expect(errorOf(await upsert([same], { parameters }))).toMatchObject({
			message: expect.stringMatching(/^"Opening hours" \(ID \S+\) was probably deleted/),
		});
		expect(held()).toEqual([]);
	});

	test('that does not exist is an error before anything is written', async () => {
		const run = await upsert([fresh], { parameters: { ...toAgent, uid: locator('nobody') } });
		expect(errorOf(run)).toMatchObject({ status: 404, effect: 'not applied', name: 'New' });
		expect(arrivals(service()).join()).not.toContain('createText');
	});

	test('to which a text could not be added does not use it, and another execution finds the text', async () => {
		service().script({ for: { operation: 'add' }, status: 400, times: Infinity });
		const uniqueId = (run: Run) => ({ ...Object(errorOf(run)), ...jsonOf(run)[0] }).uniqueId;
		const failed = await upsert([fresh], { parameters: toAgent });
		expect(errorOf(failed)).toMatchObject({
			action: 'failed',
			uniqueId: newest(),
			description: expect.stringMatching(
				/Run the item again .*"New" \(ID \S+\)\. Not added to the agent: "New"\./,
			),
		});
		service().clearScript();
		const again = await upsert([fresh], { parameters: toAgent });
		expect(jsonOf(again)[0]).toMatchObject({ action: 'unchanged', success: true });
		expect(uniqueId(again)).toBe(uniqueId(failed));
	});
});

test.each([
	['the same text for two agents', {}],
	['different texts', { text: 'Other.' }],
])('two items with one title and %s are refused before anything is sent', async (_, other) => {
	const uid = locator('={{ $json.uid }}');
	const run = await upsert(
		[
			{ ...same, uid: 'support-bot' },
			{ ...same, ...other, title: ' Opening hours', uid: 'sales-assistant' },
		],
		{ parameters: { addToAgent: true, uid } },
	);
	expect(arrivals(service())).toEqual([]);
	for (const index of [0, 1]) {
		const message = expect.stringContaining('Items 1, 2 have the same title: "Opening hours"');
		expect(errorOf(run, index)).toMatchObject({ message, effect: 'not applied' });
	}
});

describe('Two texts with one title, as two executions at the same time may leave them', () => {
	const twins = { title: 'Twins', text: 'New.' };
	const sent = () =>
		arrivals(service()).filter((line) => !/^(?:agent |listTexts|records|list)/.test(line));

	test('the newest is changed and added to the agent, and only then the older one is removed, which stays in CometChat', async () => {
		await give('twin-1', 'twin-2');
		const run = await upsert([twins], { parameters: toAgent });
		const old = [{ name: 'Twins', action: 'removed', uniqueId: 'twin-2' }];
		expect(jsonOf(run)[0]).toMatchObject({ action: 'updated', uniqueId: 'twin-1', old });
		expect(sent()).toEqual([
			...['updateText twin-1', 'poll twin-1', 'poll twin-1', 'add support-bot twin-1'],
			'remove support-bot twin-2',
		]);
		expect(service().text('twin-2')).toBe(seededText('twin-2'));
	});

	test("the agent's text is changed, although another agent's text is newer", async () => {
		await give('twin-2');
		service().attach('sales-assistant', ['twin-1'], 'text');
		const run = await upsert([twins], { parameters: toAgent });
		expect(jsonOf(run)[0]).toMatchObject({ action: 'updated', uniqueId: 'twin-2' });
		expect(service().files('sales-assistant', 'text')).toEqual(['twin-1']);
		expect(service().text('twin-1')).toBe(seededText('twin-1'));
	});

	test('without the list of agents, nothing is changed', async () => {
		service().script({ for: { operation: 'list' }, status: 403 });
		expect(errorOf(await upsert([twins]))).toMatchObject({ status: 403, effect: 'not applied' });
		expect(arrivals(service()).join()).not.toContain('updateText');
	});

	test('without an agent, nothing is removed from one', async () => {
		await give('twin-2');
		const run = await upsert([twins]);
		expect(jsonOf(run)[0]).toMatchObject({ action: 'updated', uniqueId: 'twin-1', success: true });
		expect(held()).toEqual(['twin-2']);
	});
});

test('if the list of texts has pages, nothing is written: a text could exist twice', async () => {
	const body = '{"data":[],"meta":{"next":{"cursor":"5"}}}';
	service().script({ for: { operation: 'listTexts' }, times: Infinity, body });
	const run = await upsert([same, fresh]);
	expect(arrivals(service())).toEqual(['listTexts']);
	expect(errorOf(run, 1)).toMatchObject({ effect: 'not applied', name: 'New' });
});

test('a title of 500 and a text of 5000 characters are accepted', async () => {
	const [json] = jsonOf(await upsert([{ title: 't'.repeat(500), text: 'x'.repeat(5000) }]));
	expect(json).toMatchObject({ action: 'created', success: true });
});

test.each<[string, IDataObject, string, RegExp]>([
	['a longer title', { title: 't'.repeat(501) }, "'Title' has 501 characters", /Shorten/],
	[
		'a longer text, with the way to upload it',
		{ text: 'x'.repeat(5001) },
		"'Text' has 5001 characters",
		/'Document: Upload' with 'Content From' set to 'Text'/,
	],
	['no title', { title: ' ' }, "'Title' is empty", /Enter text/],
	['a text that nobody can see', { text: '\u200b \u00ad' }, "'Text' is empty", /Enter text/],
])('%s is refused before anything is sent', async (_, item, message, description) => {
	const run = await upsert([{ ...fresh, ...item }]);
	expect(errorOf(run)).toMatchObject({
		message: expect.stringContaining(message),
		description: expect.stringMatching(description),
		effect: 'not applied',
	});
	expect(service().log).toEqual([]);
});
