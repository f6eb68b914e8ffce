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
const FIVE_OTHERS: Contents = {
	'v.txt': 'V',
	'w.txt': 'W',
	'x.txt': 'X',
	'y.txt': 'Y',
	'z.txt': 'Z',
};

const OTHERS = ['handbook', 'prices', 'terms', 'hours', 'team', 'vision'];

const { service, night, known, changes, idsOf, give, take, loseNote, executions, note } =
	freshFolder({
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
const WHOLE = { itemsAre: 'folder' };

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
			reason: 'Not among the files of this run: the next run takes it out if it is still missing',
		});
		expect([known(), changes(), hintsOf(run)]).toEqual([ALL, [], []]);
		expect(hintsOf(run, 'info')).toEqual(['Files: 3 unchanged, 1 missing.']);
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

	test('stays for as many runs more as the user asks for', async () => {
		const more = { options: { runsMissing: 2 } };
		await withoutD(more);
		const [reason] = reasonsOf(await night(THREE, more));
		expect(reason).toContain('the next run takes it out if it is still missing');
		expect(actionsOf(await night(THREE, more))).toContain('removed d.txt');
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
			{ action: 'removed', reason: 'Other agents have it: "Sales Assistant"' },
		]);
		expect(known('sales-assistant')).toEqual(['d.txt']);
	});

	test('that somebody else has uploaded is taken out, and stays in CometChat', async () => {
		await give('support-bot', 'prices');
		const more = { parameters: { goneFiles: 'delete', modified: '2020-01-01T00:00:00Z' } };
		await night({ ...THREE, 'prices.pdf': 'by hand' }, more);
		await night(THREE, more);
		const { output } = await night(THREE, more);
		expect(output[3]?.json).toMatchObject({
			action: 'removed',
			old: [{ action: 'removed', reason: expect.stringContaining("may be somebody else's") }],
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
		['remove', 'not applied', 'was not taken from the agent. The next run tries it again.'],
		['deleteUpload', 'partly applied', 'was not deleted. The next run tries it again.'],
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

// The rule itself is proven in test/rules/resources/removable.test.ts, over many more ways, and by test/model.
test('A folder that comes in several calls keeps what it has, and loses what has left', async () => {
	const calls = [TWO, { 'c.txt': 'C' }];
	await night({}, { calls: [TWO, { 'c.txt': 'C', 'd.txt': 'D' }] });
	await night({}, { calls });
	expect(known()).toEqual(ALL);
	await night({}, { calls });
	expect(known()).toEqual(OUT);
});

describe('A run without the file does not count, and says why,', () => {
	const login = { ...file('d.txt', '<title>Log in'), mimeType: 'text/html' };
	const clear = () => executions.clear();

	test.each<[string, Night, string, () => void]>([
		['if an item has no file', andOne(), 'some items come without a file name', () => {}],
		[
			'if a web page has come in the place of a file',
			andOne({ ...login, fileName: 'login' }),
			'some items come without a file name',
			() => {},
		],
		['if it is a retry', { mode: 'retry' }, 'a retry brings the files of an', () => {}],
		['if n8n has not kept the run before', {}, 'n8n save successful executions', clear],
		[
			'if an error broke the run before off after this node',
			{ calls: [THREE, 'fails'] },
			'the run before was broken off',
			() => {},
		],
	])('%s', async (__, more, why, before) => {
		await night(FOUR);
		let said = '';
		for (let nights = 0; nights < 3; nights++) {
			before();
			const run = await night(THREE, more);
			said = JSON.stringify([run.calls, run.output]);
		}
		expect([known(), changes()]).toEqual([ALL, []]);
		expect(said).toContain(why);
	});

	test.each<[string, Contents, string]>([
		['if it brought half of the folder or less', TWO, 'brought 2 of 4 known files'],
		[
			'if its files are those of another folder',
			FIVE_OTHERS,
			'They seem to be of another folder, and stay.',
		],
	])('%s', async (__, contents, why) => {
		await night(FOUR);
		await night(contents);
		await night(contents);
		const run = await night(contents);
		expect(hintsOf(run, 'info').join()).toContain(why);
		expect(known()).toEqual(expect.arrayContaining(ALL));
	});

	test('if it is by hand, which takes nothing out either', async () => {
		await withoutD();
		const run = await night(THREE, { mode: 'manual' });
		expect(reasonsOf(run).join()).toContain('a run by hand takes nothing out');
		expect(known()).toEqual(ALL);
	});
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
	test.each<[string, Contents, object, string]>([
		['half of it, by default', TWO, {}, '2 of 4'],
		['as much as the user allows', THREE, { maxShareToRemove: 25 }, '1 of 4'],
		['all of it, though as many have come since', FIVE_OTHERS, {}, '4 of 4'],
	])('%s, however long it is missing, and the run says so', async (__, contents, more, what) => {
		await night(FOUR);
		for (let nights = 0; nights < 2; nights++) {
			const run = await night(contents, { options: { ...WHOLE, ...more } });
			const message = `${what} files are missing at once, and the folder may`;
			expect(hintsOf(run).join()).toContain(message);
			expect(reasonsOf(run).join()).toContain(message);
			const missing = run.output.filter(({ json }) => json.action === 'missing');
			expect(missing.map(({ json }) => json.success)).not.toContain(true);
		}
		expect(known()).toEqual(expect.arrayContaining(ALL));
		// Once they are back, one may go as before.
		await night({ ...FOUR, ...contents }, { options: WHOLE });
		const back = await night({ ...THREE, ...contents }, { options: WHOLE });
		expect(actionsOf(back)).toContain('removed d.txt');
	});
});

describe('The Whole Folder at Once', () => {
	test.each(['trigger', 'manual'] as const)(
		'takes out at once what is missing, in mode %s; all of it if the user allows it',
		async (mode) => {
			await night(FOUR, { mode: 'trigger' });
			await night(THREE, { mode, options: WHOLE });
			expect(known()).toEqual(OUT);
			await night({ 'e.txt': 'E' }, { options: { ...WHOLE, maxShareToRemove: 100 } });
			expect(known()).toEqual(['e.txt', 'handbook.pdf']);
		},
	);
});

describe('All the Agent Should Know', () => {
	const options = { itemsAre: 'all' };
	/** In queue mode n8n may keep no note. */
	const unnoted = async (contents: Contents, more: Night = {}) => {
		loseNote();
		const parameters = { modified: '2020-01-01T00:00:00Z', ...more.parameters };
		return await night(contents, { options, ...more, parameters });
	};

	test('takes whatever else the agent has out of it at once, needs no note, and deletes none of it', async () => {
		await night(FOUR);
		await add(service(), [{ agent: 'support-bot', files: ['site'] }], {
			parameters: { sourceType: 'website' },
		});
		const run = await unnoted(THREE, { parameters: { goneFiles: 'delete' } });
		expect(actionsOf(run).slice(3).sort()).toEqual(['removed d.txt', 'removed handbook.pdf']);
		expect(hintsOf(run, 'info').join()).toContain("Only 'Last Changed' tells");
		expect(known()).toEqual(Object.keys(THREE));
		expect([...idsOf('d.txt'), ...idsOf('handbook.pdf')]).toHaveLength(2);
		expect(service().files('support-bot', 'website')).toEqual(['site']);
	});

	test('deletes what was in the folder once, and no other', async () => {
		await night(FOUR);
		await night(THREE, { options, parameters: { goneFiles: 'delete' } });
		expect([known(), idsOf('d.txt')]).toEqual([Object.keys(THREE), []]);
		expect(idsOf('handbook.pdf')).toEqual(['handbook']);
	});

	test('takes out every upload of a name, whoever has brought it, and deletes its own alone', async () => {
		await night(FOUR);
		const [own = ''] = idsOf('d.txt');
		await runFiles(service(), 'document.upload', { files: [{ data: file('d.txt') }] });
		const [another = ''] = idsOf('d.txt').filter((id) => id !== own);
		await give('support-bot', another);
		await night(THREE, { options, parameters: { goneFiles: 'delete' } });
		expect(changes().filter((line) => line.startsWith('remove'))).toEqual([
			`remove support-bot ${own},handbook`,
			`remove support-bot ${another}`,
		]);
		expect(idsOf('d.txt')).toEqual([another]);
	});

	test('takes nothing out if it is too much of what the agent has, and says so', async () => {
		await night(FOUR);
		const run = await night({ 'a.txt': 'A' }, { options });
		expect(known()).toContain('d.txt');
		expect(hintsOf(run).join()).toContain('4 of 5 files are missing at once');
	});

	test('takes nothing out where the lists cannot be read, and says so', async () => {
		await unnoted(FOUR);
		service().script({ for: { operation: 'records' }, status: 400, times: Infinity });
		const run = await unnoted(THREE);
		expect(hintsOf(run).join()).toContain("because CometChat's lists could not be read");
		expect(run.output.at(-1)?.json.success).toBe(false);
		expect(known()).toContain('d.txt');
	});
});

describe.each(['folder', 'all'])("With 'What Each Run Brings' set to '%s'", (itemsAre) => {
	const options = { itemsAre, maxShareToRemove: 100 };

	test.each<[string, Contents, Night, string]>([
		["with 'Execute Once'", FOUR, { executeOnce: true }, "'Execute Once' is on"],
		['as a tool of an AI agent', THREE, { isTool: true }, 'the node is run as a tool'],
		['if an item has no file', {}, andOne(), 'some items come without a file name'],
		['in a loop', THREE, { around: inLoop() }, 'the node stands in a loop'],
		['behind several branches', {}, { calls: [THREE, THREE] }, 'several nodes lead into this one'],
	])('nothing is taken out %s, which is said', async (__, contents, more, why) => {
		await night(FOUR);
		const run = await night(contents, { ...more, options });
		expect(known()).toEqual(ALL);
		expect(hintsOf(run).join()).toContain(why);
		expect(reasonsOf(run).join()).toContain(why);
	});

	test('nothing is taken out in a retry, which may bring an earlier folder', async () => {
		await night(FOUR);
		const run = await night(THREE, { mode: 'retry', options });
		expect(known()).toEqual(ALL);
		expect(reasonsOf(run).join()).toContain('a retry brings the files of an earlier time');
	});

	test('nothing is taken out if n8n has called the node several times the last time', async () => {
		await night({}, { calls: [THREE, { 'd.txt': 'D' }] });
		const run = await night(THREE, { options });
		expect(known()).toEqual(ALL);
		expect(reasonsOf(run).join()).toContain('n8n calls the node several times in a run');
		await night(THREE, { options });
		expect(known()).not.toContain('d.txt');
	});
});

describe('Settings by expression hold for the agent whose items bring them', () => {
	const bringing = (names: Record<string, string[]>, more: object = {}) => {
		const all = Object.entries(names).flatMap(([uid, own]) => own.map((name) => ({ uid, name })));
		return {
			items: all.map((one) => ({ ...one, ...more })),
			files: all.map(({ name }) => ({ data: file(name, name) })),
		};
	};

	test('what becomes of gone files', async () => {
		const parameters = {
			uid: agent('={{ $json.uid }}'),
			goneFiles: '={{ $json.uid === "support-bot" ? "keep" : "delete" }}',
		};
		const both = {
			'support-bot': ['a.txt', 'b.txt', 'c.txt'],
			'sales-assistant': ['v.txt', 'w.txt', 'x.txt'],
		};
		await night({}, { brings: bringing(both), parameters, options: WHOLE });
		const less = { 'support-bot': ['a.txt', 'b.txt'], 'sales-assistant': ['v.txt', 'w.txt'] };
		await night({}, { brings: bringing(less), parameters, options: WHOLE });
		expect(known()).toContain('c.txt');
		expect([known('sales-assistant'), idsOf('x.txt')]).toEqual([['v.txt', 'w.txt'], []]);
	});

	test.each<[string[], boolean, boolean]>([
		[['delete', 'remove'], false, true],
		[['remove', 'keep'], true, true],
		[['', ''], true, true],
	])(
		'the mildest where its items differ, and to keep where they say nothing: %j',
		async (gone, isKept, isThere) => {
			await night(THREE);
			const brings = { ...callWith(TWO), items: gone.map((one) => ({ gone: one })) };
			await night({}, { brings, parameters: { goneFiles: '={{ $json.gone }}' }, options: WHOLE });
			expect([known().includes('c.txt'), idsOf('c.txt').length === 1]).toEqual([isKept, isThere]);
		},
	);

	test('an agent that no item is for keeps all, which is said once', async () => {
		await night(FOUR);
		const parameters = { uid: agent('sales-assistant') };
		const run = await night(FOUR, { parameters });
		expect(known()).toEqual(ALL);
		expect(hintsOf(run)).toEqual([expect.stringContaining('because no item is for this agent')]);
		for (let nights = 0; nights < 2; nights++) {
			expect(hintsOf(await night(FOUR, { parameters }))).toEqual([]);
		}
		await night(FOUR);
		// It was in use meanwhile.
		expect(hintsOf(await night(FOUR, { parameters })).join()).toContain('"support-bot"');
	});
});

describe('Where the lists of agents do not tell, a file that is gone', () => {
	const untold = freshFolder({ agentLists: 'otherIds' });

	test('is taken out, not deleted, and the output says why; a newer text of it leaves no older one', async () => {
		await untold.night({ ...THREE, 'e.txt': 'E' });
		await untold.night(THREE);
		const { output } = await untold.night(THREE, { parameters: { goneFiles: 'delete' } });
		const reason = expect.stringContaining('Not known whether another agent has it');
		expect(output[3]?.json).toMatchObject({ action: 'removed', old: [{ reason }] });
		expect([untold.known(), untold.idsOf('e.txt').length]).toEqual([Object.keys(THREE), 1]);
		await untold.night({ ...THREE, 'e.txt': 'E2' });
		expect(untold.known()).toEqual([...Object.keys(THREE), 'e.txt']);
	});

	test('stays with All the Agent Should Know, which says so', async () => {
		await untold.night(THREE);
		const run = await untold.night({ 'a.txt': 'A' }, { options: { itemsAre: 'all' } });
		expect(hintsOf(run)).toEqual([expect.stringContaining('does not tell which documents they')]);
		expect(untold.known()).toEqual(Object.keys(THREE));
	});
});

describe('What the agent has, no item brings and the node has not noted', () => {
	const UNNOTED =
		/^The agent "support-bot" also has (.*) beside those .* from elsewhere: (.*)\. To take/;
	/** What is named of what the agent has beside the folder: `2 files: "a.pdf", "b.pdf"`. */
	const namedIn = ({ hints }: Ran) =>
		hints.flatMap(({ message, type }) => {
			const [, count, names] = UNNOTED.exec(message) ?? [];
			return names === undefined || type !== 'warning' ? [] : [`${count}: ${names}`];
		});
	const handbook = ['1 file: "handbook.pdf"'];

	test('is named in each run, at no request where nothing has changed', async () => {
		for (const run of [await night(THREE), await night(THREE), await night(THREE)]) {
			expect(namedIn(run)).toEqual(handbook);
		}
		expect(arrivals(service())).toEqual(['agent support-bot']);
		expect(namedIn(await night(THREE, { parameters: { dryRun: true } }))).toEqual(handbook);
		expect(namedIn(await night(THREE, { mode: 'manual' }))).toEqual(handbook);
		await take('support-bot', 'handbook');
		await give('support-bot', 'text');
		await night(THREE);
		expect(namedIn(await night(THREE))).toEqual([]);
	});

	test('is nothing that this run has deleted', async () => {
		const more = { options: WHOLE, parameters: { goneFiles: 'delete' } };
		await night(FOUR, more);
		expect(namedIn(await night(THREE, more))).toEqual(handbook);
		expect(idsOf('d.txt')).toEqual([]);
	});

	test('is no upload that an item names, also one that cannot be sent', async () => {
		await give('support-bot', 'prices');
		const brings = callWith({ ...THREE, 'prices.pdf': '' });
		expect(namedIn(await night({}, { brings }))).toEqual(handbook);
	});

	test.each<[string, Night]>([
		['with Leave', { parameters: { goneFiles: 'keep' } }],
		['in a retry', { mode: 'retry' }],
		['with All the Agent Should Know', { options: { itemsAre: 'all' } }],
		['where an item names no file', andOne()],
		['in a loop, whatever the items are', { around: inLoop(), options: WHOLE }],
		['in several calls', { calls: [THREE, { 'd.txt': 'D' }] }],
	])('is not spoken of %s', async (_, more) => {
		await night(THREE);
		expect(namedIn(await night(THREE, more))).toEqual([]);
	});
});
