import { sleep } from 'n8n-workflow';

import { Line } from '../../../nodes/CometChatKnowledgeBase/delivery/line';
import { ItemContext } from '../../../nodes/CometChatKnowledgeBase/operations/itemContext';
import type { Rule } from '../../service/service';
import type { Scenario } from '../engine';
import { agent, arrivals, errorOf, file } from '../operations';
import { actionsOf, callWith, freshFolder, hintsOf, inMemory } from './folder';

const THREE = { 'a.txt': 'A', 'b.txt': 'B', 'c.txt': 'C' };
const ALL_UNCHANGED = ['unchanged a.txt', 'unchanged b.txt', 'unchanged c.txt'];

/** Times before and after the simulation's times. */
const LONG_AGO = '2020-01-01T00:00:00Z';
const LATER = '2099-01-01T00:00:00Z';

const records = [
	{ sourceName: 'handbook.pdf', uniqueId: 'handbook' },
	{ sourceName: 'a.txt', uniqueId: 'theirs' },
];
const pages = { 'scan.pdf': [' '] };
const { service, night, known, changes, idsOf, give, loseNote, note } = freshFolder({
	records,
	pages,
});

// Without a document, the lists would not show which documents the agents use.
beforeEach(async () => await give('support-bot', 'handbook'));

const uploads = () => changes().filter((line) => line.startsWith('upload ')).length;
const refuse = (operation: NonNullable<Rule['for']>['operation'], more: Rule = {}) =>
	service().script({ for: { operation }, status: 400, ...more });
/** A rule that loses the response to each attempt. */
const LOST: Rule = { drop: 'afterApplying', status: undefined, times: 5 };

describe('A night', () => {
	test('adds new files, keeps unchanged files, replaces changed files, and removes missing files', async () => {
		await give('sales-assistant', 'theirs');
		// On disk, as n8n keeps files by default.
		const files = Object.entries(THREE).map(([name, text]) => ({ data: file(name, text) }));
		const first = await night({}, { brings: { items: [{}, {}, {}], files } });
		expect(actionsOf(first)).toEqual(['added a.txt', 'added b.txt', 'added c.txt']);

		expect(actionsOf(await night(THREE))).toEqual(ALL_UNCHANGED);
		expect(arrivals(service())).toEqual(['agent support-bot']);

		const [oldId = ''] = idsOf('b.txt');
		await night({ 'a.txt': 'A', 'b.txt': 'B' });
		const third = await night({ 'a.txt': 'A', 'b.txt': 'B2', 'd.txt': 'D' });
		const common = {
			...{ success: true, agentName: 'Support Bot', uid: 'support-bot', sourceType: 'uploads' },
		};
		expect(actionsOf(third)).toEqual([
			...['unchanged a.txt', 'replaced b.txt', 'added d.txt', 'removed c.txt'],
		]);
		expect(third.output[1]).toEqual({
			json: {
				...{ ...common, action: 'replaced', name: 'b.txt', status: 'indexed' },
				...{ uniqueId: idsOf('b.txt')[0], reason: 'The content has changed' },
				old: [{ name: 'b.txt', action: 'deleted', uniqueId: oldId }],
			},
			pairedItem: { item: 1 },
		});
		expect(third.output[3]).toEqual({
			json: {
				...{ ...common, action: 'removed', name: 'c.txt' },
				...{ uniqueId: idsOf('c.txt')[0], reason: 'Missing from the input' },
				old: [{ name: 'c.txt', action: 'removed', uniqueId: idsOf('c.txt')[0] }],
			},
			pairedItem: [],
		});
		expect(hintsOf(third, 'any')[0]).toBe(
			'Documents: 1 added, 1 replaced, 1 unchanged, 1 removed.',
		);
		expect(known()).toEqual(['a.txt', 'b.txt', 'd.txt', 'handbook.pdf']);
		expect(idsOf('b.txt')).not.toContain(oldId);
		expect(service().files('sales-assistant', 'uploads')).toEqual(['theirs']);
	});

	test('as a dry run reports the same and does nothing: no change, no record', async () => {
		await night(THREE);
		await night({ 'a.txt': 'A', 'b.txt': 'B' });
		const before = JSON.stringify(note());
		const dry = { parameters: { dryRun: true } };
		const run = await night({ 'a.txt': 'A', 'b.txt': 'B2', 'd.txt': 'D' }, dry);
		expect(actionsOf(run)).toEqual([
			...['unchanged a.txt', 'would be replaced b.txt', 'would be added d.txt'],
			'would be removed c.txt',
		]);
		expect(run.output.map(({ json }) => json.dryRun)).toEqual([true, true, true, true]);
		expect(hintsOf(run, 'warning')[0]).toMatch(/^Preview only, nothing was changed.*turn off/);
		expect([changes(), JSON.stringify(note())]).toEqual([[], before]);
	});

	test('warns once of a file that is indexed and contains no text', async () => {
		const [first, second] = [await night({ 'scan.pdf': 'S' }), await night({ 'scan.pdf': 'S' })];
		const warning = expect.stringContaining('and found no text in it. If the file is a scan');
		expect(first.output[0]?.json).toMatchObject({ action: 'added', reason: warning });
		expect([hintsOf(first), hintsOf(second)]).toEqual([[warning], []]);
		expect(hintsOf(await night({ 'text.pdf': 'T' }))).toEqual([]);
	});

	test('adds two files with one name from two subfolders by Name in CometChat, also if an expression finds nothing for one', async () => {
		const items = [{ folder: 'North' }, { folder: 'South' }];
		const files = ['N', 'S'].map((one) => ({ data: inMemory('list.txt', one) }));
		const missing = '={{ $json.folder === "South" ? null : "North/list" }}';
		for (const nameInCometChat of ['={{ $json.folder }}/list.txt', missing]) {
			await night({}, { brings: { items, files }, options: { nameInCometChat } });
		}
		expect(known()).toEqual(['North - list.txt', 'South - list.txt', 'handbook.pdf']);
	});

	test('refuses items of one agent that differ in a setting of the agent', async () => {
		const items = [{}, {}, { uid: 'sales-assistant' }];
		const { files } = callWith(THREE);
		const uid = agent("={{ $json.uid ?? 'support-bot' }}");
		const parameters = { uid, missingDocuments: '={{ $itemIndex === 0 ? "keep" : "delete" }}' };
		const run = await night({}, { brings: { items, files }, parameters });
		const label = 'Missing Documents';
		const message = `Items 1, 2 have different values for the same agent: "${label}"`;
		expect(actionsOf(run)).toEqual([`${message} [item 1]`, `${message} [item 2]`, 'added c.txt']);
		expect([known(), known('sales-assistant')]).toEqual([['handbook.pdf'], ['c.txt']]);
	});

	test('as a dry run also reports a file that cannot be uploaded', async () => {
		const again = callWith({ 'a.txt': 'A2' }).files;
		const brings = callWith({ 'a.txt': 'A', 'b.txt': 'B', 'odd.zip': 'Z' }, ...again);
		const run = await night({}, { brings, parameters: { dryRun: true } });
		expect(run.output.map(({ json }) => json.action)).toEqual([
			...['failed', 'would be added', 'skipped', 'failed'],
		]);
		expect(run.output.every(({ json }) => json.dryRun === true)).toBe(true);
	});

	test('that stops says that the next night continues, with all files', async () => {
		const brings = callWith(THREE, { data: { ...file('d.txt'), kept: 'deleted' } });
		const { description } = Object((await night({}, { brings, onError: 'stopWorkflow' })).error);
		expect(description).toContain('Then run the workflow again with all items');
	});
});

describe('Output', () => {
	const summary = { parameters: { output: 'summary' } };
	const counts = {
		...{ added: 0, replaced: 0, unchanged: 0, removed: 0 },
		...{ missing: 0, kept: 0, skipped: 0, failed: 0 },
	};

	test('Only Changes leaves out unchanged files, and keeps files that need attention, each with its item', async () => {
		await night(THREE);
		const parameters = { output: 'changes' };
		const brings = callWith({ 'a.txt': 'A', 'b.txt': 'B2', 'x.xlsx': 'X' });
		const run = await night({}, { brings, parameters });
		expect(actionsOf(run)).toEqual(['replaced b.txt', 'missing c.txt']);
		expect(run.output.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }, []]);
		expect((await night({ 'a.txt': 'A', 'b.txt': 'B2' }, { parameters })).output).toHaveLength(1);
	});

	test('A Summary is one item with counts, names and one sentence', async () => {
		await night({ ...THREE, 'd.txt': 'D' });
		await night(THREE);
		service().scriptIndexing({ ends: 'failed' });
		const brings = callWith({ 'a.txt': 'A', 'b.txt': 'B', 'c.txt': 'C2', 'x.xlsx': 'X' });
		const run = await night({}, { brings, ...summary });
		const names = { added: [], replaced: [], removed: ['d.txt'], missing: [], kept: [] };
		expect(run.output).toEqual([
			{
				json: {
					...{ success: false, agentName: 'Support Bot', uid: 'support-bot' },
					counts: { ...counts, unchanged: 2, removed: 1, skipped: 1, failed: 1 },
					names: { ...names, skipped: ['x.xlsx'], failed: ['c.txt'] },
					reason: 'Support Bot: 2 unchanged, 1 removed, 1 skipped, 1 failed ("c.txt").',
				},
				pairedItem: [0, 1, 2, 3].map((item) => ({ item })),
			},
		]);
		expect(JSON.stringify(run.hints)).not.toContain('and upload');
		// A removed file is reported once.
		const { output } = await night(THREE, summary);
		expect(output[0]?.json).toMatchObject({
			...{ success: true, counts: { ...counts, unchanged: 2, replaced: 1 } },
		});
		const dry = { ...summary, parameters: { ...summary.parameters, dryRun: true } };
		const [tried] = (await night({ ...THREE, 'd.txt': 'D2' }, dry)).output;
		expect(tried?.json.counts).toEqual({ ...counts, unchanged: 3, added: 1 });
	});

	test('A Summary names twenty files per action and marks a dry run; each agent has its own', async () => {
		const names = Array.from({ length: 25 }, (_, at) => `${at}.txt`);
		const items = [...names.map(() => ({ uid: 'support-bot' })), { uid: 'sales-assistant' }];
		const { files } = callWith(Object.fromEntries([...names, 'x.txt'].map((name) => [name, name])));
		const parameters = { ...summary.parameters, uid: agent('={{ $json.uid }}'), dryRun: true };
		const { output } = await night({}, { brings: { items, files }, parameters });
		expect(output.map(({ json: { uid, dryRun, success } }) => [uid, dryRun, success])).toEqual([
			...[
				['support-bot', true, true],
				['sales-assistant', true, true],
			],
		]);
		expect(output[0]?.json).toMatchObject({
			counts: { added: 25 },
			names: { added: [...names.slice(0, 20), 'and 5 more'] },
			reason: 'Support Bot: 25 would be added.',
		});
	});

	test.each<[Scenario['onError'], number, number]>([
		['continueRegularOutput', 1, 0],
		['continueErrorOutput', 1, 1],
		['stopWorkflow', 0, 0],
	])('A Summary is no success if a file fails, with %s', async (onError, count, errors) => {
		refuse('initiate');
		const run = await night({ 'a.txt': 'A' }, { ...summary, onError });
		expect([run.output.length, run.errorOutput.length]).toEqual([count, errors]);
		expect(run.output.every(({ json }) => json.success === false)).toBe(true);
		expect(run.error === undefined).toBe(onError !== 'stopWorkflow');
	});
});

describe('A file without a record', () => {
	test.each<[string, { modified?: string }, string, string]>([
		['nothing tells the time', {}, 'replaced', 'unchanged'],
		['it was modified since', { modified: LATER }, 'replaced', 'unchanged'],
		// The content was never compared, so a new time means a new content.
		['it was not modified since', { modified: LONG_AGO }, 'unchanged', 'replaced'],
	])('is compared by Last Modified if the static data are lost: %s', async (...row) => {
		const [, parameters, action, later] = row;
		await night({ 'a.txt': 'A' });
		loseNote();
		// Last Modified decides, without a look at the content.
		const files = { 'a.txt': action === 'unchanged' ? 'A2' : 'A' };
		const run = await night(files, { parameters });
		expect(actionsOf(run)).toEqual([`${action} a.txt`]);
		expect(known()).toEqual(['a.txt', 'handbook.pdf']);
		// The replaced version stays in CometChat.
		expect(idsOf('a.txt')).toHaveLength(action === 'replaced' ? 3 : 2);
		const third = await night(files, { parameters: { modified: LATER } });
		expect(actionsOf(third)).toEqual([`${later} a.txt`]);
	});

	test('because all executions are manual is added and replaced, also if it is unchanged, and old copies stay in CometChat', async () => {
		const actions: string[] = [];
		for (const text of ['B', 'B', 'B2'])
			actions.push(...actionsOf(await night({ 'b.txt': text }, { mode: 'manual' })));
		expect(actions).toEqual(['added b.txt', 'replaced b.txt', 'replaced b.txt']);
		expect([known(), idsOf('b.txt').length]).toEqual([['b.txt', 'handbook.pdf'], 3]);
	});

	test('is told in a warning and in the Summary, with the sub-workflow, if the agent uses the files', async () => {
		const advice =
			'n8n kept no record of the last execution. In queue mode, put this node into a sub-workflow.';
		const parameters = { output: 'summary' };
		// No agent uses the other upload with the name a.txt.
		const first = await night(THREE, { parameters });
		expect([hintsOf(first, 'warning'), first.output[0]?.json.hasRecord]).toEqual([[], undefined]);
		loseNote();
		const run = await night(THREE, { parameters });
		for (const sentence of [
			advice.split('. ')[0],
			"To remove a missing document, use 'Remove Files'",
		]) {
			expect(hintsOf(run, 'warning').join()).toContain(sentence);
		}
		expect(run.output[0]?.json).toMatchObject({
			...{ success: true, hasRecord: false, reason: `Support Bot: 3 replaced. ${advice}` },
		});
		expect(hintsOf(await night(THREE, { parameters }), 'warning')).toEqual([]);
	});

	test('is compared by content if it is a text file, also with the same Last Modified', async () => {
		const parameters = { modified: LONG_AGO };
		await night({ 'a.txt': 'A' });
		loseNote();
		// The first night with the time: the content is still unknown.
		for (const text of ['A', 'A']) {
			expect(actionsOf(await night({ 'a.txt': text }, { parameters }))).toEqual([
				'unchanged a.txt',
			]);
		}
		expect(actionsOf(await night({ 'a.txt': 'B' }, { parameters }))).toEqual(['replaced a.txt']);
	});

	test('is compared by content if it has no time, or one from before 1990', async () => {
		for (const modified of ['={{ $json.none }}', '0001-01-01T00:00:00Z']) {
			await night({ 'a.txt': 'A' }, { parameters: { modified } });
			expect(actionsOf(await night({ 'a.txt': 'A' }, { parameters: { modified } }))).toEqual([
				'unchanged a.txt',
			]);
			loseNote();
			const run = await night({ 'a.txt': 'A2' }, { parameters: { modified } });
			expect(actionsOf(run)).toEqual(['replaced a.txt']);
		}
	});

	test('is unchanged with the same Last Modified, whatever its content: exports differ each time', async () => {
		const parameters = { modified: LONG_AGO };
		await night({ 'a.docx': 'PK A' }, { parameters });
		expect(actionsOf(await night({ 'a.docx': 'PK B' }, { parameters }))).toEqual([
			'unchanged a.docx',
		]);
		expect(changes()).toEqual([]);
		expect(actionsOf(await night({ 'a.docx': 'PK B' }))).toEqual(['replaced a.docx']);
	});

	test('is uploaded once if CometChat cannot index it, until the file changes', async () => {
		service().scriptIndexing({ for: { fileName: 'scan.pdf' }, times: 1, ends: 'failed' });
		const parameters = { modified: LONG_AGO };
		for (let nights = 0; nights < 3; nights++) {
			loseNote();
			const run = await night({ 'scan.pdf': 'S' }, { parameters });
			expect(errorOf(run)).toMatchObject({
				message: expect.stringContaining('CometChat couldn\'t index "scan.pdf"'),
				description: expect.stringContaining('Replace the original with a version that opens'),
			});
			expect([uploads(), idsOf('scan.pdf').length]).toEqual([nights === 0 ? 1 : 0, 1]);
		}
		loseNote();
		const run = await night({ 'scan.pdf': 'S2' }, { parameters: { modified: LATER } });
		expect(actionsOf(run)).toEqual(['added scan.pdf']);
	});
});

describe('A file that could not be synced', () => {
	const slow = { options: { maxIndexingMinutes: 1 } };

	test.each<[string, () => void, object, string, number]>([
		['is refused', () => refuse('initiate'), { effect: 'not applied' }, 'replaced', 1],
		[
			'is not indexed in time',
			() => service().scriptIndexing({ ms: 90_000 }),
			{
				description: expect.stringContaining('The next execution tries this document again.'),
			},
			'replaced',
			0,
		],
		[
			'may have been added, of which no answer came,',
			() => refuse('add', LOST),
			{ effect: 'partly applied' },
			'replaced',
			0,
		],
		[
			'is added, and its old version cannot be deleted,',
			() => refuse('deleteUpload'),
			{
				description: expect.stringMatching(
					/Not deleted: the old version "[^.]+\.txt" \(ID [^)]+\)/,
				),
			},
			'unchanged',
			0,
		],
	])('because it %s is synced by the next night', async (_, fail, told, action, sent) => {
		await night({ 'a.txt': 'A' });
		const [old = ''] = idsOf('a.txt');
		fail();
		const failing = await night({ 'a.txt': 'A2' }, slow);
		expect(errorOf(failing)).toMatchObject(told);
		// Only the deletion comes after the new version is added.
		expect(service().files('support-bot', 'uploads').includes(old)).toBe(action === 'replaced');
		service().clearScript();
		await sleep(120_000);
		expect(actionsOf(await night({ 'a.txt': 'A2' }, slow))).toEqual([`${action} a.txt`]);
		expect(uploads()).toBe(sent);
		expect([known(), idsOf('a.txt')]).toEqual([
			['a.txt', 'handbook.pdf'],
			[expect.not.stringMatching(old), 'theirs'],
		]);
	});

	test('because CometChat cannot index it is uploaded once, and indexed again once each night', async () => {
		const readAgain = () => changes().filter((line) => line.startsWith('sync '));
		service().scriptIndexing({ for: { fileName: 'b.txt' }, times: 3, ends: 'failed' });
		for (let at = 0; at < 3; at++) {
			const run = await night({ 'a.txt': 'A', 'b.txt': 'B' });
			const error = errorOf(run, 1);
			const message = expect.stringContaining(`CometChat couldn't index "b.txt"`);
			const description = expect.stringContaining('Replace the original with a version that opens');
			const uniqueId = idsOf('b.txt').join();
			expect(error).toMatchObject({ message, description, name: 'b.txt', uniqueId });
			expect([uploads(), readAgain().length]).toEqual(at === 0 ? [2, 0] : [0, 1]);
			expect(known()).toEqual(['a.txt', 'handbook.pdf']);
		}
		const run = await night({ 'a.txt': 'A', 'b.txt': 'B' });
		expect(actionsOf(run)).toEqual(['unchanged a.txt', 'added b.txt']);
		expect([uploads(), readAgain().length, idsOf('b.txt').length]).toEqual([0, 1, 1]);
	});

	test('because CometChat is not able to read it leaves one upload, however often it changes', async () => {
		service().scriptIndexing({ for: { fileName: 'b.txt' }, ends: 'failed' });
		for (const text of ['B', 'B2', 'B3']) await night({ 'a.txt': 'A', 'b.txt': text });
		expect(idsOf('b.txt')).toHaveLength(1);
	});

	test('in a dry run, a file that CometChat could not index is named, and not indexed again', async () => {
		service().scriptIndexing({ ends: 'failed' });
		await night({ 'b.txt': 'B' });
		const run = await night({ 'b.txt': 'B' }, { parameters: { dryRun: true } });
		expect(run.output[0]?.json).toMatchObject({
			...{ action: 'would be added', reason: "CometChat couldn't index the document" },
		});
		expect(changes()).toEqual([]);
	});

	test('and may have been added is only deleted after its removal from the agent', async () => {
		refuse('add', LOST);
		await night({ 'b.txt': 'B' });
		const [lost = ''] = idsOf('b.txt');
		await night({ 'b.txt': 'B2' });
		expect(changes().filter((line) => line.includes(lost))).toEqual([
			`remove support-bot ${lost}`,
			`deleteUpload ${lost}`,
		]);
	});
});

describe('An old version', () => {
	const deletions = () => changes().filter((line) => line.startsWith('delete'));
	const replaced = async (more: object) => {
		const run = await night({ 'a.txt': 'A2' }, more);
		const [old] = [run.output[0]?.json.old].flat();
		expect(actionsOf(run)).toEqual(['replaced a.txt']);
		expect(known()).toEqual(['a.txt', 'handbook.pdf']);
		return String(Object(old).action);
	};
	const OWN = 'deleteUpload own';

	test.each<[string, object, boolean, string[]]>([
		['by default', {}, false, [OWN]],
		['by default, while another agent uses it', {}, true, []],
		['with Keep', { oldVersions: 'never' }, false, []],
	])('that this node uploaded %s', async (_, parameters, isShared, deleted) => {
		await night({ 'a.txt': 'A' });
		const [own = ''] = idsOf('a.txt');
		if (isShared) await give('sales-assistant', own);
		expect(await replaced({ parameters })).toBe(deleted.length > 0 ? 'deleted' : 'removed');
		expect(deletions().map((line) => line.replace(own, 'own'))).toEqual(deleted);
	});

	test('that others uploaded stays in CometChat, also after this node found it unchanged', async () => {
		await give('support-bot', 'theirs');
		const parameters = { modified: LONG_AGO };
		expect(actionsOf(await night({ 'a.txt': 'A' }, { parameters }))).toEqual(['unchanged a.txt']);
		expect(await replaced({})).toBe('removed');
		expect(deletions()).toEqual([]);
	});

	test('that others uploaded stays in CometChat, also if its removal is refused at first', async () => {
		await give('support-bot', 'theirs');
		service().script({ for: { operation: 'remove' }, status: 400, times: 1 });
		await night({ 'a.txt': 'A' });
		const run = await night({ 'a.txt': 'A' });
		expect(run.output[0]?.json).toMatchObject({ old: [{ action: 'removed', uniqueId: 'theirs' }] });
		expect(deletions()).toEqual([]);
	});

	test('whose ID CometChat returns for an upload does not count as uploaded by this node', async () => {
		const transform = (body: unknown) =>
			JSON.stringify(body).replace(/"uploadId":"[^"]+"/, '"uploadId":"theirs"');
		service().script({ for: { operation: 'initiate' }, transform });
		await night({ 'a.txt': 'A' });
		expect(await replaced({})).toBe('removed');
		expect(deletions()).toEqual([]);
	});

	test('of which no list proves that it is unused is deleted by the next execution', async () => {
		await night({ 'a.txt': 'A' });
		const [old = ''] = idsOf('a.txt');
		service().script({ for: { operation: 'list' }, status: 503, times: Infinity });
		expect(await replaced({})).toBe('removed');
		service().clearScript();
		const run = await night({ 'a.txt': 'A2' });
		expect(run.output[0]?.json).toMatchObject({
			...{ action: 'unchanged', old: [{ uniqueId: old, action: 'deleted' }] },
		});
		expect(actionsOf(await night({ 'a.txt': 'A2' }))).toEqual(['unchanged a.txt']);
		expect(changes()).toEqual([]);
	});
});

describe('Many files', () => {
	const COUNT = 40;
	const forty = (text: string) =>
		Object.fromEntries(Array.from({ length: COUNT }, (_, at) => [`${at}.txt`, `${text} ${at}`]));
	const ALL = [...Object.keys(forty('')), 'handbook.pdf'].sort();
	const sent = (operation: string) =>
		service()
			.requests()
			.filter((one) => one.operation === operation);
	/** Delays the response to the first request until all other documents are ready. */
	const slowAtFirst = (operation: 'add') =>
		service().script({ for: { operation }, latencyMs: 2000 });

	test('are added together when they are ready; only the refused file fails', async () => {
		slowAtFirst('add');
		await night(forty('old'));
		expect(sent('add').length).toBeLessThan(5);
		expect(known()).toEqual(ALL);
		// 10,000 files are 1.7 MB of static data.
		expect(JSON.stringify(note()).length).toBeLessThan(COUNT * 170);
		const [containsId = ''] = idsOf('7.txt');
		slowAtFirst('add');
		service().script({ for: { operation: 'remove', containsId }, status: 400, times: Infinity });
		const run = await night(forty('new'), { onError: 'continueRegularOutput' });
		expect(errorOf(run, 7)).toMatchObject({ name: '7.txt', effect: 'partly applied' });
		expect(actionsOf(run).filter((said) => said.startsWith('replaced'))).toHaveLength(COUNT - 1);
		expect(known()).toEqual([...ALL, '7.txt'].sort());
		// A request that is refused because of one of its files is repeated for each file.
		expect(sent('remove').length).toBe(COUNT + 1);
		// Before a deletion, the agents are read again: once for all documents that are ready.
		const lists = arrivals(service()).filter((line) => line === 'list');
		expect(lists.length).toBeLessThan(COUNT / 2);
	});
});

describe('An account of 1,000 records', () => {
	const others = Array.from({ length: 1000 }, (_, at) => ({
		...{ sourceName: `other-${at}.pdf`, uniqueId: `other-${at}` },
	}));
	const large = freshFolder({ records: others });

	test('needs one request in a night without changes, and one list for documents that were added since', async () => {
		await large.give('support-bot', 'other-0');
		await large.night(THREE);
		for (const id of ['other-120', 'other-121']) {
			expect(actionsOf(await large.night(THREE))).toEqual(ALL_UNCHANGED);
			expect(arrivals(large.service())).toEqual(['agent support-bot']);
			await large.give('support-bot', id);
			await large.night(THREE);
			expect(arrivals(large.service())).toContain('records');
			expect(large.changes()).toEqual([]);
		}
	});
});

describe('Where the lists of agents contain other IDs', () => {
	const untold = freshFolder({ agentLists: 'otherIds', records });

	test('an upload with the name of a file stays, and the row says why', async () => {
		const run = await untold.night({ 'a.txt': 'A' });
		const reason = expect.stringContaining("CometChat doesn't report the agent's documents");
		expect(run.output[0]?.json).toMatchObject({
			action: 'added',
			old: [{ uniqueId: 'theirs', action: 'kept', reason }],
		});
		expect(untold.changes().join()).not.toMatch(/remove|delete/);
	});

	test('a night without changes only adds the files again, and a changed file leaves no old version', async () => {
		await untold.night({ 'b.txt': 'B', 'c.txt': 'C' });
		expect(actionsOf(await untold.night({ 'b.txt': 'B', 'c.txt': 'C' }))).toEqual([
			...['added b.txt', 'added c.txt'],
		]);
		expect(untold.changes().filter((line) => !/^(poll|add) /.test(line))).toEqual([]);
		await untold.night({ 'b.txt': 'B2', 'c.txt': 'C' });
		expect(untold.known()).toEqual(['b.txt', 'c.txt']);
	});
});

describe('If the list of documents is late', () => {
	const lagsMs = { records: 0 };
	const late = freshFolder({ lagsMs, records });
	const LAG_MS = 3 * 3_600_000;
	beforeEach(() => {
		lagsMs.records = 0;
	});

	test('a file of the previous night is found: its status is requested', async () => {
		await sleep(2 * LAG_MS);
		await late.night(THREE);
		await late.give('support-bot', 'theirs');
		lagsMs.records = LAG_MS;
		const run = await late.night(THREE);
		expect(actionsOf(run)).toEqual(['replaced a.txt', ...ALL_UNCHANGED.slice(1)]);
		expect(late.changes()).toEqual([
			...[expect.stringMatching(/^poll /), 'remove support-bot theirs'],
		]);
	});

	test('an upload that the agent does not use yet is not sent again without an answer about its status', async () => {
		await sleep(2 * LAG_MS);
		late.service().script({ for: { operation: 'add' }, status: 400 });
		await late.night({ 'b.txt': 'B' });
		lagsMs.records = LAG_MS;
		late.service().script({ for: { operation: 'poll' }, status: 503, times: 5 });
		const run = await late.night({ 'b.txt': 'B' });
		expect(actionsOf(run)).toEqual(['added b.txt']);
		expect(late.changes().filter((line) => line.startsWith('upload '))).toEqual([]);
	});

	test('a version that was replaced since the record is not added again instead of the new one', async () => {
		await sleep(2 * LAG_MS);
		const files = { 'b.txt': 'B' };
		await late.give('support-bot', 'handbook');
		await late.night(files);
		const record = late.note();
		expect(actionsOf(await late.night({ 'b.txt': 'B2' }))).toEqual(['replaced b.txt']);
		const ids = late.idsOf('b.txt');
		late.loseNote(record);
		lagsMs.records = LAG_MS;
		const run = await late.night(files);
		lagsMs.records = 0;
		expect(actionsOf(run)).toEqual([
			expect.stringMatching(/^"b\.txt" \(ID \S+\) was probably deleted in CometChat/),
		]);
		expect([late.known(), late.idsOf('b.txt')]).toEqual([['b.txt', 'handbook.pdf'], ids]);
	});
});

describe('If the list of an agent is late', () => {
	const lagsMs = { agent: 0 };
	const late = freshFolder({ lagsMs, records });

	test('an old version that was just added is removed and deleted all the same', async () => {
		await sleep(6 * 3_600_000);
		await late.give('support-bot', 'handbook');
		await late.night({ 'a.txt': 'A' });
		const [first = ''] = late.idsOf('a.txt');
		lagsMs.agent = 3 * 3_600_000;
		await late.night({ 'a.txt': 'A2' });
		lagsMs.agent = 0;
		expect(late.service().files('support-bot', 'uploads')).not.toContain(first);
		expect(late.idsOf('a.txt')).not.toContain(first);
	});
});

describe('An unexpected exception', () => {
	const slow = freshFolder({ indexing: { ms: 3000 } });

	test('leaves the rows of what is done, and the next execution continues', async () => {
		const postpone = jest.spyOn(Line.prototype, 'postpone').mockImplementation((asked) => {
			if (asked.size > 0) throw new TypeError('x is not a function');
		});
		const run = await slow.night(THREE);
		postpone.mockRestore();
		const ids = Object.keys(THREE).flatMap((name) => slow.idsOf(name));
		expect(ids.length).toBeGreaterThan(0);
		const words = run.output.map((_, at) => Object(errorOf(run, at)));
		expect(words.map(({ message }) => message).join()).toContain('x is not a function');
		expect(JSON.stringify(words)).toMatch(new RegExp(ids.map((id) => `(?=.*${id})`).join('')));
		await slow.night(THREE);
		expect(slow.known()).toEqual(Object.keys(THREE));
		expect(Object.keys(THREE).flatMap((name) => slow.idsOf(name))).toHaveLength(3);
	});

	test('while files are removed leaves the rows of all other files', async () => {
		await slow.night(THREE);
		await slow.night({ 'a.txt': 'A', 'b.txt': 'B' });
		const { done } = ItemContext.prototype;
		const failing = jest.spyOn(ItemContext.prototype, 'done').mockImplementation(function (
			this: ItemContext,
			rows,
		) {
			if (rows[0]?.action === 'removed') throw new TypeError('x is not a function');
			return done.call(this, rows);
		});
		const run = await slow.night({ 'a.txt': 'A', 'b.txt': 'B' });
		failing.mockRestore();
		expect(actionsOf(run).slice(0, 2)).toEqual(['unchanged a.txt', 'unchanged b.txt']);
		expect(errorOf(run, 2)).toMatchObject({ effect: 'unknown' });
	});
});

describe('If another workflow adds a file with the same name', () => {
	const other = { sourceName: 'a.txt', uniqueId: 'theirs-too' };
	const contested = freshFolder({ records: [...records, other] });

	test('a file that others replace each night is a warning from the second time on', async () => {
		const replaceIt = async (uniqueId: string) => {
			await contested.take(
				'support-bot',
				...contested.idsOf('a.txt').filter((id) => !id.startsWith('theirs')),
			);
			await contested.give('support-bot', uniqueId);
		};
		await contested.night({ 'a.txt': 'A' });
		await replaceIt('theirs');
		expect(hintsOf(await contested.night({ 'a.txt': 'A' }))).toEqual([]);
		await replaceIt('theirs-too');
		const run = await contested.night({ 'a.txt': 'A' });
		expect(actionsOf(run)).toEqual(['replaced a.txt']);
		expect(hintsOf(run)).toEqual([expect.stringContaining('Another workflow or person also')]);
		expect(run.output[0]?.json.reason).toContain("'Name in CometChat'");
		await contested.night({ 'a.txt': 'A' });
		await replaceIt('theirs');
		expect(hintsOf(await contested.night({ 'a.txt': 'A' }))).toEqual([]);
	});
});
