import type { KnownFile } from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/syncDecision';
import { decide } from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/syncDecision';
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
	/** Those of them that the list of records lacks. */
	unlisted?: string[];
	noted?: Partial<NonNullable<KnownFile['noted']>>;
	unkept?: KnownFile['unkept'];
	isTold?: boolean;
	showsNone?: boolean;
	modifiedMs?: number;
}

const own = { isOwn: true };
const current = { uniqueId: 'current', sha256: 'now', ...own };
const stale = { ...current, sha256: 'before' };
const pending = { uniqueId: 'pending', sha256: 'now', ...own };
const superseded = { ...pending, sha256: 'x' };
const out = { uniqueId: 'out', sha256: 'now', ...own };

const NOW_MS = CREATED_MS + 100 * HOUR_MS;
const unreadable = { sha256: 'now', tries: 3, lastMs: NOW_MS - 7 * 24 * HOUR_MS + 1 };

function decided({ has, there = [], noted, isTold = true, ...more }: Case) {
	const { showsNone, modifiedMs, unkept, statuses = {}, unlisted = [] } = more;
	const created: Record<string, number> = { younger: 1, pending: 1, youngest: 2 };
	const recordOf = (uniqueId: string) => ({
		uniqueId: given(uniqueId),
		status: given(statuses[uniqueId] ?? 'indexed'),
		createdAt: CREATED_MS + (created[uniqueId] ?? 0),
	});
	const all = [...has, ...there];
	const decision = decide({
		sha256: 'now',
		modifiedMs,
		noted: noted && { old: [], out: [], ...noted },
		unkept,
		isTold,
		showsNone,
		versions: has.map(recordOf),
		recordWithId: (id) => (all.includes(id) ? recordOf(id) : undefined),
		isListed: (id) => !unlisted.includes(id),
		nowMs: NOW_MS,
	});
	if (decision.kind === 'several') return 'nobody knows';
	if (decision.kind === 'unreadable') {
		const { unreadable: content, nextMs } = decision;
		return `waits after ${content.tries} tries until ${(nextMs - NOW_MS) / HOUR_MS} hours from now`;
	}
	const old = decision.oldVersions.map(({ uniqueId, mayBeAttached, isForeign }) =>
		[
			isForeign ? `${uniqueId} from elsewhere` : uniqueId,
			...(mayBeAttached ? [] : ['(not attached)']),
		].join(' '),
	);
	return [
		`${decision.action}: ${decision.reason}`,
		decision.current
			? `${decision.current.isAttached ? 'keeps' : 'adds'} ${decision.current.uniqueId}`
			: 'uploads',
		...(old.length > 0 ? [`instead of ${old.join(', ')}`] : []),
		...(decision.superseded
			? [`in vain ${decision.superseded.uniqueId}${decision.isAhead ? ', the newest' : ''}`]
			: []),
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
			'the same, which the agent has and the list of records lacks',
			{ has: ['current'], unlisted: ['current'], noted: { current } },
			'unchanged: The content is the same; keeps current',
		],
		[
			'the same, which neither the agent has nor the list of records',
			{ has: [], there: ['current'], unlisted: ['current'], noted: { current } },
			'added: The agent no longer had it; uploads; instead of current (not attached)',
		],
		[
			'the same, which the list of records lacks, and CometChat does not tell what the agent has',
			{ has: ['current'], unlisted: ['current'], noted: { current }, isTold: false },
			"replaced: CometChat's list of files does not show it; uploads; instead of current",
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
			'replaced: The agent had it more than once; keeps current; instead of other from elsewhere',
		],
		[
			'the same, and another has taken its place',
			{ has: ['other'], there: ['current'], noted: { current } },
			'replaced: The agent no longer had it; adds current; instead of other from elsewhere',
		],
		[
			'the same, with what an earlier run did not come to take away',
			{
				has: ['current', 'left'],
				there: ['gone'],
				noted: {
					current,
					old: [
						{ uniqueId: 'left', ...own },
						{ uniqueId: 'gone', ...own },
						{ uniqueId: 'nowhere', ...own },
					],
				},
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
			'replaced: The content has changed; uploads; instead of current, other from elsewhere',
		],
		[
			'uploaded already, and not added',
			{ has: ['current'], there: ['pending'], noted: { current: stale, pending } },
			'replaced: Uploaded before, but not added yet; adds pending; instead of current',
		],
		[
			'that of an upload that was taken out, and of a later one',
			{
				has: [],
				there: ['out', 'outAgain'],
				noted: { out: [out, { ...out, uniqueId: 'outAgain' }] },
			},
			'added: Back in the folder; adds outAgain; instead of out (not attached)',
		],
		[
			'that of an upload that was taken out, and not of a later one',
			{
				has: [],
				there: ['out', 'outAgain'],
				noted: { out: [out, { ...out, uniqueId: 'outAgain', sha256: 'x' }] },
			},
			'added: Back in the folder; adds out; instead of outAgain (not attached)',
		],
		[
			'that of an upload that was taken out, though CometChat was not able to read it three times',
			{ has: [], there: ['out'], noted: { out: [out], unreadable } },
			'added: Back in the folder; adds out',
		],
		[
			'not that of an upload that may have been added, whose predecessor the agent has lost',
			{
				has: [],
				there: ['current', 'pending'],
				noted: { current: stale, pending: { ...superseded, mayBeAttached: true } },
			},
			'added: The agent no longer had it; uploads; instead of current (not attached), pending',
		],
		[
			'not that of an upload of which nobody knows whose it is',
			{ has: [], there: ['pending'], noted: { pending: { ...superseded, isOwn: false } } },
			'added: New; uploads; instead of pending from elsewhere (not attached)',
		],
		[
			'not that of the upload that was not added, and the agent has one that is as old',
			{ has: ['younger'], there: ['pending'], noted: { pending: superseded } },
			'replaced: No record of what was sent last; uploads; instead of younger from elsewhere; in vain pending',
		],
		[
			'uploaded already, and added after all',
			{ has: ['pending'], noted: { pending } },
			'unchanged: Uploaded before, but not added yet; keeps pending',
		],
		[
			'uploaded already, and not readable',
			{ has: [], there: ['pending'], noted: { pending }, statuses: { pending: 'failed' } },
			'added: New; uploads; in vain pending, the newest',
		],
		[
			'not that of the upload that was not added, as far as is known, and CometChat does not tell',
			{
				has: [],
				there: ['pending'],
				noted: { pending: { ...superseded, mayBeAttached: true } },
				isTold: false,
			},
			'added: New; uploads; instead of pending',
		],
		[
			'not that of an upload of which nobody knows whose it is, and CometChat does not tell',
			{
				has: [],
				there: ['pending'],
				noted: { pending: { ...superseded, isOwn: false } },
				isTold: false,
			},
			'added: New; uploads; instead of pending from elsewhere',
		],
		[
			'not that of the upload that was not added',
			{
				has: ['current'],
				there: ['pending'],
				noted: { current: stale, pending: superseded },
			},
			'replaced: The content has changed; uploads; instead of current; in vain pending, the newest',
		],
		[
			'not that of the upload that was not added, and the agent has a newer one',
			{
				has: ['youngest'],
				there: ['pending'],
				noted: { current: stale, pending: superseded },
			},
			'replaced: No record of what was sent last; uploads; instead of youngest from elsewhere; in vain pending',
		],
		[
			'not that of the upload of which nobody knows whether it was added',
			{
				has: ['current'],
				there: ['pending'],
				noted: { current: stale, pending: { ...superseded, mayBeAttached: true } },
			},
			'replaced: The content has changed; uploads; instead of current, pending',
		],
		[
			'not that of the upload that was not added, and that somebody has added',
			{ has: ['current', 'pending'], noted: { current: stale, pending: superseded } },
			'replaced: The content has changed; uploads; instead of current, pending',
		],
		[
			'not that of the upload that was not added, and CometChat has lost it',
			{ has: ['current'], noted: { current: stale, pending: superseded } },
			'replaced: The content has changed; uploads; instead of current',
		],
		[
			'that of before, while an upload of another was not added',
			{ has: ['current'], there: ['pending'], noted: { current, pending: superseded } },
			'unchanged: The content is the same; keeps current; in vain pending, the newest',
		],
		[
			'not readable, three times already',
			{ has: [], noted: { unreadable } },
			`waits after 3 tries until ${1 / HOUR_MS} hours from now`,
		],
		[
			'not readable, three times already, while the agent has the one before',
			{ has: ['current'], noted: { current: stale, unreadable } },
			`waits after 3 tries until ${1 / HOUR_MS} hours from now`,
		],
		[
			'not readable, three times already, the last a week ago',
			{ has: [], noted: { unreadable: { ...unreadable, lastMs: unreadable.lastMs - 1 } } },
			'added: New; uploads',
		],
		[
			'not readable, twice until now',
			{ has: [], noted: { unreadable: { ...unreadable, tries: 2 } } },
			'added: New; uploads',
		],
		[
			'another than the one that was not readable three times',
			{ has: [], noted: { unreadable: { ...unreadable, sha256: 'before' } } },
			'added: New; uploads',
		],
		[
			'one that CometChat has read after all, three tries or not',
			{ has: ['current'], noted: { current, unreadable } },
			'unchanged: The content is the same; keeps current',
		],
		[
			'that which this node has taken out',
			{ has: [], there: ['out'], noted: { out: [{ ...out, uniqueId: 'older' }, out] } },
			'added: Back in the folder; adds out',
		],
		[
			'that which this node has taken out, though the list of the agent still shows it',
			{ has: ['out'], noted: { out: [out] } },
			'added: Back in the folder; adds out',
		],
		[
			'that which this node has taken out, and CometChat has lost it',
			{ has: [], noted: { out: [out] } },
			'added: New; uploads',
		],
		[
			'another than this node has taken out',
			{ has: [], there: ['out'], noted: { out: [{ ...out, sha256: 'x' }] } },
			'added: New; uploads; instead of out (not attached)',
		],
		[
			'another than this node has taken out, which is not its own',
			{ has: [], there: ['out'], noted: { out: [{ ...out, sha256: 'x', isOwn: false }] } },
			'added: New; uploads',
		],
		[
			'another than the agent has, and one of before is still in CometChat',
			{
				has: ['current'],
				there: ['out'],
				noted: { current: stale, out: [{ ...out, sha256: 'x' }] },
			},
			'replaced: The content has changed; uploads; instead of current',
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
			{ has: [], there: ['left'], noted: { old: [{ uniqueId: 'left', ...own }] }, isTold: false },
			'added: New; uploads; instead of left (not attached)',
		],
		[
			'not modified since its upload',
			{ has: ['a'], modifiedMs: CREATED_MS - HOUR_MS },
			'unchanged: Not modified since it was uploaded; keeps a',
		],
		[
			'modified so shortly before that the upload may be older',
			{ has: ['a'], modifiedMs: CREATED_MS - HOUR_MS + 1 },
			'replaced: Modified since it was uploaded, or shortly before; uploads; instead of a from elsewhere',
		],
		[
			'not modified, and not readable',
			{ has: ['a'], modifiedMs: 0, statuses: { a: 'failed' } },
			'replaced: CometChat was not able to read it; uploads; instead of a from elsewhere',
		],
		[
			'no time: it counts as changed',
			{ has: ['a'] },
			'replaced: No record of what was sent last; uploads; instead of a from elsewhere',
		],
		[
			'a time, but CometChat does not tell whether the agent has the upload',
			{ has: ['a'], modifiedMs: 0, isTold: false },
			'replaced: No record of what was sent last; uploads; instead of a from elsewhere',
		],
		['two of the name', { has: ['a', 'b'], modifiedMs: 0 }, 'nobody knows'],
		[
			'no time, and this process has sent the content under its ID',
			{ has: ['a'], unkept: { uniqueId: 'a', sha256: 'now' } },
			'unchanged: The content is the same; keeps a',
		],
		...[
			{ has: ['a'], unkept: { uniqueId: 'b', sha256: 'now' } },
			{ has: ['a'], unkept: { uniqueId: 'a', sha256: 'before' } },
			{ has: ['a'], unkept: { uniqueId: 'a', sha256: 'now' }, isTold: false },
		].map((one): [string, Case, string] => [
			`no time, and what this process has sent proves nothing: ${JSON.stringify(one)}`,
			one,
			'replaced: No record of what was sent last; uploads; instead of a from elsewhere',
		]),
		[
			'no time, and CometChat was not able to read what this process has sent',
			{ has: ['a'], unkept: { uniqueId: 'a', sha256: 'now' }, statuses: { a: 'failed' } },
			'replaced: CometChat was not able to read it; uploads; instead of a from elsewhere',
		],
		[
			'two of the name, of which this process has sent one',
			{ has: ['a', 'b'], unkept: { uniqueId: 'a', sha256: 'now' } },
			'nobody knows',
		],
		[
			'two of the name beside a noted one that is gone, of which this process has sent one',
			{ has: ['a', 'younger'], noted: { current }, unkept: { uniqueId: 'a', sha256: 'now' } },
			'replaced: No record of what was sent last; uploads; instead of a from elsewhere, younger from elsewhere',
		],
		[
			'two of the name, of which one was noted and is gone: the younger counts',
			{ has: ['a', 'younger'], noted: { current }, modifiedMs: CREATED_MS - HOUR_MS + 1 },
			'replaced: The agent had it more than once; keeps younger; instead of a from elsewhere',
		],
	])('%s', (_, given, expected) => {
		expect(decided(given)).toBe(expected);
	});
});
