import { ValidationIssue, isRecord } from '../values/validationIssue';
import { readSwitch } from '../values/switches';

/** 'Options', as they hold for a whole run of the node. */
export interface RunOptions {
	/** How many of the texts an answer must contain. */
	answerMode: 'all' | 'one';
	/** Adding and removing files: asks for their status before the first request ('Check IDs First'). */
	checkIds: boolean;
	/** Items of the same agent and source type share a request ('Send in Bundles'). */
	combineItems: boolean;
	/** An answer that does not contain what it must. */
	ifCheckFails: 'result' | 'fail';
	/** A document to be deleted that agents have, or of which nobody knows whether they do. */
	ifAgentsHaveIt: 'delete' | 'fail';
	/** A file to be deleted that CometChat does not have. */
	ifGone: 'fail' | 'deleted';
	/** Of what kind a document is whose text is read ('Source Type'); 'listed' if the list tells. */
	contentType: 'listed' | 'uploads' | 'text' | 'website';
	/** A new document whose name there is already. */
	ifNameExists: IfNameExists;
	ifNoFileIds: 'fail' | 'skip';
	/** A website that is to be crawled and is there already. */
	ifSiteExists: 'skip' | 'refresh' | 'fail';
	/** One after another for each agent; if false, up to `parallelRequests` of any kind at once. */
	keepOrder: boolean;
	/** Question and answer stay in the chat. */
	keepsMessages: boolean;
	/** How long an agent has for its answer. */
	maxAnswerMs: number;
	/** How long CometChat may take to find the pages of a website. */
	maxCrawlMs: number;
	/** How often one request is sent at most, the first time included. */
	maxAttempts: number;
	/** Infinity if items are not combined and the user set no maximum: one request for each item. */
	maxFileIdsPerRequest: number;
	/** How much text of a document an output has; Infinity if the user set no maximum. */
	maxCharacters: number;
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
	/** Each document of a list with the agents that have it ('Show Agents'). */
	showAgents: boolean;
	/** A combined request that is refused for one of its files is sent again in parts. */
	splitRefused: boolean;
	/** How long one attempt may take. */
	timeoutMs: number;
}

export type IfNameExists = 'add' | 'replace' | 'skip' | 'fail';

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
export const MAX_ATTEMPTS: Range = {
	label: 'Max Attempts per Request',
	min: 1,
	max: 10,
	default: 5,
};

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

/** Ours: about 5,000 tokens, which any language model takes. */
export const MAX_CHARACTERS: Range = {
	label: 'Max Characters',
	min: 1,
	max: 10_000_000,
	default: 20_000,
};

/** Ours: CometChat's pages name no time; its dashboard shows files as Indexing for minutes. */
export const MAX_INDEXING: Range = {
	label: 'Max Indexing Time (Minutes)',
	min: 1,
	max: 120,
	default: 10,
};

/** The example of CometChat's pages took two minutes for a hundred pages; a thousand take longer. */
export const MAX_CRAWL: Range = { label: 'Max Crawl Time (Minutes)', min: 1, max: 60, default: 15 };

/** Ours: CometChat's pages name no time, and an agent that uses tools may take a minute. */
export const MAX_ANSWER: Range = {
	label: 'Max Answer Time (Seconds)',
	min: 5,
	max: 600,
	default: 60,
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
export const MAX_WAIT: Range = {
	label: 'Max Retry Wait (Seconds)',
	min: 0,
	max: 3600,
	default: 120,
};

/** Ten agents side by side hide the service's latency; more gain little and meet limits sooner. */
export const PARALLEL_REQUESTS: Range = {
	label: 'Parallel Requests',
	min: 1,
	max: 50,
	default: 10,
};

export const TIMEOUT: Range = { label: 'Request Timeout (Seconds)', min: 1, max: 300, default: 60 };

/** Reads the node's collection 'Options'; what was not set has its default. */
export function readOptions(collection: unknown): RunOptions | ValidationIssue {
	const given = isRecord(collection) ? collection : {};
	const read = new OptionReader(given);
	const combineItems = read.switched('combineItems', 'Send in Bundles', false);
	const maxFileIds = read.number('maxFileIdsPerRequest', MAX_FILE_IDS);
	const isMaxFileIdsSet = combineItems || given.maxFileIdsPerRequest !== undefined;
	const maxRequests = read.number('maxRequestsPerMinute', MAX_REQUESTS);
	const isPaced = given.maxRequestsPerMinute !== undefined;
	const maxCharacters = read.number('maxCharacters', MAX_CHARACTERS);
	const options: RunOptions = {
		...readChoices(read),
		checkIds: read.switched('checkIds', 'Check IDs First', false),
		combineItems,
		keepOrder: read.switched('keepOrder', 'Keep Order per Agent', true),
		keepsMessages: read.switched('keepMessages', 'Keep Messages', false),
		maxAnswerMs: read.number('maxAnswerSeconds', MAX_ANSWER) * 1000,
		maxCrawlMs: read.number('maxCrawlMinutes', MAX_CRAWL) * 60_000,
		maxAttempts: read.number('maxAttempts', MAX_ATTEMPTS),
		maxFileIdsPerRequest: isMaxFileIdsSet ? maxFileIds : Infinity,
		maxCharacters: given.maxCharacters === undefined ? Infinity : maxCharacters,
		maxIndexingMs: read.number('maxIndexingMinutes', MAX_INDEXING) * 60_000,
		maxShareToRemove: read.number('maxShareToRemove', MAX_SHARE),
		runsMissing: read.number('runsMissing', RUNS_MISSING),
		isWholeFolder: read.switched('wholeFolder', 'Each Call Has the Whole Folder', false),
		isOnlyThisFolder: read.switched('onlyThisFolder', 'Only This Folder', false),
		maxWaitMs: read.number('maxWaitSeconds', MAX_WAIT) * 1000,
		parallelRequests: read.number('parallelRequests', PARALLEL_REQUESTS),
		spacingMs: isPaced ? 60_000 / maxRequests : 0,
		showAgents: read.switched('showAgents', 'Show Agents', false),
		splitRefused: read.switched('splitRefused', 'Split Refused Bundles', true),
		timeoutMs: read.number('timeoutSeconds', TIMEOUT) * 1000,
	};
	return read.issue ?? options;
}

function readChoices(read: OptionReader) {
	return {
		answerMode: read.chosen('answerMode', 'How Many Must Be There', ANSWER_MODE),
		contentType: read.chosen('contentType', 'Source Type', CONTENT_TYPES),
		ifAgentsHaveIt: read.chosen('ifAgentsHaveIt', 'If Agents Have It', IF_AGENTS_HAVE_IT),
		ifCheckFails: read.chosen('ifCheckFails', 'If the Check Fails', IF_CHECK_FAILS),
		ifGone: read.chosen('ifGone', 'If Already Gone', IF_GONE),
		ifNameExists: read.chosen('ifNameExists', 'If the Name Is There', IF_NAME_EXISTS),
		ifNoFileIds: read.chosen('ifNoFileIds', 'If No File IDs', IF_NO_FILE_IDS),
		ifSiteExists: read.chosen('ifSiteExists', 'If the Site Is There', IF_SITE_EXISTS),
	};
}

/** The first of each is the default. */
const CONTENT_TYPES = [
	{ value: 'listed', name: 'As CometChat Lists It' },
	{ value: 'uploads', name: 'Uploads' },
	{ value: 'text', name: 'Text' },
	{ value: 'website', name: 'Website' },
] as const;
const ANSWER_MODE = [
	{ value: 'all', name: 'All of Them' },
	{ value: 'one', name: 'One of Them' },
] as const;
const IF_AGENTS_HAVE_IT = [
	{ value: 'delete', name: 'Delete' },
	{ value: 'fail', name: 'Fail' },
] as const;
const IF_CHECK_FAILS = [
	{ value: 'result', name: 'Give It as a Result' },
	{ value: 'fail', name: 'Fail' },
] as const;
const IF_GONE = [
	{ value: 'fail', name: 'Fail' },
	{ value: 'deleted', name: 'Count as Deleted' },
] as const;
const IF_NAME_EXISTS = [
	{ value: 'add', name: 'Add Another' },
	{ value: 'replace', name: 'Replace' },
	{ value: 'skip', name: 'Skip' },
	{ value: 'fail', name: 'Fail' },
] as const;
const IF_NO_FILE_IDS = [
	{ value: 'fail', name: 'Fail' },
	{ value: 'skip', name: 'Skip the Item' },
] as const;
const IF_SITE_EXISTS = [
	{ value: 'skip', name: 'Skip' },
	{ value: 'refresh', name: 'Refresh' },
	{ value: 'fail', name: 'Fail' },
] as const;

/** Reads options one by one, and keeps the first complaint: what was read then does not count. */
class OptionReader {
	issue?: ValidationIssue;

	constructor(private readonly given: Record<string, unknown>) {}

	number(name: string, range: Range): number {
		const value = this.given[name];
		if (value === undefined) return range.default;
		const isNumber = typeof value === 'number' && Number.isInteger(value);
		if (isNumber && value >= range.min && value <= range.max) return value;
		this.issue ??= new ValidationIssue(
			`'${range.label}' is not a whole number from ${range.min} to ${range.max}`,
			`Change it under Options; the default is ${range.default}.`,
		);
		return range.default;
	}

	switched(name: string, label: string, ifNotSet: boolean): boolean {
		const value = readSwitch(this.given[name], label, ifNotSet);
		if (!(value instanceof ValidationIssue)) return value;
		this.issue ??= value;
		return ifNotSet;
	}

	chosen<Value extends string>(
		name: string,
		label: string,
		choices: readonly [OptionChoice<Value>, ...Array<OptionChoice<Value>>],
	): Value {
		const [first] = choices;
		const { [name]: value = first.value } = this.given;
		const found = choices.find((choice) => choice.value === value);
		if (found) return found.value;
		this.issue ??= new ValidationIssue(
			`'${label}' is not one of its choices`,
			`Pick ${choices.map((choice) => choice.name).join(' or ')}.`,
		);
		return first.value;
	}
}

interface OptionChoice<Value> {
	value: Value;
	/** As the field shows it. */
	name: string;
}
