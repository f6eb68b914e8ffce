import type {
	Call,
	WorkflowView,
} from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/inputView';
import { whyPartial } from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/inputView';

const CALL: Call = {
	node: 'Sync',
	runIndex: 0,
	mode: 'trigger',
	executesOnce: false,
	isTool: false,
	isFedByFinishedLoop: false,
	isDeclaredWhole: false,
};

const TYPES: Record<string, string> = {
	Merge: 'n8n-nodes-base.merge',
	Compare: 'n8n-nodes-base.compareDatasets',
};

/** @param arrows Such as `List > Download`; a node named Merge waits for all of its inputs. */
function viewOf(...arrows: string[]): WorkflowView {
	const pairs = arrows.map((arrow) => arrow.split(' > '));
	const step = (from: 0 | 1, name: string) =>
		pairs.flatMap((pair) => (pair[from] === name ? [pair[1 - from] ?? ''] : []));
	const reach = (from: 0 | 1, name: string, seen = new Set<string>()): string[] => {
		for (const next of step(from, name)) {
			if (seen.has(next)) continue;
			seen.add(next);
			reach(from, next, seen);
		}
		// As n8n: never the node itself.
		return [...seen].filter((one) => one !== name);
	};
	return {
		ancestorsOf: (name) => reach(1, name),
		parentsOf: (name) => [...new Set(step(1, name))],
		descendantsOf: (name) => reach(0, name),
		typeOf: (name) => TYPES[name] ?? 'test.node',
	};
}

const LINE = ['Schedule > List', 'List > Download', 'Download > Sync', 'Sync > Slack'];

describe('The node sees the whole folder', () => {
	test.each([
		['in a line', LINE],
		['behind one of two triggers', [...LINE, 'Manual > List']],
		[
			'behind a node that compares two branches',
			['Schedule > List', 'Schedule > Old', 'List > Compare', 'Old > Compare', 'Compare > Sync'],
		],
		[
			'behind two triggers, each with nodes of its own',
			['Schedule > List', 'List > Sync', 'Form > Check', 'Check > Sync'],
		],
		['behind a branch of which one leads to it', [...LINE, 'List > Count']],
		[
			'behind branches that a Merge node brings together',
			[
				'Schedule > List',
				'List > Docs',
				'List > Files',
				'Docs > Merge',
				'Files > Merge',
				'Merge > Sync',
			],
		],
	])('%s', (_, arrows) => {
		expect(whyPartial(CALL, viewOf(...arrows))).toBeUndefined();
	});

	test('behind a loop that has come to its end', () => {
		const view = viewOf('Schedule > Loop', 'Loop > Download', 'Download > Loop', 'Loop > Sync');
		expect(whyPartial({ ...CALL, isFedByFinishedLoop: true }, view)).toBeUndefined();
	});
});

describe('Where the user says that each call has the whole folder', () => {
	const called = { ...CALL, isDeclaredWhole: true };

	test.each<[string, Partial<Call>]>([
		['in a workflow that another one calls', { mode: 'integrated' }],
		['called a second time', { runIndex: 1 }],
	])('it is believed: %s', (_, call) => {
		expect(whyPartial({ ...called, ...call }, viewOf(...LINE))).toBeUndefined();
	});

	test.each<[string, Partial<Call>]>([
		['as a tool', { isTool: true }],
		['set to execute once', { executesOnce: true }],
	])('it is not where that can not be: %s', (_, call) => {
		expect(whyPartial({ ...called, ...call }, viewOf(...LINE))).toBeDefined();
	});
});

describe('The node may see only a part of the folder', () => {
	const loop = ['Schedule > Loop', 'Loop > Download', 'Download > Sync', 'Sync > Loop'];
	test.each<[string, Partial<Call>, string[], string]>([
		['as a tool', { isTool: true }, LINE, 'as a tool'],
		['set to execute once', { executesOnce: true }, LINE, "'Execute Once'"],
		['called a second time', { runIndex: 1 }, LINE, 'has run before'],
		['in a workflow that another one calls', { mode: 'integrated' }, LINE, 'called by another'],
		['in a loop', {}, loop, 'part of a loop'],
		[
			'fed from within a loop',
			{},
			['Schedule > Loop', 'Loop > Download', 'Download > Loop', 'Download > Sync'],
			'a loop comes before',
		],
		[
			'fed by two branches',
			{},
			['Schedule > List', 'List > Docs', 'List > Files', 'Docs > Sync', 'Files > Sync'],
			"several branches lead to the node 'Sync'",
		],
		[
			'fed by a branch and by what it branches from',
			{},
			['Schedule > List', 'List > Docs', 'List > Sync', 'Docs > Sync'],
			"several branches lead to the node 'Sync'",
		],
		[
			'fed by branches of which one has a trigger of its own, too',
			{},
			['Schedule > A', 'Form > A', 'A > Sync', 'Schedule > B', 'B > Sync'],
			"several branches lead to the node 'Sync'",
		],
		[
			'behind a node that is fed by two branches',
			{},
			['Schedule > List', 'List > Docs', 'List > Files', 'Docs > Any', 'Files > Any', 'Any > Sync'],
			"several branches lead to the node 'Any'",
		],
	])('%s', (_, call, arrows, expected) => {
		expect(whyPartial({ ...CALL, ...call }, viewOf(...arrows))).toContain(expected);
	});

	test('where an older n8n does not tell what is connected to what', () => {
		const view = { ...viewOf(...LINE), parentsOf: () => undefined };
		expect(whyPartial(CALL, view)).toContain('this version of n8n');
	});
});
