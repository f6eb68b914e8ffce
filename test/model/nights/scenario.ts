import fc from 'fast-check';

import type { AgentLists, RecordSeed, Rule } from '../../service/service';
import { maybe, oneIn } from '../drafting';
import type { Circumstances, Misbehaviour, Variant } from '../serviceBehaviour';
import { misbehavioursOf, nameOf, oddShape, rateLimit, stop } from '../serviceBehaviour';

/** A file's place in the folder, and the agent that is to know it. */
export interface Place {
	uid: string;
	fileName: string;
}

const UIDS = ['support-bot', 'guide'];

/** Of whom no item is, with a UID that differs from another's only in case. */
export const BYSTANDER = 'Support-Bot';

const NAMES = [0, 1, 2, 3, 4].map(nameOf);

/** Each name once for each agent; those of one name stand together. */
export const PLACES: Place[] = NAMES.flatMap((fileName) => UIDS.map((uid) => ({ uid, fileName })));

/** Whatever its content, CometChat is not able to read it. */
export const UNREADABLE = nameOf(4);

/** More than one page of the list, on which the bystander is the last. */
export const NIGHT_AGENTS = [
	...UIDS,
	...Array.from({ length: 60 }, (_, at) => `filler-${at}`),
	BYSTANDER,
];

/** Those of whom anything is to be seen. */
export const NIGHT_UIDS = [...UIDS, BYSTANDER];

/** From elsewhere: of names that the folder may have, and of another. */
export const FROM_ELSEWHERE: RecordSeed[] = [
	{ uniqueId: 'foreign-0', sourceName: nameOf(0) },
	{ uniqueId: 'foreign-1', sourceName: nameOf(1), status: 'failed' },
	{ uniqueId: 'foreign-2', sourceName: nameOf(0) },
	{ uniqueId: 'foreign-3', sourceName: 'elsewhere.txt' },
];

/** Which agents have them at the beginning. */
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

/** What a download saves under the name of a file if it has failed. */
export const FAILED_DOWNLOADS = [
	'<!DOCTYPE html><html><title>Sign in</title></html>',
	'{"error":{"code":"InvalidAuthenticationToken"}}',
];

/** The content of a file in which CometChat finds no text. */
export const SCAN = 'A scan';

/** What a file may contain, by number. */
export const CONTENTS = ['', 'Content 1', 'Content 2', 'Content 3', SCAN, ...FAILED_DOWNLOADS];

/** What someone does to the folder; at a place where nothing is to be done, nothing. */
export type Edit =
	/** The content is one of `CONTENTS`. */
	| { kind: 'write'; at: number; content: number }
	| { kind: 'away' | 'back'; at: number }
	| { kind: 'rename'; at: number; to: number }
	| { kind: 'clear' };

/** What someone does to the documents of a place in CometChat. */
export interface ByHand {
	kind: 'take' | 'delete' | 'share';
	at: number;
}

/** How the files of the folder come to the node, night after night. */
export type Way =
	/** All in one call. */
	| 'whole'
	/** In several calls of one execution: one by one; always the same halves; others each night. */
	| 'loop'
	| 'halves'
	| 'split'
	/** One part an execution: of a folder of two folders with a trigger each; others each time. */
	| 'folders'
	| 'parts'
	/** Only what has changed. */
	| 'changed';

/** What comes in the place of a file that is there. */
export type Flaw =
	/** Nothing at all: its download has failed, and left no item. */
	| 'missing'
	/** An item without a file, a web page, a file with an empty name, one whose name was not filled in. */
	| 'noFile'
	| 'page'
	| 'nameless'
	| 'unfilled';

/** An execution of the workflow, mostly that of a night, and what happens between the one before and it. */
export interface Night extends Circumstances {
	edits: Edit[];
	/** Whether they come right before the night. */
	isLate: boolean;
	byHand: ByHand[];
	/** As in a copy of the workflow, or with another name of the node. */
	losesNote: boolean;
	/** How many days later than usual. */
	daysLater: number;
	/** Chance, by which a folder is split into calls or parts. */
	split: number;
	flaws: Array<{ at: number; flaw: Flaw }>;
	/** For which items nothing is to be sent: those of a place's agent, or all. */
	dry?: { kind: 'agent' | 'all'; at: number };
	/** What has started the execution; a retry brings the items of the night before, and may bring its note. */
	mode: 'trigger' | 'manual' | 'retry' | 'retryWithNote';
	/** After how many calls another node fails; at the end, if there are fewer. */
	failsAfter?: number;
	/** The request with which n8n is killed, and whether CometChat still carries it out. */
	killed?: { atRequest: number; applies: boolean };
	/** Another run of the same night, and what is done to the folder before. */
	second?: { afterMs: number; edits: Edit[] };
	/** Requests that CometChat answers with 503 for 20 s, from when on. */
	outage?: { operation: NonNullable<NonNullable<Rule['for']>['operation']>; afterMs: number };
	/** How far behind the lists are. */
	lagsMs?: { agents?: number; agent?: number; records?: number };
}

/** What becomes of files that are gone. */
type GoneFiles = 'remove' | 'delete' | 'keep';

/** How the node is set up, and what the service is like in all nights. */
export interface Settings {
	way: Way;
	/** Left out: the default. */
	oldVersions?: 'never';
	goneFiles: GoneFiles;
	/** What the items of one agent say instead. */
	goneFilesOf?: { uid: string; goneFiles: GoneFiles };
	tellsModified: boolean;
	agentLists: AgentLists;
	/** Of one agent, if its lists are others than the rest's. */
	agentListsOf?: { uid: string; lists: AgentLists };
	/** An agent that the list leaves out. */
	hidden?: string;
	/** Whether the first files are older than what is in CometChat from elsewhere. */
	startsOld: boolean;
	/** Under which other name the lists say where they go on. */
	next?: string;
	freedIds: 'never' | 'again';
	/** Whether the agents' names repeat the key. */
	repeatsKey: boolean;
	/** Which files come with each call although CometChat never accepts them; they are for the agent of its first item. */
	neverAccepted: string[];
}

export interface Nights {
	settings: Settings;
	/** What is done to the folder before all of them. */
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

/** A service that behaves. */
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

/** A service that behaves, and n8n or the nodes before that do not. */
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

/** Lists that show what was. */
const late: fc.Arbitrary<Night> = fc.record({
	...usual,
	lagsMs: fc.record({
		agents: maybe(lagMs()),
		agent: maybe(lagMs()),
		records: maybe(lagMs()),
	}),
});

/** A second, or about a night. */
function lagMs() {
	return fc.constantFrom(1000, 60_000, 12_000_000, 30_000_000);
}

/** Without what would be a lie: that there is no such file, though there is. */
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
		neverAccepted: fc.subarray(Object.keys(NEVER_ACCEPTED), { maxLength: 2 }),
		startsOld: fc.boolean(),
	});
	return fc.record({
		settings: fc.tuple(settings, lists).map(([one, other]) => ({ ...one, ...other })),
		first: fc.oneof(
			fc.array(edit, { minLength: 1, maxLength: 12 }),
			fc.constantFrom(folderOf(0), folderOf(2)),
		),
		nights: fc
			.tuple(fc.array(night, { maxLength: 8 }), fc.array(good, { maxLength: 3 }), good)
			.map(([before, between, last]) => [...before, ...between, last]),
	});
}

/** A file at each place, but for the last few. */
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

/** A file that leaves a folder that comes whole, one night that is not as it should be, and its return. */
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
			// The last two are those that can't be indexed.
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

/** Random folders, nights and faults; the last night is without any. */
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
			// What a person takes from an agent, nothing tells either.
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
					// That it hides one of whom no item ever is, can't be known, nor that it shows a namesake instead.
					hidden: odd === 'hidden' ? 'guide' : undefined,
					next: odd === 'next' ? next : undefined,
				})),
			// What a person takes from an agent, such lists do not tell.
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

/** Whether the lists tell which documents each agent has, if the night's lists are not late. */
export function isTold({ agentLists, agentListsOf, hidden, next }: Settings): boolean {
	const isOdd = agentListsOf !== undefined || hidden !== undefined || next !== undefined;
	return !isOdd && (agentLists === 'uniqueIds' || agentLists === 'stale');
}

/** Whether the service behaves, and nobody else is at work. */
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
