import { BASE_PATH } from './address';
import { type AgentOptions, Agents } from './agents';
import { apiHandler, type ApiOptions } from './api';
import { listen } from './host';
import type { IndexingOptions, IndexingRule } from './indexing';
import { type LogEntry, RequestLog } from './log';
import { type AnsweringOptions, Messages } from './messages';
import { type PageOptions, pagesRoute } from './pages';
import { type RateLimit, RateLimiter } from './rateLimit';
import { recordOf, type RecordOptions, Records } from './records';
import { type Rule, Script } from './script';
import { storageHandler, type StorageOptions } from './storage';
import { textOf, Texts } from './texts';
import { type UploadRecordOptions, Uploads } from './uploads';
import { type WebsiteOptions, Websites } from './websites';

export type { Agent, AgentLists, AgentSeed } from './agents';
export type { IndexingRule } from './indexing';
export type { Arrival, LogEntry, ReceivedBytes } from './log';
export type { RateLimit } from './rateLimit';
export type { KnowledgeRecord, RecordSeed } from './records';
export type { Rule } from './script';
export type { WebsiteShown } from './websites';

/**
 * What is there at the start, and how the service behaves where the documentation leaves it open: of two
 * choices the first is the usual one. All but the first are looked at with every answer: they may change
 * meanwhile. Times are in milliseconds.
 */
export interface ServiceOptions
	extends ApiOptions, AgentOptions, PageOptions, RecordOptions, WebsiteOptions {
	/** Left out: any free port. */
	port?: number;
	/** Its port is the upload host's. */
	uploads?: StorageOptions & UploadRecordOptions & { port?: number };
	indexing?: IndexingOptions;
	answering?: AnsweringOptions;
	/** How far behind each list is; of agents, or of an agent alone, what is attached. */
	lagsMs?: { agents?: number; agent?: number; records?: number; texts?: number };
	/** What creating is answered with: 200 in older copies of the documentation; 201 if left out. */
	createdStatus?: 200 | 201;
	/** Of the API, not of the upload host. Left out: no limit. */
	rateLimit?: RateLimit;
	/** Called with each line of the log as it is written. */
	onEntry?: (entry: LogEntry) => void;
	/** For benchmarks only: false keeps nothing in the log. `onEntry` is still called. */
	keepLog?: boolean;
}

export type Service = Awaited<ReturnType<typeof startService>>;

/**
 * Starts a stand-in for CometChat's REST API on this machine, as far as the node uses it. The bytes of
 * uploads go to a second host on another port.
 *
 * It does what CometChat's public documentation says, and where that is silent what these options say. It
 * has never been compared with the live service. It listens on 127.0.0.1 only and keeps everything in
 * memory, except bytes.
 */
export async function startService(options: ServiceOptions) {
	const account = accountOf(options);
	const { uploads } = account;
	const [log, script, limiter] = [
		new RequestLog(options),
		new Script(),
		new RateLimiter(options.rateLimit),
	];
	const storage = storageHandler(uploads, log, script, options);
	const uploadHost = await listen(storage, options.uploads?.port ?? 0);
	uploads.origin = uploadHost.origin;
	const api = apiHandler(account.routes, log, script, limiter, options);
	const { origin, port, stop } = await listen(api, options.port ?? 0);
	return {
		...seen(account),
		...logged(log),
		port,
		baseUrl: `${origin}${BASE_PATH}`,
		/** Where presigned URLs lead to: `http://127.0.0.1:ANOTHER_PORT` */
		uploadOrigin: uploadHost.origin,
		/** Adds rules of misbehaviour behind those there are. */
		script: (...rules: Rule[]) => script.add(rules),
		clearScript: () => script.reset(),
		/** Adds rules for what enters the line from now on. */
		scriptIndexing: (...rules: IndexingRule[]) => account.records.indexing.rules.add(rules),
		/** Back to the start: everything held, scripts, rate limit and log. Requests under way go on. */
		reset: () => [...account.parts, script, limiter, log].forEach((part) => part.reset()),
		/** Closes every connection at once and frees the ports. */
		stop: async () => {
			log.underWay.forEach((exchange) => exchange.cutShort('dropped'));
			await Promise.all([stop(), uploadHost.stop()]);
		},
	};
}

function accountOf(options: ServiceOptions) {
	const records = new Records(options);
	const agents = new Agents(records, options);
	const texts = new Texts(records, options);
	const uploads = new Uploads(records, options);
	const websites = new Websites(records, options);
	const messages = new Messages(agents, options);
	records.detach = (uniqueId) => agents.detachAll(uniqueId);
	const all = [agents, records, texts, uploads, websites, messages];
	const routes = [...all.flatMap((part) => part.routes), pagesRoute(records, websites, options)];
	return {
		agents,
		records,
		uploads,
		websites,
		messages,
		routes,
		parts: [agents, records, websites, messages],
	};
}

/** What the service holds, as it is now; of lists the newest come first. */
function seen({ agents, records, websites, messages }: ReturnType<typeof accountOf>) {
	return {
		agents: () => agents.all(),
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
	};
}

function logged(log: RequestLog) {
	return {
		/** Everything that happened on both hosts, in order; one list that grows and is emptied in place. */
		log: log.entries,
		/** The PATCH requests that arrived at the API, in order. */
		requests: () => log.arrivals(({ host, method }) => host === 'api' && method === 'PATCH'),
		/** The requests that arrived at the upload host, in order. */
		uploads: () => log.arrivals(({ host }) => host === 'uploads'),
		/** The most adds and removes that were under way at once, for one agent or for all. */
		maxInFlight: (uid?: string) => log.maxInFlight(uid),
		clearLog: () => log.clear(),
	};
}
