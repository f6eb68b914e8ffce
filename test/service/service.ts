import { BASE_PATH } from './address';
import type { Agent, AgentLists, AgentOptions, AgentSeed } from './agents';
import { Agents } from './agents';
import type { ApiOptions } from './api';
import { apiHandler } from './api';
import { deletions } from './deletion';
import { listen } from './host';
import { served } from './http';
import type { IndexingOptions, IndexingRule } from './indexing';
import type { Arrival, LogEntry, ReceivedBytes } from './log';
import { RequestLog } from './log';
import type { AnsweringOptions, Message } from './messages';
import { Messages } from './messages';
import type { PageOptions } from './pages';
import { pagesOf } from './pages';
import type { RateLimit } from './rateLimit';
import { RateLimiter } from './rateLimit';
import type { KnowledgeRecord, RecordOptions, RecordSeed } from './records';
import { recordOf, Records } from './records';
import type { Rule } from './script';
import { Script } from './script';
import type { StorageOptions } from './storage';
import { storageHandler } from './storage';
import { textOf, Texts } from './texts';
import type { UploadRecordOptions } from './uploads';
import { Uploads } from './uploads';
import type { WebsiteOptions, WebsiteShown } from './websites';
import { Websites } from './websites';

export type {
	Agent,
	AgentLists,
	AgentSeed,
	Arrival,
	IndexingRule,
	KnowledgeRecord,
	LogEntry,
	RateLimit,
	ReceivedBytes,
	RecordSeed,
	Rule,
	WebsiteShown,
};

/** How the service behaves where the documentation leaves it open; what is there at the start. */
export interface ServiceOptions
	extends ApiOptions, AgentOptions, PageOptions, RecordOptions, WebsiteOptions {
	/** Left out: any free port. */
	port?: number;
	/** Uploading, from 'initiate' to the bytes. Its port is the upload host's; left out: any free port. */
	uploads?: StorageOptions & UploadRecordOptions & { port?: number };
	indexing?: IndexingOptions;
	answering?: AnsweringOptions;
	/**
	 * How far behind each list is, in milliseconds; may change meanwhile. Of agents, and of an agent alone,
	 * it is what is attached; as `agentLists` has it if left out.
	 */
	lagsMs?: { agents?: number; agent?: number; records?: number; texts?: number };
	/** Whether deleting takes a file away from the agents; 'detach' if left out, as documented. */
	deleting?: 'detach' | 'keepAttached';
	/** What creating is answered with: 200 in older copies of the documentation; 201 if left out. */
	createdStatus?: 200 | 201;
	/** Of the API, not of the upload host. Left out: no limit. */
	rateLimit?: RateLimit;
	/** Called with each line of the log as it is written. */
	onEntry?: (entry: LogEntry) => void;
	/** For benchmarks only: false keeps nothing in the log. `onEntry` is still called. */
	keepLog?: boolean;
}

export interface Service {
	/** `http://127.0.0.1:PORT/v3` */
	baseUrl: string;
	port: number;
	/** The upload host, where presigned URLs lead to: `http://127.0.0.1:ANOTHER_PORT` */
	uploadOrigin: string;
	/** Everything that happened on both hosts, in order; one list that grows and is emptied in place. */
	log: readonly LogEntry[];
	/** Adds rules of misbehaviour behind those there are. */
	script(...rules: Rule[]): void;
	/** Forgets all rules of misbehaviour. */
	clearScript(): void;
	/** Adds rules for indexing behind those there are. They hold for what enters the line from now on. */
	scriptIndexing(...rules: IndexingRule[]): void;
	/** The agents, newest first. */
	agents(): readonly Agent[];
	/** The file IDs attached to an agent, in the order in which they were added. */
	files(uid: string, sourceType: string): string[];
	/** The files and texts as they are now, newest first. */
	records(): KnowledgeRecord[];
	/** The websites whose pages are known as they are now, newest first. */
	websites(): WebsiteShown[];
	/** What a text says; undefined if there is no such text. */
	text(uniqueId: string): string | undefined;
	/** The messages of the app's chats as they are now, oldest first. */
	messages(): Message[];
	/** What came of the bytes of a file; undefined if they never came. */
	stored(uniqueId: string): ReceivedBytes | undefined;
	/** The PATCH requests that arrived at the API, in order. */
	requests(): Arrival[];
	/** The requests that arrived at the upload host, in order. */
	uploads(): Arrival[];
	/** The most adds and removes that were under way at once, for one agent or for all. */
	maxInFlight(uid?: string): number;
	clearLog(): void;
	/** Back to the start: everything held, scripts, rate limit and log. Requests under way go on. */
	reset(): void;
	/** Closes every connection at once and frees the ports. */
	stop(): Promise<void>;
}

/**
 * Starts a stand-in for CometChat's REST API on this machine, as far as the node uses it. The bytes of
 * uploads go to a second host on another port.
 *
 * It does what CometChat's public documentation says, and where that is silent what these options say. It
 * has never been compared with the live service. It listens on 127.0.0.1 only and keeps everything in
 * memory, except bytes.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
	const log = new RequestLog(options);
	const script = new Script();
	const limiter = new RateLimiter(options.rateLimit);
	const records = new Records(options);
	const agents = new Agents(records, options);
	const texts = new Texts(records, options);
	const uploads = new Uploads(records, options);
	const websites = new Websites(records, options);
	const messages = new Messages(agents, options);
	const routes = [
		...[agents, records, texts, uploads, websites, messages].flatMap((part) => part.routes),
		...deletions(records, agents, options),
		pagesOf(records, websites, options),
	];

	const storage = storageHandler(uploads, log, script, options);
	const uploadHost = await listen(served(storage), options.uploads?.port ?? 0);
	uploads.origin = uploadHost.origin;
	const api = apiHandler(routes, log, script, limiter, options);
	const host = await listen(served(api), options.port ?? 0);

	return {
		baseUrl: `${host.origin}${BASE_PATH}`,
		port: host.port,
		uploadOrigin: uploadHost.origin,
		log: log.entries,
		script: (...rules) => script.add(rules),
		clearScript: () => script.clear(),
		scriptIndexing: (...rules) => records.indexing.rules.add(rules),
		agents: () => agents.all(),
		files: (uid, sourceType) => agents.files(uid, sourceType),
		records: () => records.listed().map((source) => recordOf(source)),
		websites: () => websites.all(),
		text: (uniqueId) => {
			const source = records.get(uniqueId);
			return source?.record.type === 'text-details' ? textOf(source).text : undefined;
		},
		messages: () => messages.all(),
		stored: (uniqueId) => records.get(uniqueId)?.upload?.stored,
		requests: () =>
			log.arrivals().filter(({ host: name, method }) => name === 'api' && method === 'PATCH'),
		uploads: () => log.arrivals().filter(({ host: name }) => name === 'uploads'),
		maxInFlight: (uid) => log.maxInFlight(uid),
		clearLog: () => log.clear(),
		reset: () => {
			script.clear();
			for (const part of [agents, records, websites, messages, limiter, log]) part.reset();
		},
		stop: async () => {
			log.dropAll();
			await Promise.all([host.stop(), uploadHost.stop()]);
		},
	};
}
