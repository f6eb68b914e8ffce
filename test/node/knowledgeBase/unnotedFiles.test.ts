import type { INode } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import type { RecordSeed } from '../../service/service';
import type { Run } from '../engine';
import { add } from '../fixture';
import { arrivals, file } from '../operations';
import type { Contents, Night } from './folder';
import { actionsOf, freshFolder } from './folder';

const THREE: Contents = { 'a.txt': 'A', 'b.txt': 'B', 'c.txt': 'C' };
const FOUR: Contents = { ...THREE, 'd.txt': 'D' };
const LONG_NAME = `${'long '.repeat(20)}.pdf`;

const RECORDS: RecordSeed[] = [
	...['handbook', 'prices', 'terms', 'hours', 'team', 'vision'].map((uniqueId) => ({
		sourceName: `${uniqueId}.pdf`,
		uniqueId,
	})),
	{ sourceName: LONG_NAME, uniqueId: 'long' },
	{ sourceName: 'a text', uniqueId: 'text', type: 'text-details' },
];

const UNNOTED =
	/^The agent "support-bot" also has (.*) that no item brings .* record of: (.*)\. To take/;

/** What is named of what the agent has beside the folder: `2 files: "a.pdf", "b.pdf"`. */
const namedIn = ({ hints }: { hints: Array<{ message: string; type?: string }> }) =>
	hints.flatMap(({ message, type }) => {
		const [, count, names] = UNNOTED.exec(message) ?? [];
		return names === undefined || type !== 'warning' ? [] : [`${count}: ${names}`];
	});

describe('What the agent has, no item brings and the node has not noted', () => {
	const { service, night, give, take, loseNote } = freshFolder({ records: RECORDS });
	const handbook = ['1 file: "handbook.pdf"'];
	beforeEach(async () => await give('support-bot', 'handbook'));

	test('is named after a file has left the folder between runs by hand, in each run, published or not', async () => {
		const byHand: Night = { mode: 'manual' };
		await night(FOUR, byHand);
		const both = ['2 files: "handbook.pdf", "d.txt"'];
		expect(namedIn(await night(THREE, byHand))).toEqual(both);
		for (let nights = 0; nights < 3; nights++) {
			expect(namedIn(await night(THREE))).toEqual(both);
		}
		expect(namedIn(await night(THREE, byHand))).toEqual(both);
	});

	test('costs no request in a night in which nothing has changed', async () => {
		for (let nights = 0; nights < 2; nights++) await night(THREE);
		expect(namedIn(await night(THREE))).toEqual(handbook);
		expect(arrivals(service())).toEqual(['agent support-bot']);
		await give('support-bot', 'prices');
		await night(THREE);
		await take('support-bot', 'handbook');
		expect(namedIn(await night(THREE))).toEqual(['1 file: "prices.pdf"']);
		expect(arrivals(service())).toEqual(['agent support-bot']);
	});

	test('is named up to five, with the count; a long name as messages cut it', async () => {
		await give('support-bot', 'long', 'prices', 'terms', 'hours', 'team', 'vision');
		const named = `7 files: "handbook.pdf", "${LONG_NAME.slice(0, 60)}…", "prices.pdf", "terms.pdf", "hours.pdf", and 2 more`;
		const options = { wholeFolder: true };
		expect(namedIn(await night(THREE, { options }))).toEqual([named]);
		await night(THREE);
		expect(namedIn(await night(THREE))).toEqual([named]);
		expect(arrivals(service())).toEqual(['agent support-bot']);
	});

	test('is named after a dry run, too, and after one whose changes have read the lists', async () => {
		expect(namedIn(await night(THREE, { parameters: { dryRun: true } }))).toEqual(handbook);
		await night(FOUR);
		expect(namedIn(await night({ ...THREE, 'a.txt': 'A2' }))).toEqual(handbook);
	});

	test('is no upload that an item names, also one that cannot be sent', async () => {
		await give('support-bot', 'prices', 'long');
		const files = [
			...Object.entries(THREE).map(([name, text]) => ({ data: file(name, text) })),
			{ data: file('prices.pdf', '') },
			{ data: file(LONG_NAME, '') },
		];
		const brings = { items: files.map(() => ({})), files };
		for (let nights = 0; nights < 3; nights++) {
			const run = await night({}, { brings });
			expect(actionsOf(run)).toContain('skipped prices.pdf');
			expect(namedIn(run)).toEqual(handbook);
		}
	});

	test('is no text, and nothing that the node has noted, also if it has taken it out', async () => {
		await take('support-bot', 'handbook');
		await add(service(), [{ agent: 'support-bot', files: ['text'] }], {
			parameters: { sourceType: 'text' },
		});
		const runs: Run[] = [];
		for (const contents of [FOUR, THREE, THREE, THREE]) runs.push(await night(contents));
		expect(runs.flatMap(actionsOf)).toContain('removed d.txt');
		expect(runs.flatMap(namedIn)).toEqual([]);
	});

	test('is not spoken of with Leave, nor with Only This Folder, nor in a retry', async () => {
		await night(THREE);
		expect(namedIn(await night(THREE, { parameters: { goneFiles: 'keep' } }))).toEqual([]);
		expect(namedIn(await night(THREE, { mode: 'retry' }))).toEqual([]);
		const options = { onlyThisFolder: true };
		expect(namedIn(await night(THREE, { options, parameters: { dryRun: true } }))).toEqual([]);
		expect(namedIn(await night(THREE))).toEqual(handbook);
	});

	describe('is not spoken of where the call may be a part of the folder', () => {
		const AGAIN: INode = {
			id: 'Again',
			name: 'Again',
			type: 'test.items',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		};
		const NODE = 'CometChat Knowledge Base';
		const to = (node: string) => ({ main: [[{ node, type: NodeConnectionTypes.Main, index: 0 }]] });
		const around = { nodes: [AGAIN], connections: { [NODE]: to('Again'), Again: to(NODE) } };
		const itemless = { items: [{}, {}, {}, {}], files: [{ data: file('a.txt', 'A') }] };

		test.each<[string, Contents, Night]>([
			['in a loop', THREE, { around }],
			['where an item names no file', {}, { brings: itemless }],
			['as a tool', THREE, { isTool: true }],
			['with Execute Once', THREE, { executeOnce: true }],
			['in a call that brings half of what is known or less', { 'a.txt': 'A' }, {}],
		])('%s', async (_, contents, more) => {
			await night(THREE);
			expect(namedIn(await night(contents, more))).toEqual([]);
		});

		test('in a loop, unless each call has the whole folder', async () => {
			const options = { wholeFolder: true };
			expect(namedIn(await night(THREE, { around, options }))).toEqual(handbook);
		});

		test('in several calls of a run, nor where the run before had several', async () => {
			const calls = [THREE, { 'd.txt': 'D' }];
			await night(FOUR);
			expect(namedIn(await night({}, { calls }))).toEqual([]);
			expect(namedIn(await night(FOUR))).toEqual([]);
			expect(namedIn(await night(FOUR))).toEqual(handbook);
		});

		test('in a first run that brings no more than the agent has beside it', async () => {
			await give('support-bot', 'prices', 'terms');
			expect(namedIn(await night(THREE))).toEqual([]);
			expect(namedIn(await night(THREE))).toHaveLength(1);
			loseNote();
			expect(namedIn(await night(THREE, { options: { wholeFolder: true } }))).toHaveLength(1);
		});
	});
});

describe.each(['empty', 'otherIds'] as const)('Where the lists do not tell (%s)', (agentLists) => {
	const { night, give } = freshFolder({ records: RECORDS, agentLists });

	test('nothing is said of what else the agent may have', async () => {
		await give('support-bot', 'handbook');
		const runs = [await night(THREE), await night(THREE), await night({ ...THREE, 'a.txt': 'A2' })];
		expect(runs.flatMap(namedIn)).toEqual([]);
	});
});
