import {
	beginExecution,
	noteCall,
	viewOf,
} from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/goneRule';
import type { NotedAgent } from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/syncNote';
import {
	newAgent,
	newFile,
} from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/syncNote';
import type { Way } from './goneRule.simulation';
import { simulated } from './goneRule.simulation';

/** An execution: the files of each of its calls, one letter a file; with '!' a call in which not each item names one. */
interface Execution {
	calls: string[];
	/** Whether n8n proves that it ended well; true if left out. */
	isProven?: boolean;
}

/** Plays executions that end, the last one until now. */
function played(executions: Execution[]): NotedAgent {
	const agent = newAgent('', 'bot');
	let isProven = false;
	for (const [at, { calls, isProven: isNextProven = true }] of executions.entries()) {
		for (const call of calls) {
			const names = new Set(call.replace('!', ''));
			for (const name of names) {
				const current = { uniqueId: name, sha256: '', isOwn: true };
				agent.files.set(name, { ...newFile(), current });
			}
			beginExecution(agent, `${at}`, isProven ? 'well' : 'not well');
			noteCall(agent, { names, isWhole: !call.includes('!') });
		}
		isProven = isNextProven;
	}
	return agent;
}

function shown(executions: Execution[], runsMissing = 1): string {
	const view = viewOf(played(executions), runsMissing);
	if (view.kind === 'incomplete') return 'others may be yet to come';
	if (view.kind === 'part') return `${view.named} of ${view.known}`;
	const absent = view.absent.map(({ fileName, runsLeft, isWithCohort }) =>
		isWithCohort ? `${fileName}: another folder's` : `${fileName}: ${runsLeft || 'gone'}`,
	);
	return absent.join(', ') || 'all here';
}

const once = (...calls: string[]): Execution => ({ calls });

describe('What is made of known files that an execution has not brought', () => {
	test.each<[string, Execution[], string]>([
		['the first execution', [once('abcd')], 'all here'],
		['all of them are here', [once('abcd'), once('dcba')], 'all here'],
		['new ones beside them', [once('abcd'), once('abcdef')], 'all here'],
		['one is missing for the first time', [once('abcd'), once('abc')], 'd: 1'],
		['one is missing for the second time', [once('abcd'), once('abc'), once('abc')], 'd: gone'],
		[
			'one is missing, and back, and missing',
			[once('abcd'), once('abc'), once('abcd'), once('abc')],
			'd: 1',
		],
		[
			'two are missing, one of them longer',
			[once('abcdefg'), once('abcdef'), once('abcde')],
			'f: 1, g: gone',
		],
		['half of them are here', [once('abcd'), once('ab')], '2 of 4'],
		['more than half in two calls', [once('abcd'), once('ab', 'c')], 'd: 1'],
		['one of two is here', [once('ab'), once('a')], '1 of 2'],
		[
			'the first of as many calls as before',
			[once('ab', 'cd'), once('ab')],
			'others may be yet to come',
		],
		[
			'one of the first call is missing, and the second is yet to come',
			[once('abc', 'd'), once('ab', 'd'), once('ab')],
			'others may be yet to come',
		],
		[
			'all that came last are here again, in fewer calls',
			[once('abcd'), once('ab', 'c'), once('abc')],
			'd: gone',
		],
		[
			'more calls than before, and one comes in the last',
			[once('abcd'), once('abc'), once('ab', 'c', 'd')],
			'all here',
		],
		[
			'an execution between that brought half does not count',
			[once('abcdefgh'), once('abc'), once('abcdefg')],
			'h: 1',
		],
		[
			'one between that brought half takes nothing back',
			[once('abcdefgh'), once('abcdefg'), once('abc'), once('abcdefg')],
			'h: gone',
		],
		[
			'one that is not proven to have ended well does not count',
			[once('abcd'), { calls: ['abc'], isProven: false }, once('abc')],
			'd: 1',
		],
		[
			'one in which not every item named its file does not count',
			[once('abcd'), once('abc!'), once('abc')],
			'd: 1',
		],
		[
			'one of whose calls one was like that does not count either',
			[once('abcd'), once('ab!', 'c'), once('ab', 'c')],
			'd: 1',
		],
		[
			"another trigger's folder, which came before",
			[once('abcde'), once('xy'), once('abcde')],
			"x: another folder's, y: another folder's",
		],
		[
			'the folders of two other triggers, both smaller',
			[once('abcde'), once('xy'), once('lmnopqrst')],
			"a: another folder's, b: another folder's, c: another folder's, d: another folder's, e: another folder's, x: another folder's, y: another folder's",
		],
		[
			"another trigger's folder stays, however often this one comes",
			[once('abcde'), once('xy'), once('abcde'), once('abcde'), once('abcde')],
			"x: another folder's, y: another folder's",
		],
		[
			'one that another trigger brings is not missing here',
			[once('abcde'), once('dxy'), once('abce'), once('dxy'), once('abce')],
			"d: another folder's, x: another folder's, y: another folder's",
		],
	])('%s', (_, executions, expected) => {
		expect(shown(executions)).toBe(expected);
	});

	test.each([
		[1, 'd: gone'],
		[2, 'd: 1'],
		[10, 'd: 9'],
	])('as many as %i executions have to go by', (runsMissing, expected) => {
		expect(shown([once('abcd'), once('abc'), once('abc')], runsMissing)).toBe(expected);
	});
});

test('What is no longer known is not missing', () => {
	const agent = played([once('abcd')]);
	agent.files.delete('d');
	beginExecution(agent, 'next', 'well');
	noteCall(agent, { names: new Set('abc'), isWhole: true });
	expect(viewOf(agent, 1)).toEqual({ kind: 'folder', absent: [] });
});

test('What an item names and the agent did not get shows no folder', () => {
	const agent = played([once('abcd')]);
	agent.files.set('x', newFile());
	beginExecution(agent, 'next', 'well');
	noteCall(agent, { names: new Set('abxyz'), isWhole: true });
	expect(viewOf(agent, 1)).toEqual({ kind: 'part', named: 2, known: 4 });
});

/**
 * Random folders over 30 nights, by the rule itself. The bounds are those that were read with some room, to
 * notice a rule that has become worse; most of them are 0.
 */
describe('Over many nights', () => {
	const part = (files: number[], isIn: (file: number) => boolean) => files.filter(isIn);
	const seventy = (files: number[]) => files.slice(0, Math.ceil(files.length * 0.7));
	const oneByOne = (files: number[]) => files.map((file) => [file]);

	test.each<[string, Way, { wrongly: number; nightsLate?: number }]>([
		['whole', (files) => [{ calls: [files] }], { wrongly: 0, nightsLate: 1.1 }],
		[
			'in two calls, drawn by lot',
			(files, random) => {
				const first = part(files, () => random() < 0.6);
				return [{ calls: [first, part(files, (file) => !first.includes(file))] }];
			},
			{ wrongly: 0, nightsLate: 1.1 },
		],
		[
			'in two calls, by name',
			(files) => [{ calls: [part(files, (it) => it % 3 > 0), part(files, (it) => it % 3 === 0)] }],
			{ wrongly: 0, nightsLate: 1.1 },
		],
		['one by one', (files) => [{ calls: oneByOne(files) }], { wrongly: 0, nightsLate: 1.3 }],
		[
			'in three executions a night',
			(files) => [0, 1, 2].map((rest) => ({ calls: [part(files, (it) => it % 3 === rest)] })),
			{ wrongly: 0 },
		],
		[
			'in two executions a night, drawn by lot',
			(files, random) => {
				const first = part(files, () => random() < 0.6);
				return [{ calls: [first] }, { calls: [part(files, (it) => !first.includes(it))] }];
			},
			{ wrongly: 0 },
		],
		[
			'in two folders of two triggers, the larger one three times a night',
			(files) =>
				[0, 0, 0, 1].map((folder) => ({
					calls: [part(files, (it) => (it % 5 === 0) === (folder === 1))],
				})),
			{ wrongly: 0 },
		],
		[
			'one changed file an execution',
			(files, random) => part(files, () => random() < 0.4).map((file) => ({ calls: [[file]] })),
			{ wrongly: 0 },
		],
		[
			'a few changed files an execution',
			(files, random) => {
				const changed = part(files, () => random() < 0.4);
				const executions = [];
				while (changed.length > 0) {
					executions.push({ calls: [changed.splice(0, 1 + Math.floor(random() * 3))] });
				}
				return executions;
			},
			{ wrongly: 0 },
		],
		[
			'one by one, until an error breaks it off in the same place each night',
			(files) => [{ calls: oneByOne(seventy(files)), endsBadly: true }],
			{ wrongly: 0 },
		],
		[
			'whole every minute',
			(files) => Array.from({ length: 20 }, () => ({ calls: [files] })),
			{ wrongly: 0, nightsLate: 0.1 },
		],
		[
			'whole, and an item without a file each night',
			(files) => [{ calls: [part(files, (it) => it % 7 !== 3)], isNotWhole: true }],
			{ wrongly: 0 },
		],
		[
			'whole, 5 % of the downloads fail without a trace',
			(files, random) => [{ calls: [part(files, () => random() > 0.05)] }],
			{ wrongly: 3, nightsLate: 1.1 },
		],
		[
			'whole, a quarter is unreadable in 15 % of the nights',
			(files, random) => [{ calls: [random() < 0.15 ? part(files, (it) => it % 4 !== 1) : files] }],
			{ wrongly: 6, nightsLate: 1.1 },
		],
		[
			'whole, the list is cut short in 15 % of the nights',
			(files, random) => {
				const length = Math.ceil(files.length * (0.3 + random() * 0.6));
				return [{ calls: [random() < 0.15 ? files.slice(0, length) : files] }];
			},
			{ wrongly: 3, nightsLate: 1.3 },
		],
	])('%s', (_, way, { wrongly, nightsLate }) => {
		const outcome = simulated(way);
		expect(outcome.wrongly).toBeLessThanOrEqual(wrongly);
		if (nightsLate !== undefined) expect(outcome.nightsLate).toBeLessThan(nightsLate);
		// Who wants it rarer waits a night longer.
		if (wrongly > 0) expect(simulated(way, 2).wrongly).toBeLessThan(outcome.wrongly / 3);
	});
});
