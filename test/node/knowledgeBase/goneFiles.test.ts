import type { TestFile } from '../engine';
import { agent, errorOf, file } from '../operations';
import type { Contents, Night } from './folder';
import { actionsOf, callWith, freshFolder, hintsOf } from './folder';

const THREE: Contents = { 'a.txt': 'A', 'b.txt': 'B', 'c.txt': 'C' };
const FOUR: Contents = { ...THREE, 'd.txt': 'D' };
const TWO: Contents = { 'a.txt': 'A', 'b.txt': 'B' };

const OTHERS = ['handbook', 'prices', 'terms', 'hours', 'team', 'vision'];

const { service, night, known, changes, idsOf, give, take, loseNote, note } = freshFolder({
	records: [
		...OTHERS.map((uniqueId) => ({ sourceName: `${uniqueId}.pdf`, uniqueId })),
		{ sourceName: 'e.txt', uniqueId: 'text', type: 'text-details' },
		{ sourceName: 'e.txt', uniqueId: 'site', type: 'website' },
	],
});

// Without a document, the lists would not show which documents the agents use.
beforeEach(async () => await give('support-bot', 'handbook'));

const OUT = [...Object.keys(THREE), 'handbook.pdf'];
const ALL = [...Object.keys(FOUR), 'handbook.pdf'];

/** Runs two nights, the second without a file, which the next night removes. */
async function withoutD(more: Night = {}): Promise<void> {
	await night(FOUR, more);
	await night(THREE, more);
}

/** The three files, and an item that should contain the fourth. */
const andOne = (broken?: TestFile) => ({ brings: callWith(THREE, broken ? { data: broken } : {}) });

describe('A file that is no longer in the folder', () => {
	// A sub-workflow runs in the mode 'integrated', also if a manual execution calls it.
	test.each(['trigger' as const, 'integrated' as const])(
		'is missing in one execution, which says so, and removed by the next: %s',
		async (mode) => {
			await night(FOUR, { mode });
			const run = await night(THREE, { mode });
			expect(run.output[3]?.json).toEqual({
				...{ success: true, action: 'missing', name: 'd.txt', agentName: 'Support Bot' },
				...{ uid: 'support-bot', uniqueId: idsOf('d.txt')[0], sourceType: 'uploads' },
				reason:
					'Missing from the input. Removed once the document is missing in two executions of the published workflow, at least an hour apart',
			});
			expect([known(), changes(), hintsOf(run)]).toEqual([ALL, [], []]);
			expect(hintsOf(run, 'info')).toEqual([
				'Documents: 3 unchanged, 1 missing.',
				expect.stringMatching(
					/^Missing from the input: "d\.txt"\. Executions after .* remove documents of the agent "Support Bot" that are still missing\./,
				),
			]);
			expect(actionsOf(await night(THREE, { mode }))).toContain('removed d.txt');
			expect(known()).toEqual(OUT);
			expect(actionsOf(await night(THREE, { mode }))).toHaveLength(3);
		},
	);

	test.each<[string, number, string[], number]>([
		['remove', 1, OUT, 4],
		['delete', 0, OUT, 4],
		['keep', 1, ALL, 3],
	])(
		"with '%s' is %d times in CometChat, and the agent uses %j",
		async (missingDocuments, ...rest) => {
			const [count, kept, rows] = rest;
			await withoutD();
			const run = await night(THREE, { parameters: { missingDocuments } });
			expect([idsOf('d.txt').length, known(), run.output.length]).toEqual([count, kept, rows]);
			// A deleted file is removed from the record.
			if (count === 0) expect(JSON.stringify(note())).not.toContain('"d.txt"');
		},
	);

	test('and returns later is added again without an upload; with another text, its old version is deleted', async () => {
		await withoutD();
		await night(THREE);
		const run = await night(FOUR);
		expect(run.output[3]?.json).toMatchObject({ action: 'added', reason: 'Back in the input' });
		expect(changes().filter((line) => line.startsWith('upload '))).toEqual([]);
		await night(THREE);
		await night(THREE);
		await night({ ...FOUR, 'd.txt': 'D2' });
		expect([idsOf('d.txt').length, known()]).toEqual([1, ALL]);
	});

	test('is not deleted while another agent uses it, and the output names the agent', async () => {
		await withoutD();
		await give('sales-assistant', ...idsOf('d.txt'));
		const { output } = await night(THREE, { parameters: { missingDocuments: 'delete' } });
		expect(output[3]?.json.old).toMatchObject([
			{ action: 'removed', reason: 'Used by other agents: "Sales Assistant"' },
		]);
		expect(known('sales-assistant')).toEqual(['d.txt']);
	});

	test('that others have uploaded is removed, and stays in CometChat', async () => {
		await give('support-bot', 'prices');
		const more = { parameters: { missingDocuments: 'delete', modified: '2020-01-01T00:00:00Z' } };
		await night({ ...THREE, 'prices.pdf': 'by hand' }, more);
		await night(THREE, more);
		const { output } = await night(THREE, more);
		expect(output[3]?.json).toMatchObject({
			action: 'removed',
			old: [
				{ action: 'removed', reason: expect.stringContaining('has no record that it uploaded') },
			],
		});
		expect([known(), idsOf('prices.pdf')]).toEqual([OUT, ['prices']]);
	});

	test('is deleted, but a text entry and a website with its name stay', async () => {
		const all = { ...THREE, 'e.txt': 'E' };
		await night(all);
		service().attach('support-bot', ['text'], 'text');
		service().attach('support-bot', ['site'], 'website');
		for (const contents of [all, { ...all, 'e.txt': 'E2' }, THREE, THREE]) {
			await night(contents, { parameters: { missingDocuments: 'delete' } });
			expect(changes().join()).not.toMatch(/\b(?:text|site)\b/);
		}
		expect(idsOf('e.txt')).toEqual(['text', 'site']);
	});

	test('stays if the static data are lost, because nothing shows that it was in the folder', async () => {
		await night(FOUR);
		loseNote();
		for (let nights = 0; nights < 3; nights++) await night(THREE);
		expect(known()).toEqual(ALL);
	});

	test('that was deleted in CometChat, too, is removed from the record', async () => {
		await withoutD();
		const gone = { status: 404, code: 'ERR_KB_NOT_FOUND' };
		service().script({ for: { operation: 'remove' }, ...gone });
		expect(actionsOf(await night(THREE))).toContain('removed d.txt');
		expect(actionsOf(await night(THREE))).toHaveLength(3);
	});

	test.each<['remove' | 'deleteUpload', string, string]>([
		['remove', 'not applied', 'Not removed from the agent: "d.txt"'],
		['deleteUpload', 'partly applied', 'Not deleted: "d.txt"'],
	])('fails without an item if %s is refused; the next run tries again', async (...row) => {
		const [operation, effect, words] = row;
		await withoutD();
		const parameters = { missingDocuments: 'delete' };
		service().script({ for: { operation }, status: 400 });
		const run = await night(THREE, { parameters });
		expect(run.output[3]?.pairedItem).toEqual([]);
		const description = expect.stringContaining(words);
		expect(errorOf(run, 3)).toMatchObject({ effect, description, name: 'd.txt' });
		await night(THREE, { parameters });
		expect([known(), idsOf('d.txt')]).toEqual([OUT, []]);
	});
});

describe('An execution without the file records nothing, and says why,', () => {
	const login = { ...file('d.txt', '<title>Log in'), mimeType: 'text/html' };

	test.each<[string, Night, string]>([
		['if an item has no file', andOne(), 'Some items have no name'],
		[
			'if a web page has come in the place of a file',
			andOne({ ...login, fileName: 'login' }),
			'Some items have no name',
		],
		['if it is a retry', { mode: 'retry' }, 'A retry uses the items of an earlier execution'],
		['if it is manual', { mode: 'manual' }, 'Only executions of the published workflow'],
		[
			'if it is a tool',
			{ isTool: true, parameters: { contentFrom: 'file' } },
			'A tool of an AI agent gets one item',
		],
	])('%s', async (__, more, why) => {
		await withoutD();
		let said = '';
		for (let nights = 0; nights < 3; nights++) {
			const run = await night(THREE, more);
			said = JSON.stringify([run.calls, run.output]);
		}
		expect([known(), changes()]).toEqual([ALL, []]);
		expect(said).toContain(why);
	});

	test('and warns each time if it contains half of the folder or less, until the agent no longer uses the others', async () => {
		const SIX = { ...TWO, 'v.txt': 'V', 'w.txt': 'W', 'x.txt': 'X', 'y.txt': 'Y' };
		await night(SIX);
		for (let nights = 0; nights < 3; nights++) {
			const run = await night({ ...TWO, 'x.txt': 'X' });
			expect(actionsOf(run).slice(3)).toEqual(['kept v.txt', 'kept w.txt', 'kept y.txt']);
			expect(hintsOf(run)).toEqual([
				expect.stringContaining(
					'The agent "Support Bot" keeps "v.txt", "w.txt", "y.txt", because half or',
				),
			]);
		}
		expect(known()).toEqual([...Object.keys(SIX), 'handbook.pdf'].sort());
		await take('support-bot', ...['v.txt', 'w.txt', 'y.txt'].flatMap(idsOf));
		const run = await night({ ...TWO, 'x.txt': 'X' });
		expect([run.output.length, hintsOf(run)]).toEqual([3, []]);
	});
});

test('Without any item, n8n does not run the node, and nothing is removed', async () => {
	await withoutD();
	const run = await night({}, { brings: { items: [], files: [] } });
	expect([run.calls, known()]).toEqual([[], ALL]);
});

test('An item without a file says to check the folder, and nothing is removed', async () => {
	await withoutD();
	const run = await night({}, { brings: { items: [{}], files: [{}] } });
	expect(errorOf(run)).toMatchObject({
		message: expect.stringContaining('The item has no file'),
		description: expect.stringMatching(
			/^Check that the previous node .*\. No missing document was removed/,
		),
	});
	expect(known()).toEqual(ALL);
});

test.each<[string, 'skipped' | 'failed', TestFile]>([
	['empty', 'skipped', file('d.txt', '')],
	['deleted by n8n', 'failed', { ...file('d.txt'), kept: 'deleted' }],
	['a web page under its name', 'failed', file('d.txt', '\n<!DOCTYPE html><title>Log in')],
])('A file that cannot be sent is not missing: %s', async (__, outcome, broken) => {
	await night(FOUR);
	for (let nights = 0; nights < 2; nights++) {
		const run = await night({}, andOne(broken));
		expect(actionsOf(run).filter((one) => /removed|missing|replaced/.test(one))).toEqual([]);
		expect(run.output[3]?.json.action ?? 'failed').toBe(outcome);
	}
	expect(known()).toEqual(ALL);
});

describe('A missing file is removed only if it is certain that it is missing:', () => {
	test('not while CometChat does not return the agent; no row says removed, and the next execution removes it', async () => {
		await withoutD();
		service().script({ for: { operation: 'agent' }, status: 503, times: Infinity });
		const run = await night(THREE);
		expect(actionsOf(run).filter((one) => one.startsWith('removed'))).toEqual([]);
		service().clearScript();
		expect(actionsOf(await night(THREE))).toContain('removed d.txt');
		expect(known()).toEqual(OUT);
	});

	test('not an upload with its name that others added after the file was removed', async () => {
		await night({ ...THREE, 'prices.pdf': 'P' });
		await night(THREE);
		await give('support-bot', 'prices');
		const run = await night(THREE);
		expect(run.output[3]?.json).toMatchObject({ action: 'removed', name: 'prices.pdf' });
		expect(service().files('support-bot', 'uploads')).toContain('prices');
	});

	test('not an ID that another file of the folder has, too, if one of them changes or is removed', async () => {
		await night({ ...THREE, 'd.txt': 'D' });
		const [id = ''] = idsOf('d.txt');
		const transform = (body: unknown) =>
			JSON.stringify(body).replace(/"uploadId":"[^"]+"/, `"uploadId":"${id}"`);
		service().script({ for: { operation: 'initiate' }, transform });
		await night({ ...FOUR, 'e.txt': 'D' });
		await night({ ...FOUR, 'd.txt': 'D2', 'e.txt': 'D' });
		expect(service().files('support-bot', 'uploads')).toContain(id);
		for (let nights = 0; nights < 2; nights++) await night({ ...FOUR, 'd.txt': 'D2' });
		expect(service().files('support-bot', 'uploads')).not.toContain(id);
	});

	test('immediately if the folder contains the same content with a new name, even if all files were renamed', async () => {
		const folderOf = (year: number): Contents =>
			Object.fromEntries([...'abcde'].map((one) => [`${one} ${year}.txt`, one]));
		await night(folderOf(2025));
		const run = await night(folderOf(2026));
		expect(actionsOf(run).slice(5)).toEqual([...'abcde'].map((one) => `removed ${one} 2025.txt`));
		expect(known()).toEqual([...Object.keys(folderOf(2026)), 'handbook.pdf']);
	});

	test('never if each call has one file, and a warning says to pass all files at once', async () => {
		const each = (contents: Contents) =>
			Object.entries(contents).map(([name, text]) => ({ [name]: text }));
		await night({}, { calls: each(THREE) });
		for (let nights = 0; nights < 2; nights++) {
			const run = await night({}, { calls: each(TWO) });
			expect(JSON.stringify(run.hints)).toContain('Pass all documents to this node at once');
		}
		expect(known()).toEqual(OUT);
	});
});

test('A file that was removed while an item had no file is named, and the error of the previous node is quoted', async () => {
	await night(FOUR);
	const { items, files } = callWith(THREE, {});
	items[3] = { error: 'The file is too large to be exported' };
	const run = await night({}, { brings: { items, files } });
	expect(errorOf(run, 3)).toMatchObject({
		message: 'The item has no file: "The file is too large to be exported" [item 4]',
	});
	expect(hintsOf(run).join()).toContain(
		'The agent "Support Bot" keeps "d.txt", because an item has no name',
	);
	expect(known()).toEqual(ALL);
});

test('In an execution that stops, a bad file fails alone: the others are synced, and no missing file is removed', async () => {
	await night({ ...TWO, 'x.txt': 'X' });
	const broken: TestFile = { ...file('d.txt'), kept: 'deleted' };
	for (let nights = 0; nights < 3; nights++) {
		const run = await night({}, { ...andOne(broken), onError: 'stopWorkflow' });
		expect(String(Object(run.error).message)).toContain('d.txt');
	}
	expect(known()).toEqual([...OUT, 'x.txt']);
	expect(actionsOf(await night(THREE))).toEqual([
		...['unchanged a.txt', 'unchanged b.txt', 'unchanged c.txt', 'missing x.txt'],
	]);
});

test('What to do with missing files, by expression, holds for the agent whose items have it', async () => {
	const parameters = {
		uid: agent('={{ $json.uid }}'),
		missingDocuments: '={{ $json.uid === "support-bot" ? "keep" : "delete" }}',
	};
	const bringing = (own: string[], others: string[]) => ({
		items: [
			...own.map(() => ({ uid: 'support-bot' })),
			...others.map(() => ({ uid: 'sales-assistant' })),
		],
		files: [...own, ...others].map((name) => ({ data: file(name, name) })),
	});
	const all = bringing(['a.txt', 'b.txt', 'c.txt'], ['v.txt', 'w.txt', 'x.txt']);
	await night({}, { brings: all, parameters });
	const less = bringing(['a.txt', 'b.txt'], ['v.txt', 'w.txt']);
	for (let nights = 0; nights < 2; nights++) await night({}, { brings: less, parameters });
	expect(known()).toContain('c.txt');
	expect([known('sales-assistant'), idsOf('x.txt')]).toEqual([['v.txt', 'w.txt'], []]);
});

describe('If the lists of agents do not report it, a file that is missing', () => {
	const untold = freshFolder({ agentLists: 'otherIds' });

	test('is removed, not deleted, and the output says why; a newer version leaves no older one', async () => {
		await untold.night({ ...THREE, 'e.txt': 'E' });
		await untold.night(THREE);
		const { output } = await untold.night(THREE, { parameters: { missingDocuments: 'delete' } });
		const reason = expect.stringContaining('Unknown whether another agent uses this document');
		expect(output[3]?.json).toMatchObject({ action: 'removed', old: [{ reason }] });
		expect([untold.known(), untold.idsOf('e.txt').length]).toEqual([Object.keys(THREE), 1]);
		await untold.night({ ...THREE, 'e.txt': 'E2' });
		expect(untold.known()).toEqual([...Object.keys(THREE), 'e.txt']);
	});
});
