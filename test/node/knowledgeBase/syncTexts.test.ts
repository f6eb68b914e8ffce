import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { errorOf, file } from '../operations';
import type { Night } from './folder';
import { actionsOf, freshFolder, hintsOf } from './folder';

const { service, night, known, changes, idsOf, give, loseNote } = freshFolder({
	records: [{ sourceName: 'handbook.pdf', uniqueId: 'handbook' }],
});

// Without a document, the lists would not show which documents the agents use.
beforeEach(async () => await give('support-bot', 'handbook'));

const FROM_TEXT: INodeParameters = {
	...{ contentFrom: 'text', documentName: '={{ $json.question }}', text: '={{ $json.answer }}' },
};

/** Runs a night with these rows of a table: answers by question. */
async function rows(table: Record<string, unknown>, more: Night = {}) {
	const items = Object.entries(table).map(([question, answer]): IDataObject =>
		JSON.parse(JSON.stringify({ question, answer })),
	);
	return await rowsOf(items, more);
}

async function rowsOf(items: IDataObject[], more: Night = {}) {
	const { parameters, ...scenario } = more;
	const brings = { items, files: [] };
	return await night({}, { brings, ...scenario, parameters: { ...FROM_TEXT, ...parameters } });
}

const THREE = { a: 'A', b: 'B', c: 'C' };

test('A table is synced as a folder is: new rows are added, changed rows replaced, missing rows removed', async () => {
	expect(actionsOf(await rows(THREE))).toEqual(['added a.txt', 'added b.txt', 'added c.txt']);
	expect(actionsOf(await rows(THREE))).toEqual([
		...['unchanged a.txt', 'unchanged b.txt', 'unchanged c.txt'],
	]);
	const next = { a: 'A', b: 'B2' };
	expect(actionsOf(await rows(next))).toEqual([
		...['unchanged a.txt', 'replaced b.txt', 'missing c.txt'],
	]);
	expect(actionsOf(await rows(next)).at(-1)).toBe('removed c.txt');
	expect([known(), idsOf('b.txt').length]).toEqual([['a.txt', 'b.txt', 'handbook.pdf'], 1]);
});

test('An edited question is a new document, and for one night the agent also uses the old one', async () => {
	await rows(THREE);
	const next = { 'a?': 'A', b: 'B', c: 'C' };
	expect(actionsOf(await rows(next))).toEqual([
		...['added a?.txt', 'unchanged b.txt', 'unchanged c.txt', 'missing a.txt'],
	]);
	expect(known()).toEqual(expect.arrayContaining(['a.txt', 'a?.txt']));
	expect(actionsOf(await rows(next)).at(-1)).toBe('removed a.txt');
});

const LONG_AGO = '2020-01-01T00:00:00Z';

test.each([
	['with a record', false],
	['without a record', true],
])('The content decides, and never Last Modified: %s', async (_, isLost) => {
	const parameters = { modified: LONG_AGO };
	await rows(THREE, { parameters });
	if (isLost) loseNote();
	const run = await rows({ ...THREE, b: 'B2' }, { parameters });
	expect(actionsOf(run)[1]).toBe('replaced b.txt');
});

test('A change of Start With Name or of the expression reaches each row', async () => {
	await rows(THREE);
	const run = await rows(THREE, { parameters: { startWithName: false } });
	expect(actionsOf(run)).toEqual(['replaced a.txt', 'replaced b.txt', 'replaced c.txt']);
});

test.each([['' as unknown], [null], [undefined], ['[object Object]']])(
	'A row whose text becomes %j is skipped with success, is present, and the agent keeps the earlier version',
	async (answer) => {
		await rows(THREE);
		for (let nights = 0; nights < 2; nights++) {
			const run = await rows({ ...THREE, b: answer }, { onError: 'stopWorkflow' });
			expect(actionsOf(run)).toEqual(['unchanged a.txt', 'skipped b.txt', 'unchanged c.txt']);
			expect(run.output[1]?.json).toMatchObject({
				...{ success: true, old: [{ action: 'kept', name: 'b.txt' }] },
				reason: expect.stringContaining('Not uploaded, because it is empty.'),
			});
			expect(hintsOf(run)).toHaveLength(1);
		}
		expect(known()).toContain('b.txt');
	},
);

test('A draft is skipped without a warning', async () => {
	const run = await rows({ ...THREE, draft: '' });
	expect([actionsOf(run)[3], hintsOf(run)]).toEqual(['skipped draft.txt', []]);
});

test('If the texts of all rows are empty, all items fail, and the agent keeps its documents', async () => {
	await rows(THREE);
	for (let nights = 0; nights < 2; nights++) {
		const run = await rows({ a: '', b: null });
		const failed = (item: number) => `'Text' is empty in all items [item ${item}]`;
		expect(actionsOf(run)).toEqual([failed(1), failed(2)]);
		expect(changes()).toEqual([]);
	}
	expect(known()).toEqual(['a.txt', 'b.txt', 'c.txt', 'handbook.pdf']);
});

test('A row with an object as its text fails alone, is present, and the others are synced', async () => {
	await rows({ ...THREE, d: 'D' });
	for (let nights = 0; nights < 2; nights++) await rows({ a: 'A2', b: { rich: 'B' }, c: 'C' });
	const run = await rows({ a: 'A3', b: { rich: 'B' }, c: 'C' });
	expect(errorOf(run, 1)).toMatchObject({
		message: "'Text' is an object, not text [item 2]",
		description: expect.stringMatching(/^Use one of the fields of the value/),
	});
	expect(actionsOf(run)[0]).toBe('replaced a.txt');
	expect(known()).toEqual(['a.txt', 'b.txt', 'c.txt', 'handbook.pdf']);
});

test('A row without a name fails, and nothing is removed', async () => {
	await rows(THREE);
	for (let nights = 0; nights < 2; nights++) await rowsOf([{ question: 'a', answer: 'A' }, {}]);
	expect(known()).toEqual(['a.txt', 'b.txt', 'c.txt', 'handbook.pdf']);
});

test('Two rows with one name are refused, unless their texts are equal: then one document is uploaded', async () => {
	const row = (question: string, answer: string) => ({ question, answer });
	const table = [row('a', 'A'), row('b', '1'), row(' a', 'A'), row('b', '2')];
	const run = await rowsOf(table);
	expect(actionsOf(run)).toEqual([
		...['added a.txt', expect.stringMatching(/^Items 2, 4 have documents with the same name/)],
		...['skipped a.txt', expect.stringContaining('"b.txt"')],
	]);
	expect(run.output[2]?.json).toMatchObject({
		...{ success: true, reason: 'Item 1 has the same name and text' },
	});
	expect(errorOf(run, 1)).toMatchObject({
		description: expect.stringMatching(/^Change 'Document Name'/),
	});
	expect(idsOf('a.txt')).toHaveLength(1);
});

test('A dry run shows the remarks of the texts, and uploads nothing', async () => {
	const run = await rows({ a: '<p>A</p><br>' }, { parameters: { dryRun: true } });
	expect(run.output[0]?.json).toMatchObject({ action: 'would be added', dryRun: true });
	expect(hintsOf(run, 'any').join()).toContain('The text contains HTML tags');
	expect(changes()).toEqual([]);
});

test('A text that is too large is missing in CometChat: success is false, with a warning', async () => {
	const run = await rows({ ...THREE, b: 'x'.repeat(50_000_001) });
	expect(run.output[1]?.json).toMatchObject({ action: 'skipped', success: false });
	expect(hintsOf(run).join()).toContain('Split the text into several documents');
});

test('A file of the row is ignored', async () => {
	const brings = { items: [{ question: 'a', answer: 'A' }], files: [{ data: file('b.txt') }] };
	const run = await night({}, { brings, parameters: FROM_TEXT });
	expect(actionsOf(run)).toEqual(['added a.txt']);
	expect(service().stored(idsOf('a.txt')[0] ?? '')?.bytes).toBe('a\n\nA'.length);
});
