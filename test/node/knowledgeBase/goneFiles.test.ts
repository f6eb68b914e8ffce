import type { TestFile } from '../engine';
import { add } from '../fixture';
import { agent, errorOf, file, runFiles } from '../operations';
import type { Contents, Night } from './folder';
import { actionsOf, freshFolder, hintsOf } from './folder';

const THREE: Contents = { 'a.txt': 'A', 'b.txt': 'B', 'c.txt': 'C' };
const FOUR: Contents = { ...THREE, 'd.txt': 'D' };

const { service, night, known, changes, idsOf, give, take, loseNote, executions, note } =
	freshFolder({
		records: [
			{ sourceName: 'handbook.pdf', uniqueId: 'handbook' },
			{ sourceName: 'prices.pdf', uniqueId: 'prices' },
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

const refuseRemoving = (id: string) =>
	service().script({
		for: { operation: 'remove', containsId: id },
		status: 400,
		times: Infinity,
	});

describe('A file that has left the folder', () => {
	test('is missing in one run, which says so, and taken out by the next', async () => {
		await night(FOUR);
		const run = await night(THREE);
		expect(run.output[3]?.json).toEqual({
			success: true,
			action: 'missing',
			fileName: 'd.txt',
			agentName: 'Support Bot',
			uniqueId: idsOf('d.txt')[0],
			reason: 'Not among the files of this run: the next run takes it out if it is still missing',
			uid: 'support-bot',
		});
		expect([known(), changes(), hintsOf(run)]).toEqual([ALL, [], []]);
		expect(hintsOf(run, 'info')).toEqual(['Files: 3 unchanged, 1 missing.']);
		expect(actionsOf(await night(THREE))).toContain('removed d.txt');
		expect(known()).toEqual(OUT);
		expect(actionsOf(await night(THREE))).toHaveLength(3);
	});

	test('is told among others in the order of their names, whenever they came', async () => {
		await night({ ...THREE, 'e.txt': 'E' });
		await night({ ...FOUR, 'e.txt': 'E' });
		expect(actionsOf(await night(THREE)).slice(3)).toEqual(['missing d.txt', 'missing e.txt']);
	});

	test.each<[string, boolean]>([
		['remove', true],
		['delete', false],
	])("with '%s' is taken out, and there still: %p", async (goneFiles, isThere) => {
		await withoutD();
		await night(THREE, { parameters: { goneFiles } });
		expect(known()).toEqual(OUT);
		expect(idsOf('d.txt').length === 1).toBe(isThere);
	});

	test('stays, and is not talked about, if that is asked for', async () => {
		const parameters = { goneFiles: 'keep' };
		await withoutD({ parameters });
		const run = await night(THREE, { parameters });
		expect([known(), run.output.length, hintsOf(run)]).toEqual([ALL, 3, []]);
	});

	test('and comes back in time was never away', async () => {
		await withoutD();
		expect(actionsOf(await night(FOUR))).toContain('unchanged d.txt');
		expect(actionsOf(await night(THREE))).toContain('missing d.txt');
		expect(known()).toEqual(ALL);
	});

	test('and comes back later is added again without an upload', async () => {
		await withoutD();
		await night(THREE);
		const run = await night(FOUR);
		expect(run.output[3]?.json).toMatchObject({ action: 'added', reason: 'Back in the folder' });
		expect(changes().filter((line) => line.startsWith('upload '))).toEqual([]);
		expect(known()).toEqual(ALL);
	});

	test('and comes back with another text has its old upload deleted, which no agent has', async () => {
		await withoutD();
		await night(THREE);
		await night({ ...FOUR, 'd.txt': 'D2' });
		expect(idsOf('d.txt')).toHaveLength(1);
		expect(known()).toEqual(ALL);
	});

	test('and comes back with an earlier text gets the upload that has it, not the newest', async () => {
		await night(FOUR);
		const [first] = idsOf('d.txt');
		service().script({ for: { operation: 'add' }, status: 400 });
		await night({ ...FOUR, 'd.txt': 'D2' });
		await night(THREE);
		await night(THREE);
		const run = await night(FOUR);
		expect(run.output[3]?.json).toMatchObject({ action: 'added', uniqueId: first });
		expect(service().files('support-bot', 'uploads')).toContain(first);
	});

	test('and comes back, and may be with the agent again although no answer came, is taken out when it leaves once more', async () => {
		await withoutD();
		await night(THREE);
		service().script({ for: { operation: 'add' }, times: 5, drop: 'afterApplying' });
		await night(FOUR);
		expect(known()).toEqual(ALL);
		await night(THREE);
		await night(THREE);
		expect(known()).toEqual(OUT);
	});

	test('that the agent had lost, and may have back although no answer came, is taken out as one upload', async () => {
		await night(FOUR);
		const [id = ''] = idsOf('d.txt');
		await take('support-bot', id);
		service().script({ for: { operation: 'add' }, times: 5, drop: 'afterApplying' });
		await night(FOUR);
		await night(THREE);
		await night(THREE);
		expect([changes(), known()]).toEqual([[`remove support-bot ${id}`], OUT]);
	});

	test('stays for as many runs more as the user asks for', async () => {
		const more = { options: { runsMissing: 3 } };
		await night(FOUR, more);
		const reasons = [];
		for (let runs = 0; runs < 3; runs++) reasons.push(...reasonsOf(await night(THREE, more)));
		expect(reasons.map((reason) => reason.replace(/^.*: /, ''))).toEqual([
			'it is taken out once 3 more runs have come without it',
			'it is taken out once 2 more runs have come without it',
			'the next run takes it out if it is still missing',
		]);
		expect(actionsOf(await night(THREE, more))).toContain('removed d.txt');
	});

	test('has been gone in a run, too, that says nothing that can be read of what becomes of it', async () => {
		const options = { runsMissing: 2 };
		await night(FOUR, { options });
		await night(THREE, { options });
		const unread = await night(THREE, { options, parameters: { goneFiles: '={{ "maybe" }}' } });
		expect([known(), unread.output.length]).toEqual([ALL, 3]);
		expect(actionsOf(await night(THREE, { options }))).toContain('removed d.txt');
	});

	test('is not deleted while another agent has it, and the output says who', async () => {
		await withoutD();
		await give('sales-assistant', ...idsOf('d.txt'));
		const { output } = await night(THREE, { parameters: { goneFiles: 'delete' } });
		expect(output[3]?.json.notDeleted).toMatch('Other agents have the file: "Sales Assistant"');
		expect(known('sales-assistant')).toEqual(['d.txt']);
	});

	test('from elsewhere stays, also if its name was in the folder once', async () => {
		await give('support-bot', 'prices');
		await night(FOUR);
		loseNote();
		for (let nights = 0; nights < 3; nights++) await night(THREE);
		expect(known()).toEqual([...ALL, 'prices.pdf']);
	});

	test('that this node has not uploaded is taken out, and never deleted', async () => {
		await give('support-bot', 'prices');
		const more = { parameters: { goneFiles: 'delete', modified: '2020-01-01T00:00:00Z' } };
		await night({ ...THREE, 'prices.pdf': 'by hand' }, more);
		await night(THREE, more);
		const { output } = await night(THREE, more);
		expect(output[3]?.json).toMatchObject({
			action: 'removed',
			notDeleted: 'This node has no record of uploading it',
		});
		expect([known(), idsOf('prices.pdf')]).toEqual([OUT, ['prices']]);
	});

	test('that is gone from CometChat, too, is forgotten', async () => {
		await withoutD();
		const [id = ''] = idsOf('d.txt');
		service().script({
			for: { operation: 'remove' },
			status: 404,
			code: 'ERR_KB_NOT_FOUND',
		});
		expect(actionsOf(await night(THREE))).toContain('removed d.txt');
		expect(changes()).toEqual([`remove support-bot ${id}`]);
		expect(actionsOf(await night(THREE))).toHaveLength(3);
	});

	test('is asked out of the agent also where a late list shows it no longer', async () => {
		await withoutD();
		const [id = ''] = idsOf('d.txt');
		const without = (body: unknown): unknown =>
			JSON.parse(JSON.stringify(body).replaceAll(new RegExp(`,?"${id}"`, 'g'), ''));
		service().script({ for: { operation: 'list' }, times: Infinity, transform: without });
		expect(actionsOf(await night(THREE))).toContain('removed d.txt');
		expect(changes()).toEqual([`remove support-bot ${id}`]);
		expect(known()).toEqual(OUT);
	});

	test('that could not be taken out fails without an item, and is tried again in the next night', async () => {
		await withoutD();
		service().script({ for: { operation: 'remove' }, status: 400 });
		const run = await night(THREE);
		expect(run.output[3]?.pairedItem).toBeUndefined();
		expect(errorOf(run, 3)).toMatchObject({
			message: 'CometChat refused the request',
			description: expect.stringContaining(
				'"d.txt", which is no longer in the folder, was not taken from the agent. The next run tries it again.',
			),
			effect: 'not applied',
			fileName: 'd.txt',
		});
		expect(actionsOf(await night(THREE))).toContain('removed d.txt');
		expect(known()).toEqual(OUT);
	});

	test('that could not be deleted is tried again in the next night', async () => {
		await withoutD();
		const parameters = { goneFiles: 'delete' };
		service().script({ for: { operation: 'deleteUpload' }, status: 400 });
		expect(errorOf(await night(THREE, { parameters }), 3)).toMatchObject({
			effect: 'partly applied',
		});
		await night(THREE, { parameters });
		expect([known(), idsOf('d.txt')]).toEqual([OUT, []]);
	});

	test('is noted for as long as CometChat has it', async () => {
		await withoutD();
		await night(THREE);
		const isNoted = () => JSON.stringify(note()).includes('"d.txt"');
		await night(THREE);
		expect(isNoted()).toBe(true);
		await runFiles(service(), 'document.delete', {
			parameters: { fileIds: idsOf('d.txt').join() },
		});
		// A night that has another reason to read the list.
		await night({ ...THREE, 'a.txt': 'A2' });
		expect(isNoted()).toBe(false);
		expect(known()).toEqual(OUT);
	});

	test('is noted for as long as CometChat has any upload of it', async () => {
		await night(FOUR);
		const [first = ''] = idsOf('d.txt');
		service().script({ for: { operation: 'add' }, status: 400 });
		await night({ ...FOUR, 'd.txt': 'D2' });
		await night(THREE);
		await night(THREE);
		const fileIds = idsOf('d.txt').filter((id) => id !== first);
		expect(fileIds).toHaveLength(1);
		await runFiles(service(), 'document.delete', { parameters: { fileIds: fileIds.join() } });
		await night(THREE);
		const run = await night(FOUR);
		expect(run.output[3]?.json).toMatchObject({ action: 'added', uniqueId: first });
		expect(known()).toEqual(ALL);
	});

	test('that could not be taken out stops a run that is to stop, after all else is done', async () => {
		await withoutD();
		service().script({ for: { operation: 'remove' }, status: 400 });
		const { error } = await night({ ...THREE, 'e.txt': 'E' }, { onError: 'stopWorkflow' });
		expect(error?.message).toMatch(/^CometChat refused the request \(4 of 4 items applied/);
	});

	test('is taken out of a run that is to stop, too, though another one is refused', async () => {
		await night({ ...FOUR, 'e.txt': 'E' });
		await night(THREE);
		refuseRemoving(idsOf('e.txt')[0] ?? '');
		await night(THREE, { onError: 'stopWorkflow' });
		expect(known()).toEqual([...Object.keys(THREE), 'e.txt', 'handbook.pdf']);
	});

	test('costs one request for a hundred, and only the refused one stays', async () => {
		const many = Object.fromEntries(
			Array.from({ length: 150 }, (__, at) => [`${at}.txt`, `${at}`]),
		);
		await night({ ...many, ...FOUR });
		const options = { maxShareToRemove: 100, wholeFolder: true };
		const [refused = ''] = idsOf('7.txt');
		await night(FOUR, { options, parameters: { dryRun: true } });
		expect(changes()).toEqual([]);
		refuseRemoving(refused);
		const run = await night(FOUR, { options });
		expect(actionsOf(run).filter((one) => one.startsWith('removed'))).toHaveLength(149);
		expect(known()).toEqual(['7.txt', ...ALL].sort());
		// 150 alone would be as many; a hundred with one that is refused are halved until it stands alone.
		expect(changes().length).toBeLessThan(20);
	});
});

describe('However a folder comes in parts, nothing that it has is taken out', () => {
	const [ab, cd] = [
		{ 'a.txt': 'A', 'b.txt': 'B' },
		{ 'c.txt': 'C', 'd.txt': 'D' },
	];
	const abc = { ...ab, 'c.txt': 'C' };

	test.each<[string, Night[]]>([
		['in two calls of an execution', [{ calls: [abc, { 'd.txt': 'D' }] }]],
		['one by one', [{ calls: Object.entries(FOUR).map(([name, text]) => ({ [name]: text })) }]],
		['in two executions', [{ calls: [abc] }, { calls: [{ 'd.txt': 'D' }] }]],
		['in halves', [{ calls: [ab] }, { calls: [cd] }]],
		[
			'in two folders of two triggers, one of them more often',
			[{ calls: [abc] }, { calls: [abc] }, { calls: [{ 'd.txt': 'D' }] }],
		],
		['one changed file an execution', [{ calls: [{ 'a.txt': 'A' }] }]],
		[
			'in calls that an error breaks off in the same place each night',
			[{ calls: [ab, { 'c.txt': 'C' }, 'fails'] }],
		],
	])('%s', async (__, executionsOfNight) => {
		await night(FOUR);
		for (let nights = 0; nights < 4; nights++) {
			for (const one of executionsOfNight) await night({}, one);
		}
		expect(known()).toEqual(ALL);
		expect(changes().filter((line) => line.startsWith('remove'))).toEqual([]);
	});

	test('and what has left is taken out in calls, too', async () => {
		const calls = [ab, { 'c.txt': 'C' }];
		await night({}, { calls: [ab, cd] });
		await night({}, { calls });
		expect(known()).toEqual(ALL);
		await night({}, { calls });
		expect(known()).toEqual(OUT);
	});
});

describe('A run without the file does not count', () => {
	const itemless = { items: [{}, {}, {}, {}], files: [...filesOf(THREE), {}] };
	const withFile = (broken: Record<string, unknown>) => ({
		items: [{}, {}, {}, {}],
		files: [...filesOf(THREE), { data: { ...file('login'), ...broken } }],
	});

	test.each<[string, Night, string]>([
		['if an item has no file', { brings: itemless }, 'some items bring no file name'],
		[
			'if a file has no name',
			{ brings: withFile({ fileName: '', mimeType: 'application/pdf' }) },
			'some items bring no file name',
		],
		[
			'if a web page has come in the place of a file',
			{ brings: withFile({ mimeType: 'text/html' }) },
			'some items bring no file name',
		],
		['if it is a retry', { mode: 'retry' }, 'a retry brings the files of an earlier time'],
	])('%s, and says so', async (__, more, why) => {
		await night(FOUR);
		for (let nights = 0; nights < 3; nights++) {
			const run = await night(THREE, more);
			expect(reasonsOf(run).join()).toContain(why);
		}
		expect(known()).toEqual(ALL);
	});

	test.each<[string, Night]>([
		['if it is a retry', { mode: 'retry' }],
		[
			'if some of its items are only tried',
			{
				brings: { items: [{ dry: true }, { dry: false }, { dry: false }], files: filesOf(THREE) },
				parameters: { dryRun: '={{ $json.dry }}' },
			},
		],
	])('%s, so that the next one takes nothing out either', async (__, more) => {
		await night(FOUR);
		await night(THREE, more);
		expect(actionsOf(await night(THREE))).toContain('missing d.txt');
		expect(known()).toEqual(ALL);
	});

	test('if n8n has not kept it, and says what to do', async () => {
		await night(FOUR);
		for (let nights = 0; nights < 3; nights++) {
			executions.clear();
			const run = await night(THREE);
			if (nights > 0) expect(hintsOf(run).join()).toContain('let n8n save successful executions');
		}
		expect(known()).toEqual(ALL);
	});

	test('if n8n has not kept it, and says so in the last of several calls, too', async () => {
		await night(FOUR);
		const calls: Contents[] = [{ 'a.txt': 'A', 'b.txt': 'B' }, { 'c.txt': 'C' }];
		const last = [];
		for (let nights = 0; nights < 3; nights++) {
			executions.clear();
			last.push(JSON.stringify((await night({}, { calls })).calls.at(-1)?.output));
		}
		expect(last[2]).toContain('n8n has not kept the run before');
		expect(known()).toEqual(ALL);
	});

	test('if an error broke it off after this node, and says so', async () => {
		await night(FOUR);
		for (let nights = 0; nights < 3; nights++) {
			const run = await night({}, { calls: [THREE, 'fails'] });
			if (nights > 0) expect(JSON.stringify(run.calls)).toContain('the run before was broken off');
		}
		expect(known()).toEqual(ALL);
	});

	test('if it stopped on a failure', async () => {
		await night(FOUR);
		for (let nights = 0; nights < 3; nights++) {
			service().script({ for: { operation: 'initiate' }, status: 400 });
			await night({ ...THREE, 'a.txt': `A${nights}` }, { onError: 'stopWorkflow' });
		}
		expect(known()).toEqual(expect.arrayContaining(['d.txt']));
	});

	test('if it was by hand; and one by hand takes nothing out', async () => {
		await withoutD();
		const run = await night(THREE, { mode: 'manual' });
		expect(reasonsOf(run).join()).toContain('a run by hand takes nothing out');
		expect(known()).toEqual(ALL);
		const dry = await night(THREE, { mode: 'manual', parameters: { dryRun: true } });
		expect(actionsOf(dry)).toContain('would be removed d.txt');
		expect(known()).toEqual(ALL);
	});

	test('if it brought half of the folder or less, and says so in one line', async () => {
		await night(FOUR);
		for (let nights = 0; nights < 3; nights++) {
			const run = await night({ 'a.txt': 'A', 'b.txt': 'B' });
			expect(run.output).toHaveLength(2);
			expect(hintsOf(run, 'info').join()).toContain('brought 2 of 4 known files');
		}
		expect(known()).toEqual(ALL);
	});

	test('if its files are those of another folder', async () => {
		await night(FOUR);
		const other = { 'v.txt': 'V', 'w.txt': 'W', 'x.txt': 'X', 'y.txt': 'Y', 'z.txt': 'Z' };
		for (let nights = 0; nights < 3; nights++) await night(other);
		expect(hintsOf(await night(other), 'info').join()).toContain("another folder's");
		expect(known()).toEqual(expect.arrayContaining(ALL));
	});
});

describe('A file that is there and cannot be sent is not missing', () => {
	test.each<[string, 'skipped' | 'failed', TestFile]>([
		['too large', 'skipped', { ...file('d.txt'), bytes: new Uint8Array(50_000_001) }],
		['empty', 'skipped', file('d.txt', '')],
		['deleted by n8n', 'failed', { ...file('d.txt'), kept: 'deleted' }],
		['a web page under its name', 'failed', file('d.txt', '\n<!DOCTYPE html><title>Log in')],
	])('%s: it is %s', async (__, outcome, broken) => {
		await night(FOUR);
		const brings = { items: [{}, {}, {}, {}], files: [...filesOf(THREE), { data: broken }] };
		for (let nights = 0; nights < 2; nights++) {
			const run = await night({}, { brings });
			expect(actionsOf(run).filter((one) => /removed|missing|replaced/.test(one))).toEqual([]);
			expect(run.output[3]?.json.action ?? 'failed').toBe(outcome);
		}
		expect(known()).toEqual(ALL);
	});
});

describe('Too much at once stays', () => {
	test.each<[string, Contents, Night]>([
		['half of it, by default', { 'a.txt': 'A', 'b.txt': 'B' }, {}],
		['as much as the user allows', THREE, { options: { maxShareToRemove: 25 } }],
	])('%s, however long it is missing, and the run says so', async (__, contents, more) => {
		await night(FOUR);
		const options = { wholeFolder: true, ...more.options };
		for (let nights = 0; nights < 3; nights++) {
			const run = await night(contents, { ...more, options });
			expect(hintsOf(run).join()).toContain('are missing at once');
			expect(reasonsOf(run).join()).toContain("'Max Share to Remove (Percent)'");
		}
		expect(known()).toEqual(ALL);
	});

	test('also where time has told: no run promises to take it out', async () => {
		await night(FOUR);
		for (let nights = 0; nights < 3; nights++) {
			const run = await night(THREE, { options: { maxShareToRemove: 20 } });
			expect(reasonsOf(run).join()).toContain('1 of 4 are missing at once');
		}
		expect(known()).toEqual(ALL);
	});

	test('of all that is known, also where no share at all is allowed', async () => {
		const options = { wholeFolder: true, maxShareToRemove: 0 };
		for (const contents of [{ 'a.txt': 'A' }, { 'a.txt': 'A' }, FOUR]) {
			await night(contents, { options });
		}
		expect(reasonsOf(await night(THREE, { options })).join()).toContain('1 of 4 are missing');
		expect(known()).toEqual(ALL);
	});

	test('what has come since does not make up for what is missing', async () => {
		await night(FOUR);
		const other = { 'v.txt': 'V', 'w.txt': 'W', 'x.txt': 'X', 'y.txt': 'Y', 'z.txt': 'Z' };
		const options = { wholeFolder: true };
		for (let nights = 0; nights < 3; nights++) {
			expect(hintsOf(await night(other, { options })).join()).toContain(
				'4 of 4 are missing at once',
			);
		}
		expect(known()).toEqual(expect.arrayContaining(ALL));
		// Once they are back, one may go as before.
		await night({ ...FOUR, ...other }, { options });
		expect(actionsOf(await night({ ...THREE, ...other }, { options }))).toContain('removed d.txt');
	});
});

test('What was too much at once is forgotten once it is back', async () => {
	const options = { wholeFolder: true };
	await night(FOUR);
	await night({ 'a.txt': 'A', 'b.txt': 'B' }, { options });
	const more = { 'e.txt': 'E', 'f.txt': 'F', 'g.txt': 'G', 'h.txt': 'H' };
	await night({ ...FOUR, ...more }, { options });
	const run = await night({ ...more, 'a.txt': 'A', 'b.txt': 'B' }, { options });
	expect(actionsOf(run)).toEqual(expect.arrayContaining(['removed c.txt', 'removed d.txt']));
});

describe('Each Call Has the Whole Folder', () => {
	const options = { wholeFolder: true };

	test.each(['trigger', 'integrated', 'manual'] as const)(
		'takes out at once what is missing, in mode %s',
		async (mode) => {
			await night(FOUR);
			await night(THREE, { mode, options });
			expect(known()).toEqual(OUT);
		},
	);

	test('takes out all if the user allows it', async () => {
		await night(FOUR);
		await night({ 'e.txt': 'E' }, { options: { ...options, maxShareToRemove: 100 } });
		expect(known()).toEqual(['e.txt', 'handbook.pdf']);
	});

	test.each<[string, Contents, Night, string]>([
		[
			"with 'Execute Once'",
			FOUR,
			{ executeOnce: true, options: { ...options, maxShareToRemove: 100 } },
			"'Execute Once' is on",
		],
		['as a tool of an AI agent', THREE, { isTool: true, options }, 'the node is run as a tool'],
		[
			'if an item has no file',
			{},
			{ options, brings: { items: [{}, {}, {}, {}], files: [...filesOf(THREE), {}] } },
			'some items bring no file name',
		],
	])('takes nothing out %s, and says so', async (__, contents, more, why) => {
		await night(FOUR);
		const run = await night(contents, more);
		expect(known()).toEqual(ALL);
		expect(hintsOf(run).join()).toContain(why);
		expect(reasonsOf(run).join()).toContain(why);
	});
});

describe('Only This Folder', () => {
	const options = { onlyThisFolder: true };
	const queueMode = async (contents: Contents, more: Night = {}) => {
		loseNote();
		const parameters = { modified: '2020-01-01T00:00:00Z', ...more.parameters };
		return await night(contents, { options, ...more, parameters });
	};

	test('takes whatever else the agent has out of it at once, needs no note, and deletes none of it', async () => {
		await night(FOUR);
		const run = await queueMode(THREE, { parameters: { goneFiles: 'delete' } });
		expect(actionsOf(run).sort()).toEqual([
			'removed d.txt',
			'removed handbook.pdf',
			'unchanged a.txt',
			'unchanged b.txt',
			'unchanged c.txt',
		]);
		const [, nothingNoted = ''] = hintsOf(run, 'info');
		expect(nothingNoted).toContain("Only 'Modified' tells");
		expect(nothingNoted).not.toContain('nothing counts as gone');
		expect(known()).toEqual(Object.keys(THREE));
		expect([...idsOf('d.txt'), ...idsOf('handbook.pdf')]).toHaveLength(2);
	});

	test('leaves websites and texts with the agent', async () => {
		await add(service(), [{ agent: 'support-bot', files: ['site'] }], {
			parameters: { operation: 'add', sourceType: 'websites' },
		});
		const run = await queueMode(THREE);
		expect(actionsOf(run)).not.toContain('removed https://example.com');
		expect(service().files('support-bot', 'websites')).toEqual(['site']);
		expect(changes().join()).not.toContain('site');
	});

	test('takes out every upload of a name, whoever has brought it, and asks for each once', async () => {
		await night(FOUR);
		const [own = ''] = idsOf('d.txt');
		await runFiles(service(), 'document.upload', { files: [{ data: file('d.txt') }] });
		const [another = ''] = idsOf('d.txt').filter((id) => id !== own);
		await give('support-bot', another);
		await night(THREE, { options });
		expect(changes()).toEqual([`remove support-bot ${own},${another},handbook`]);
		expect(known()).toEqual(Object.keys(THREE));
	});

	test('deletes what this node has noted as its own upload', async () => {
		await night(FOUR);
		await night(THREE, { options, parameters: { goneFiles: 'delete' } });
		expect([known(), idsOf('d.txt')]).toEqual([Object.keys(THREE), []]);
		expect(idsOf('handbook.pdf')).toEqual(['handbook']);
	});

	test.each<[string, Contents, Night, string]>([
		['if it is too much of what the agent has', { 'a.txt': 'A' }, {}, '4 of 5 are missing at once'],
		[
			'if an item has no file',
			{},
			{ brings: { items: [{}, {}, {}, {}], files: [...filesOf(THREE), {}] } },
			'some items bring no file name',
		],
		["with 'Execute Once'", FOUR, { executeOnce: true }, "'Execute Once' is on"],
	])('takes nothing out %s, and says so', async (__, contents, more, why) => {
		await night(FOUR);
		const run = await queueMode(contents, more);
		expect(known()).toEqual(ALL);
		expect(hintsOf(run).join()).toContain(why);
	});

	test('takes nothing out in a second call, nor where the last run had several', async () => {
		await night(FOUR);
		const calls = [FOUR, THREE];
		await night({}, { options, calls });
		expect(known()).toEqual(expect.arrayContaining(['d.txt']));
		const run = await night(THREE, { options });
		expect(hintsOf(run).join()).toContain('calls the node several times');
		expect(known()).toEqual(expect.arrayContaining(['d.txt']));
	});

	test('keeps what it has brought itself, whatever name CometChat has given it', async () => {
		const renamed = (body: unknown): unknown =>
			JSON.parse(JSON.stringify(body).replaceAll('"a.txt"', '"A-1.txt"'));
		service().script({ for: { operation: 'records' }, times: Infinity, transform: renamed });
		await night(FOUR);
		await night(FOUR, { options });
		expect(known()).toEqual(Object.keys(FOUR));
	});

	test('tried dry says what would go, and does nothing', async () => {
		await night(FOUR);
		const run = await queueMode(THREE, { parameters: { dryRun: true } });
		expect(actionsOf(run).filter((one) => one.startsWith('would be removed'))).toHaveLength(2);
		expect(changes()).toEqual([]);
	});

	test('takes nothing out where the lists cannot be read, and says so', async () => {
		await queueMode(FOUR);
		service().script({ for: { operation: 'list' }, status: 400, times: Infinity });
		const run = await queueMode(THREE);
		expect(hintsOf(run).join()).toContain("because CometChat's lists could not be read");
		service().clearScript();
		expect(known()).toContain('d.txt');
	});
});

describe('Settings by expression hold for the agent whose items bring them', () => {
	const items = [
		{ uid: 'support-bot', gone: 'keep', dry: false },
		{ uid: 'support-bot', gone: 'keep', dry: false },
		{ uid: 'sales-assistant', gone: 'delete', dry: false },
		{ uid: 'sales-assistant', gone: 'delete', dry: true },
	];
	const both = {
		'support-bot': ['a.txt', 'b.txt', 'c.txt'],
		'sales-assistant': ['v.txt', 'w.txt', 'x.txt'],
	};
	const bringing = (names: Record<string, string[]>) => {
		const all = Object.entries(names).flatMap(([uid, own]) => own.map((name) => ({ uid, name })));
		return {
			items: all.map(({ uid, name }) => ({ ...items.find((one) => one.uid === uid), name })),
			files: all.map(({ name }) => ({ data: file(name) })),
		};
	};
	const parameters = {
		uid: agent('={{ $json.uid }}'),
		goneFiles: '={{ $json.gone }}',
	};
	const options = { wholeFolder: true };

	test('what becomes of gone files', async () => {
		await night({}, { brings: bringing(both), parameters, options });
		const less = { 'support-bot': ['a.txt', 'b.txt'], 'sales-assistant': ['v.txt', 'w.txt'] };
		await night({}, { brings: bringing(less), parameters, options });
		expect(known()).toContain('c.txt');
		expect(known('sales-assistant')).toEqual(['v.txt', 'w.txt']);
		expect(idsOf('x.txt')).toEqual([]);
	});

	test.each<[string[], boolean, boolean]>([
		[['delete', 'remove'], false, true],
		[['remove', 'keep'], true, true],
	])(
		'of one agent whose items differ the mildest: %j, still with the agent %p, still there %p',
		async (gone, isKept, isThere) => {
			await night(THREE);
			const brings = {
				items: gone.map((one) => ({ gone: one })),
				files: [{ data: file('a.txt', 'A') }, { data: file('b.txt', 'B') }],
			};
			await night({}, { brings, parameters: { goneFiles: '={{ $json.gone }}' }, options });
			expect(known().includes('c.txt')).toBe(isKept);
			expect(idsOf('c.txt').length === 1).toBe(isThere);
		},
	);

	test('a run that only tries one agent does not count for it, though another one is brought', async () => {
		const brings = (names: string[], isTried: boolean, others: string[]) => {
			const own = names.map((name) => ({ uid: 'support-bot', name, dry: isTried }));
			const all = [...own, ...others.map((name) => ({ uid: 'sales-assistant', name, dry: false }))];
			return { items: all, files: all.map(({ name }) => ({ data: file(name) })) };
		};
		const parameters = { uid: agent('={{ $json.uid }}'), dryRun: '={{ $json.dry }}' };
		const [four, three] = [FOUR, THREE].map(Object.keys);
		const both = ['v.txt', 'w.txt'];
		await night({}, { brings: brings(four ?? [], false, ['v.txt']), parameters });
		await night({}, { brings: brings(three ?? [], true, both), parameters });
		const run = await night({}, { brings: brings(three ?? [], false, both), parameters });
		expect(actionsOf(run).slice(3)).toEqual([
			'unchanged v.txt',
			'unchanged w.txt',
			'missing d.txt',
		]);
		expect([known(), known('sales-assistant')]).toEqual([ALL, both]);
	});

	test('of one agent whose items differ from call to call, too', async () => {
		const goneFiles = '={{ $binary.data.fileName === "a.txt" ? "keep" : "delete" }}';
		const more = { parameters: { goneFiles } };
		await night(
			{},
			{
				calls: [
					{ 'a.txt': 'A', 'b.txt': 'B' },
					{ 'c.txt': 'C', 'd.txt': 'D' },
				],
				...more,
			},
		);
		for (let nights = 0; nights < 3; nights++) {
			await night({}, { calls: [{ 'a.txt': 'A', 'b.txt': 'B' }, { 'c.txt': 'C' }], ...more });
			expect(known()).toEqual(ALL);
		}
	});

	test('of an agent, whatever the calls that bring nothing for it say', async () => {
		const uid = agent('={{ $binary.data.fileName < "c" ? "support-bot" : "sales-assistant" }}');
		const more = { parameters: { uid } };
		const first = { 'a.txt': 'A', 'b.txt': 'B' };
		await night({}, { calls: [first, { 'c.txt': 'C', 'd.txt': 'D', 'e.txt': 'E' }], ...more });
		const less = { 'c.txt': 'C', 'd.txt': 'D' };
		for (let nights = 0; nights < 2; nights++) await night({}, { calls: [first, less], ...more });
		expect(known('sales-assistant')).toEqual(['c.txt', 'd.txt']);
	});

	test('a dry item is only tried, another is sent and noted, and nothing of the agent is taken out', async () => {
		await night(THREE);
		const brings = {
			items: [{ dry: true }, { dry: false }],
			files: [{ data: file('a.txt', 'A2') }, { data: file('b.txt', 'B2') }],
		};
		const run = await night({}, { brings, parameters: { dryRun: '={{ $json.dry }}' }, options });
		expect(actionsOf(run)).toEqual([
			'would be replaced a.txt',
			'replaced b.txt',
			'would be removed c.txt',
		]);
		expect(run.output.map(({ json }) => json.dryRun === true)).toEqual([true, false, true]);
		expect(hintsOf(run, 'info').slice(0, 2)).toEqual([
			'Dry run, nothing was changed for these files: 1 would be replaced, 1 would be removed.',
			'Files: 1 replaced.',
		]);
		expect(known()).toEqual(OUT);
		expect(actionsOf(await night({ ...THREE, 'b.txt': 'B2' }))).toEqual([
			'unchanged a.txt',
			'unchanged b.txt',
			'unchanged c.txt',
		]);
	});
});

describe('An agent that no item is for', () => {
	test('keeps all, which is said in one line, once', async () => {
		await night(FOUR);
		const parameters = { uid: agent('sales-assistant') };
		const run = await night(FOUR, { parameters });
		expect(known()).toEqual(ALL);
		expect(hintsOf(run)).toEqual([expect.stringContaining('because no item is for this agent')]);
		expect(run.output).toHaveLength(4);
		expect(hintsOf(await night(FOUR, { parameters }))).toEqual([]);
	});

	test('is spoken of once, also where no item names any agent', async () => {
		await night(FOUR);
		const parameters = { uid: agent("={{ '' }}") };
		const said = expect.stringContaining('because no item is for this agent');
		expect(hintsOf(await night(FOUR, { parameters }))).toContainEqual(said);
		expect(hintsOf(await night(FOUR, { parameters }))).not.toContainEqual(said);
	});

	test('is not spoken of where nothing is left of what was brought for it', async () => {
		const parameters = { uid: agent('sales-assistant') };
		const options = { wholeFolder: true, maxShareToRemove: 100 };
		await night({ 'd.txt': 'D' }, { parameters });
		await night({ 'empty.txt': '' }, { parameters, options });
		expect([known('sales-assistant'), idsOf('d.txt').length]).toEqual([[], 1]);
		expect(hintsOf(await night(FOUR))).toEqual([]);
	});

	test('is spoken of again after a dry run, which leaves no note', async () => {
		await night(FOUR);
		const uid = agent('sales-assistant');
		const said = [expect.stringContaining('because no item is for this agent')];
		expect(hintsOf(await night(FOUR, { parameters: { uid, dryRun: true } }))).toEqual(said);
		expect(hintsOf(await night(FOUR, { parameters: { uid } }))).toEqual(said);
	});
});

function filesOf(contents: Contents) {
	return Object.entries(contents).map(([name, text]) => ({ data: file(name, text) }));
}

describe('Where the lists of agents do not tell, a file that is gone', () => {
	const untold = freshFolder({
		agentLists: 'otherIds',
		records: [{ sourceName: 'd.txt', uniqueId: 'theirs' }],
	});

	test('is taken out also if it is not known whether the agent ever got it', async () => {
		await untold.night(THREE);
		untold.service().script({ for: { operation: 'add' }, times: 5, drop: 'afterApplying' });
		await untold.night({ ...THREE, 'e.txt': 'E' });
		expect(untold.known()).toContain('e.txt');
		await untold.night(THREE);
		await untold.night(THREE);
		expect(untold.known()).not.toContain('e.txt');
	});

	test('may go and come back as often as it likes', async () => {
		for (let times = 0; times < 3; times++) {
			const run = await untold.night({ ...THREE, 'e.txt': `E${times}` });
			expect(actionsOf(run)[3]).toMatch(/^(?:added|replaced) e.txt$/);
			await untold.night(THREE);
			await untold.night(THREE);
			expect(untold.known()).toEqual(Object.keys(THREE));
		}
	});

	test('may come back without an answer to its addition: a newer text leaves the agent no older one', async () => {
		await untold.night({ ...THREE, 'e.txt': 'E' });
		await untold.night(THREE);
		await untold.night(THREE);
		untold.service().script({ for: { operation: 'add' }, times: 5, drop: 'afterApplying' });
		await untold.night({ ...THREE, 'e.txt': 'E' });
		await untold.night({ ...THREE, 'e.txt': 'E2' });
		expect(untold.known()).toEqual([...Object.keys(THREE), 'e.txt']);
	});

	test('stays with Only This Folder, which says so', async () => {
		await untold.night(THREE);
		const run = await untold.night({ 'a.txt': 'A' }, { options: { onlyThisFolder: true } });
		expect(hintsOf(run)).toEqual([
			expect.stringContaining('does not tell which documents they have'),
		]);
		expect(untold.known()).toEqual(Object.keys(THREE));
	});

	test('is not deleted, and the output says why', async () => {
		await untold.night({ ...THREE, 'e.txt': 'E' });
		await untold.night(THREE);
		const { output } = await untold.night(THREE, { parameters: { goneFiles: 'delete' } });
		expect(output[3]?.json).toMatchObject({
			action: 'removed',
			notDeleted: "CometChat's list of agents does not tell which documents they have",
		});
		expect(untold.idsOf('e.txt')).toHaveLength(1);
	});

	test('an upload of its name from elsewhere is not deleted on the first night', async () => {
		await untold.night(FOUR);
		expect(untold.idsOf('d.txt')).toContain('theirs');
	});
});

test('130,000 files may go at once', async () => {
	await night({ 'a.txt': 'A' });
	const many = Array.from({ length: 130_000 }, (_, at) => ({
		name: `${at}.txt`,
		uniqueId: `${at}`,
		sha256: '',
	}));
	const [kept] = Object.values(note());
	Object.assign(Object(kept).syncedFiles.agents[0], { files: many });
	const run = await night(
		{ 'a.txt': 'A' },
		{
			parameters: { dryRun: true },
			options: { wholeFolder: true, maxShareToRemove: 100 },
		},
	);
	expect(run.output).toHaveLength(130_001);
});

test('What is noted stays bounded, however often files come and go', async () => {
	for (let times = 0; times < 6; times++) {
		await night({ ...THREE, [`new-${times}.txt`]: 'N' });
		await night(THREE);
		await night(THREE, { parameters: { goneFiles: 'delete' } });
	}
	await take('support-bot', 'handbook');
	expect(JSON.stringify(note())).not.toContain('new-');
});
