import type { Known } from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/syncDecision';
import { decide } from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/syncDecision';
import { given } from '../../../nodes/CometChatKnowledgeBase/values/shown';

const HOUR_MS = 3_600_000;
const CREATED_MS = Date.UTC(2026, 10, 20);

interface Case {
	/** Of the uploads that there are; 'indexed' if it is not named. */
	statuses?: Record<string, string>;
	/** The uploads of the name that the agent has. */
	has: string[];
	/** Others that CometChat has. */
	there?: string[];
	noted?: Partial<NonNullable<Known['noted']>>;
	isTold?: boolean;
	showsNone?: boolean;
	modifiedMs?: number;
}

const current = { uniqueId: 'current', sha256: 'now' };
const stale = { uniqueId: 'current', sha256: 'before' };
const pending = { uniqueId: 'pending', sha256: 'now' };

function decided({ has, there = [], noted, isTold = true, ...more }: Case) {
	const { showsNone, modifiedMs, statuses = {} } = more;
	const recordOf = (uniqueId: string) => ({
		uniqueId: given(uniqueId),
		status: given(statuses[uniqueId] ?? 'indexed'),
		createdAt: uniqueId === 'younger' ? CREATED_MS + 1 : CREATED_MS,
	});
	const all = [...has, ...there];
	const decision = decide({
		sha256: 'now',
		modifiedMs,
		noted: noted && { old: [], ...noted },
		isTold,
		showsNone,
		versions: has.map(recordOf),
		recordWithId: (id) => (all.includes(id) ? recordOf(id) : undefined),
	});
	if (decision === undefined) return 'nobody knows';
	const old = decision.oldVersions.map(
		({ uniqueId, mayBeAttached }) => `${uniqueId}${mayBeAttached ? '' : ' (not attached)'}`,
	);
	return [
		`${decision.action}: ${decision.reason}`,
		decision.current
			? `${decision.current.isAttached ? 'keeps' : 'adds'} ${decision.current.uniqueId}`
			: 'uploads',
		...(old.length > 0 ? [`instead of ${old.join(', ')}`] : []),
	].join('; ');
}

describe('With a note, the content decides', () => {
	test.each<[string, Case, string]>([
		[
			'the same',
			{ has: ['current'], noted: { current } },
			'unchanged: The content is the same; keeps current',
		],
		[
			'the same, whatever the time says',
			{ has: ['current'], noted: { current }, modifiedMs: CREATED_MS + HOUR_MS },
			'unchanged: The content is the same; keeps current',
		],
		[
			'the same, and CometChat does not tell what the agent has',
			{ has: [], there: ['current'], noted: { current }, isTold: false },
			'unchanged: The content is the same; keeps current',
		],
		[
			'the same, and the agent shows nothing at all, which it did once',
			{ has: ['current'], noted: { current }, isTold: false, showsNone: true },
			'added: The agent no longer had it; adds current',
		],
		[
			'another, and the agent shows nothing at all: it may have the last all the same',
			{ has: ['current'], noted: { current: stale }, isTold: false, showsNone: true },
			'replaced: The content has changed; uploads; instead of current',
		],
		[
			'the same, and the agent has lost it',
			{ has: [], there: ['current'], noted: { current } },
			'added: The agent no longer had it; adds current',
		],
		[
			'the same, and CometChat has lost it',
			{ has: [], noted: { current } },
			'added: The agent no longer had it; uploads',
		],
		[
			'the same, and CometChat was not able to read it',
			{ has: ['current'], noted: { current }, statuses: { current: 'failed' } },
			'replaced: CometChat was not able to read it; uploads; instead of current',
		],
		[
			'the same, and the agent has another of the name, too: two runs at once, or one that was killed',
			{ has: ['current', 'other'], noted: { current } },
			'replaced: The agent had it more than once; keeps current; instead of other',
		],
		[
			'the same, and another has taken its place',
			{ has: ['other'], there: ['current'], noted: { current } },
			'replaced: The agent no longer had it; adds current; instead of other',
		],
		[
			'the same, with what an earlier run did not come to take away',
			{
				has: ['current', 'left'],
				there: ['gone'],
				noted: { current, old: ['left', 'gone', 'nowhere'] },
			},
			'replaced: The agent had it more than once; keeps current; instead of left, gone (not attached)',
		],
		[
			'another',
			{ has: ['current'], noted: { current: stale } },
			'replaced: The content has changed; uploads; instead of current',
		],
		[
			'another, and the agent has lost the last',
			{ has: [], there: ['current'], noted: { current: stale } },
			'added: The agent no longer had it; uploads; instead of current (not attached)',
		],
		[
			'another, and the agent has two of the name',
			{ has: ['current', 'other'], noted: { current: stale } },
			'replaced: The content has changed; uploads; instead of current, other',
		],
		[
			'uploaded already, and not added',
			{ has: ['current'], there: ['pending'], noted: { current: stale, pending } },
			'replaced: Its upload was not added yet; adds pending; instead of current',
		],
		[
			'uploaded already, and added after all',
			{ has: ['pending'], noted: { pending } },
			'unchanged: Its upload was not added yet; keeps pending',
		],
		[
			'uploaded already, and not readable',
			{ has: [], there: ['pending'], noted: { pending }, statuses: { pending: 'failed' } },
			'added: New; uploads; instead of pending (not attached)',
		],
		[
			'not that of the upload that was not added, as far as is known, and CometChat does not tell',
			{
				has: [],
				there: ['pending'],
				noted: { pending: { ...pending, sha256: 'x' } },
				isTold: false,
			},
			'added: New; uploads; instead of pending',
		],
		[
			'not that of the upload that was not added',
			{
				has: ['current'],
				there: ['pending'],
				noted: { current: stale, pending: { ...pending, sha256: 'x' } },
			},
			'replaced: The content has changed; uploads; instead of current, pending (not attached)',
		],
	])('%s', (_, given, expected) => {
		expect(decided(given)).toBe(expected);
	});
});

describe('Without a note, the time decides', () => {
	test.each<[string, Case, string]>([
		['nothing of the name', { has: [] }, 'added: New; uploads'],
		[
			'nothing of the name, but one that was left to be deleted, and CometChat does not tell who has it',
			{ has: [], there: ['left'], noted: { old: ['left'] }, isTold: false },
			'added: New; uploads; instead of left (not attached)',
		],
		[
			'not modified since its upload',
			{ has: ['a'], modifiedMs: CREATED_MS - HOUR_MS },
			'unchanged: Not modified since its upload; keeps a',
		],
		[
			'modified so shortly before that the upload may be older',
			{ has: ['a'], modifiedMs: CREATED_MS - HOUR_MS + 1 },
			'replaced: Modified since its upload, or shortly before; uploads; instead of a',
		],
		[
			'not modified, and not readable',
			{ has: ['a'], modifiedMs: 0, statuses: { a: 'failed' } },
			'replaced: CometChat was not able to read it; uploads; instead of a',
		],
		[
			'no time: it counts as changed',
			{ has: ['a'] },
			'replaced: Not known what was sent last; uploads; instead of a',
		],
		[
			'a time, but CometChat does not tell whether the agent has the upload',
			{ has: ['a'], modifiedMs: 0, isTold: false },
			'replaced: Not known what was sent last; uploads; instead of a',
		],
		['two of the name', { has: ['a', 'b'], modifiedMs: 0 }, 'nobody knows'],
		[
			'two of the name, of which one was noted and is gone: the younger counts',
			{ has: ['a', 'younger'], noted: { current }, modifiedMs: CREATED_MS - HOUR_MS + 1 },
			'replaced: The agent had it more than once; keeps younger; instead of a',
		],
	])('%s', (_, given, expected) => {
		expect(decided(given)).toBe(expected);
	});
});
