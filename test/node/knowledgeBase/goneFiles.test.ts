import type { INode } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import type { TestFile } from '../engine';
import { add } from '../fixture';
import { agent, arrivals, errorOf, file, runFiles } from '../operations';
import type { Contents, Night } from './folder';
import { actionsOf, callWith, freshFolder, hintsOf } from './folder';

const THREE: Contents = { 'a.txt': 'A', 'b.txt': 'B', 'c.txt': 'C' };
const FOUR: Contents = { ...THREE, 'd.txt': 'D' };
const TWO: Contents = { 'a.txt': 'A', 'b.txt': 'B' };
const TWO_OTHERS: Contents = { 'v.txt': 'V', 'w.txt': 'W' };
const FIVE_OTHERS: Contents = {
	'v.txt': 'V',
	'w.txt': 'W',
	'x.txt': 'X',
	'y.txt': 'Y',
	'z.txt': 'Z',
};

const OTHERS = ['handbook', 'prices', 'terms', 'hours', 'team', 'vision'];

const { service, night, known, changes, idsOf, give, take, loseNote, note } = freshFolder({
	records: [
		...OTHERS.map((uniqueId) => ({ sourceName: `${uniqueId}.pdf`, uniqueId })),
		{ sourceName: 'a text', uniqueId: 'text', type: 'text-details' },
		{ sourceName: 'https://example.com', uniqueId: 'site', type: 'website' },
	],
});

// So that the lists tell what each agent has.
beforeEach(async () => await give('support-bot', 'handbook'));

const OUT = [...Object.keys(THREE), 'handbook.pdf'];
const ALL = [...Object.keys(FOUR), 'handbook.pdf'];

type Ran = Awaited<ReturnType<typeof night>>;

const reasonsOf = ({ output }: Ran) =>
	output.filter(({ json }) => json.action === 'missing').map(({ json }) => String(json.reason));

/** A folder that has lost a file for as long as it takes until the next run takes it out. */
async function withoutD(more: Night = {}): Promise<void> {
	await night(FOUR, more);
	await night(THREE, more);
}

/** The three files, and an item beside them that is to bring the fourth. */
const andOne = (broken?: TestFile) => ({ brings: callWith(THREE, broken ? { data: broken } : {}) });

/** A node behind ours that leads back to it. */
function inLoop() {
	const [name, NODE] = ['Again', 'CometChat Knowledge Base'];
	const position: INode['position'] = [0, 0];
	const again = { id: name, name, type: 'test.items', typeVersion: 1, position, parameters: {} };
	const to = (node: string) => ({ main: [[{ node, type: NodeConnectionTypes.Main, index: 0 }]] });
	return { nodes: [again], connections: { [NODE]: to(name), [name]: to(NODE) } };
}

describe('A file that has left the folder', () => {
	test('is missing in one run, which says so, and taken out by the next', async () => {
		await night(FOUR);
		const run = await night(THREE);
		expect(run.output[3]?.json).toEqual({
			...{ success: true, action: 'missing', name: 'd.txt', agentName: 'Support Bot' },
			...{ uid: 'support-bot', uniqueId: idsOf('d.txt')[0], sourceType: 'uploads' },
			reason:
				'Missing from the input. An execution at least an hour later removes the file from the agent if the file is still missing',
		});
		expect([known(), changes(), hintsOf(run)]).toEqual([ALL, [], []]);
		expect(hintsOf(run, 'info')).toEqual([
			'Files: 3 unchanged, 1 missing.',
			expect.stringMatching(
				/^"d\.txt" is no longer in the folder\. An execution after .* removes the file from "Support Bot"\. To keep/,
			),
		]);
		expect(actionsOf(await night(THREE))).toContain('removed d.txt');
		expect(known()).toEqual(OUT);
		expect(actionsOf(await night(THREE))).toHaveLength(3);
	});

	test.each<[string, number, string[], number]>([
		['remove', 1, OUT, 4],
		['delete', 0, OUT, 4],
		['keep', 1, ALL, 3],
	])("with '%s' is %d times in CometChat, and the agent has %j", async (goneFiles, ...rest) => {
		const [count, kept, rows] = rest;
		await withoutD();
		const run = await night(THREE, { parameters: { goneFiles } });
		expect([idsOf('d.txt').length, known(), run.output.length]).toEqual([count, kept, rows]);
		// What is deleted is noted no longer.
		if (count === 0) expect(JSON.stringify(note())).not.toContain('"d.txt"');
	});

	test('and comes back later is added again without an upload; with another text its old one is deleted', async () => {
		await withoutD();
		await night(THREE);
		const run = await night(FOUR);
		expect(run.output[3]?.json).toMatchObject({ action: 'added', reason: 'Back in the folder' });
		expect(changes().filter((line) => line.startsWith('upload '))).toEqual([]);
		await night(THREE);
		await night(THREE);
		await night({ ...FOUR, 'd.txt': 'D2' });
		expect([idsOf('d.txt').length, known()]).toEqual([1, ALL]);
	});

	test.each<[string, (more: Night) => Promise<unknown>]>([
		['in the same execution', async (more) => await night({}, { ...more, calls: [THREE, THREE] })],
		[
			'within the hour',
			async (more) => {
				await night(THREE, more);
				await night(THREE, { ...more, isAtOnce: true });
			},
		],
	])('stays if it is missing twice %s', async (_, miss) => {
		await night(FOUR);
		await miss({});
		expect([known(), changes()]).toEqual([ALL, []]);
		expect(actionsOf(await night(THREE))).toContain('removed d.txt');
	});

	test('keeps the ID that CometChat gave to a file that is there', async () => {
		await night({ ...THREE, 'Report.PDF': 'R' });
		const [id = ''] = idsOf('Report.PDF');
		const transform = (body: unknown) =>
			JSON.stringify(body).replace(/"uploadId":"[^"]+"/, `"uploadId":"${id}"`);
		service().script({ for: { operation: 'initiate' }, transform });
		const now = { ...THREE, 'report.pdf': 'R' };
		for (let nights = 0; nights < 3; nights++) {
			const run = await night(now);
			expect(run.output.map(({ json }) => json.name)).not.toContain('Report.PDF');
			expect(changes().join()).not.toMatch(/remove|delete/);
		}
		expect(service().files('support-bot', 'uploads')).toContain(id);
	});

	test('is noted as before by a dry run that stops at an unusable item', async () => {
		await withoutD();
		const before = structuredClone(note());
		const call = callWith(FOUR);
		const brings = {
			...call,
			items: call.items.map((_, at) => ({ uid: at ? 'support-bot' : '' })),
		};
		const parameters = { uid: agent('={{ $json.uid }}'), dryRun: true };
		await night({}, { brings, onError: 'stopWorkflow', parameters });
		expect(note()).toEqual(before);
	});

	test('is not deleted while another agent has it, and the output says who', async () => {
		await withoutD();
		await give('sales-assistant', ...idsOf('d.txt'));
		const { output } = await night(THREE, { parameters: { goneFiles: 'delete' } });
		expect(output[3]?.json.old).toMatchObject([
			{ action: 'removed', reason: 'Used by other agents: "Sales Assistant"' },
		]);
		expect(known('sales-assistant')).toEqual(['d.txt']);
	});

	test('that somebody else has uploaded is taken out, and stays in CometChat', async () => {
		await give('support-bot', 'prices');
		const options = { modified: '2020-01-01T00:00:00Z' };
		const more = { parameters: { goneFiles: 'delete' }, options };
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

	test('stays where the static data are lost, since nothing tells that it was in the folder', async () => {
		await night(FOUR);
		loseNote();
		for (let nights = 0; nights < 3; nights++) await night(THREE);
		expect(known()).toEqual(ALL);
	});

	test('that is gone from CometChat, too, is forgotten', async () => {
		await withoutD();
		const gone = { status: 404, code: 'ERR_KB_NOT_FOUND' };
		service().script({ for: { operation: 'remove' }, ...gone });
		expect(actionsOf(await night(THREE))).toContain('removed d.txt');
		expect(actionsOf(await night(THREE))).toHaveLength(3);
	});

	test.each<['remove' | 'deleteUpload', string, string]>([
		['remove', 'not applied', 'was not removed from the agent.'],
		['deleteUpload', 'partly applied', 'was not deleted.'],
	])('fails without an item where %s is refused; the next run tries again', async (...row) => {
		const [operation, effect, words] = row;
		await withoutD();
		const parameters = { goneFiles: 'delete' };
		service().script({ for: { operation }, status: 400 });
		const run = await night(THREE, { parameters });
		expect(run.output[3]?.pairedItem).toBeUndefined();
		const description = expect.stringContaining(words);
		expect(errorOf(run, 3)).toMatchObject({ effect, description, name: 'd.txt' });
		await night(THREE, { parameters });
		expect([known(), idsOf('d.txt')]).toEqual([OUT, []]);
	});
});

// The rule itself is proven in test/rules/resources/missing.test.ts, and by test/model.
describe('A folder that comes in several calls keeps what it has,', () => {
	const parts = [THREE, { 'v.txt': 'V', 'w.txt': 'W', 'x.txt': 'X' }];
	const ALL_PARTS = [...Object.keys(THREE), 'handbook.pdf', 'v.txt', 'w.txt', 'x.txt'];

	test('and loses what has left', async () => {
		await night({}, { calls: parts });
		const less = [THREE, { 'v.txt': 'V', 'w.txt': 'W' }];
		await night({}, { calls: less });
		expect(known()).toEqual(ALL_PARTS);
		await night({}, { calls: less });
		expect(known()).toEqual(ALL_PARTS.filter((name) => name !== 'x.txt'));
	});

	test.each<[string, number]>([
		['with any limit', 100],
		['by default', 50],
	])('however often, %s', async (_, maxShareToRemove) => {
		for (let nights = 0; nights < 4; nights++) {
			await night({}, { calls: parts, options: { maxShareToRemove } });
		}
		// A loop that broke off.
		await night({}, { calls: [THREE, 'fails'], options: { maxShareToRemove } });
		await night({}, { calls: parts, options: { maxShareToRemove } });
		expect(known()).toEqual(ALL_PARTS);
	});

	test('also of two triggers, the larger of which runs more often', async () => {
		for (const part of [FOUR, TWO_OTHERS, FOUR, FOUR, FOUR, TWO_OTHERS]) {
			await night(part, { options: { maxShareToRemove: 100 } });
		}
		expect(known()).toEqual([...ALL, ...Object.keys(TWO_OTHERS)]);
	});
});

describe('An execution without the file notes nothing, and says why,', () => {
	const login = { ...file('d.txt', '<title>Log in'), mimeType: 'text/html' };

	test.each<[string, Night, string]>([
		['if an item has no file', andOne(), 'Some items have no file name'],
		[
			'if a web page has come in the place of a file',
			andOne({ ...login, fileName: 'login' }),
			'Some items have no file name',
		],
		['if it is a retry', { mode: 'retry' }, 'A retry uses the files of an earlier execution'],
		['if it is manual', { mode: 'manual' }, 'A manual execution removes nothing'],
		['if it is a tool', { isTool: true }, 'The node is used as a tool'],
	])('%s', async (__, more, why) => {
		await night(FOUR);
		let said = '';
		for (let nights = 0; nights < 3; nights++) {
			const run = await night(THREE, more);
			said = JSON.stringify([run.calls, run.output]);
		}
		expect([known(), changes()]).toEqual([ALL, []]);
		expect(said).toContain(why);
	});

	test.each<[string, Contents]>([
		['half of the folder or less', TWO],
		['the files of another folder', FIVE_OTHERS],
	])('and has no rows for the others if it contains %s', async (__, contents) => {
		await night(FOUR);
		for (let nights = 0; nights < 3; nights++) {
			const run = await night(contents);
			expect(run.output).toHaveLength(Object.keys(contents).length);
			expect(hintsOf(run, 'info').join()).toContain('Kept for the agent "Support Bot": ');
		}
		expect(known()).toEqual(expect.arrayContaining(ALL));
	});
});

test('An item without a file says to check the folder, and nothing is removed', async () => {
	await withoutD();
	const run = await night({}, { brings: { items: [{}], files: [{}] } });
	expect(errorOf(run)).toMatchObject({
		message: expect.stringContaining('The item has no file'),
		description: expect.stringMatching(
			/^Check the folder, and that the previous node .*\. No missing file was removed/,
		),
	});
	expect(known()).toEqual(ALL);
});

test.each<[string, 'skipped' | 'failed', TestFile]>([
	['empty', 'skipped', file('d.txt', '')],
	['deleted by n8n', 'failed', { ...file('d.txt'), kept: 'deleted' }],
	['a web page under its name', 'failed', file('d.txt', '\n<!DOCTYPE html><title>Log in')],
])('A file that is there and cannot be sent is not missing: %s', async (__, outcome, broken) => {
	await night(FOUR);
	for (let nights = 0; nights < 2; nights++) {
		const run = await night({}, andOne(broken));
		expect(actionsOf(run).filter((one) => /removed|missing|replaced/.test(one))).toEqual([]);
		expect(run.output[3]?.json.action ?? 'failed').toBe(outcome);
	}
	expect(known()).toEqual(ALL);
});

describe('Too much at once stays', () => {
	test('however long it is missing, and the execution says so', async () => {
		const options = { maxShareToRemove: 25 };
		await night(FOUR);
		for (let nights = 0; nights < 3; nights++) {
			const run = await night(THREE, { options });
			const message =
				/1 of 4 files are missing at once, .*'Removal Limit \(Percent\)' under Options to 26 or more \(now 25\)/;
			expect(hintsOf(run).join()).toMatch(message);
			expect(reasonsOf(run).join()).toMatch(message);
			const missing = run.output.filter(({ json }) => json.action === 'missing');
			expect(missing.map(({ json }) => json.success)).toEqual([false]);
		}
		expect(known()).toEqual(ALL);
		// Once it is allowed, it is removed as ever.
		expect(actionsOf(await night(THREE))).toContain('removed d.txt');
	});
});

describe('All Other Files of the Agent', () => {
	const itemsAre = 'all';
	/** In queue mode n8n may keep no note. */
	const unnoted = async (contents: Contents, more: Night = {}) => {
		loseNote();
		const options = { modified: '2020-01-01T00:00:00Z' };
		const parameters = { itemsAre, ...more.parameters };
		return await night(contents, { options, ...more, parameters });
	};

	test('takes whatever else the agent has out of it at once, needs no note, and deletes none of it', async () => {
		await night(FOUR);
		await add(service(), [{ agent: 'support-bot', files: ['site'] }], {
			parameters: { sourceType: 'website' },
		});
		const run = await unnoted(THREE, { parameters: { goneFiles: 'delete' } });
		expect(actionsOf(run).slice(3).sort()).toEqual(['removed d.txt', 'removed handbook.pdf']);
		expect(hintsOf(run, 'info').join()).toContain('No record of earlier executions');
		expect(known()).toEqual(Object.keys(THREE));
		expect([...idsOf('d.txt'), ...idsOf('handbook.pdf')]).toHaveLength(2);
		expect(service().files('support-bot', 'website')).toEqual(['site']);
	});

	test('deletes what was in the folder once, and no other', async () => {
		await night(FOUR);
		await night(THREE, { parameters: { itemsAre, goneFiles: 'delete' } });
		expect([known(), idsOf('d.txt')]).toEqual([Object.keys(THREE), []]);
		expect(idsOf('handbook.pdf')).toEqual(['handbook']);
	});

	test('takes out every upload of a name, whoever has brought it, and deletes its own alone', async () => {
		await night(FOUR);
		const [own = ''] = idsOf('d.txt');
		await runFiles(service(), 'document.upload', { files: [{ data: file('d.txt') }] });
		const [another = ''] = idsOf('d.txt').filter((id) => id !== own);
		await give('support-bot', another);
		await night(THREE, { parameters: { itemsAre, goneFiles: 'delete' } });
		const [line = '', ...more] = changes().filter((one) => one.startsWith('remove'));
		expect([line.replace('remove support-bot ', '').split(',').sort(), more]).toEqual([
			[another, 'handbook', own].sort(),
			[],
		]);
		expect(idsOf('d.txt')).toEqual([another]);
	});

	test('takes nothing out if it is too much of what the agent has, and says so', async () => {
		await night(FOUR);
		const run = await night({ 'a.txt': 'A' }, { parameters: { itemsAre } });
		expect(known()).toContain('d.txt');
		expect(hintsOf(run).join()).toMatch(
			/4 of 5 files are missing at once.* to 81 or more \(now 50\)/,
		);
	});

	test('takes nothing out where the lists cannot be read, and says so', async () => {
		await unnoted(FOUR);
		service().script({ for: { operation: 'records' }, status: 400, times: Infinity });
		const run = await unnoted(THREE);
		expect(hintsOf(run).join()).toContain("The node couldn't read CometChat's lists");
		expect(run.output.at(-1)?.json.success).toBe(false);
		expect(known()).toContain('d.txt');
	});
});

describe("With 'Files to Remove' set to All Other Files of the Agent", () => {
	const parameters = { itemsAre: 'all' };
	const options = { maxShareToRemove: 100 };

	test.each<[string, Contents, Night, string]>([
		["with 'Execute Once'", FOUR, { executeOnce: true }, "'Execute Once' is on"],
		['as a tool of an AI agent', THREE, { isTool: true }, 'The node is used as a tool'],
		['if an item has no file', {}, andOne(), 'Some items have no file name'],
		['in a loop', THREE, { around: inLoop() }, 'The node is in a loop'],
		['after several branches', {}, { calls: [THREE, THREE] }, 'Several nodes are connected to'],
	])('nothing is taken out %s, which is said', async (__, contents, more, why) => {
		await night(FOUR);
		const run = await night(contents, { ...more, parameters, options });
		expect(known()).toEqual(ALL);
		expect(hintsOf(run).join()).toContain(why);
		expect(reasonsOf(run).join()).toContain(why);
	});

	test('nothing is taken out in a retry, which may bring an earlier folder', async () => {
		await night(FOUR);
		const run = await night(THREE, { mode: 'retry', parameters, options });
		expect(known()).toEqual(ALL);
		expect(reasonsOf(run).join()).toContain('A retry uses the files of an earlier execution');
	});
});

describe('What to do with missing files, by expression,', () => {
	const bringing = (names: Record<string, string[]>) => {
		const all = Object.entries(names).flatMap(([uid, own]) => own.map((name) => ({ uid, name })));
		return { items: all, files: all.map(({ name }) => ({ data: file(name, name) })) };
	};

	test('holds for the agent whose items have it', async () => {
		const parameters = {
			uid: agent('={{ $json.uid }}'),
			goneFiles: '={{ $json.uid === "support-bot" ? "keep" : "delete" }}',
		};
		const both = {
			'support-bot': ['a.txt', 'b.txt', 'c.txt'],
			'sales-assistant': ['v.txt', 'w.txt', 'x.txt'],
		};
		await night({}, { brings: bringing(both), parameters });
		const less = { 'support-bot': ['a.txt', 'b.txt'], 'sales-assistant': ['v.txt', 'w.txt'] };
		for (let nights = 0; nights < 2; nights++) {
			await night({}, { brings: bringing(less), parameters });
		}
		expect(known()).toContain('c.txt');
		expect([known('sales-assistant'), idsOf('x.txt')]).toEqual([['v.txt', 'w.txt'], []]);
	});

	test('is to keep them if it returns nothing', async () => {
		await night(THREE);
		for (let nights = 0; nights < 2; nights++) {
			await night(TWO, { parameters: { goneFiles: '={{ $json.nothing }}' } });
		}
		expect(known()).toContain('c.txt');
	});
});

describe('Where the lists of agents do not tell, a file that is gone', () => {
	const untold = freshFolder({ agentLists: 'otherIds' });

	test('is taken out, not deleted, and the output says why; a newer text of it leaves no older one', async () => {
		await untold.night({ ...THREE, 'e.txt': 'E' });
		await untold.night(THREE);
		const { output } = await untold.night(THREE, { parameters: { goneFiles: 'delete' } });
		const reason = expect.stringContaining('Unknown whether another agent uses this document');
		expect(output[3]?.json).toMatchObject({ action: 'removed', old: [{ reason }] });
		expect([untold.known(), untold.idsOf('e.txt').length]).toEqual([Object.keys(THREE), 1]);
		await untold.night({ ...THREE, 'e.txt': 'E2' });
		expect(untold.known()).toEqual([...Object.keys(THREE), 'e.txt']);
	});

	test('stays with All Other Files of the Agent, which says so', async () => {
		await untold.night(THREE);
		const run = await untold.night({ 'a.txt': 'A' }, { parameters: { itemsAre: 'all' } });
		expect(hintsOf(run)).toEqual([expect.stringContaining("doesn't report which files")]);
		expect(untold.known()).toEqual(Object.keys(THREE));
	});
});

describe('What the agent has, no item brings and the node has not noted', () => {
	const UNNOTED = /^The agent "Support Bot" also uses files that are not in this folder: (.*?)\. T/;
	/** The names of what the agent has beside the folder. */
	const namedIn = ({ hints }: Ran) =>
		hints.flatMap(({ message, type }) => (type === 'warning' && UNNOTED.exec(message)?.[1]) || []);
	const handbook = ['"handbook.pdf"'];
	const hintsIn = ({ hints }: Ran) => hints.map(({ message }) => message).join();

	test('is named in each run, at no request where nothing has changed', async () => {
		for (const run of [await night(THREE), await night(THREE), await night(THREE)]) {
			expect(namedIn(run)).toEqual(handbook);
		}
		expect(arrivals(service())).toEqual(['agent support-bot']);
		expect(namedIn(await night(THREE, { parameters: { dryRun: true } }))).toEqual(handbook);
		const manual = await night(THREE, { mode: 'manual' });
		expect(namedIn(manual)).toEqual(handbook);
		expect(hintsIn(manual)).toContain('n8n keeps no record in manual executions. To remove');
		await take('support-bot', 'handbook');
		await give('support-bot', 'text');
		await night(THREE);
		expect(namedIn(await night(THREE))).toEqual([]);
	});

	test('is nothing that this run has deleted', async () => {
		const more = { parameters: { goneFiles: 'delete' } };
		await night(FOUR, more);
		await night(THREE, more);
		expect(namedIn(await night(THREE, more))).toEqual(handbook);
		expect(idsOf('d.txt')).toEqual([]);
	});

	test('is no upload that an item names, also one that cannot be sent', async () => {
		await give('support-bot', 'prices');
		const brings = callWith({ ...THREE, 'prices.pdf': '' });
		expect(namedIn(await night({}, { brings }))).toEqual(handbook);
	});

	test.each<[string, Night]>([
		['with Keep', { parameters: { goneFiles: 'keep' } }],
		['in a retry', { mode: 'retry' }],
		['with All Other Files of the Agent', { parameters: { itemsAre: 'all' } }],
		['where an item names no file', andOne()],
		['in a loop', { around: inLoop() }],
		['in several calls', { calls: [THREE, { 'd.txt': 'D' }] }],
	])('is not spoken of %s', async (_, more) => {
		await night(THREE);
		expect(namedIn(await night(THREE, more))).toEqual([]);
	});
});
