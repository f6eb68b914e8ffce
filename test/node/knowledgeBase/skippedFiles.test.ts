import type { Run, TestFile } from '../engine';
import { arrivals, file } from '../operations';
import type { Night } from './folder';
import { actionsOf, callWith, freshFolder, hintsOf } from './folder';

const { service, night, known, give, idsOf, loseNote } = freshFolder({
	records: [{ sourceName: 'handbook.pdf', uniqueId: 'handbook' }],
});

// Without a document, the lists would not show which documents the agents use.
beforeEach(async () => await give('support-bot', 'handbook'));

const TWO = { 'a.txt': 'A', 'b.txt': 'B' };
const ALL_FILES: Night = {};
const CHANGES: Night = { parameters: { output: 'changes' } };
const SUMMARY: Night = { parameters: { output: 'summary' } };

const withOne = (one: TestFile, contents: Record<string, string> = TWO) =>
	callWith(contents, { data: one });

const summaryOf = ({ output }: Run) => Object(output[0]?.json);

const NEVER: Array<[string, TestFile]> = [
	['~$Report.docx', file('~$Report.docx')],
	['index.html', { ...file('index.html', '<!doctype html>'), mimeType: 'text/html' }],
	['empty.txt', file('empty.txt', '')],
	['empty.pdf', { ...file('empty.pdf', ''), kept: 'in memory' }],
];

describe('A file that CometChat never accepts', () => {
	test.each(NEVER)(
		'%s is no failure: A Summary names it once, night after night',
		async (name, one) => {
			for (let nights = 0; nights < 3; nights++) {
				const run = await night({}, { brings: withOne(one), ...SUMMARY, onError: 'stopWorkflow' });
				const { success, names, counts } = summaryOf(run);
				expect([run.output.length, success, names.skipped, names.failed]).toEqual([
					...[1, true, [name], []],
				]);
				expect(counts).toMatchObject({ skipped: 1, failed: 0 });
				expect(hintsOf(run)).toEqual([]);
				// As without the file, a night without changes sends one request.
				if (nights > 0) expect(arrivals(service())).toEqual(['agent support-bot']);
				expect(JSON.stringify(service().log)).not.toContain(name);
			}
			expect(known()).toEqual(['a.txt', 'b.txt', 'handbook.pdf']);
		},
	);

	test.each(NEVER)('%s alone costs no request', async (name, one) => {
		const run = await night({}, { brings: callWith({}, { data: one }) });
		expect(actionsOf(run)).toEqual([`skipped ${name}`]);
		expect(service().log).toEqual([]);
	});

	test('is a successful row of All Files, and no row of Only Changes', async () => {
		const brings = withOne(file('~$Report.docx'));
		const run = await night({}, { brings, ...ALL_FILES });
		expect(actionsOf(run)).toEqual(['added a.txt', 'added b.txt', 'skipped ~$Report.docx']);
		expect(run.output[2]).toMatchObject({
			json: {
				...{ success: true, uid: 'support-bot', sourceType: 'uploads' },
				reason: 'Not uploaded, because it is a temporary, hidden or system file',
			},
			pairedItem: { item: 2 },
		});
		expect((await night({}, { brings, ...CHANGES })).output).toEqual([]);
	});

	test('may be in several folders with one name, and next to an accepted file with this name', async () => {
		const files = [file('Thumbs.db'), file('Thumbs.db'), file('a.txt', '')];
		const brings = callWith(TWO, ...files.map((data) => ({ data })));
		const run = await night({}, { brings });
		expect(actionsOf(run)).toEqual([
			...['added a.txt', 'added b.txt', 'skipped Thumbs.db', 'skipped Thumbs.db'],
			'skipped a.txt',
		]);
	});

	test('has a name, so missing files are removed as usual; a file without a name could be any file', async () => {
		const four = { ...TWO, 'c.txt': 'C', 'd.txt': 'D' };
		const three = { ...TWO, 'c.txt': 'C' };
		for (const [one, action] of [
			[{ ...file(''), bytes: new Uint8Array(1) }, 'missing d.txt'],
			[{ ...file('login', 'Sign in'), mimeType: 'text/html' }, 'missing d.txt'],
			[file('Thumbs.db'), 'removed d.txt'],
			[{ ...file('index.html'), mimeType: 'text/html' }, 'removed d.txt'],
		] as const) {
			await night(four);
			await night(three);
			const run = await night({}, { brings: withOne(one, three) });
			expect(actionsOf(run).at(-1)).toBe(action);
		}
	});

	test('that is removed from the folder is not mentioned: the agent never used it', async () => {
		for (let nights = 0; nights < 2; nights++) {
			await night({}, { brings: withOne(file('~$Report.docx')) });
		}
		for (let nights = 0; nights < 3; nights++) {
			expect(actionsOf(await night(TWO))).toEqual(['unchanged a.txt', 'unchanged b.txt']);
		}
	});
});

describe('A file that has become empty', () => {
	const empty = withOne(file('c.txt', ''));

	test.each<[string, Night, string[]]>([
		['All Files', ALL_FILES, ['unchanged a.txt', 'unchanged b.txt', 'skipped c.txt']],
		['Only Changes', CHANGES, ['skipped c.txt']],
	])('removes nothing from the agent, and %s names the kept version', async (_, more, actions) => {
		await night({ ...TWO, 'c.txt': 'C' });
		const [id] = idsOf('c.txt');
		for (let nights = 0; nights < 3; nights++) {
			const run = await night({}, { brings: empty, ...more });
			expect(actionsOf(run)).toEqual(actions);
			expect(run.output.at(-1)?.json).toMatchObject({
				success: true,
				reason: 'Not uploaded, because it is empty. The agent continues to use the earlier version',
				old: [{ name: 'c.txt', action: 'kept', uniqueId: id }],
			});
			expect(hintsOf(run)).toEqual([
				expect.stringContaining('continues to use the earlier version'),
			]);
		}
		expect(known()).toEqual(['a.txt', 'b.txt', 'c.txt', 'handbook.pdf']);
	});

	test('has content again the next night, and is replaced', async () => {
		await night({ ...TWO, 'c.txt': 'C' });
		await night({}, { brings: empty });
		expect(actionsOf(await night({ ...TWO, 'c.txt': 'C' })).at(-1)).toBe('unchanged c.txt');
		expect(actionsOf(await night({ ...TWO, 'c.txt': 'C2' })).at(-1)).toBe('replaced c.txt');
	});

	test('removes nothing from the agent without a record, either', async () => {
		await night({ ...TWO, 'c.txt': 'C' });
		loseNote();
		const run = await night({}, { brings: empty });
		expect(run.output[2]?.json).toMatchObject({ action: 'skipped', name: 'c.txt' });
		expect(known()).toContain('c.txt');
	});
});

test('A file that is too large is a missing document: success is false, with a warning', async () => {
	const large = { fileName: 'scan.pdf', bytes: new Uint8Array(50_000_001) };
	const run = await night({}, { brings: withOne(large), ...SUMMARY });
	expect(summaryOf(run)).toMatchObject({ success: false, names: { skipped: ['scan.pdf'] } });
	expect(hintsOf(run)).toEqual([expect.stringContaining('Split the file, or make it smaller.')]);
});

test('An item with a thumbnail next to its document syncs the document, and names the thumbnail', async () => {
	const data = file('a.txt', 'A');
	const thumbnail: TestFile = { ...file('a.png'), mimeType: 'image/png' };
	const run = await night({}, { brings: { items: [{}], files: [{ data, thumbnail }] } });
	expect(run.output[0]?.json).toMatchObject({
		...{ action: 'added', name: 'a.txt' },
		leftOut: [{ name: 'a.png' }],
	});
});

describe("'removed' only means files that the agent used", () => {
	const rest = { ...TWO, 'c.txt': 'C' };
	const scans = { ...rest, 'scan.pdf': 'S' };

	test.each([
		['kept', 'remove'],
		['deleted', 'delete'],
	])(
		'a file that could not be indexed and was removed from the folder is %s',
		async (action, missingDocuments) => {
			await night(rest);
			service().scriptIndexing({ for: { fileName: 'scan.pdf' }, ends: 'failed', times: Infinity });
			await night(scans);
			const [uniqueId] = idsOf('scan.pdf');
			const more = { parameters: { missingDocuments } };
			await night(rest, more);
			const run = await night(rest, more);
			expect(run.output.at(-1)?.json).toMatchObject({
				...{ name: 'scan.pdf', action: 'skipped', success: true, old: [{ uniqueId, action }] },
				reason: 'Missing from the input. The agent did not use the document',
			});
			expect(hintsOf(run, 'any').join()).not.toContain('removed');
			expect(actionsOf(await night(rest, more))).toHaveLength(3);
		},
	);

	test('a dry run reports the same', async () => {
		service().scriptIndexing({ for: { fileName: 'scan.pdf' }, ends: 'failed', times: Infinity });
		await night(scans);
		await night(rest);
		const run = await night(rest, { parameters: { dryRun: true } });
		expect(actionsOf(run).at(-1)).toBe('skipped scan.pdf');
	});

	test('a file with a lost response is removed: the agent uses it', async () => {
		await night(rest);
		service().script({
			for: { operation: 'add' },
			drop: 'afterApplying',
			status: undefined,
			times: 5,
		});
		await night(scans);
		expect(known()).toContain('scan.pdf');
		await night(rest);
		expect(actionsOf(await night(rest)).at(-1)).toBe('removed scan.pdf');
		expect(known()).not.toContain('scan.pdf');
	});
});
