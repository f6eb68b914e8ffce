import { type AgentOptions, Agents } from './agents';
import { type ApiOptions, type RateLimit, RateLimiter, startApi } from './api';
import { type LogEntry, RequestLog } from './log';
import { type AnsweringOptions, Messages } from './messages';
import {
	recordOf,
	Records,
	type IndexingOptions,
	type IndexingRule,
	type RecordOptions,
} from './records';
import { BASE_PATH } from './routes';
import { type Rule, Script } from './script';
import { type PageOptions, pagesRoute, textOf, textRoutes } from './texts';
import { startUploads, type UploadOptions } from './uploads';
import { type WebsiteOptions, Websites } from './websites';

export type { AgentLists, AgentSeed } from './agents';
export type { RateLimit } from './api';
export type { LogEntry as Arrival, LogEntry } from './log';
export type { RecordSeed } from './records';
export type { Rule } from './script';

/**
 * The state at the start, and the behaviour that the documentation leaves open: the first of two choices is the usual
 * one. All but the start are read for each response, so they may change. Times are in milliseconds.
 */
export interface ServiceOptions
	extends ApiOptions, AgentOptions, PageOptions, RecordOptions, WebsiteOptions {
	uploads?: UploadOptions;
	indexing?: IndexingOptions;
	answering?: AnsweringOptions;
	/** The age of each list; for agents, or for a single agent, the age of its documents. */
	lagsMs?: { agents?: number; agent?: number; records?: number; texts?: number };
	/** The limit of the API, not of the upload host. Left out: no limit. */
	rateLimit?: RateLimit;
	onEntry?: (entry: LogEntry) => void;
}

export type Service = Awaited<ReturnType<typeof startService>>;

/**
 * Starts a simulation of CometChat's REST API on 127.0.0.1, as far as the node uses it, by CometChat's public
 * documentation and these options. It has never been compared with the live service.
 */
export async function startService(options: ServiceOptions) {
	const [log, script] = [new RequestLog(options.onEntry), new Script()];
	const limiter = new RateLimiter(options.rateLimit);
	const records = new Records(options);
	const agents = new Agents(records, options);
	const websites = new Websites(records, options);
	const messages = new Messages(agents, options);
	records.detach = (uniqueId) => agents.detachAll(uniqueId);
	const uploads = await startUploads(records, log, script, options);
	const parts = [agents, records, websites, messages, uploads].flatMap(({ routes }) => routes);
	const routes = [
		...parts,
		...textRoutes(records, options),
		pagesRoute(records, websites, options),
	];
	const operations = new Set(['upload', ...routes.map(({ operation }) => operation)]);
	const { origin, port, stop } = await startApi(routes, log, script, limiter, options);
	return {
		port,
		baseUrl: `${origin}${BASE_PATH}`,
		/** The origin of upload URLs: `http://127.0.0.1:ANOTHER_PORT` */
		uploadOrigin: uploads.origin,

		// The current state of the service; lists begin with the newest.
		agents: () => agents.all(),
		/** Adds documents to an agent without a request. */
		attach: (uid: string, uniqueIds: string[], sourceType = 'uploads') =>
			agents.attach(uid, sourceType, uniqueIds),
		/** The IDs of an agent's documents, in the order in which they were added. */
		files: (uid: string, sourceType: string) => agents.files(uid, sourceType),
		records: () => records.listed().map((source) => recordOf(source)),
		/** The websites whose pages are known. */
		websites: () => websites.all(),
		text: (uniqueId: string) => {
			const source = records.get(uniqueId);
			return source?.record.type === 'text-details' ? textOf(source).text : undefined;
		},
		messages: () => messages.all(),
		/** Returns the number and checksum of a file's bytes; undefined if they never arrived. */
		stored: (uniqueId: string) => records.get(uniqueId)?.upload?.stored,

		/** The events on both hosts, in order, in a list that is emptied in place. */
		log: log.entries,
		requests: () => log.arrivals('api').filter(({ method }) => method === 'PATCH'),
		uploads: () => log.arrivals('uploads'),
		/** Returns the largest number of simultaneous adds and removes, for one agent or for all. */
		maxInFlight: (uid?: string) => log.maxInFlight(uid),
		clearLog: () => log.clear(),

		script: (...rules: Rule[]) => {
			const unknown = rules.find(
				(rule) => rule.for?.operation && !operations.has(rule.for.operation),
			);
			if (unknown) throw new Error(`There is no route ${unknown.for?.operation}`);
			script.add(rules);
		},
		clearScript: () => script.reset(),
		/** Adds rules for documents that are indexed from now on. */
		scriptIndexing: (...rules: IndexingRule[]) => records.indexing.rules.add(rules),
		/** Resets the state, scripts, rate limit and log. Requests that are being answered continue. */
		reset: () =>
			[agents, records, websites, messages, script, limiter, log].forEach((part) => part.reset()),
		stop: async () => void (await Promise.all([stop(), uploads.stop()])),
	};
}
