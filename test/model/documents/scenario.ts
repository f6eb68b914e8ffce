import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { AGENTS, KNOWN_AGENTS } from '../agents';
import type { Habits } from '../habits';
import type { Circumstances, Misbehaviour, Says } from '../misbehaviour';
import {
	chance,
	claimsSuccess,
	misbehaviourTo,
	onError,
	rateLimit,
	serviceAheadMs,
	stop,
	withOneClock,
} from '../misbehaviour';
import type { Pacing } from '../options';
import { maybe, oneIn, pacing } from '../options';
import { MOST_ITEMS } from './archive';
import type { Draft } from './items';
import { drafts } from './items';

export type Operation = 'upload' | 'addText' | 'getMany' | 'getStatus' | 'delete' | 'replace';

/** One run of the node, and all that befalls it. */
export interface Scenario extends Circumstances {
	operation: Operation;
	/** Never empty. */
	items: Item[];
	options: Options;
	habits: Habits;
	/** The files and texts that the service can't read, by name. */
	unreadable: string[];
	/** Whether the agents have the old versions before the run, of twins the first; for Replace File. */
	isHeld: boolean;
	/** Another agent that has all of them; for Replace File. */
	alsoHeldBy?: string;
}

export interface Options extends Pacing {
	maxIndexingMinutes?: number;
	ifNoFileIds?: 'fail' | 'skip';
	ifGone?: 'fail' | 'deleted';
}

export interface Item {
	/** The node's parameters take their values from here. */
	json: IDataObject;
	/** By binary field. */
	files?: Record<string, FileDraft>;
	/** What that means. */
	wanted: Wanted;
}

export interface FileDraft {
	fileName: string;
	size: number;
	kept: 'on disk' | 'in memory';
}

/** What is to be done with content that has arrived. */
export interface Afterwards {
	waits: boolean;
	/** The agent to attach it to. */
	uid?: string;
}

export type Wanted =
	| ({ kind: 'upload'; files: FileDraft[] } & Afterwards)
	| ({ kind: 'addText'; title: string; text: string } & Afterwards)
	| { kind: 'getMany'; limit: number; statuses: string[]; types: string[] }
	| { kind: 'getStatus'; ids: string[] }
	| { kind: 'delete'; sourceKind: string; ids: string[] }
	| Replacement
	| { kind: 'empty' }
	| { kind: 'unusable' };

export interface Replacement {
	kind: 'replace';
	uid: string;
	file: FileDraft;
	/** What to find the old version by. */
	old: { id: string } | { name: string };
	addIfNotFound: boolean;
	deleteOld: 'ifUnused' | 'always' | 'never';
}

/** The requests of each operation. */
const REQUESTS: Record<Operation, Array<NonNullable<Misbehaviour['for']['operation']>>> = {
	upload: ['initiate', 'upload', 'poll', 'add', 'deleteUpload'],
	addText: ['createText', 'poll', 'add'],
	getMany: ['records'],
	getStatus: ['poll'],
	delete: ['deleteUpload', 'deleteText', 'deleteWebsite'],
	replace: [
		'records',
		'list',
		'agent',
		'initiate',
		'upload',
		'poll',
		'add',
		'remove',
		'deleteUpload',
	],
};

const options: fc.Arbitrary<Options> = fc.record({
	...pacing,
	maxIndexingMinutes: maybe(fc.constantFrom(1, 2, 5)),
	ifNoFileIds: maybe(fc.constantFrom('fail', 'skip')),
	ifGone: maybe(fc.constantFrom('fail', 'deleted')),
});

const habits: fc.Arbitrary<Habits> = fc.record({
	expiresMs: oneIn(4, fc.constantFrom(500, 2000, 20_000)),
	recorded: maybe(fc.constantFrom('fromInitiate', 'fromBytes')),
	secondUse: maybe(fc.constantFrom('refuse', 'refuse', 'accept')),
	indexingMs: fc.oneof(
		{ weight: 6, arbitrary: fc.constantFrom(0, 20, 700, 3000) },
		{ weight: 2, arbitrary: fc.constantFrom(20_000, 50_000) },
		{ weight: 1, arbitrary: fc.constantFrom(90_000, 400_000) },
	),
	atOnce: maybe(fc.constantFrom(1, 2)),
	ends: maybe(fc.constantFrom('indexed', 'inSync')),
	failEvery: oneIn(4, fc.constantFrom(2, 3)),
	unindexedFiles: oneIn(4, fc.constant('refuse')),
	unknownInPoll: oneIn(4, fc.constant('refuse')),
	agentLists: fc.constantFrom('uniqueIds', 'uniqueIds', 'uniqueIds', 'stale', 'empty', 'otherIds'),
});

/** What the upload host does with the bytes before it answers. */
const readingBytes = fc.record({
	bytesPerSecond: oneIn(4, fc.constantFrom(20, 1000, 50_000)),
	afterBytes: oneIn(2, fc.constantFrom(1, 30, 2000)),
});

const astray = fc.record({
	kind: fc.constant('astray' as const),
	to: fc.constantFrom('refusing' as const, 'unencrypted' as const),
	for: fc.record({
		operation: fc.constant('initiate' as const),
		fileName: fc.nat(MOST_ITEMS - 1).map((index) => nameOf('replace', index)),
	}),
	times: fc.integer({ min: 1, max: 3 }),
	latencyMs: fc.integer({ min: 1, max: 40 }),
	applies: fc.constant(true),
});

/** Upload addresses that are good, in an order or a shape that nobody expects. */
const disordered = fc
	.record({
		given: fc.oneof(
			fc.record({ kind: fc.constant('reordered' as const) }),
			fc.record({
				kind: fc.constant('reshaped' as const),
				shape: fc.constantFrom('renamed', 'wrapped', 'text', 'signature', 'error'),
			}),
		),
		times: fc.integer({ min: 1, max: 5 }),
		latencyMs: fc.integer({ min: 1, max: 40 }),
	})
	.map(({ given, times, latencyMs }): Misbehaviour => {
		return { ...given, for: { operation: 'initiate' }, times, latencyMs, applies: true };
	});

/** The name of an item's first file, or the title of its text. */
export function nameOf(operation: Operation, index: number): string {
	return operation === 'addText' ? `title ${index}` : `${index}-0.txt`;
}

function misbehaviours(operation: Operation): fc.Arbitrary<Misbehaviour[]> {
	const request = fc.constantFrom(...REQUESTS[operation]);
	const name = fc.nat(MOST_ITEMS - 1).map((index) => nameOf(operation, index));
	const addressee: fc.Arbitrary<Misbehaviour['for']> = fc
		.record({
			operation: request,
			fileName: oneIn(4, name),
			uid: oneIn(4, fc.constantFrom(...AGENTS)),
		})
		.map(({ operation: to, fileName, uid }) => {
			const hasName = to === 'initiate' || to === 'upload' || to === 'createText';
			const hasAgent = to === 'add' || to === 'remove';
			return {
				operation: to,
				...(hasName && fileName !== undefined ? { fileName } : {}),
				...(hasAgent && uid !== undefined ? { uid } : {}),
			};
		});
	const any = fc
		.tuple(misbehaviourTo(addressee), readingBytes)
		.map(([given, reading]) =>
			given.for.operation === 'upload' ? { ...given, ...reading } : given,
		)
		.map(possible);
	const isUploading = REQUESTS[operation].includes('upload');
	// Alone, it leaves the way open to what comes after it: the answer to a second attempt.
	const lost = fc.record({
		kind: fc.constantFrom('dropped' as const, 'truncated' as const),
		for: fc.record({
			operation: isUploading ? fc.oneof(request, fc.constant('upload' as const)) : request,
		}),
		times: fc.constantFrom(1, 2),
		latencyMs: fc.integer({ min: 1, max: 40 }),
		applies: fc.boolean(),
	});
	const one = fc.oneof(
		{ weight: 10, arbitrary: any },
		{ weight: 5, arbitrary: lost },
		{ weight: isUploading ? 1 : 0, arbitrary: astray },
		{ weight: isUploading ? 2 : 0, arbitrary: disordered },
	);
	return fc.array(one, { maxLength: 6 });
}

/** Without what would be a lie of the service, which no client can notice. */
function possible(given: Misbehaviour): Misbehaviour {
	const { operation } = given.for;
	if (operation === 'upload') {
		// What a storage says beside its 200 has no `success`.
		if (given.kind === 'denied') return { ...given, kind: 'slow' };
		// A host that says that a file is stored has stored it, and has read all of it.
		const isSuccess = given.kind === 'body' || (given.kind === 'status' && given.status < 300);
		const cut = isSuccess || given.kind === 'slow' ? { afterBytes: undefined } : {};
		const stored = given.kind === 'body' ? { says: saidByStorage(given.body) } : {};
		// While it waits with bytes unread, it does not notice that the client is gone.
		const latencyMs = given.afterBytes === undefined ? given.latencyMs : given.latencyMs % 40;
		return { ...given, ...cut, ...stored, latencyMs };
	}
	// That there is no such file, though there is.
	if (operation?.startsWith('delete') && given.kind === 'status' && given.status === 404) {
		return { ...given, code: given.code === 'ERR_KB_NOT_FOUND' ? undefined : given.code };
	}
	if (!claimsSuccess(given)) return given;
	// Nothing can be added to an agent that does not exist.
	return operation === 'add' || operation === 'remove'
		? { ...given, for: { ...given.for, uid: AGENTS[0] } }
		: given;
}

/** A storage says nothing beside its 200; a page or a `success` that is not true is somebody else's. */
function saidByStorage(body: string): Says {
	if (body === '{"success":false}' || body.startsWith('{"success":false,')) return 'refused';
	const isForeign = body.startsWith('<') || /^\{"success":(?:"true"|1)\}$/.test(body);
	return isForeign ? 'nothing' : 'done';
}

/** The same for what depends on the rest of the scenario. */
function credible(scenario: Scenario): Scenario {
	const { habits: usual, misbehaviours: all } = scenario;
	const isAstray = all.some(({ kind }) => kind === 'astray');
	const isStored = (given: Misbehaviour) =>
		given.for.operation === 'upload' &&
		(given.kind === 'body' || (given.kind === 'status' && given.status < 300));
	// With more unread than one piece holds, the host would not notice that the client is gone.
	const isSlow = all.some(
		({ bytesPerSecond, afterBytes }) =>
			bytesPerSecond !== undefined || (afterBytes !== undefined && scenario.stop !== undefined),
	);
	return {
		...scenario,
		items: isSlow ? scenario.items.map(inOnePiece) : scenario.items,
		misbehaviours: all.filter(
			(given) =>
				!(usual.expiresMs !== undefined && isStored(given)) &&
				!(
					usual.unindexedFiles === 'refuse' &&
					given.for.operation === 'add' &&
					claimsSuccess(given)
				),
		),
		// Only an entry that is there tells its ID.
		habits: isAstray ? { ...usual, recorded: 'fromInitiate' } : usual,
	};
}

function inOnePiece(item: Item): Item {
	const { files = {}, wanted } = item;
	const smaller = (file: FileDraft) => ({ ...file, size: Math.min(file.size, 9000) });
	const entries = Object.entries(files).map(([field, file]) => [field, smaller(file)] as const);
	const less = item.files === undefined ? item : { ...item, files: Object.fromEntries(entries) };
	if (wanted.kind === 'upload') {
		return { ...less, wanted: { ...wanted, files: wanted.files.map(smaller) } };
	}
	return wanted.kind === 'replace'
		? { ...less, wanted: { ...wanted, file: smaller(wanted.file) } }
		: less;
}

function items(operation: Operation): fc.Arbitrary<Item[]> {
	return fc
		.record({
			drafts: fc.array(drafts[operation], { minLength: 1, maxLength: MOST_ITEMS }),
			/** Whether any item may be empty or unusable; one alone keeps a run that stops from sending. */
			areFlawed: fc.nat(3).map((drawn) => drawn === 3),
		})
		.map(({ drafts: given, areFlawed }) =>
			given.map((draft: Draft, index) => draft(index, areFlawed)),
		);
}

function usual(operation: Operation) {
	return {
		operation: fc.constant(operation),
		items: items(operation),
		options,
		habits,
		unreadable: fc.uniqueArray(
			fc.nat(MOST_ITEMS - 1).map((index) => nameOf(operation, index)),
			{ maxLength: 1 },
		),
		isHeld: fc.nat(4).map((drawn) => drawn !== 4),
		alsoHeldBy: oneIn(3, fc.constantFrom(...KNOWN_AGENTS)),
		onError,
		badIds: fc.constant<Scenario['badIds']>([]),
		serviceAheadMs,
		chance,
	};
}

/** A service that misbehaves in every way. */
function troubled(operation: Operation): fc.Arbitrary<Scenario> {
	return fc
		.record({
			...usual(operation),
			misbehaviours: misbehaviours(operation),
			rateLimit: oneIn(4, rateLimit),
			stop: oneIn(4, stop),
		})
		.map((scenario) => credible(withOneClock(scenario)));
}

/** A service that does nothing worse than to be unable to read a file. */
function honest(operation: Operation): fc.Arbitrary<Scenario> {
	return fc.record({ ...usual(operation), misbehaviours: fc.constant([]) });
}

export function scenariosOf(operation: Operation): fc.Arbitrary<Scenario> {
	return fc.oneof(
		{ weight: 5, arbitrary: troubled(operation) },
		{ weight: 1, arbitrary: honest(operation) },
	);
}
