import type { Request, Response } from 'express';
import express from 'express';

import { BASE_PATH } from './address';
import type { Agent, AgentPage, AgentSeed } from './agents';
import { Agents, readPageRequest } from './agents';
import type { Answer } from './answer';
import { give } from './answer';
import { pass, readBody } from './body';
import { describedRequests, NO_SUCH_API, refuseUndescribed } from './description';
import { connectionClosed, Exchange } from './exchange';
import type { Keys } from './key';
import { refuseKey } from './key';
import { KnowledgeBases } from './knowledgeBases';
import type { Arrival, LogEntry, ReceivedRequest } from './log';
import { RequestLog } from './log';
import type { RateLimit } from './rateLimit';
import { RateLimiter } from './rateLimit';
import type { Envelope, Refusal } from './refusal';
import { refusalBody } from './refusal';
import { receive } from './receive';
import type { Rule } from './script';
import { Script } from './script';

export type {
	Agent,
	AgentPage,
	AgentSeed,
	Arrival,
	Envelope,
	LogEntry,
	RateLimit,
	ReceivedRequest,
	Rule,
};

export interface ServiceOptions extends Keys {
	/** Left out: any free port. */
	port?: number;
	/** The agents, newest first, or how many to make up ("Agent 001" …). Left out: three. */
	agents?: AgentSeed[] | number;
	/** How long every answer takes, in milliseconds; 0 if left out. */
	latencyMs?: number;
	/** Left out: no limit. */
	rateLimit?: RateLimit;
	/** How the service refuses what the gateway lets through; 'gateway' if left out. */
	envelope?: Envelope;
	/** What a change of an unknown agent does; 'refuse' if left out. */
	unknownAgents?: 'refuse' | 'create';
	/** Called with each line of the log as it is written. */
	onEntry?: (entry: LogEntry) => void;
}

export interface Service {
	/** `http://127.0.0.1:PORT/v3` */
	baseUrl: string;
	port: number;
	/** Everything that happened, in order; one list that grows and is emptied in place. */
	log: readonly LogEntry[];
	/** Adds rules of misbehaviour behind those there are. */
	script(...rules: Rule[]): void;
	/** The agents, newest first. */
	agents(): readonly Agent[];
	/** The file IDs attached to an agent, in the order in which they were added. */
	files(uid: string, sourceType: string): string[];
	/** The PATCH requests that arrived, in order. */
	requests(): Arrival[];
	/** The most adds and removes that were under way at once, for one agent or for all. */
	maxInFlight(uid?: string): number;
	clearLog(): void;
	/** Back to the start: agents, files, script, rate limit and log. Requests under way go on. */
	reset(): void;
	/** Closes every connection at once and frees the port. */
	stop(): Promise<void>;
}

/**
 * Starts a stand-in for CometChat's REST API on this machine: add files, remove files, list agents.
 *
 * It does what the knowledge base interface document and CometChat's public documentation say, and
 * where they are silent what openapi.json and these options say. It has never been compared with
 * the live service. It listens on 127.0.0.1 only and keeps everything in memory.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
	const agents = new Agents(options.agents);
	const knowledgeBases = new KnowledgeBases();
	const log = new RequestLog(options.onEntry);
	const script = new Script();
	const limiter = new RateLimiter(options.rateLimit);
	const described = describedRequests();
	const usual = { latencyMs: options.latencyMs ?? 0, envelope: options.envelope ?? 'gateway' };
	const underWay = new Set<Exchange>();
	let requestCount = 0;
	let stopped: Promise<void> | undefined;

	async function handle(request: Request, response: Response): Promise<void> {
		const closed = connectionClosed(response);
		const bodyRefusal = await readBody(request, response);
		if (closed.aborted) return;
		const received = receive(request, (requestCount += 1));
		const rateRefusal = limiter.take(Date.now());
		const exchange = new Exchange(received, rateRefusal !== undefined, log);
		underWay.add(exchange);
		closed.addEventListener('abort', () => {
			exchange.cutShort('aborted');
			underWay.delete(exchange);
		});
		// The gateway refuses before the service sees the request: no rule is used up by it.
		const rule = rateRefusal === undefined ? script.take(received) : undefined;
		const refused =
			rateRefusal ??
			refuseKey(received.headers.apikey, options) ??
			bodyRefusal ??
			(await refuseDescription(request, response)) ??
			refuseAgent(received);
		const answer = refused === undefined ? accept(received) : refuse(refused);
		await give(answer, rule ?? {}, usual, exchange, response, closed);
	}

	async function refuseDescription(
		request: Request,
		response: Response,
	): Promise<Refusal | undefined> {
		const error = await pass(described, request, response);
		const refused = refuseUndescribed(error);
		if (error !== undefined && refused === undefined) {
			throw new Error('The check against openapi.json failed.', { cause: error });
		}
		return refused;
	}

	function refuseAgent({ uid }: ReceivedRequest): Refusal | undefined {
		if (uid === undefined || agents.has(uid) || options.unknownAgents === 'create')
			return undefined;
		const message = `Agent with uid ${uid} not found`;
		return { status: 404, code: 'ERR_AGENT_NOT_FOUND', message, envelope: usual.envelope };
	}

	function accept(received: ReceivedRequest): Answer {
		const { operation, uid, sourceType, uniqueIds, path } = received;
		if (operation === 'list')
			return { status: 200, body: () => agents.page(readPageRequest(path)) };
		if (!operation || uid === undefined || sourceType === undefined || !uniqueIds) {
			return refuse(NO_SUCH_API);
		}
		const change = () => {
			if (!agents.has(uid)) agents.create(uid);
			knowledgeBases[operation](uid, sourceType, uniqueIds);
		};
		return { status: 200, body: () => ({ success: true }), change };
	}

	const app = express();
	app.disable('x-powered-by').disable('etag');
	app.enable('case sensitive routing').enable('strict routing');
	app.use(handle);
	const server = await new Promise<ReturnType<typeof app.listen>>((resolve, reject) => {
		const starting = app.listen(options.port ?? 0, '127.0.0.1', (error) => {
			if (error) reject(error);
			else resolve(starting);
		});
	});
	// A connection that closes just as the client uses it again would look like misbehaviour.
	server.keepAliveTimeout = 60_000;
	const address = server.address();
	if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');

	return {
		baseUrl: `http://127.0.0.1:${address.port}${BASE_PATH}`,
		port: address.port,
		log: log.entries,
		script: (...rules) => script.add(rules),
		agents: () => agents.all(),
		files: (uid, sourceType) => knowledgeBases.files(uid, sourceType),
		requests: () =>
			log.entries
				.filter((entry) => entry.kind === 'arrived')
				.filter(({ method }) => method === 'PATCH'),
		maxInFlight: (uid) => log.maxInFlight(uid),
		clearLog: () => log.clear(),
		reset: () => {
			for (const part of [agents, knowledgeBases, limiter]) part.reset();
			for (const part of [script, log]) part.clear();
			requestCount = 0;
		},
		stop: async () => {
			for (const exchange of underWay) exchange.cutShort('dropped');
			stopped ??= new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			});
			await stopped;
		},
	};
}

function refuse(refused: Refusal): Answer {
	const { status, headers } = refused;
	return { status, headers, body: () => refusalBody(refused) };
}
