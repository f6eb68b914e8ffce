import fc from 'fast-check';

import type { AgentLists, Arrival, RateLimit, Rule, ServiceOptions } from '../service/service';
import { maybe, oneIn } from './drafting';

type Request = NonNullable<Arrival['operation']>;

/** All except for 'nobody' exist. Two differ only in case. */
export const AGENTS = ['support-bot', 'Support-Bot', 'guide', 'nobody'];

export const KNOWN_AGENTS = AGENTS.filter((uid) => uid !== 'nobody');

export const MOST_ITEMS = 5;

export interface Circumstances {
	onError: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	/** The time when the user presses the stop button; undefined for never. */
	stop?: { atRequest: number } | { afterMs: number };
	/** The faults of the service; each is used up by its requests. */
	misbehaviours: Misbehaviour[];
	rateLimit?: RateLimit;
	/** The behaviour that the documentation leaves open. */
	variant: Variant;
	/** The seed of the node's random numbers. */
	chance: number;
}

export interface Wait {
	form: 'seconds' | 'date' | 'nonsense';
	seconds: number;
}

export type Misbehaviour = {
	for: NonNullable<Rule['for']>;
	times: number;
	latencyMs: number;
	/** Whether the request is carried out although the client can't know it. */
	applies: boolean;
	/** Upload host: the speed of reading, and the number of bytes after which it ends. */
	bytesPerSecond?: number;
	afterBytes?: number;
} & (
	| { kind: 'status'; status: number; wait?: Wait; code?: string; repeatsKey: boolean }
	| { kind: 'body'; body: string; says: Says; contentType?: string }
	| { kind: 'dropped' | 'truncated' | 'stalled' | 'slow' }
	/** The regular response with a `success` that is not true. */
	| { kind: 'denied'; success: false | null | 'true' }
	/** Upload URLs in an undocumented form, or quoted by an error. */
	| { kind: 'reshaped'; shape: Shape }
);

export type Shape = 'renamed' | 'wrapped' | 'text' | 'signature' | 'error';

/** The meaning of a body with status 200 for a change; 'either' if both are possible. */
type Says = 'done' | 'refused' | 'nothing' | 'either';

/** Statuses that the node's rules may name, and their neighbours. */
const STATUSES = [
	201, 202, 204, 205, 301, 302, 304, 307, 400, 401, 402, 403, 404, 405, 408, 409, 410, 413, 415,
	418, 422, 423, 425, 426, 429, 431, 451, 499, 500, 501, 502, 503, 504, 505, 507, 508, 511, 520,
	522, 524, 530, 599,
];

const CODES = [
	'ERR_KB_NOT_FOUND',
	'ERR_TOO_MANY_REQUESTS',
	'ERR_PLAN_QUOTA_RESTRICTION',
	'AUTH_ERR_NO_ACCESS',
	'ERR_EXCEPTION',
];

const BODIES: Array<{ body: string; says: Says; contentType?: string }> = [
	{ body: '{"success":false}', says: 'refused' },
	{ body: '{"success":false,"message":"No"}', says: 'refused' },
	{ body: '', says: 'nothing' },
	{ body: 'null', says: 'nothing' },
	{ body: '[]', says: 'nothing' },
	{ body: '{}', says: 'nothing' },
	{ body: '{"success":"true"}', says: 'nothing' },
	{ body: '{"success":1}', says: 'nothing' },
	{ body: '{"success":tr', says: 'nothing' },
	{ body: '[{"success":true}]', says: 'nothing' },
	{ body: '<html><title>Sign in</title></html>', says: 'nothing', contentType: 'text/html' },
	{ body: '\u0000\u0001', says: 'nothing', contentType: 'application/octet-stream' },
	{ body: '{"success":true}', says: 'either', contentType: 'text/plain' },
	{ body: '{"success":true,"more":[1]}', says: 'done' },
];

const wait: fc.Arbitrary<Wait> = fc.record({
	form: fc.constantFrom('seconds', 'date', 'nonsense'),
	seconds: fc.constantFrom(0, 1, 2.5, 10, 40, 130, 700),
});

const answers = fc.oneof(
	{
		weight: 5,
		arbitrary: fc.record({
			kind: fc.constant('status' as const),
			status: fc.oneof(
				{ weight: 3, arbitrary: fc.constantFrom(408, 429, 500, 502, 503, 504) },
				{ weight: 2, arbitrary: fc.constantFrom(...STATUSES) },
				{ weight: 1, arbitrary: fc.integer({ min: 300, max: 599 }) },
			),
			wait: maybe(wait),
			code: fc.option(fc.constantFrom(...CODES), { nil: undefined, freq: 3 }),
			repeatsKey: fc.boolean(),
		}),
	},
	{
		weight: 2,
		arbitrary: fc.constantFrom(...BODIES).map((body) => ({ kind: 'body' as const, ...body })),
	},
	{
		weight: 3,
		arbitrary: fc.record({
			kind: fc.constantFrom('dropped' as const, 'truncated' as const, 'slow' as const),
		}),
	},
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('stalled' as const) }) },
	{
		weight: 1,
		arbitrary: fc.record({
			kind: fc.constant('denied' as const),
			success: fc.constantFrom(false as const, false as const, null, 'true' as const),
		}),
	},
);

/** @param addressee The requests that the fault may affect. */
function misbehaviourTo(addressee: fc.Arbitrary<Misbehaviour['for']>): fc.Arbitrary<Misbehaviour> {
	const always = fc.record({
		for: addressee,
		times: fc.oneof(
			{ weight: 8, arbitrary: fc.integer({ min: 1, max: 5 }) },
			{ weight: 1, arbitrary: fc.constant(Infinity) },
		),
		latencyMs: fc.oneof(
			{ weight: 3, arbitrary: fc.integer({ min: 1, max: 40 }) },
			{ weight: 1, arbitrary: fc.integer({ min: 41, max: 4000 }) },
		),
		applies: fc.boolean(),
	});
	return fc.tuple(always, answers).map(([usual, answer]) => ({ ...usual, ...answer }));
}

/** The behaviour that the documentation leaves open; left out: as usual. */
export interface Variant {
	/** Whether a document exists from 'initiate' on, or once its bytes have arrived. */
	recorded?: 'fromInitiate' | 'fromBytes';
	/** The response to bytes for a stored file. */
	secondUse?: 'refuse' | 'accept';
	indexingMs?: number;
	ends?: 'indexed' | 'inSync';
	/** The interval of files that can't be indexed. */
	failEvery?: number;
	unknownInPoll?: 'omit' | 'refuse';
	/** The contents of the agents' lists; 'stale' is a second old. */
	agentLists?: ServiceOptions['agentLists'];
	agentListsOf?: ServiceOptions['agentListsOf'];
	hiddenAgents?: ServiceOptions['hiddenAgents'];
	agentsNext?: ServiceOptions['agentsNext'];
	agentsPerPage?: ServiceOptions['agentsPerPage'];
	recordsNext?: ServiceOptions['recordsNext'];
	lagsMs?: ServiceOptions['lagsMs'];
	plainTitles?: ServiceOptions['plainTitles'];
	freedIds?: ServiceOptions['freedIds'];
	/** The texts of documents, and the numbering of their pages. */
	pages?: Pick<ServiceOptions, 'pages' | 'pagesFrom' | 'firstPage' | 'mostPages'>;
	answering?: ServiceOptions['answering'];
	/** The websites and the behaviour of crawls; left out: none. */
	web?: Pick<ServiceOptions, 'sites' | 'found' | 'crawling'>;
	/** The place where responses repeat the key: names of agents or documents, or unknown statuses. */
	repeatsKey?: 'agentName' | 'recordName' | 'status' | 'title';
}

/** The options of the simulation, which reads them for each response. */
export type ServiceSettings = ServiceOptions &
	Required<Pick<ServiceOptions, 'uploads' | 'indexing' | 'rateLimit'>>;

/** Sets a variant of the service; left-out parts are as usual again. */
export function applyVariant(options: ServiceSettings, variant: Variant): void {
	const { recorded, secondUse, indexingMs, ends, failEvery } = variant;
	const { unknownInPoll, agentLists, agentListsOf, hiddenAgents } = variant;
	const {
		agentsNext,
		agentsPerPage,
		recordsNext,
		lagsMs = {},
		freedIds,
		answering,
		plainTitles,
	} = variant;
	const { pages, pagesFrom, firstPage, mostPages } = variant.pages ?? {};
	const { sites, found, crawling } = variant.web ?? {};
	Object.assign(options.uploads, { recorded, secondUse });
	Object.assign(options.indexing, { ms: indexingMs, ends, failEvery });
	Object.assign(options, { unknownInPoll, agentLists, agentListsOf, hiddenAgents });
	Object.assign(options, {
		agentsNext,
		agentsPerPage,
		recordsNext,
		lagsMs,
		freedIds,
		answering,
		plainTitles,
	});
	Object.assign(options, { pages, pagesFrom, firstPage, mostPages, sites, found, crawling });
}

/** The lists of a single agent. An empty list is like an agent without documents. */
export const oddShape: fc.Arbitrary<AgentLists> = fc.constantFrom(
	'otherIds',
	'null',
	'missing',
	'objects',
	'websitesNull',
);

/** Returns the name of an item's first file, or the title of its text. */
export function nameOf(index: number): string {
	return `${index}-0.txt`;
}

const someName = fc.nat(MOST_ITEMS - 1).map(nameOf);

/** The reading of bytes by the upload host before its response. */
const readingBytes = fc.record({
	bytesPerSecond: oneIn(4, fc.constantFrom(20, 1000, 50_000)),
	afterBytes: oneIn(2, fc.constantFrom(1, 30, 2000)),
});

/** Valid upload URLs in an unexpected form. */
const reshaped: fc.Arbitrary<Misbehaviour> = fc.record({
	kind: fc.constant('reshaped' as const),
	shape: fc.constantFrom('renamed', 'wrapped', 'text', 'signature', 'error'),
	for: fc.constant({ operation: 'initiate' as const }),
	times: fc.integer({ min: 1, max: 5 }),
	latencyMs: fc.integer({ min: 1, max: 40 }),
	applies: fc.constant(true),
});

export function misbehavioursOf(requests: Request[]): fc.Arbitrary<Misbehaviour[]> {
	const isUploading = requests.includes('upload');
	const request = fc.constantFrom(...requests);
	// As the only fault, so that the response to a second attempt follows it.
	const lost = fc.record({
		kind: fc.constantFrom('dropped' as const, 'truncated' as const),
		for: fc.record({
			operation: isUploading ? fc.oneof(request, fc.constant('upload' as const)) : request,
		}),
		times: fc.constantFrom(1, 2),
		latencyMs: fc.integer({ min: 1, max: 40 }),
		applies: fc.boolean(),
	});
	const reading = <T extends Misbehaviour>(arbitrary: fc.Arbitrary<T>) =>
		fc
			.tuple(arbitrary, readingBytes)
			.map(([given, how]) => (given.for.operation === 'upload' ? { ...given, ...how } : given))
			.map(possible);
	const one = fc.oneof(
		{ weight: 10, arbitrary: reading(misbehaviourTo(anyOf(requests))) },
		{ weight: 5, arbitrary: reading(lost) },
		{ weight: isUploading ? 2 : 0, arbitrary: reshaped },
	);
	return fc.array(one, { maxLength: 6 });
}

function anyOf(requests: Request[]): fc.Arbitrary<Misbehaviour['for']> {
	return fc
		.record({
			operation: fc.constantFrom(...requests),
			fileName: oneIn(4, someName),
			uid: oneIn(4, fc.constantFrom(...AGENTS)),
		})
		.map(({ operation, fileName, uid }) => {
			const hasName = ['initiate', 'upload', 'createText', 'createAgent', 'sendMessage'].includes(
				operation,
			);
			const hasAgent = ['add', 'remove', 'updateAgent', 'deleteAgent'].includes(operation);
			return {
				operation,
				...(hasName && fileName !== undefined ? { fileName } : {}),
				...(hasAgent && uid !== undefined ? { uid } : {}),
			};
		});
}

/** Excludes false responses, which no client can notice. */
function possible(given: Misbehaviour): Misbehaviour {
	const { operation } = given.for;
	if (operation === 'upload') {
		// A storage's body with status 200 has no `success`.
		if (given.kind === 'denied') return { ...given, kind: 'slow' };
		// A host that confirms a file has read and stored all of it.
		const isSuccess = given.kind === 'body' || (given.kind === 'status' && given.status < 300);
		const cut = isSuccess || given.kind === 'slow' ? { afterBytes: undefined } : {};
		const stored = given.kind === 'body' ? { says: saidByStorage(given.body) } : {};
		// While it waits with unread bytes, it doesn't notice a closed connection.
		const latencyMs = given.afterBytes === undefined ? given.latencyMs : given.latencyMs % 40;
		return { ...given, ...cut, ...stored, latencyMs };
	}
	// An existing file can't be unknown.
	const takes = operation?.startsWith('delete') ?? true;
	if ((takes || operation === 'remove') && given.kind === 'status' && given.status === 404) {
		return { ...given, status: 400 };
	}
	if (!claimsSuccess(given)) return given;
	// Nothing can be added to an agent that does not exist.
	return operation === undefined || ['add', 'remove', 'updateAgent'].includes(operation)
		? { ...given, for: { ...given.for, uid: AGENTS[0] } }
		: given;
}

/** Returns the meaning of a storage's body: a web page, or a `success` that is not true, comes from another server. */
function saidByStorage(body: string): Says {
	if (body === '{"success":false}' || body.startsWith('{"success":false,')) return 'refused';
	const isForeign = body.startsWith('<') || /^\{"success":(?:"true"|1)\}$/.test(body);
	return isForeign ? 'nothing' : 'done';
}

/** Whether a fault's response reports a success, so that the service must be able to carry out the change. */
function claimsSuccess(given: Misbehaviour): boolean {
	return given.kind === 'body' && (given.says === 'done' || given.says === 'either');
}

export const rateLimit: fc.Arbitrary<RateLimit> = fc.record({
	requests: fc.integer({ min: 1, max: 6 }),
	windowMs: fc.constantFrom(900, 5000, 60_000),
	header: fc.constantFrom('seconds', 'date', 'none'),
});

export const stop = fc.oneof(
	fc.record({ atRequest: fc.integer({ min: 1, max: 8 }) }),
	fc.record({ afterMs: fc.constantFrom(1, 10, 50, 1500, 6000) }),
);
