import type { Call } from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/missing';
import { missingFrom } from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/missing';
import type {
	AgentRecord,
	FileRecord,
} from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/record';

const HOUR_MS = 3_600_000;

const MARKS = { removed: '', missing: '?', kept: '!' };

function folderOf(names: string) {
	const files = new Map<string, FileRecord>();
	const known: AgentRecord = { account: '', uid: '', files, others: new Set() };
	for (const name of names) files.set(name, { uniqueId: name, sha256: name.toLowerCase() });
	let nowMs = 0;
	/** Runs a call, by default in a new execution a day later. `d`: removed, `d?`: missing, `d!`: kept. */
	const call = (
		contains: string,
		{ hours = 24, ...more }: Partial<Call> & { hours?: number } = {},
	) => {
		nowMs += hours * HOUR_MS;
		for (const name of contains) if (!files.has(name)) files.set(name, { uniqueId: name });
		const found = missingFrom(known, new Set(contains), {
			...{ nowMs, execution: String(nowMs), newContents: [], ...more },
		});
		const said = found.map(({ name, action }) => {
			if (action === 'removed') files.delete(name);
			return `${name}${MARKS[action]}`;
		});
		return said.join(' ');
	};
	return { call };
}

const UNCLEAR = { unclear: 'It is a retry' };
const AGAIN = { execution: 'one', hours: 0 };

test.each<
	[string, string, Array<[string, Parameters<ReturnType<typeof folderOf>['call']>[1]?]>, string]
>([
	['missing, then removed', 'abcd', [['abcd'], ['abc'], ['abc']], ' | d? | d'],
	[
		'not missing twice within an hour',
		'abcd',
		[['abcd'], ['abc'], ['abc', { hours: 0.9 }]],
		' | d? | d?',
	],
	[
		'not missing twice in one execution',
		'abcd',
		[['abcd'], ['abc', { execution: 'x' }], ['abc', { execution: 'x' }]],
		' | d? | d?',
	],
	['back in between', 'abcd', [['abcd'], ['abc'], ['abcd'], ['abc']], ' | d? |  | d?'],
	[
		'back in a retry in between',
		'abcd',
		[['abcd'], ['abc'], ['abcd', UNCLEAR], ['abc']],
		' | d? |  | d?',
	],
	[
		'not noted in a retry',
		'abcd',
		[['abcd'], ['abc', UNCLEAR], ['abc'], ['abc']],
		' | d? | d? | d',
	],
	[
		'no longer noted if a later call of the same execution is unclear',
		'abcd',
		[['abcd'], ['abc', { execution: 'x' }], ['', { execution: 'x', ...UNCLEAR }], ['abc'], ['abc']],
		' | d? |  | d? | d',
	],
	[
		'still noted if a call of another execution is unclear',
		'abcd',
		[['abcd'], ['abc'], ['', UNCLEAR], ['abc']],
		' | d? |  | d',
	],
	[
		'one of those that it came with first, also in an unclear call',
		'abc',
		[['abc'], ['abcd', UNCLEAR], ['abc'], ['abc']],
		' |  | d? | d',
	],
	[
		'not missing if it came in an earlier call of the execution',
		'abc',
		[['abc'], ['b', AGAIN], ['a', AGAIN], ['c', AGAIN], ['b']],
		' | a? c? | c? |  | ',
	],
	[
		'kept by calls with half of the files',
		'abcdef',
		[['abcdef'], ['abc'], ['ab'], ['ab'], ['abcdef'], ['abcde']],
		' | d! e! f! | c? d! e! f! | c d! e! f! |  | f?',
	],
	['kept if half of five files or more are missing', 'abcde', [['abcde'], ['ab']], ' | c! d! e!'],
	[
		'removed at once if all others were renamed, too',
		'abcd',
		[['abcd'], ['uvwx', { newContents: [...'abcd'] }]],
		' | a b c d',
	],
	[
		'removed at once if it was renamed, and the renamed do not count for the half',
		'abcdef',
		[['abcdef'], ['uvwxef', { newContents: [...'abcd'] }], ['uvwxe']],
		' | a b c d | f?',
	],
	[
		'kept if it has changed, too, while all others were renamed',
		'abcde',
		[['abcde'], ['uvwxy', { newContents: [...'abcd'] }], ['uvwxy']],
		' | a b c d e! | e!',
	],
	[
		'not mentioned by other files of which one has the same content',
		'abcd',
		[['abcd'], ['uvw', { newContents: [...'a'] }]],
		' | ',
	],
	[
		'not mentioned if it was the only one, and was renamed',
		'a',
		[['a'], ['u', { newContents: [...'a'] }]],
		' | ',
	],
	[
		'not renamed if files with the same content come one by one',
		'',
		[
			['a', AGAIN],
			['b', { newContents: [...'a'], ...AGAIN }],
			['c', { newContents: [...'a'], hours: 1 }],
		],
		' |  | ',
	],
	[
		'not renamed if more files with its content are missing than came under new names',
		'aA',
		[['aA'], ['x', { newContents: ['a'] }]],
		' | ',
	],
	[
		'kept in a retry if it was renamed',
		'abcd',
		[['abcd'], ['bcdu', { newContents: [...'a'], ...UNCLEAR }]],
		' | a?',
	],
	[
		'missing if one of up to four files is there',
		'abcd',
		[['abcd'], ['a'], ['a']],
		' | b? c? d? | b c d',
	],
	[
		'not mentioned by a call with other files',
		'abcd',
		[['abcd'], ['uvwxyz'], ['uvwxyz']],
		' |  | ',
	],
	['not mentioned before a call has contained it', 'abcd', [['abc'], ['abc']], ' | '],
	[
		'of another trigger',
		'abcdxyz',
		[['abcd'], ['xyz'], ['abcd'], ['abcd'], ['xyz']],
		' |  |  |  | ',
	],
	[
		'in a loop',
		'abcxyz',
		[['abc', AGAIN], ['xyz', AGAIN], ['abc'], ['xyz'], ['ab'], ['xyz'], ['ab']],
		' |  |  |  | c? |  | c',
	],
	[
		'in a loop that broke off',
		'abcxyz',
		[['abc', AGAIN], ['xyz', AGAIN], ['abc'], ['abc'], ['xyz']],
		' |  |  |  | ',
	],
])('A file is %s', (_, names, calls, expected) => {
	const { call } = folderOf(names);
	expect(calls.map(([contains, more]) => call(contains, more)).join(' | ')).toBe(expected);
});
