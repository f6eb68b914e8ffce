import type { IDataObject } from 'n8n-workflow';

import type { RecordSeed, Rule } from '../../service/service';
import { seededText } from '../../service/texts';
import { add, freshService } from '../fixture';
import { agent as locator, arrivals, continuing, errorOf, runFiles } from '../operations';

const text = (uniqueId: string, sourceName = uniqueId, more: Partial<RecordSeed> = {}) => {
	return { uniqueId, sourceName, type: 'text-details' as const, ...more };
};
const MANY = 1000;
const service = freshService({
	records: [
		text('hours', 'Opening hours'),
		text('umlaut', 'O\u0308ffnungszeiten'),
		text('broken', 'Broken', { status: 'failed' }),
		text('slow', 'Slow', { status: 'indexing' }),
		text('twin-1', 'Twins'),
		text('twin-2', 'Twins'),
		{ uniqueId: 'file', sourceName: 'A file' },
		...Array.from({ length: MANY }, (_, at) => text(`faq-${at}`)),
	],
});
const toAgent = { addToAgent: true, uid: locator('support-bot') };
const same = { title: 'Opening hours', text: seededText('hours') };

/** Items in a run that goes on, unless `more` has others. */
const upsert = async (
	items: IDataObject[],
	{ parameters, ...more }: Parameters<typeof runFiles>[2] = {},
) =>
	await runFiles(service(), 'text.upsert', {
		...continuing,
		...more,
		items,
		parameters: { title: '={{ $json.title }}', text: '={{ $json.text }}', ...parameters },
	});
const jsonOf = ({ output }: Awaited<ReturnType<typeof upsert>>) => output.map(({ json }) => json);
const held = async (...files: string[]) => {
	await add(service(), [{ agent: 'support-bot', files }], { parameters: { sourceType: 'text' } });
	service().clearLog();
};

test('what is there and says the same is left alone, what says something else is changed where it is, what is not there is written', async () => {
	const { length } = service().records();
	const run = await upsert([
		same,
		{ title: 'faq-1', text: 'New.' },
		{ title: 'A file', text: 'Is no text.' },
	]);
	const [created] = service().records();
	expect(jsonOf(run)).toEqual([
		{
			title: 'Opening hours',
			action: 'unchanged',
			status: 'indexed',
			success: true,
			uniqueId: 'hours',
		},
		{ title: 'faq-1', action: 'updated', status: null, success: true, uniqueId: 'faq-1' },
		{
			title: 'A file',
			action: 'created',
			status: null,
			success: true,
			uniqueId: created?.uniqueId,
		},
	]);
	expect(arrivals(service()).sort()).toEqual([
		'createText A file',
		'listTexts',
		'updateText faq-1',
	]);
	expect(service().text('faq-1')).toBe('New.');
	expect(service().records()).toHaveLength(length + 1);
	expect(created).toMatchObject({ sourceName: 'A file', type: 'text-details' });
});

test(`${MANY} unchanged texts take one list, and one question for the agent that has them; nothing is written`, async () => {
	const items = Array.from({ length: MANY }, (_, at) => {
		return { title: `faq-${at}`, text: seededText(`faq-${at}`) };
	});
	const waiting = { waitUntilIndexed: true };
	expect(
		new Set(jsonOf(await upsert(items, { parameters: waiting })).map(({ action }) => action)),
	).toEqual(new Set(['unchanged']));
	expect(arrivals(service())).toEqual(['listTexts']);
	await held(...items.map(({ title }) => title));
	const told = jsonOf(await upsert(items, { parameters: { ...waiting, ...toAgent } }));
	expect(told.every(({ addedToAgent }) => addedToAgent === true)).toBe(true);
	expect(arrivals(service()).sort()).toEqual(['agent support-bot', 'listTexts']);
});

test.each([
	['white space around it', ` ${same.text}\n`],
	['other line breaks', 'One.\r\nTwo.'],
	['letters put together otherwise', 'O\u0308ffnungszeiten'],
])('a text is the same with %s', async (_, words) => {
	await upsert([{ ...same, text: words.trim().replace('\r', '').normalize('NFC') }]);
	service().clearLog();
	const run = await upsert([
		{ title: ' \u00d6ffnungszeiten', text: seededText('umlaut') },
		{ ...same, text: words },
	]);
	expect(jsonOf(run).map(({ action, uniqueId }) => [action, uniqueId])).toEqual([
		['unchanged', 'umlaut'],
		['unchanged', 'hours'],
	]);
	expect(arrivals(service())).toEqual(['listTexts']);
});

test('one that CometChat was not able to read is written anew, and one that is being read is waited for', async () => {
	const items = [
		{ title: 'Broken', text: seededText('broken') },
		{ title: 'Slow', text: seededText('slow') },
	];
	const options = { maxIndexingMinutes: 1 };
	const run = await upsert(items, { parameters: { waitUntilIndexed: true }, options });
	expect(jsonOf(run)[0]).toMatchObject({ action: 'updated', status: 'indexed' });
	expect(errorOf(run, 1)).toMatchObject({
		message: expect.stringContaining('did not finish indexing'),
		action: 'unchanged',
		indexingStatus: 'indexing',
	});
	expect(arrivals(service()).filter((line) => line.startsWith('updateText'))).toEqual([
		'updateText broken',
	]);
});

describe('The agent', () => {
	const parameters = { ...toAgent, waitUntilIndexed: true };
	const changes = () => arrivals(service()).filter((line) => / support-bot|Text|poll/.test(line));

	test.each<[string, IDataObject, string[], string[]]>([
		['has what is unchanged: nothing is sent', same, ['hours'], []],
		['lacks what is unchanged: it gets it', same, [], ['add support-bot hours']],
		[
			'has what is changed: it gets it once more, once it is indexed',
			{ ...same, text: 'New.' },
			['hours'],
			['updateText hours', 'poll hours', 'add support-bot hours'],
		],
	])('%s', async (_, item, has, sent) => {
		if (has.length > 0) await held(...has);
		const run = await upsert([item], { parameters });
		expect(jsonOf(run)[0]).toMatchObject({ addedToAgent: true, status: 'indexed' });
		expect(service().files('support-bot', 'text')).toEqual(['hours']);
		const questions = ['agent support-bot', 'listTexts'];
		expect([...new Set(changes())].sort()).toEqual([...questions, ...sent].sort());
		if (sent.length > 0) expect(changes().at(-1)).toBe(sent.at(-1));
	});

	test('gets several at once in one request', async () => {
		const items = Array.from({ length: 30 }, (_, at) => {
			return { title: `faq-${at}`, text: seededText(`faq-${at}`) };
		});
		await upsert(items, { parameters });
		expect(service().files('support-bot', 'text')).toHaveLength(30);
		expect(service().requests().length).toBeLessThan(10);
	});

	test('that is not there is said to be so before anything is written', async () => {
		const run = await upsert([{ title: 'New', text: 'x' }], {
			parameters: { ...parameters, uid: locator('nobody') },
		});
		expect(errorOf(run)).toMatchObject({
			message: 'CometChat does not know this agent [item 0]',
			effect: 'not applied',
			title: 'New',
		});
		expect(changes().some((line) => line.startsWith('createText'))).toBe(false);
	});

	test('that could not be given a text lacks it, and the words say that running again finds the text', async () => {
		service().script({ for: { operation: 'add' }, status: 400, times: Infinity });
		const run = await upsert([{ title: 'New', text: 'x' }], { parameters });
		const id = service().records()[0]?.uniqueId;
		expect(errorOf(run)).toMatchObject({
			action: 'created',
			addedToAgent: false,
			uniqueId: id,
			description: expect.stringContaining(
				`In CometChat as it should be: "New" (ID ${id}). Not added to the agent. To go on, run the item again in a minute: it finds by its title what is there, and brings what is missing.`,
			),
		});
		service().clearScript();
		expect(jsonOf(await upsert([{ title: 'New', text: 'x' }], { parameters }))[0]).toMatchObject({
			action: 'unchanged',
			addedToAgent: true,
			uniqueId: id,
		});
	});
});

describe('Two items of one title', () => {
	test('with the same text are applied in order: for two agents it is written once', async () => {
		const item = { title: 'New', text: 'x' };
		const agents = ['support-bot', 'sales-assistant'];
		const items = [...agents, 'support-bot'].map((uid) => ({ ...item, uid }));
		const run = await upsert(items, {
			parameters: { addToAgent: true, uid: locator('={{ $json.uid }}') },
		});
		const { uniqueId } = service().records()[0] ?? {};
		expect(jsonOf(run)).toMatchObject([
			{ action: 'created', addedToAgent: true, uniqueId },
			{ action: 'unchanged', addedToAgent: true, uniqueId },
			{ action: 'unchanged', addedToAgent: true, uniqueId },
		]);
		expect(service().requests()).toHaveLength(2);
		for (const uid of agents) expect(service().files(uid, 'text')).toEqual([uniqueId]);
	});

	test('and different texts are refused, both of them, and nothing is sent for either', async () => {
		const run = await upsert([same, { ...same, title: ' Opening hours', text: 'Other.' }]);
		expect(arrivals(service())).toEqual([]);
		for (const index of [0, 1]) {
			expect(errorOf(run, index)).toMatchObject({
				message: expect.stringContaining('Opening hours" and different texts'),
				effect: 'not applied',
			});
		}
	});

	test('of which the first may be there: the second does not write it again', async () => {
		service().script({ for: { operation: 'createText' }, drop: 'afterApplying' });
		const run = await upsert(Array(2).fill({ title: 'New', text: 'x' }));
		expect(arrivals(service())).toEqual(['listTexts', 'createText New']);
		expect(errorOf(run)).toMatchObject({
			effect: 'unknown',
			description: expect.stringContaining('It is not known whether "New" was written. To go on,'),
		});
		expect(errorOf(run, 1)).toMatchObject({
			message: 'It is not known whether another item has written the text "New" [item 1]',
			effect: 'not applied',
		});
	});
});

test('two texts of one title are refused with their IDs, and both stay', async () => {
	const run = await upsert([{ title: 'Twins', text: 'x' }]);
	expect(errorOf(run)).toMatchObject({
		message: 'CometChat has 2 texts named "Twins" [item 0]',
		description: expect.stringMatching(
			/Text: Update\. They are: indexed, .*ID twin-1; .*ID twin-2\./,
		),
		effect: 'not applied',
	});
	expect(arrivals(service())).toEqual(['listTexts']);
});

test.each<[string, Rule]>([
	['has pages', { body: '{"data":[],"meta":{"next":{"cursor":"5"}}}' }],
	['has a text without a title', { body: '{"data":[{"uniqueId":"a"}]}' }],
	['has a title that cannot be shown', { body: `{"data":[{"uniqueId":"a","title":"a?token=1"}]}` }],
	['is none', { body: '{}' }],
	['is refused', { status: 400 }],
])(
	'if the list of texts %s, nothing is written: a text could be there twice then',
	async (_, rule) => {
		service().script({ for: { operation: 'listTexts' }, times: Infinity, ...rule });
		const run = await upsert([same, { title: 'New', text: 'x' }]);
		expect(arrivals(service())).toEqual(['listTexts']);
		expect(errorOf(run, 1)).toMatchObject({ effect: 'not applied', title: 'New' });
	},
);

test('a list that does not say what a text says, or hides a part of it, lets it be written anew', async () => {
	for (const words of ['', ',"text":"https://a.test/?token=1"']) {
		service().script({
			for: { operation: 'listTexts' },
			body: `{"data":[{"uniqueId":"hours","title":"Opening hours"${words}}]}`,
		});
		const run = await upsert([{ ...same, text: 'https://a.test/?token=1' }]);
		expect(jsonOf(run)[0]).toMatchObject({ action: 'updated', uniqueId: 'hours' });
	}
});

describe('Split Long Text', () => {
	const options = { splitLongText: true };
	/** Two paragraphs fit into a part. */
	const long = (parts: number, start = 0) =>
		Array.from({ length: 2 * parts }, (_, at) => `${start + at} ${'x'.repeat(2000)}`).join('\n\n');
	const titles = () =>
		service()
			.records()
			.flatMap(({ sourceName }) => (sourceName.startsWith('Guide') ? [sourceName] : []))
			.sort();
	const guide = async (words: string, more: Parameters<typeof upsert>[1] = {}) =>
		await upsert([{ title: 'Guide', text: words }], { options, mode: 'trigger', ...more });
	/** Where n8n keeps what a node has noted. */
	const noted = (parts: unknown) => ({ 'node:CometChat Knowledge Base': { parts } });
	const added = { parameters: { ...toAgent, waitUntilIndexed: true } };

	test('writes numbered parts, which the agent gets together; unchanged, nothing is sent', async () => {
		const first = await guide(long(3), added);
		const ids = jsonOf(first)[0]?.uniqueIds;
		// By account: a node that is pointed elsewhere finds nothing of this one.
		expect(first.staticData).toEqual(noted({ [service().baseUrl]: ids }));
		expect(jsonOf(first)).toEqual([
			{
				title: 'Guide',
				action: 'created',
				status: 'indexed',
				addedToAgent: true,
				success: true,
				parts: 3,
				uniqueIds: [expect.any(String), expect.any(String), expect.any(String)],
				uid: 'support-bot',
			},
		]);
		expect(titles()).toEqual(['Guide (1/3)', 'Guide (2/3)', 'Guide (3/3)']);
		expect(service().files('support-bot', 'text')).toEqual(ids);
		expect(service().text(String(Array.isArray(ids) && ids[2]))).toBe(long(1, 4));
		service().clearLog();
		const again = await guide(long(3), { ...added, staticData: first.staticData });
		expect(jsonOf(again)[0]).toMatchObject({ action: 'unchanged', uniqueIds: ids });
		expect(arrivals(service()).sort()).toEqual(['agent support-bot', 'listTexts']);
	});

	test('keeps the parts in step: their IDs stay, more are written, and what is left over goes, which is said', async () => {
		const three = await guide(long(3), added);
		const ids = [jsonOf(three)[0]?.uniqueIds ?? []].flat();
		const two = await guide(long(2, 8), { ...added, staticData: three.staticData });
		expect(jsonOf(two)[0]).toMatchObject({
			action: 'updated',
			parts: 2,
			uniqueIds: ids.slice(0, 2),
			deleted: ids.slice(2),
		});
		expect(two.hints).toContainEqual({
			type: 'info',
			location: 'outputPane',
			message: `Deleted, because the text has fewer parts now: "Guide (3/3)" (ID ${String(ids[2])}).`,
		});
		expect(titles()).toEqual(['Guide (1/2)', 'Guide (2/2)']);
		const one = await guide('Short.', { ...added, staticData: two.staticData });
		expect(jsonOf(one)[0]).toMatchObject({
			action: 'updated',
			uniqueId: ids[0],
			deleted: [ids[1]],
		});
		const four = await guide(long(4), { ...added, staticData: one.staticData });
		expect([jsonOf(four)[0]?.uniqueIds].flat()[0]).toBe(ids[0]);
		expect(titles()).toHaveLength(4);
		expect(service().files('support-bot', 'text')).toEqual(jsonOf(four)[0]?.uniqueIds);
	});

	test('waits for a part that has only got another number, too: CometChat reads it anew', async () => {
		const three = await guide(long(3), added);
		service().clearLog();
		const run = await guide(long(2), { ...added, staticData: three.staticData });
		expect(jsonOf(run)[0]).toMatchObject({
			action: 'updated',
			status: 'indexed',
			addedToAgent: true,
		});
		const sent = arrivals(service()).map((line) => line.split(' ')[0]);
		expect(sent.filter((name) => name === 'updateText')).toHaveLength(2);
		expect(sent).toContain('poll');
		expect(sent.slice(-3)).toEqual(['add', 'getText', 'deleteText']);
	});

	test('deletes what is left over only once the agent has what is new', async () => {
		const three = await guide(long(3), added);
		service().script({ for: { operation: 'add' }, status: 400, times: Infinity });
		const failed = await guide(long(2, 8), { ...added, staticData: three.staticData });
		expect(errorOf(failed)).toMatchObject({ effect: 'partly applied', addedToAgent: false });
		expect(titles()).toEqual(['Guide (1/2)', 'Guide (2/2)', 'Guide (3/3)']);
		service().clearScript();
		const run = await guide(long(2, 8), { ...added, staticData: failed.staticData });
		expect(titles()).toEqual(['Guide (1/2)', 'Guide (2/2)']);
		expect(arrivals(service()).at(-1)).toMatch(/^deleteText /);
		expect(jsonOf(run)[0]).toMatchObject({ action: 'updated', deleted: [expect.any(String)] });
	});

	describe('without proof that it has written a part, no part is deleted or takes the place of another: it is named', () => {
		const warned = (run: Awaited<ReturnType<typeof guide>>) =>
			run.hints.filter(({ type }) => type === 'warning').map(({ message }) => message);

		test.each<[string, (ids: unknown) => IDataObject]>([
			['n8n has kept no record', () => ({})],
			['its record is of another account', (ids) => noted({ 'https://a.test/v3': ids })],
			['its record is broken', () => noted('all')],
		])('if %s', async (_, keptAs) => {
			const three = await guide(long(3));
			const ids = [jsonOf(three)[0]?.uniqueIds ?? []].flat();
			const run = await guide(long(2, 8), { staticData: keptAs(ids) });
			expect(titles()).toHaveLength(5);
			for (const [at, id] of ids.entries()) {
				expect(service().text(String(id))).toBe(long(1, 2 * at));
			}
			expect(jsonOf(run)[0]).toMatchObject({ action: 'created', parts: 2 });
			expect(warned(run)).toEqual([
				expect.stringContaining(
					'Texts are called like parts of this one, and may be of another hand: "Guide (1/3)"',
				),
			]);
		});

		test('nor what an item has written under such a title, without splitting', async () => {
			const items = [1, 2].map((at) => ({ title: `Guide (${at}/2)`, text: `Chapter ${at}.` }));
			const { staticData } = await upsert(items, { mode: 'trigger' });
			const run = await guide('Short.', { staticData });
			expect(titles()).toEqual(['Guide', 'Guide (1/2)', 'Guide (2/2)']);
			expect(warned(run)).toHaveLength(1);
		});

		test.each<[string, Rule]>([
			[
				'has changed since it was listed',
				{ body: '{"data":{"uniqueId":"x","title":"Guide (3/3)","text":"Mine."}}' },
			],
			['cannot be looked at', { status: 403, times: Infinity }],
		])('nor one that %s', async (_, rule) => {
			const three = await guide(long(3));
			service().script({ for: { operation: 'getText' }, ...rule });
			const run = await guide(long(2, 8), { staticData: three.staticData });
			expect(titles()).toEqual(['Guide (1/2)', 'Guide (2/2)', 'Guide (3/3)']);
			expect(jsonOf(run)[0]).not.toHaveProperty('deleted');
			expect(warned(run)).toEqual([
				expect.stringContaining(
					'Parts that are no longer needed could not be deleted: "Guide (3/3)"',
				),
			]);
		});
	});

	test('goes on where a run broke off', async () => {
		const three = await guide(long(3));
		service().script({ for: { operation: 'createText' }, status: 400 });
		const failed = await guide(long(4, 8), { staticData: three.staticData });
		expect(errorOf(failed)).toMatchObject({
			effect: 'partly applied',
			description: expect.stringMatching(
				/In CometChat as it should be: "Guide \(1\/4\)".* Not written: "Guide \(4\/4\)"\./,
			),
		});
		await guide(long(4, 8), { staticData: failed.staticData });
		expect(titles()).toEqual([1, 2, 3, 4].map((at) => `Guide (${at}/4)`));
	});

	test.each<[IDataObject, string]>([
		[
			{ title: 'Guide (1/2)', text: 'x' },
			`'Title' is "Guide (1/2)", which is how a part of a split text is called`,
		],
		[
			{ title: 't'.repeat(495), text: long(2) },
			"'Title' has 501 characters with the number of a part",
		],
		[{ title: 'Guide', text: long(100) }, 'which are 100 parts'],
		[{ title: 'Guide', text: ' ' }, "'Text' is empty"],
	])('%# is refused before anything is sent', async (item, words) => {
		const run = await upsert([item], { options });
		expect(service().log).toEqual([]);
		expect(errorOf(run)).toMatchObject({ message: expect.stringContaining(words) });
	});
});

test.each<[IDataObject, string]>([
	[{ ...same, title: '' }, "'Title' is empty"],
	[{ ...same, title: 't'.repeat(501) }, "'Title' has 501 characters"],
	[{ ...same, text: 't'.repeat(5001) }, "'Text' has 5001 characters"],
	[{ ...same, text: 5 }, "'Text' is not a text"],
])('%j is refused before anything is sent', async (item, words) => {
	const run = await upsert([item]);
	expect(service().log).toEqual([]);
	expect(errorOf(run)).toMatchObject({ message: expect.stringContaining(words) });
});

describe('A list of texts that is late', () => {
	const lagsMs = { texts: 60_000 };
	const late = freshService({ lagsMs, records: [text('hours', 'Opening hours')] });
	const bring = async (item: typeof same) =>
		jsonOf(await runFiles(late(), 'text.upsert', { ...continuing, parameters: item }))[0];

	test('lets a changed text be changed once more, which does no harm', async () => {
		for (let runs = 0; runs < 2; runs++) {
			expect(await bring({ ...same, text: 'New.' })).toMatchObject({ action: 'updated' });
		}
		expect(late().records()).toHaveLength(1);
	});

	test('may let a new one be written twice; once the list shows both, no third is written, and both are named', async () => {
		const item = { title: 'New', text: 'x' };
		const ids = [await bring(item), await bring(item)].map((told) => told?.uniqueId);
		lagsMs.texts = 0;
		const { error } = Object(await bring(item));
		for (const id of ids) expect(error.description).toContain(`ID ${String(id)}`);
		expect(late().records()).toHaveLength(3);
	});
});
