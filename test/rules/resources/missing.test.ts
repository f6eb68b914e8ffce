import type { Call } from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/missing';
import { missingFrom } from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/missing';
import type { FileRecord } from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/record';

const HOUR_MS = 3_600_000;

/** A folder, and what calls say about it. */
function folderOf(names: string) {
	const files = new Map<string, FileRecord>();
	for (const name of names) files.set(name, { uniqueId: name });
	let nowMs = 0;
	/** A call, by default in an execution of its own a day after the one before. `d`: removed, `d?`: missing, `d!`: too many. */
	const call = (
		contains: string,
		{ hours = 24, ...more }: Partial<Call> & { hours?: number } = {},
	) => {
		nowMs += hours * HOUR_MS;
		for (const name of contains) if (!files.has(name)) files.set(name, { uniqueId: name });
		const found = missingFrom([...files], new Set(contains), {
			...{ nowMs, execution: String(nowMs), limit: 100, ...more },
		});
		const said = found.map(({ name, reason }) => {
			if (reason === undefined) files.delete(name);
			return reason ? `${name}${reason.isWarned ? '!' : '?'}` : name;
		});
		return said.join(' ');
	};
	return { files, call };
}

const UNCLEAR = { unclear: { text: 'It is a retry' } };
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
	['not spoken of by half of the files', 'abcd', [['abcd'], ['ab'], ['ab']], ' |  | '],
	['not spoken of by other files', 'abcd', [['abcd'], ['uvwxyz'], ['uvwxyz']], ' |  | '],
	['not spoken of before a call has contained it', 'abcd', [['abc'], ['abc']], ' | '],
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
	[
		'too many at once',
		'abcd',
		[['abcd'], ['abc', { limit: 25 }], ['abc', { limit: 25 }], ['abc', { limit: 26 }]],
		' | d! | d! | d',
	],
])('A file is %s', (_, names, calls, expected) => {
	const { call } = folderOf(names);
	expect(calls.map(([contains, more]) => call(contains, more)).join(' | ')).toBe(expected);
});

test('The limit is a share of the files that came together', () => {
	const { call } = folderOf('abcdwxyz');
	call('abcd');
	call('wxyz');
	// A quarter of its call, and an eighth of the record.
	expect(call('abc', { limit: 25 })).toBe('d!');
});
