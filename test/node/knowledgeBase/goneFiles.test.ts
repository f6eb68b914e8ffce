import type { IConnections, INode } from 'n8n-workflow';

import { agent, errorOf, file } from '../operations';
import type { Contents, Night } from './folder';
import { actionsOf, freshFolder } from './folder';

const NODE = 'CometChat Knowledge Base';

const THREE: Contents = { 'a.txt': 'A', 'b.txt': 'B', 'c.txt': 'C' };
const FOUR: Contents = { ...THREE, 'd.txt': 'D' };

const { service, night, known, changes, idsOf, give, loseNote } = freshFolder({
	records: [
		{ sourceName: 'handbook.pdf', uniqueId: 'handbook' },
		{ sourceName: 'prices.pdf', uniqueId: 'prices' },
	],
});

// So that the lists tell what each agent has.
beforeEach(async () => await give('support-bot', 'handbook'));

const OUT = [...Object.keys(THREE), 'handbook.pdf'];
const ALL = [...Object.keys(FOUR), 'handbook.pdf'];

const hintsOf = ({ hints }: Awaited<ReturnType<typeof night>>) =>
	hints.filter(({ type }) => type === 'warning').map(({ message }) => message);

describe('A file that is gone', () => {
	test.each<[string, boolean]>([
		['remove', true],
		['delete', false],
	])("with '%s' is taken out, and there still: %p", async (goneFiles, isThere) => {
		await night(FOUR);
		await night(THREE, { parameters: { goneFiles } });
		expect(known()).toEqual(OUT);
		expect(idsOf('d.txt').length === 1).toBe(isThere);
	});

	test('is left, and not talked about, if that is asked for', async () => {
		await night(FOUR);
		const run = await night(THREE, { parameters: { goneFiles: 'keep' } });
		expect([known(), run.output.length, hintsOf(run)]).toEqual([ALL, 3, []]);
	});

	test('is not deleted while another agent has it, and the output says who', async () => {
		await night(FOUR);
		await give('sales-assistant', ...idsOf('d.txt'));
		const { output } = await night(THREE, { parameters: { goneFiles: 'delete' } });
		expect(output[3]?.json.notDeleted).toMatch('Other agents have the file: "Sales Assistant"');
		expect(known('sales-assistant')).toEqual(['d.txt']);
	});

	test('from elsewhere stays, also if its name was in the folder once', async () => {
		await give('support-bot', 'prices');
		await night(FOUR);
		loseNote();
		await night(THREE);
		await night(THREE);
		expect(known()).toEqual([...ALL, 'prices.pdf']);
	});

	test('that is gone from CometChat, too, is forgotten', async () => {
		await night(FOUR);
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

	test('that could not be taken out fails without an item, and is tried again in the next night', async () => {
		await night(FOUR);
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

	test('that could not be taken out stops a run that is to stop, after all else is done', async () => {
		await night(FOUR);
		service().script({ for: { operation: 'remove' }, status: 400 });
		const { error } = await night({ ...THREE, 'e.txt': 'E' }, { onError: 'stopWorkflow' });
		expect(error?.message).toMatch(/^CometChat refused the request \(4 of 4 items applied/);
	});

	test('is taken out of a run that is to stop, too, though another one is refused', async () => {
		await night({ ...FOUR, 'e.txt': 'E' });
		const [refused = ''] = idsOf('e.txt');
		service().script({
			for: { operation: 'remove', containsId: refused },
			status: 400,
			times: Infinity,
		});
		await night(THREE, { onError: 'stopWorkflow' });
		expect(known()).toEqual([...Object.keys(THREE), 'e.txt', 'handbook.pdf']);
	});

	test('costs one request for a hundred, and only the refused one stays', async () => {
		const many = Object.fromEntries(
			Array.from({ length: 150 }, (__, at) => [`${at}.txt`, `${at}`]),
		);
		await night({ ...many, ...FOUR });
		const options = { maxShareToRemove: 100 };
		const [refused = ''] = idsOf('7.txt');
		await night(FOUR, { options, parameters: { dryRun: true } });
		expect(changes()).toEqual([]);
		service().script({
			for: { operation: 'remove', containsId: refused },
			status: 400,
			times: Infinity,
		});
		const run = await night(FOUR, { options });
		expect(actionsOf(run).filter((one) => one.startsWith('removed'))).toHaveLength(149);
		expect(known()).toEqual(['7.txt', ...ALL].sort());
		// 150 alone would be as many; a hundred with one that is refused are halved until it stands alone.
		expect(changes().length).toBeLessThan(20);
	});
});

describe('Nothing counts as gone', () => {
	const noFile = { items: [{}, {}, {}, {}], files: [...filesOf(THREE), {}] };

	test.each<[string, Contents, Night, string]>([
		['if too much is missing at once', { 'a.txt': 'A' }, {}, '3 of 4 are missing at once'],
		[
			'if more is missing than the user allows',
			THREE,
			{ options: { maxShareToRemove: 20 } },
			'1 of 4 are missing at once',
		],
		[
			'if another folder is given: new files do not make up for those that are missing',
			{ 'a.txt': 'A', 'x.txt': 'X', 'y.txt': 'Y', 'z.txt': 'Z' },
			{},
			'3 of 4 are missing at once',
		],
		['if an item has no file', {}, { brings: noFile }, 'not every item tells its file'],
		['if no item can be sent', { 'a.txt': '' }, {}, '3 of 4 are missing at once'],
		[
			'if the node runs once only',
			FOUR,
			{ executeOnce: true, options: { maxShareToRemove: 100 } },
			"'Execute Once' is on",
		],
		[
			'in a workflow that another one calls',
			THREE,
			{ mode: 'integrated' },
			'called by another one',
		],
		['in a loop', THREE, { around: looped() }, 'part of a loop'],
		['behind branches that meet', THREE, { around: branched() }, 'several branches'],
	])('%s, and the run says so', async (__, contents, more, why) => {
		await night(FOUR);
		const run = await night(contents, more);
		expect(known()).toEqual(expect.arrayContaining(ALL));
		expect(hintsOf(run).join()).toContain(why);
		const kept = run.output.filter(({ json }) => json.action === 'kept');
		expect(kept.length).toBeGreaterThan(0);
		expect(kept.map(({ json }) => json.reason).join()).toContain(why);
	});

	test.each<[string, NonNullable<Night['brings']>]>([
		[
			'too large',
			{ items: [{}], files: [{ data: { ...file('d.txt'), bytes: new Uint8Array(50_000_001) } }] },
		],
		['empty', { items: [{}], files: [{ data: file('d.txt', '') }] }],
		['deleted by n8n', { items: [{}], files: [{ data: { ...file('d.txt'), kept: 'deleted' } }] }],
	])('of a file that is there and can not be sent: %s', async (__, broken) => {
		await night(FOUR);
		const brings = {
			items: [{}, {}, {}, ...broken.items],
			files: [...filesOf(THREE), ...broken.files],
		};
		const run = await night({}, { brings });
		expect(actionsOf(run).filter((one) => /removed|kept/.test(one))).toEqual([]);
		expect(known()).toEqual(ALL);
	});

	test('of an agent that no item is for, and the run says so in one line', async () => {
		await night(FOUR);
		const run = await night(FOUR, { parameters: { uid: agent('sales-assistant') } });
		expect(known()).toEqual(ALL);
		expect(hintsOf(run)).toEqual([expect.stringContaining('because no item is for this agent')]);
		expect(run.output).toHaveLength(4);
	});

	test('if a run that is to stop has failed', async () => {
		await night(FOUR);
		service().script({ for: { operation: 'initiate' }, status: 400 });
		const contents = { ...THREE, 'a.txt': 'A2' };
		await night(contents, { onError: 'stopWorkflow' });
		expect(known()).toEqual(ALL);
		// What is noted is noted all the same: the next night goes on.
		await night(contents);
		expect(known()).toEqual(OUT);
	});

	test('in the nights after, either: what has come since does not make up for what is missing', async () => {
		await night(FOUR);
		const other = { 'w.txt': 'W', 'x.txt': 'X', 'y.txt': 'Y', 'z.txt': 'Z' };
		for (let nights = 0; nights < 3; nights++) {
			expect(hintsOf(await night(other)).join()).toContain('4 of 4 are missing at once');
		}
		expect(known()).toEqual(expect.arrayContaining(ALL));
		// Once they are back, one may go as before.
		await night({ ...FOUR, ...other });
		expect(actionsOf(await night({ ...THREE, ...other }))).toContain('removed d.txt');
	});

	test('but it does in a workflow that another one calls, if the user says that it brings all', async () => {
		await night(FOUR);
		await night(THREE, { mode: 'integrated', options: { wholeFolder: true } });
		expect(known()).toEqual(OUT);
	});

	test('but all may go if the user allows it', async () => {
		await night(FOUR);
		await night({ 'e.txt': 'E' }, { options: { maxShareToRemove: 100 } });
		expect(known()).toEqual(['e.txt', 'handbook.pdf']);
	});
});

function filesOf(contents: Contents) {
	return Object.entries(contents).map(([name, text]) => ({ data: file(name, text) }));
}

function around(arrows: Array<[string, string]>) {
	const names = new Set(arrows.flat().filter((name) => ![NODE, 'Items'].includes(name)));
	const nodes = [...names].map(
		(name): INode => ({
			...{ id: name, name, type: 'test.other', typeVersion: 1 },
			...{ position: [0, 0], parameters: {} },
		}),
	);
	const connections: IConnections = {};
	for (const [from, to] of arrows) {
		const [targets] = (connections[from] ??= { main: [[]] }).main ?? [];
		targets?.push({ node: to, type: 'main', index: 0 });
	}
	return { nodes, connections };
}

function looped() {
	return around([
		['Items', NODE],
		[NODE, 'Wait'],
		['Wait', NODE],
	]);
}

function branched() {
	return around([
		['Items', NODE],
		['Items', 'Other'],
		['Other', NODE],
	]);
}

describe('Where the lists of agents do not tell, a file that is gone', () => {
	const untold = freshFolder({ agentLists: 'otherIds' });

	test('is taken out also if it is not known whether the agent ever got it', async () => {
		await untold.night(THREE);
		untold.service().script({ for: { operation: 'add' }, times: 5, drop: 'afterApplying' });
		await untold.night(FOUR);
		expect(untold.known()).toContain('d.txt');
		await untold.night(THREE);
		expect(untold.known()).not.toContain('d.txt');
	});
});
