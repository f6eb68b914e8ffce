import { ValidationIssue, isRecord } from '../values/validationIssue';
import { readSwitch } from '../values/switches';

/** 'Options' and 'Request Options', as they hold for a whole run of the node. */
export interface RunOptions {
	/** Items of the same agent and source type share a request ('Send in Bundles'). */
	combineItems: boolean;
	/** A file to be deleted that CometChat does not have. */
	ifGone: 'fail' | 'deleted';
	ifNoFileIds: 'fail' | 'skip';
	/** One after another for each agent; if false, up to `parallelRequests` of any kind at once. */
	keepOrder: boolean;
	/** How often one request is sent at most, the first time included. */
	maxAttempts: number;
	/** Infinity if items are not combined and the user set no maximum: one request for each item. */
	maxFileIdsPerRequest: number;
	/** How long to wait until the service has indexed a file. */
	maxIndexingMs: number;
	/** The longest single wait before a request is sent again. */
	maxWaitMs: number;
	/** Of the files that were sent before, the share that may be missing now, in percent. */
	maxShareToRemove: number;
	/** How many executions must have gone by without a file before the one that takes it out. */
	runsMissing: number;
	/** Each call of the node has all files of the folder: what a call lacks is gone at once. */
	isWholeFolder: boolean;
	/** Every upload that the agent has and the folder has not is gone, wherever it comes from. */
	isOnlyThisFolder: boolean;
	parallelRequests: number;
	/** Least time between the starts of two requests; 0 if the user set no pace. */
	spacingMs: number;
	/** A combined request that is refused for one of its files is sent again in parts. */
	splitRefused: boolean;
	/** How long one attempt may take. */
	timeoutMs: number;
}

export interface Range {
	label: string;
	min: number;
	max: number;
	/** What someone gets who never opens Options. */
	default: number;
}

/**
 * Five attempts with the waits of retryPolicy.ts cover a service that restarts, and, when it limits the
 * rate without saying for how long, a whole minute, which is how CometChat counts its limits
 * (https://www.cometchat.com/docs/rest-api/rate-limits).
 */
export const MAX_ATTEMPTS: Range = { label: 'Max Attempts', min: 1, max: 10, default: 5 };

/**
 * CometChat documents no limit for the list. A hundred IDs make a body of about 4 KB: below the 10 KB
 * that it names for POST bodies elsewhere, and with nearly all of the time for a request saved.
 */
export const MAX_FILE_IDS: Range = {
	label: 'Max File IDs per Request',
	min: 1,
	max: 1000,
	default: 100,
};

/** Ours: CometChat's pages name no time; its dashboard shows files as Indexing for minutes. */
export const MAX_INDEXING: Range = {
	label: 'Max Indexing Time (Minutes)',
	min: 1,
	max: 120,
	default: 10,
};

/** Our choice: a folder that has lost more than half of its files at once may not have been read whole. */
export const MAX_SHARE: Range = {
	label: 'Max Share to Remove (Percent)',
	min: 0,
	max: 100,
	default: 50,
};

/** Ours: two executions without a file are enough for who reads a folder as a whole. */
export const RUNS_MISSING: Range = { label: 'Runs Without It', min: 1, max: 10, default: 1 };

/** The free plan's limit; paid plans have 20,000 (https://www.cometchat.com/docs/rest-api/rate-limits). */
export const MAX_REQUESTS: Range = {
	label: 'Max Requests per Minute',
	min: 1,
	max: 20_000,
	default: 500,
};

/** Twice the minute that CometChat counts its limits by. */
export const MAX_WAIT: Range = { label: 'Max Wait (Seconds)', min: 0, max: 3600, default: 120 };

/** Ten agents side by side hide the service's latency; more gain little and meet limits sooner. */
export const PARALLEL_REQUESTS: Range = {
	label: 'Parallel Requests',
	min: 1,
	max: 50,
	default: 10,
};

export const TIMEOUT: Range = { label: 'Timeout (Seconds)', min: 1, max: 300, default: 60 };

/** Reads the node's collections 'Options' and 'Request Options'; what was not set has its default. */
export function readOptions(...collections: unknown[]): RunOptions | ValidationIssue {
	const given: Record<string, unknown> = Object.assign({}, ...collections.filter(isRecord));
	const { ifGone = 'fail', ifNoFileIds = 'fail' } = given;
	if (ifNoFileIds !== 'fail' && ifNoFileIds !== 'skip') {
		return new ValidationIssue(
			"'If No File IDs' is not one of its choices",
			'Pick Fail or Skip the Item.',
		);
	}
	if (ifGone !== 'fail' && ifGone !== 'deleted') {
		return new ValidationIssue(
			"'If Already Gone' is not one of its choices",
			'Pick Fail or Count as Deleted.',
		);
	}
	const keepOrder = readSwitch(given.keepOrder, 'Keep Order per Agent', true);
	if (keepOrder instanceof ValidationIssue) return keepOrder;
	const combineItems = readSwitch(given.combineItems, 'Send in Bundles', false);
	if (combineItems instanceof ValidationIssue) return combineItems;
	const splitRefused = readSwitch(given.splitRefused, 'Split Refused Bundles', true);
	if (splitRefused instanceof ValidationIssue) return splitRefused;
	const maxFileIds = readNumber(given.maxFileIdsPerRequest, MAX_FILE_IDS);
	if (maxFileIds instanceof ValidationIssue) return maxFileIds;
	const isMaxFileIdsSet = combineItems || given.maxFileIdsPerRequest !== undefined;
	const maxRequests = readNumber(given.maxRequestsPerMinute, MAX_REQUESTS);
	if (maxRequests instanceof ValidationIssue) return maxRequests;
	const maxIndexingMinutes = readNumber(given.maxIndexingMinutes, MAX_INDEXING);
	if (maxIndexingMinutes instanceof ValidationIssue) return maxIndexingMinutes;
	const isPaced = given.maxRequestsPerMinute !== undefined;
	const maxAttempts = readNumber(given.maxAttempts, MAX_ATTEMPTS);
	if (maxAttempts instanceof ValidationIssue) return maxAttempts;
	const maxWaitSeconds = readNumber(given.maxWaitSeconds, MAX_WAIT);
	if (maxWaitSeconds instanceof ValidationIssue) return maxWaitSeconds;
	const maxShareToRemove = readNumber(given.maxShareToRemove, MAX_SHARE);
	if (maxShareToRemove instanceof ValidationIssue) return maxShareToRemove;
	const isWholeFolder = readSwitch(given.wholeFolder, 'Each Call Has the Whole Folder', false);
	if (isWholeFolder instanceof ValidationIssue) return isWholeFolder;
	const runsMissing = readNumber(given.runsMissing, RUNS_MISSING);
	if (runsMissing instanceof ValidationIssue) return runsMissing;
	const isOnlyThisFolder = readSwitch(given.onlyThisFolder, 'Only This Folder', false);
	if (isOnlyThisFolder instanceof ValidationIssue) return isOnlyThisFolder;
	const parallelRequests = readNumber(given.parallelRequests, PARALLEL_REQUESTS);
	if (parallelRequests instanceof ValidationIssue) return parallelRequests;
	const timeoutSeconds = readNumber(given.timeoutSeconds, TIMEOUT);
	if (timeoutSeconds instanceof ValidationIssue) return timeoutSeconds;

	return {
		combineItems,
		ifGone,
		ifNoFileIds,
		keepOrder,
		maxAttempts,
		maxFileIdsPerRequest: isMaxFileIdsSet ? maxFileIds : Infinity,
		maxIndexingMs: maxIndexingMinutes * 60_000,
		maxShareToRemove,
		runsMissing,
		isWholeFolder,
		isOnlyThisFolder,
		maxWaitMs: maxWaitSeconds * 1000,
		parallelRequests,
		spacingMs: isPaced ? 60_000 / maxRequests : 0,
		splitRefused,
		timeoutMs: timeoutSeconds * 1000,
	};
}

/** Those that stand under Options. */
const OWN_OPTIONS = [MAX_INDEXING, MAX_SHARE, RUNS_MISSING];

function readNumber(value: unknown, range: Range): number | ValidationIssue {
	if (value === undefined) return range.default;
	if (
		typeof value === 'number' &&
		Number.isInteger(value) &&
		value >= range.min &&
		value <= range.max
	) {
		return value;
	}
	const place = OWN_OPTIONS.includes(range) ? 'Options' : 'Request Options';
	return new ValidationIssue(
		`'${range.label}' is not a whole number from ${range.min} to ${range.max}`,
		`Change it under ${place}; the default is ${range.default}.`,
	);
}
