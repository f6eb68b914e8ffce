import {
	beginExecution,
	recordCall,
	viewOf,
} from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/plan/removable';
import type { AgentState } from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/state/state';
import {
	newAgent,
	sentFile,
} from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/state/state';

/** An execution: the files of each of its calls, one letter a file; with '!' a call in which not each item names one. */
interface Execution {
	calls: string[];
	/** Whether n8n proves that it ended well; true if left out. */
	isProven?: boolean;
}

/** Plays executions that end, the last one until now. */
async function played(executions: Execution[]): Promise<AgentState> {
	const agent = newAgent('', 'bot');
	let isProven = false;
	for (const [at, { calls, isProven: isNextProven = true }] of executions.entries()) {
		for (const call of calls) {
			const names = new Set(call.replace('!', ''));
			for (const name of names) {
				const known = agent.files.get(name) ?? sentFile(name, '', 'attached');
				agent.files.set(name, known);
			}
			const end = isProven ? 'well' : 'not well';
			await beginExecution(agent, `${at}`, async () => await Promise.resolve(end));
			recordCall(agent, names, !call.includes('!'));
		}
		isProven = isNextProven;
	}
	return agent;
}

async function shown(executions: Execution[]): Promise<string> {
	const view = viewOf(await played(executions));
	if (view.kind === 'incomplete') return 'others may be yet to come';
	if (view.kind === 'part') return `${view.named} of ${view.known}`;
	const missing = [
		...view.missing.map(
			([name, { missed }]) => `${name}: ${missed === 0 ? 'missing' : 'removable'}`,
		),
		...view.ofAnotherFolder.map(([name]) => `${name}: another folder's`),
	];
	return missing.join(', ') || 'all here';
}

const endsWell = async () => await Promise.resolve('well' as const);

const once = (...calls: string[]): Execution => ({ calls });

describe('What is made of known files that an execution has not brought', () => {
	test.each<[string, Execution[], string]>([
		['the first execution', [once('abcd')], 'all here'],
		['all of them are here', [once('abcd'), once('dcba')], 'all here'],
		['one is missing for the first time', [once('abcd'), once('abc')], 'd: missing'],
		[
			'one is missing for the second time',
			[once('abcd'), once('abc'), once('abc')],
			'd: removable',
		],
		[
			'two are missing, one of them longer',
			[once('abcdefg'), once('abcdef'), once('abcde')],
			'f: missing, g: removable',
		],
		['half of them are here', [once('abcd'), once('ab')], '2 of 4'],
		['more than half in two calls', [once('abcd'), once('ab', 'c')], 'd: missing'],
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
			'd: removable',
		],
		[
			'more calls than before, and one comes in the last',
			[once('abcd'), once('abc'), once('ab', 'c', 'd')],
			'all here',
		],
		[
			'an execution between that brought half does not count',
			[once('abcdefgh'), once('abc'), once('abcdefg')],
			'h: missing',
		],
		[
			'one that is not proven to have ended well does not count',
			[once('abcd'), { calls: ['abc'], isProven: false }, once('abc')],
			'd: missing',
		],
		[
			'one in which not every item named its file does not count',
			[once('abcd'), once('abc!'), once('abc')],
			'd: missing',
		],
		[
			"another trigger's folder, which came before",
			[once('abcde'), once('xy'), once('abcde')],
			"x: another folder's, y: another folder's",
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
		[
			'runs of one folder do not count for another',
			[once('abcdefg'), once('xyz'), once('abcdefg'), once('abcdefg'), once('abcdefgxy')],
			'z: missing',
		],
	])('%s', async (_, executions, expected) => {
		expect(await shown(executions)).toBe(expected);
	});
});

test('What was taken from the agent is not missing', async () => {
	const agent = await played([once('abcd')]);
	agent.files.set('d', sentFile('d', '', 'removed'));
	await beginExecution(agent, 'next', endsWell);
	recordCall(agent, new Set('abc'), true);
	expect(viewOf(agent)).toEqual({ kind: 'folder', missing: [], ofAnotherFolder: [] });
});

test('What an item names and the agent did not get shows no folder', async () => {
	const agent = await played([once('abcd')]);
	await beginExecution(agent, 'next', endsWell);
	recordCall(agent, new Set('abxyz'), true);
	expect(viewOf(agent)).toEqual({ kind: 'part', named: 2, known: 4 });
});
