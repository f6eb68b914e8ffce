import type { INodeParameters } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import { add } from '../fixture';
import { agent, arrivals, continuing, errorOf, runFiles } from '../operations';
import { inMemory } from '../knowledgeBase/folder';
import { freshUploads, hinted, TO_AGENT } from './uploads';

/** What a run leaves that broke off, or goes on beside another, and what the next one makes of it. */

const WEEK_MS = 7 * 24 * 3_600_000;
const SLOW = { ms: 90_000 };
const prices = { sourceName: 'prices.pdf', uniqueId: 'old' };

const { service, upload, names, ids, attached } = freshUploads({
	records: [prices, { sourceName: 'proof.pdf', uniqueId: 'proof' }],
	indexing: SLOW,
});
beforeEach(async () => {
	await add(service(), [{ agent: 'sales-assistant', files: ['proof'] }]);
	service().clearLog();
});

/** Bring prices.pdf, with no more than a minute for it to be read. */
const bring = async (ifNameExists: string, more: INodeParameters = {}, name = 'prices.pdf') =>
	await upload([name], {
		parameters: { ...TO_AGENT, waitUntilIndexed: true, ifNameExists, ...more },
		options: { maxIndexingMinutes: 1 },
	});
const replace = async (more: INodeParameters = {}) =>
	await runFiles(service(), 'knowledgeBase.replace', {
		...continuing,
		files: [{ data: inMemory('prices.pdf') }],
		parameters: { uid: agent('support-bot'), oldVersion: 'ifUnused', ...more },
		options: { maxIndexingMinutes: 1 },
	});
const count = () => names().filter((name) => name === 'prices.pdf').length;
const give = async (...files: string[]) => await add(service(), [{ agent: 'support-bot', files }]);

describe('A file that is always read too slowly', () => {
	test.each<[string, () => Promise<unknown>]>([
		['by Upload', async () => await bring('replaceAndDelete')],
		['by Upload, to no agent', async () => await bring('replaceAndDelete', { addToAgent: false })],
		['by Replace File', async () => await replace()],
		['by Upload that ends the run', async () => await upload(['prices.pdf'], STOPPING)],
	])(
		'leaves one that is whole and one that is new, however often it is brought %s',
		async (_, run) => {
			await give('old');
			const counts: number[] = [];
			for (let week = 0; week < 4; week++) {
				await run();
				counts.push(count());
				await sleep(WEEK_MS);
			}
			expect(counts.slice(-2)).toEqual([3, 3]);
			expect(attached()).toEqual(['old']);
		},
	);

	test('is not in the way once it is read in time: one of its name is left', async () => {
		await give('old');
		for (let week = 0; week < 2; week++) {
			await bring('replaceAndDelete');
			await sleep(WEEK_MS);
		}
		service().scriptIndexing({ ms: 0, times: Infinity });
		const { output } = await bring('replaceAndDelete');
		expect(output[0]?.json).toMatchObject({ action: 'replaced', success: true });
		expect(count()).toBe(1);
		expect(attached()).toEqual([output[0]?.json.uniqueId]);
	});
});

const STOPPING = {
	onError: 'stopWorkflow' as const,
	parameters: { ...TO_AGENT, waitUntilIndexed: true, ifNameExists: 'replaceAndDelete' },
	options: { maxIndexingMinutes: 1 },
};

describe('What a run has left that nobody has', () => {
	test('is gone on with by Skip, not sent again: it is waited for, and added', async () => {
		expect(errorOf(await bring('skip', {}, 'new.pdf'))).toMatchObject({ uniqueId: ids()[2] });
		service().clearLog();
		await sleep(SLOW.ms);
		const { output } = await bring('skip', {}, 'new.pdf');
		const found = { action: 'added', success: true, uniqueId: ids()[2], status: 'indexed' };
		const reason = expect.stringMatching(/^CometChat had it already, and no agent/);
		expect(output[0]?.json).toMatchObject({ ...found, reason });
		expect(attached()).toEqual([ids()[2]]);
		expect(arrivals(service()).filter((line) => line.startsWith('initiate'))).toEqual([]);
	});

	test('has its own row beside a new file of its item', async () => {
		await bring('skip', {}, 'new.pdf');
		await sleep(SLOW.ms);
		const parameters = { ...TO_AGENT, ifNameExists: 'skip' };
		const { output } = await upload(['more.pdf', 'new.pdf'], { parameters });
		const rows = ['more.pdf', 'new.pdf'].map((name) => [name, ids()[names().indexOf(name)]]);
		expect(output.map(({ json }) => [json.name, json.uniqueId])).toEqual(rows);
	});

	test('is named by Fail, and nothing is sent', async () => {
		const message = 'CometChat has a file named "prices.pdf" already, and no agent has it';
		const description = expect.stringMatching(/ID old\.$/);
		expect(errorOf(await bring('fail'))).toMatchObject({ message, description });
		expect(count()).toBe(1);
	});

	test('is deleted once the new one is with the agent, by Replace and Delete alone', async () => {
		service().scriptIndexing({ ms: 0, times: Infinity });
		const kept = await bring('replace');
		expect(kept.output[0]?.json).toMatchObject({ action: 'added' });
		expect(ids()).toContain('old');
		await sleep(WEEK_MS);
		const { output } = await bring('replaceAndDelete');
		const { uniqueId } = Object(kept.output[0]?.json);
		expect(output[0]?.json.old).toEqual([
			{ name: 'prices.pdf', action: 'deleted', uniqueId },
			{ name: 'prices.pdf', action: 'deleted', uniqueId: 'old' },
		]);
	});

	test('is not deleted while it is young: another run may be about it', async () => {
		const other = bring('replaceAndDelete');
		await sleep(10_000);
		const [, , young] = ids();
		service().scriptIndexing({ ms: 0 });
		const { output } = await bring('replaceAndDelete');
		expect(output[0]?.json.old).toEqual([expect.objectContaining({ uniqueId: 'old' })]);
		expect(ids()).toContain(young);
		await other;
	});

	test('stays where CometChat does not tell whether an agent has it', async () => {
		await give('old');
		await add(service(), [{ agent: 'support-bot', files: ['old'], operation: 'remove' }], {
			parameters: { operation: 'remove' },
		});
		service().scriptIndexing({ ms: 0, times: Infinity });
		service().script({
			for: { operation: 'list' },
			times: Infinity,
			transform: (page) => ({
				...Object(page),
				data: Object(page).data.map((one: object) => ({ ...one, files: null })),
			}),
		});
		const { output } = await bring('replaceAndDelete');
		expect(output[0]?.json).toMatchObject({ success: true });
		expect(ids()).toContain('old');
	});
});

describe('Two executions at once', () => {
	test.each<[string, () => Promise<unknown>]>([
		['Upload', async () => await bring('replaceAndDelete')],
		['Replace File', async () => await replace()],
	])('of %s may leave two: the next one leaves one of the name', async (_, run) => {
		await give('old');
		service().scriptIndexing({ ms: 0, times: Infinity });
		await Promise.all([run(), run()]);
		await sleep(WEEK_MS);
		await run();
		expect(count()).toBe(1);
		expect(attached()).toEqual(ids().slice(-1));
	});
});

describe('A document that is indexed and has no text in it', () => {
	const scan = freshUploads({ pages: { 'scan.pdf': [''], 'long.pdf': [' ', ''], 'a.txt': ['x'] } });
	const waits = { parameters: { waitUntilIndexed: true } };

	test('is warned of, the item has it as its reason, and it succeeds; it takes one question', async () => {
		const run = await scan.upload(['scan.pdf', 'long.pdf', 'a.txt'], waits);
		const reason = expect.stringMatching(/found no text in "scan.pdf": if it is a scan, no agent/);
		const first = expect.stringMatching(/on the first of the 2 pages of "long.pdf"/);
		expect(run.output.map(({ json }) => json)).toMatchObject([
			{ success: true, reason },
			{ success: true, reason: first },
			{ success: true },
		]);
		expect(hinted(run)).toContain('found no text in "scan.pdf"');
		const looks = arrivals(scan.service()).filter((line) => line.startsWith('pages'));
		expect(looks).toHaveLength(3);
	});

	test('is none where CometChat does not tell, and nobody asks where nobody has waited', async () => {
		scan.service().script({ for: { operation: 'pages' }, status: 500, times: Infinity });
		const { output } = await scan.upload(['scan.pdf'], waits);
		expect(output[0]?.json).toMatchObject({ success: true });
		expect(output[0]?.json.reason ?? null).toBeNull();
		scan.service().clearLog();
		await scan.upload(['scan.pdf']);
		expect(arrivals(scan.service()).join()).not.toContain('pages');
	});
});
