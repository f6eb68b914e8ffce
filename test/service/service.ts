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
 * What is there at the start, and how the service behaves where the documentation leaves it open: of two
 * choices the first is the usual one. All but the first are looked at with every answer: they may change
 * meanwhile. Times are in milliseconds.
 */
export interface ServiceOptions
	extends ApiOptions, AgentOptions, PageOptions, RecordOptions, WebsiteOptions {
	uploads?: UploadOptions;
	indexing?: IndexingOptions;
	answering?: AnsweringOptions;
	/** How far behind each list is; of agents, or of an agent alone, what is attached. */
	lagsMs?: { agents?: number; agent?: number; records?: number; texts?: number };
	/** Of the API, not of the upload host. Left out: no limit. */
	rateLimit?: RateLimit;
	/** Called with each line of the log as it is written. */
	onEntry?: (entry: LogEntry) => void;
}

export type Service = Awaited<ReturnType<typeof startService>>;

/**
 * Starts a stand-in for CometChat's REST API on 127.0.0.1, as far as the node uses it. The bytes of uploads
 * go to a second host on another port. It does what CometChat's public documentation says, and where that
 * is silent what these options say. It has never been compared with the live service.
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
		/** Where presigned URLs lead to: `http://127.0.0.1:ANOTHER_PORT` */
		uploadOrigin: uploads.origin,

		// What the service holds, as it is now; of lists the newest come first.
		agents: () => agents.all(),
		/** As it was before: no request shows it. */
		attach: (uid: string, uniqueIds: string[], sourceType = 'uploads') =>
			agents.attach(uid, sourceType, uniqueIds),
		/** The file IDs attached to an agent, in the order in which they were added. */
		files: (uid: string, sourceType: string) => agents.files(uid, sourceType),
		records: () => records.listed().map((source) => recordOf(source)),
		/** Those whose pages are known. */
		websites: () => websites.all(),
		/** What a text says; undefined if there is no such text. */
		text: (uniqueId: string) => {
			const source = records.get(uniqueId);
			return source?.record.type === 'text-details' ? textOf(source).text : undefined;
		},
		/** The messages of the app's chats, oldest first. */
		messages: () => messages.all(),
		/** What came of the bytes of a file; undefined if they never came. */
		stored: (uniqueId: string) => records.get(uniqueId)?.upload?.stored,

		/** Everything that happened on both hosts, in order; one list that grows and is emptied in place. */
		log: log.entries,
		/** The PATCH requests that arrived at the API, in order. */
		requests: () => log.arrivals('api').filter(({ method }) => method === 'PATCH'),
		/** The requests that arrived at the upload host, in order. */
		uploads: () => log.arrivals('uploads'),
		/** The most adds and removes that were under way at once, for one agent or for all. */
		maxInFlight: (uid?: string) => log.maxInFlight(uid),
		clearLog: () => log.clear(),

		/** Adds rules of misbehaviour behind those there are. */
		script: (...rules: Rule[]) => {
			const unknown = rules.find(
				(rule) => rule.for?.operation && !operations.has(rule.for.operation),
			);
			if (unknown) throw new Error(`There is no route ${unknown.for?.operation}`);
			script.add(rules);
		},
		clearScript: () => script.reset(),
		/** Adds rules for what enters the line from now on. */
		scriptIndexing: (...rules: IndexingRule[]) => records.indexing.rules.add(rules),
		/** Back to the start: everything held, scripts, rate limit and log. Requests under way go on. */
		reset: () =>
			[agents, records, websites, messages, script, limiter, log].forEach((part) => part.reset()),
		stop: async () => void (await Promise.all([stop(), uploads.stop()])),
	};
}
