import { BASE_PATH } from './address';
import type { Agent, AgentPage, AgentSeed } from './agents';
import { Agents } from './agents';
import { rememberedMs } from './agentAnswers';
import type { AgentLists } from './agentAnswers';
import { apiHandler, apiManner } from './api';
import { listen } from './host';
import type { IndexingOptions, IndexingRule } from './indexing';
import { Indexing } from './indexing';
import type { Keys } from './key';
import { KnowledgeBases } from './knowledgeBases';
import type { Arrival, LogEntry, ReceivedBytes, ReceivedRequest } from './log';
import { RequestLog } from './log';
import type { OperationOptions } from './operations';
import type { Message } from './messages';
import { Messages } from './messages';
import { operations } from './operations';
import type { RateLimit } from './rateLimit';
import { RateLimiter } from './rateLimit';
import type { IdOptions, KnowledgeRecord, RecordPage, RecordSeed } from './records';
import { Records } from './records';
import type { Envelope } from './refusal';
import { storageManner } from './storage/manner';
import type { Rule } from './script';
import { Texts } from './texts';
import { Traffic } from './traffic';
import type { StorageOptions } from './storage/storage';
import { uploadHandler } from './storage/storage';
import type { UploadRecordOptions } from './uploads';
import { Uploads } from './uploads';
import type { WebsiteShown } from './websites';
import { Websites } from './websites';

export type {
	Agent,
	AgentLists,
	AgentPage,
	AgentSeed,
	Arrival,
	Envelope,
	IndexingRule,
	KnowledgeRecord,
	LogEntry,
	RateLimit,
	ReceivedBytes,
	ReceivedRequest,
	RecordPage,
	RecordSeed,
	Rule,
	WebsiteShown,
};

/** Uploading, from 'initiate' to the bytes. */
export interface UploadOptions extends StorageOptions, UploadRecordOptions {
	/** Of the upload host. Left out: any free port. */
	port?: number;
}

export interface ServiceOptions extends Keys, OperationOptions, IdOptions {
	/** Left out: any free port. */
	port?: number;
	/** The agents, newest first, or how many to make up ("Agent 001" …). Left out: three. */
	agents?: AgentSeed[] | number;
	/** The files and texts that are there, newest first, or how many to make up. Left out: none. */
	records?: RecordSeed[] | number;
	uploads?: UploadOptions;
	indexing?: IndexingOptions;
	/** How long every answer takes, in milliseconds; 0 if left out. */
	latencyMs?: number;
	/** Of the API, not of the upload host. Left out: no limit. */
	rateLimit?: RateLimit;
	/** How the service refuses what the gateway lets through; 'gateway' if left out. */
	envelope?: Envelope;
	/** Called with each line of the log as it is written. */
	onEntry?: (entry: LogEntry) => void;
	/**
	 * For benchmarks only: false leaves out openapi.json. Then nobody looks whether requests and
	 * answers are as described, and a nonsensical request is not always refused. True if left out.
	 */
	checked?: boolean;
	/**
	 * For benchmarks only: false keeps nothing in the log, so that `log`, `requests()`, `uploads()`
	 * and `maxInFlight()` know of nothing. `onEntry` is still called. True if left out.
	 */
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
 * Starts a stand-in for CometChat's REST API on this machine, as far as the node uses it: agents,
 * their files, uploads, texts and indexing. The bytes of uploads go to a second host on another port.
 *
 * It does what the knowledge base interface document and CometChat's public documentation say, and
 * where they are silent what openapi.json and these options say. It has never been compared with
 * the live service. It listens on 127.0.0.1 only and keeps everything in memory, except bytes.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
	const indexing = new Indexing(options.indexing);
	const agents = new Agents(options.agents);
	const knowledgeBases = new KnowledgeBases(() => rememberedMs(options));
	const records = new Records(indexing, options.records, options);
	const texts = new Texts();
	const messages = new Messages();
	const uploads = new Uploads(records, options.uploads);
	const websites = new Websites(records, options);
	const log = new RequestLog(options.onEntry, options.keepLog);
	const traffic = new Traffic(log);
	const limiter = new RateLimiter(options.rateLimit);
	const { latencyMs = 0, envelope = 'gateway', checked = true } = options;

	const uploadHost = await listen(
		uploadHandler(uploads, traffic, storageManner(latencyMs), options.uploads ?? {}),
		options.uploads?.port ?? 0,
	);
	const holdings = { agents, knowledgeBases, messages, records, texts, uploads, websites };
	const answer = operations(holdings, options, envelope, uploadHost.origin);
	const manner = apiManner(latencyMs, envelope, checked);
	const host = await listen(
		apiHandler(answer, traffic, limiter, options, manner),
		options.port ?? 0,
	);

	const arrivals = () => log.entries.filter((entry) => entry.kind === 'arrived');
	return {
		baseUrl: `${host.origin}${BASE_PATH}`,
		port: host.port,
		uploadOrigin: uploadHost.origin,
		log: log.entries,
		script: (...rules) => traffic.script.add(rules),
		clearScript: () => traffic.script.clear(),
		scriptIndexing: (...rules) => indexing.rules.add(rules),
		agents: () => agents.all(),
		files: (uid, sourceType) => knowledgeBases.files(uid, sourceType),
		records: () => records.all(),
		websites: () => websites.all(),
		text: (uniqueId) => texts.of(records.get(uniqueId))?.text,
		messages: () => messages.all(),
		stored: (uniqueId) => uploads.get(uniqueId)?.stored,
		requests: () => arrivals().filter(({ host, method }) => host === 'api' && method === 'PATCH'),
		uploads: () => arrivals().filter(({ host }) => host === 'uploads'),
		maxInFlight: (uid) => log.maxInFlight(uid),
		clearLog: () => log.clear(),
		reset: () => {
			const parts = [
				agents,
				knowledgeBases,
				messages,
				records,
				texts,
				uploads,
				websites,
				indexing,
				limiter,
				traffic,
			];
			for (const part of parts) part.reset();
		},
		stop: async () => {
			traffic.dropAll();
			await Promise.all([host.stop(), uploadHost.stop()]);
		},
	};
}
