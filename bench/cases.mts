import type { RateLimit } from '../test/service/service.js';

/** What our node must reach in a case, judged over medians. Ratios are against n8n's own node. */
export interface Target {
	/** Our seconds at most so many times those of n8n's HTTP Request node. */
	timeRatio?: number;
	/** Our peak memory at most so many times that of n8n's HTTP Request node. */
	memoryRatio?: number;
	/** Our seconds at most so many times those of the bare axios loop. */
	floorRatio?: number;
	/** Our seconds at most so many times the least that the rate limit allows. */
	limitRatio?: number;
}

/** A case in which files are uploaded and waited for until they are indexed. */
export interface UploadTask {
	bytesEach: number;
	/** How long the service takes for the indexing of a file; of all files at once. */
	indexingMs: number;
}

/** A case in which files on a disk are brought into step with what an agent has of them. */
export interface SyncTask extends UploadTask {
	/** How many of the files have changed since the agent got them. */
	changed: number;
}

/** One row of the table: a run of a workflow under the same conditions for each contestant. */
export interface BenchCase {
	name: string;
	/** What it shows, for the table. */
	shows: string;
	items: number;
	/** Left out: each item adds its file to an agent. */
	upload?: UploadTask;
	/** Each item is a file of a folder that is kept in step with the first agent. */
	sync?: SyncTask;
	/** The items go to them in turns. */
	agents: number;
	/** How long the service takes for every answer. */
	latencyMs: number;
	rateLimit?: RateLimit;
	/** The field of an item that holds its file IDs. */
	idsField: string;
	/** The 'Options' of our node; none: its defaults. */
	options: Record<string, boolean | number>;
	/** How many requests our node has under way at once; the axios loop as many. */
	width: number;
	/** How many requests our node is to send without the refused ones; left out: one per item. */
	requests?: number;
	/** Who runs beside our node. */
	beside: Array<'httpRequest' | 'axios'>;
	/** At most so many pairs, for a case that takes very long. */
	mostPairs?: number;
	target: Target;
}

/** How many items a run has that only warms up, and how many one that uploads. */
export const WARM_UP_ITEMS = 200;
export const WARM_UP_UPLOADS = 20;

/** Whether files are read from disk, and the whole execution counts. */
export function readsFiles({ upload, sync }: BenchCase): boolean {
	return upload !== undefined || sync !== undefined;
}

const USUAL = { idsField: 'files', options: {} };
const AT_ONCE = { ...USUAL, items: 10_000, agents: 10, latencyMs: 0, width: 10 };
const SLOW = { ...USUAL, items: 1000, latencyMs: 50 };
const SYNC = { ...SLOW, agents: 10, width: 10 };
const SMALL = { bytesEach: 2000, indexingMs: 2000 };

/**
 * 500 requests are what CometChat's free plan allows a minute, here in a third of the time.
 * `Retry-After` has whole seconds, so that up to one more passes: a shorter window would measure
 * that second and not the node.
 */
const RATE_LIMIT: RateLimit = { requests: 500, windowMs: 20_000 };

/**
 * The most items that n8n itself carries from its start to a stored execution, in the same workflow
 * without our node and with n8n's own settings: with twice as many, n8n's process runs out of memory (Node's own limit of 4 GB) as it stores them.
 */
const MOST_ITEMS = 500_000;

export const CASES: BenchCase[] = [
	{
		name: 'at-once',
		shows: 'The service answers at once: what each item costs inside n8n',
		...AT_ONCE,
		beside: ['httpRequest', 'axios'],
		target: { timeRatio: 0.28, memoryRatio: 0.6 },
	},
	{
		name: 'combined',
		shows: 'The same with Send in Bundles, up to 100 file IDs in a request',
		...AT_ONCE,
		options: { combineItems: true },
		requests: 100,
		beside: ['httpRequest', 'axios'],
		target: { timeRatio: 0.2 },
	},
	{
		name: 'in-brackets',
		shows: "As `at-once`, the file IDs in a field of two words: `{{ $json['File IDs'] }}`",
		...AT_ONCE,
		idsField: 'File IDs',
		beside: ['httpRequest'],
		target: { timeRatio: 0.28 },
	},
	{
		name: 'in-order',
		shows: 'One agent, order kept: one request after another',
		...SLOW,
		agents: 1,
		width: 1,
		beside: ['httpRequest', 'axios'],
		mostPairs: 2,
		target: { floorRatio: 1.1 },
	},
	{
		name: 'defaults',
		shows: 'Ten agents, defaults',
		...SLOW,
		agents: 10,
		width: 10,
		beside: ['httpRequest', 'axios'],
		target: {},
	},
	{
		name: 'rate-limit',
		shows: 'More items than the limit takes: 600, and 500 a window of 20 s',
		...AT_ONCE,
		items: 600,
		rateLimit: RATE_LIMIT,
		beside: ['httpRequest'],
		target: { limitRatio: 1.1 },
	},
	{
		name: 'upload',
		shows: 'Files of 100 KB uploaded and waited for until indexed, which takes 2 s',
		...SLOW,
		items: 500,
		upload: { bytesEach: 100_000, indexingMs: 2000 },
		agents: 0,
		width: 10,
		beside: ['httpRequest'],
		target: { timeRatio: 1 },
	},
	{
		name: 'sync-unchanged',
		shows: 'A folder of 10,000 files of 2 KB, none of which has changed',
		...SYNC,
		items: 10_000,
		sync: { ...SMALL, changed: 0 },
		beside: ['httpRequest'],
		target: {},
	},
	{
		name: 'sync-changed',
		shows: 'The same, 200 of them changed',
		...SYNC,
		items: 10_000,
		sync: { ...SMALL, changed: 200 },
		beside: [],
		target: {},
	},
	{
		...SYNC,
		name: 'sync-20-mb',
		shows: 'A folder of 40 files of 20 MB, none of which has changed',
		items: 40,
		sync: { bytesEach: 20_000_000, indexingMs: 2000, changed: 0 },
		beside: [],
		target: {},
	},
	{
		...AT_ONCE,
		name: 'size-most',
		shows: 'Half a million items',
		items: MOST_ITEMS,
		beside: [],
		mostPairs: 1,
		target: {},
	},
];
