import type { FolderCall } from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/plan/missing';
import {
	missingFrom,
	listsUnread,
} from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/plan/missing';
import {
	newAgent,
	sentFile,
} from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/state/state';
import { UserError } from '../../../nodes/CometChatKnowledgeBase/values/failure';

const UNREAD = listsUnread(new UserError('CometChat denied access', '', { said: 'Not today.' }));

/** A call that brings `a` of an agent's files `a` to `d`, which had all of them. */
function callWith(more: Partial<FolderCall> = {}): FolderCall {
	const agent = newAgent('', 'bot');
	for (const name of 'abcd') agent.files.set(name, sentFile(name, '', 'attached'));
	agent.execution = { id: '2', calls: 1, isWhole: true };
	return {
		agent,
		folder: {
			uid: 'bot',
			names: new Set('a'),
			goneFiles: 'remove',
			isTried: false,
			isAllTried: false,
		},
		node: { mode: 'trigger', isTool: false, isOnce: false, isAnother: false },
		...{ isEachNamed: true, sizeBefore: 4, itemsAre: 'folder', maxShare: 100, runsMissing: 1 },
		sent: new Map([...agent.files.keys()].map((name) => [name, name])),
		...more,
	};
}

const having = (...uploads: Array<[id: string, name: string]>) => ({
	itemsAre: 'all' as const,
	uploads: new Map(uploads.map(([id, name]) => [name, [id]])),
});

const node = (more: Partial<FolderCall['node']>) => ({ node: { ...callWith().node, ...more } });

test.each<[string, Partial<FolderCall>, string[]]>([
	['goes where the call has the whole folder', {}, ['b', 'c', 'd']],
	['stays where n8n has called the node before in a run by hand', node({ isAnother: true }), []],
	['goes with any other upload of the agent', having(['z', 'z'], ['b', 'b']), [...'bcdz']],
	[
		'is no upload of a file that is brought, whatever CometChat calls it',
		having(['a', 'x']),
		[...'bcd'],
	],
	['stays where it is too much', { maxShare: 50 }, []],
])('What is missing %s', (_, more, gone) => {
	const { files } = missingFrom(callWith(more));
	expect(files.filter(({ reason }) => !reason).map(({ name }) => name)).toEqual(gone);
});

test('Too many are noted for as long as they are missing, also while nothing can be told', () => {
	const noted = (more: Partial<FolderCall>) => {
		const call = callWith(more);
		call.agent.missingOf = 4;
		return missingFrom(call).missingOf;
	};
	expect(noted({ maxShare: 50, sizeBefore: 9 })).toBe(4);
	expect(noted({ itemsAre: 'all', uploads: UNREAD })).toBe(4);
	expect(noted({})).toBeUndefined();
});

test('Where nobody knows what else the agent has, the words name no file', () => {
	const { hints, files } = missingFrom(callWith({ itemsAre: 'all', uploads: UNREAD }));
	expect(hints.map(({ message }) => message)).toEqual([
		'What is not among the files of this run stayed with the agent "bot", because CometChat\'s lists could not be read (CometChat denied access: Not today).',
	]);
	expect(files.map(({ name }) => name)).toEqual(['What else the agent has']);
});

test.each([
	['d', true],
	['bcd', false],
])(
	'What else the agent has is named where most of the folder came: without %s, %s',
	(gone, isNamed) => {
		const call = callWith({ ...having(['z', 'z']), itemsAre: 'parts' });
		call.agent.lastCalls = 1;
		for (const [name, file] of call.agent.files) file.isMissing = gone.includes(name);
		const told = missingFrom(call).hints.map(({ message }) => message);
		expect(told.some((message) => message.includes('also has 1 file beside'))).toBe(isNamed);
	},
);
