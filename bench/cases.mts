import type { RateLimit } from '../test/service/service.js';

/** A row of the table: a workflow, which each contestant runs under the same conditions. */
export interface BenchCase {
	name: string;
	/** The description in the table. */
	shows: string;
	items: number;
	/** Left out: each item adds its file to an agent. */
	files?: Files;
	/** The number of agents, which the items use in turns. */
	agents: number;
	latencyMs: number;
	rateLimit?: RateLimit;
	/** The field of an item with its file IDs; left out: `files`. */
	idsField?: string;
	/** The 'Options' of our node; left out: its defaults. */
	options?: Record<string, boolean | number>;
	/** The number of our node's requests without refused ones; left out: one per item. */
	requests?: number;
	/** Whether only our node runs, without n8n's HTTP Request node. */
	isAlone?: boolean;
	/** The maximum number of pairs, for a case that takes very long. */
	mostPairs?: number;
	/** The limits of our node: its seconds and its peak memory, as a factor of the other node's. */
	most?: { time?: number; memory?: number };
}

/** The case in which each item is a file of a folder on disk. */
export interface Files {
	/** Upload and wait until indexed, or sync with an agent that uses all files. */
	task: 'upload' | 'sync';
	bytesEach: number;
	/** The number of files that have changed since the previous night. */
	changed?: number;
}

/** The number of items of an execution that only warms up, and of one that also uploads. */
export const WARM_UP_ITEMS = 200;
export const WARM_UP_UPLOADS = 20;
/** The time for indexing a file, and also all files at the same time. */
export const INDEXING_MS = 2000;

const AT_ONCE = { items: 10_000, agents: 10, latencyMs: 0 };
const SLOW = { items: 1000, agents: 10, latencyMs: 50 };
const FOLDER = { task: 'sync', bytesEach: 2000 } as const;

/**
 * CometChat's free plan in a third of the time. `Retry-After` has whole seconds: a shorter window would measure them.
 */
const RATE_LIMIT: RateLimit = { requests: 500, windowMs: 20_000 };

/** The most items that n8n itself can process and store: with twice as many, its process runs out of memory (4 GB). */
const MOST_ITEMS = 500_000;

export const CASES: BenchCase[] = [
	{
		...AT_ONCE,
		name: 'at-once',
		shows: 'The service answers at once: what each item costs inside n8n',
		most: { time: 0.17, memory: 0.8 },
	},
	{
		...AT_ONCE,
		name: 'combined',
		shows: 'The same with Combine Requests, up to 100 file IDs in a request',
		options: { combineItems: true },
		requests: 100,
		most: { time: 0.03 },
	},
	{
		...AT_ONCE,
		name: 'in-brackets',
		shows: "As `at-once`, the file IDs in a field of two words: `{{ $json['File IDs'] }}`",
		idsField: 'File IDs',
		most: { time: 0.17, memory: 0.8 },
	},
	{
		...SLOW,
		name: 'in-order',
		shows: 'One agent, order kept: one request after another',
		agents: 1,
		mostPairs: 2,
	},
	{ ...SLOW, name: 'defaults', shows: 'Ten agents, defaults' },
	{
		...AT_ONCE,
		name: 'rate-limit',
		shows: 'More items than the limit takes: 600, and 500 a window of 20 s',
		items: 600,
		rateLimit: RATE_LIMIT,
	},
	{
		...SLOW,
		name: 'upload',
		shows: 'Files of 100 KB uploaded and waited for until indexed, which takes 2 s',
		items: 500,
		files: { task: 'upload', bytesEach: 100_000 },
		most: { time: 0.8, memory: 0.8 },
	},
	{
		...SLOW,
		name: 'sync-unchanged',
		shows: 'A folder of 10,000 files of 2 KB, none of which has changed',
		items: 10_000,
		files: FOLDER,
	},
	{
		...SLOW,
		name: 'sync-changed',
		shows: 'The same, 200 of them changed',
		items: 10_000,
		files: { ...FOLDER, changed: 200 },
		isAlone: true,
	},
	{
		...SLOW,
		name: 'sync-20-mb',
		shows: 'A folder of 40 files of 20 MB, none of which has changed',
		items: 40,
		files: { ...FOLDER, bytesEach: 20_000_000 },
		isAlone: true,
	},
	{
		...AT_ONCE,
		name: 'size-most',
		shows: 'Half a million items',
		items: MOST_ITEMS,
		isAlone: true,
		mostPairs: 1,
	},
];
