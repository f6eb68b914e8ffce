import fc from 'fast-check';

import type { AgentLists, RecordSeed, Rule } from '../../service/service';
import { maybe, oneIn } from '../drafting';
import type { Circumstances, Misbehaviour, Variant } from '../serviceBehaviour';
import { misbehavioursOf, nameOf, oddShape, rateLimit, stop } from '../serviceBehaviour';

/** The name of a file in the folder, and its agent. */
export interface Place {
	uid: string;
	fileName: string;
}

const UIDS = ['support-bot', 'guide'];

/** An agent without items, whose UID differs from another only in case. */
export const BYSTANDER = 'Support-Bot';

const NAMES = [0, 1, 2, 3, 4].map(nameOf);

/** Each name once for each agent; the same names are next to each other. */
export const PLACES: Place[] = NAMES.flatMap((fileName) => UIDS.map((uid) => ({ uid, fileName })));

/** CometChat can't index this file, whatever its content. */
export const UNREADABLE = nameOf(4);

/** More than a page of agents, with the bystander as the last. */
export const NIGHT_AGENTS = [
	...UIDS,
	...Array.from({ length: 60 }, (_, at) => `filler-${at}`),
	BYSTANDER,
];

/** The agents whose documents are checked. */
export const NIGHT_UIDS = [...UIDS, BYSTANDER];

/** Uploads from elsewhere, with names that the folder may have, and another name. */
export const FROM_ELSEWHERE: RecordSeed[] = [
	{ uniqueId: 'foreign-0', sourceName: nameOf(0) },
	{ uniqueId: 'foreign-1', sourceName: nameOf(1), status: 'failed' },
	{ uniqueId: 'foreign-2', sourceName: nameOf(0) },
	{ uniqueId: 'foreign-3', sourceName: 'elsewhere.txt' },
];

/** The agents that use them at the start. */
export const HELD = [
	{ uid: 'support-bot', sourceType: 'uploads', ids: ['foreign-0', 'foreign-3'] },
	{ uid: 'guide', sourceType: 'uploads', ids: ['foreign-1', 'foreign-3'] },
	{ uid: BYSTANDER, sourceType: 'uploads', ids: ['foreign-1', 'foreign-2'] },
];

/** Files of the folder that CometChat never accepts, by name. */
export const NEVER_ACCEPTED: Record<string, { mimeType?: string; text: string }> = {
	'Thumbs.db': { text: 'Thumbnails' },
	'~$0.docx': { text: 'Locked by Ann' },
	'.~lock.0.csv#': { text: 'Locked by Ann' },
	'photo.png': { mimeType: 'image/png', text: 'A photo' },
	'index.html': { mimeType: 'text/html', text: '<!DOCTYPE html>' },
	'empty.txt': { text: '' },
};

export const FAILED_DOWNLOADS = [
	'<!DOCTYPE html><html><title>Sign in</title></html>',
	'{"error":{"code":"InvalidAuthenticationToken"}}',
];

/** The content of a file in which CometChat finds no text. */
export const SCAN = 'A scan';

export const CONTENTS = ['', 'Content 1', 'Content 2', 'Content 3', SCAN, ...FAILED_DOWNLOADS];

/** A change of the folder; without a file at its place, nothing changes. */
export type Edit =
	/** The content is one of `CONTENTS`. */
	| { kind: 'write'; at: number; content: number }
	| { kind: 'away' | 'back'; at: number }
	| { kind: 'rename'; at: number; to: number }
	| { kind: 'clear' };

/** A change of the documents of a place in CometChat. */
export interface ByHand {
	kind: 'take' | 'delete' | 'share';
	at: number;
}

/** How the node receives the files of the folder, night after night. */
export type Way =
	/** All in one call. */
	| 'whole'
	/** In several calls of one execution: one by one; always the same halves; other parts each night. */
	| 'loop'
	| 'halves'
	| 'split'
	/** One part per execution: two folders with a trigger each; other parts each time. */
	| 'folders'
	| 'parts'
	| 'changed';

/** The replacement of an existing file in the input. */
export type Flaw =
	/** No item, because the download has failed. */
	| 'missing'
	/** An item without a file, with a web page, with an empty file name, or with an unfilled name. */
	| 'noFile'
	| 'page'
	| 'nameless'
	| 'unfilled';

/** An execution of the workflow, usually at night, and the changes since the previous one. */
export interface Night extends Circumstances {
	edits: Edit[];
	/** Whether the changes are made just before the night. */
	isLate: boolean;
	byHand: ByHand[];
	/** Whether the record is lost, as in a copy of the workflow, or with another name of the node. */
	losesNote: boolean;
	daysLater: number;
	/** The random number by which a folder is split into calls or parts. */
	split: number;
	flaws: Array<{ at: number; flaw: Flaw }>;
	/** The items of a dry run: the items of one agent, or all items. */
	dry?: { kind: 'agent' | 'all'; at: number };
	/** The start of the execution. A retry has the items of the previous night, and may have its record. */
	mode: 'trigger' | 'manual' | 'retry' | 'retryWithNote';
	/** The number of calls before another node fails; with fewer calls, at the end. */
	failsAfter?: number;
	/** The request at which n8n is killed, and whether CometChat carries it out. */
	killed?: { atRequest: number; applies: boolean };
	/** Another execution of the same night, and the changes of the folder before it. */
	second?: { afterMs: number; edits: Edit[] };
	/** The requests with status 503 for 20 s, and the start of this outage. */
	outage?: { operation: NonNullable<NonNullable<Rule['for']>['operation']>; afterMs: number };
	lagsMs?: { agents?: number; agent?: number; records?: number };
}

type GoneFiles = 'remove' | 'delete' | 'keep';

/** The settings of the node, and the behaviour of the service in all nights. */
export interface Settings {
	way: Way;
	/** Left out: the default. */
	oldVersions?: 'never';
	goneFiles: GoneFiles;
	/** Another setting in the items of one agent. */
	goneFilesOf?: { uid: string; goneFiles: GoneFiles };
	tellsModified: boolean;
	/** Whether the items are rows with texts instead of files. */
	areTexts: boolean;
	agentLists: AgentLists;
	/** The lists of one agent, if they differ. */
	agentListsOf?: { uid: string; lists: AgentLists };
	hidden?: string;
	/** Whether the first files are older than the uploads from elsewhere. */
	startsOld: boolean;
	/** Another name for the start of the next page. */
	next?: string;
	freedIds: 'never' | 'again';
	/** Whether the agents' names repeat the key. */
	repeatsKey: boolean;
	/** The files in each call that CometChat never accepts, for the agent of its first item. */
	neverAccepted: string[];
}

export interface Nights {
	settings: Settings;
	/** The changes of the folder before all nights. */
	first: Edit[];
	nights: Night[];
}

const place = fc.nat(PLACES.length - 1);

const edit: fc.Arbitrary<Edit> = fc.oneof(
	{
		weight: 12,
		arbitrary: fc.record({
			kind: fc.constant('write' as const),
			at: place,
			content: fc.constantFrom(1, 2, 3, 1, 2, 3, 0, 4, 5, 6),
		}),
	},
	{
		weight: 10,
		arbitrary: fc.record({
			kind: fc.constantFrom('away' as const, 'away' as const, 'back' as const),
			at: place,
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({ kind: fc.constant('rename' as const), at: place, to: place }),
	},
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('clear' as const) }) },
);

const byHand: fc.Arbitrary<ByHand> = fc.record({
	kind: fc.constantFrom('take', 'delete', 'share'),
	at: place,
});

const variant: fc.Arbitrary<Variant> = fc.record({
	recorded: maybe(fc.constantFrom('fromInitiate', 'fromBytes')),
	secondUse: maybe(fc.constantFrom('refuse', 'accept')),
	indexingMs: fc.constantFrom(0, 20, 3000),
	ends: maybe(fc.constantFrom('indexed', 'inSync')),
	unknownInPoll: oneIn(4, fc.constant('refuse')),
});

/** A night without faults of the service. */
const usual = {
	edits: fc.nat(3).chain((drawn) => fc.array(edit, { maxLength: drawn === 3 ? 4 : 1 })),
	isLate: fc.boolean(),
	byHand: fc.nat(3).chain((drawn) => fc.array(byHand, { maxLength: drawn === 3 ? 2 : 0 })),
	losesNote: fc.nat(14).map((drawn) => drawn === 14),
	daysLater: fc.nat(9).map((drawn) => (drawn === 9 ? 8 : drawn === 8 ? 1 : 0)),
	split: fc.nat(1_000_000),
	flaws: fc.constant<Night['flaws']>([]),
	mode: fc.constant<Night['mode']>('trigger'),
	onError: fc.constant<Circumstances['onError']>('continueRegularOutput'),
	misbehaviours: fc.constant<Misbehaviour[]>([]),
	variant,
	chance: fc.nat(99),
};

const good: fc.Arbitrary<Night> = fc.record(usual);

const misbehaviours = misbehavioursOf([
	'records',
	'list',
	'agent',
	'initiate',
	'poll',
	'add',
	'remove',
	'deleteUpload',
]).map((all) => all.map(credible));

const troubled: fc.Arbitrary<Night> = fc
	.record({
		...usual,
		onError: fc.constantFrom<Circumstances['onError']>('continueRegularOutput', 'stopWorkflow'),
		misbehaviours,
		rateLimit: oneIn(4, rateLimit),
		stop: oneIn(5, stop),
		failEvery: oneIn(2, fc.constantFrom(1, 2, 3)),
	})
	.map(({ failEvery, ...night }) => ({ ...night, variant: { ...night.variant, failEvery } }));

const killed: fc.Arbitrary<Night> = fc.record({
	...usual,
	killed: fc.record({ atRequest: fc.integer({ min: 1, max: 25 }), applies: fc.boolean() }),
});

const double: fc.Arbitrary<Night> = fc.record({
	...usual,
	second: fc.record({
		afterMs: fc.constantFrom(0, 10, 30, 70, 150, 1000, 4000),
		edits: fc.array(edit, { maxLength: 2 }),
	}),
});

const outage: fc.Arbitrary<Night> = fc.record({
	...usual,
	outage: fc.record({
		operation: fc.constantFrom('agent' as const, 'records', 'list', 'poll', 'add', 'remove'),
		afterMs: fc.constantFrom(0, 0, 20, 100),
	}),
});

const flaw: fc.Arbitrary<Flaw> = fc.constantFrom(
	'missing',
	'missing',
	'noFile',
	'page',
	'nameless',
	'unfilled',
);

type Kind = 'flaws' | 'mode' | 'failsAfter' | 'dry';

/** Draws nights without faults of the service, but with faults of n8n or of the previous nodes. */
function flawedBy(...kinds: Kind[]): fc.Arbitrary<Night> {
	return fc
		.record({
			...usual,
			kind: fc.constantFrom(...kinds),
			flaws: fc.array(fc.record({ at: place, flaw }), { minLength: 1, maxLength: 3 }),
			mode: fc.constantFrom<Night['mode']>('manual', 'retry', 'retryWithNote'),
			failsAfter: fc.nat(3),
			dry: fc.record({ kind: fc.constantFrom('agent', 'all'), at: place }),
		})
		.map(({ kind, flaws, mode, failsAfter, dry, ...night }) => ({
			...night,
			flaws: kind === 'flaws' ? flaws : [],
			mode: kind === 'mode' ? mode : 'trigger',
			failsAfter: kind === 'failsAfter' ? failsAfter : undefined,
			dry: kind === 'dry' ? dry : undefined,
		}));
}

const flawed = flawedBy('flaws', 'flaws', 'flaws', 'mode', 'mode', 'failsAfter', 'dry');

const late: fc.Arbitrary<Night> = fc.record({
	...usual,
	lagsMs: fc.record({
		agents: maybe(lagMs()),
		agent: maybe(lagMs()),
		records: maybe(lagMs()),
	}),
});

function lagMs() {
	return fc.constantFrom(1000, 60_000, 12_000_000, 30_000_000);
}

/** Excludes a false response: an existing file can't be unknown. */
function credible(given: Misbehaviour): Misbehaviour {
	const isLie = given.for.operation === 'remove' && given.kind === 'status';
	return isLie && given.status === 404 ? { ...given, status: 400 } : given;
}

type Lists = Pick<
	Settings,
	'agentLists' | 'agentListsOf' | 'hidden' | 'next' | 'oldVersions' | 'freedIds' | 'repeatsKey'
>;

const goneFiles = fc.constantFrom<GoneFiles>('remove', 'remove', 'delete', 'delete', 'keep');

const way = fc.constantFrom<Way>(
	'whole',
	'whole',
	'whole',
	'loop',
	'halves',
	'split',
	'folders',
	'parts',
	'changed',
);

function nightsOf(night: fc.Arbitrary<Night>, lists: fc.Arbitrary<Lists>): fc.Arbitrary<Nights> {
	const settings = fc.record({
		way,
		goneFiles,
		goneFilesOf: oneIn(6, fc.record({ uid: fc.constantFrom(...UIDS), goneFiles })),
		tellsModified: fc.boolean(),
		areTexts: fc.nat(2).map((drawn) => drawn === 2),
		neverAccepted: fc.subarray(Object.keys(NEVER_ACCEPTED), { maxLength: 2 }),
		startsOld: fc.boolean(),
	});
	return fc.record({
		settings: fc.tuple(settings, lists).map(([one, other]) => {
			const neverAccepted = one.areTexts ? [] : one.neverAccepted;
			return { ...one, ...other, neverAccepted };
		}),
		first: fc.oneof(
			fc.array(edit, { minLength: 1, maxLength: 12 }),
			fc.constantFrom(folderOf(0), folderOf(2)),
		),
		nights: fc
			.tuple(fc.array(night, { maxLength: 8 }), fc.array(good, { maxLength: 3 }), good)
			.map(([before, between, last]) => [...before, ...between, last]),
	});
}

/** Returns changes that write a file at each place, except for the last few. */
function folderOf(lacking: number): Edit[] {
	const places = PLACES.slice(0, PLACES.length - lacking);
	return places.map((__, at) => ({ kind: 'write', at, content: 1 }));
}

const usualLists = {
	freedIds: fc.constant<Settings['freedIds']>('never'),
	repeatsKey: fc.nat(7).map((drawn) => drawn === 7),
	oldVersions: fc.constantFrom<Settings['oldVersions']>(undefined, undefined, 'never'),
};

const lists = fc.record({
	...usualLists,
	agentLists: fc.constantFrom<AgentLists>('uniqueIds', 'uniqueIds', 'stale'),
});

/** A file that is missing from an otherwise complete folder, one faulty night, and its return. */
const leaving: fc.Arbitrary<Nights> = fc
	.record({
		given: nightsOf(good, lists),
		calm: fc.tuple(good, good, good, good),
		other: fc.oneof(
			{ weight: 7, arbitrary: flawedBy('mode', 'mode', 'failsAfter', 'dry', 'flaws') },
			{ weight: 2, arbitrary: outage },
			{ weight: 1, arbitrary: late },
		),
		goneFilesOf: oneIn(3, fc.record({ uid: fc.constantFrom(...UIDS), goneFiles })),
		at: fc.nat(PLACES.length - 1),
		isLater: fc.nat(3).map((drawn) => drawn > 0),
	})
	.map(({ given: { settings }, calm, other, goneFilesOf, at, isLater }) => {
		const [first, before, after, last] = calm;
		const rest = { byHand: [], losesNote: false, edits: [] };
		const [leaves, stays] = isLater ? [before, other] : [other, before];
		return {
			settings: {
				...settings,
				way: 'whole',
				goneFiles: settings.goneFiles === 'keep' ? 'remove' : settings.goneFiles,
				goneFilesOf,
			},
			// The last two can't be indexed.
			first: folderOf(at < PLACES.length - 2 ? 2 : 0),
			nights: [
				{ ...first, ...rest },
				{ ...leaves, ...rest, edits: [{ kind: 'away', at }] },
				{ ...stays, ...rest },
				{ ...after, ...rest },
				{ ...last, ...rest, edits: [{ kind: 'back', at }] },
			],
		};
	});

/** A file that is older than an upload from elsewhere, and changes later. */
const outdated: fc.Arbitrary<Nights> = fc
	.record({
		given: nightsOf(good, lists),
		calm: fc.tuple(good, good, good),
		change: fc.oneof(good, troubled),
		content: fc.constantFrom(2, 3, 4),
	})
	.map(({ given: { settings }, calm: [first, after, last], change, content }) => {
		const rest = { byHand: [], losesNote: false, edits: [] };
		const edits: Edit[] = [{ kind: 'write', at: 0, content }];
		return {
			settings: { ...settings, way: 'whole', tellsModified: true, startsOld: true },
			first: folderOf(0),
			nights: [
				{ ...first, ...rest },
				{ ...change, ...rest, edits },
				{ ...after, ...rest },
				{ ...last, ...rest },
			],
		};
	});

/** Random folders, nights and faults; the last night has no fault. */
export const nightsArbitrary: fc.Arbitrary<Nights> = fc.oneof(
	{
		weight: 6,
		arbitrary: nightsOf(
			fc.oneof(
				{ weight: 5, arbitrary: good },
				{ weight: 4, arbitrary: flawed },
				{ weight: 3, arbitrary: troubled },
				{ weight: 2, arbitrary: killed },
				{ weight: 2, arbitrary: double },
				{ weight: 2, arbitrary: late },
				{ weight: 2, arbitrary: outage },
			),
			lists,
		),
	},
	{
		weight: 1,
		arbitrary: nightsOf(
			fc.oneof(
				{ weight: 5, arbitrary: good },
				{ weight: 1, arbitrary: troubled },
				{ weight: 1, arbitrary: flawed },
			),
			fc.record({
				...usualLists,
				agentLists: fc.constantFrom('empty', 'otherIds', 'null', 'missing', 'objects'),
			}),
			// Nothing reports that a user removed a document from an agent.
		).map(({ nights, ...more }) => ({
			...more,
			nights: nights.map((night) => ({ ...night, byHand: [] })),
		})),
	},
	{
		weight: 2,
		arbitrary: nightsOf(
			fc.oneof(
				{ weight: 4, arbitrary: good },
				{ weight: 1, arbitrary: flawed },
				{ weight: 1, arbitrary: late },
			),
			fc
				.record({
					...usualLists,
					agentLists: fc.constantFrom<AgentLists>('uniqueIds', 'uniqueIds', 'stale'),
					odd: fc.constantFrom('shape', 'hidden', 'next'),
					uid: fc.constantFrom(...UIDS),
					bystander: fc.boolean(),
					lists: oddShape,
					next: fc.constantFrom('nextCursor', 'after'),
				})
				.map(({ odd, uid, bystander, lists, next, ...more }) => ({
					...more,
					agentListsOf: odd === 'shape' ? { uid: bystander ? BYSTANDER : uid, lists } : undefined,
					// Nothing reports that an agent without items is hidden, or that a namesake is listed.
					hidden: odd === 'hidden' ? 'guide' : undefined,
					next: odd === 'next' ? next : undefined,
				})),
			// Such lists don't report that a user removed a document from an agent.
		).map(({ nights, ...more }) => ({
			...more,
			nights: nights.map(({ byHand: all, ...night }) => ({
				...night,
				byHand: all.filter(({ kind }) => kind === 'share'),
			})),
		})),
	},
	{ weight: 4, arbitrary: leaving },
	{ weight: 1, arbitrary: outdated },
);

/** Whether the lists report the documents of each agent, if they are not late. */
export function isTold({ agentLists, agentListsOf, hidden, next }: Settings): boolean {
	const isOdd = agentListsOf !== undefined || hidden !== undefined || next !== undefined;
	return !isOdd && (agentLists === 'uniqueIds' || agentLists === 'stale');
}

/** Whether a night has no fault of the service and no changes by others. */
export function isGood({
	misbehaviours: all,
	stop: pressed,
	killed: kill,
	second,
	lagsMs,
	outage: out,
	...night
}: Night) {
	const isLimited = night.rateLimit !== undefined || night.variant.failEvery !== undefined;
	const goesOn = night.onError !== 'stopWorkflow';
	const isCalm = !pressed && !kill && !second && !lagsMs && !out;
	return goesOn && all.length === 0 && isCalm && !isLimited;
}

/** Whether the published workflow ran to its end. */
export function isProven({ mode, failsAfter }: Night): boolean {
	return mode === 'trigger' && failsAfter === undefined;
}
