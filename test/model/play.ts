import axios from 'axios';
import { sleep } from 'n8n-workflow';

import type { Run } from '../node/engine';
import { runNode } from '../node/engine';
import { AUTH_KEY, credentialFor, FROM_ITEM, KEY } from '../node/fixture';
import type { Arrival, LogEntry, RateLimit, Rule, Service } from '../service/service';
import { startService } from '../service/service';
import { RateLimiter } from '../service/rateLimit';
import { Script } from '../service/script';
import { Clock } from './clock';
import type { Cause } from './rules';
import { rulesOf } from './rules';
import type { Scenario } from './scenario';
import { AGENTS } from './scenario';

/** What came of a scenario: what the node says, and what the stand-in saw. */
export interface Played {
	scenario: Scenario;
	run: Run;
	/** All requests, in the order in which they arrived. */
	exchanges: Exchange[];
	/** In the order in which things happened. */
	log: LogEntry[];
	/** When the stop button was pressed. */
	stoppedAtMs?: number;
	/** When the run was over. */
	endedAtMs: number;
	/** Timers that the run has left behind. */
	timersLeft: number;
	/** What an agent's knowledge base held before and holds now. */
	before(uid: string, sourceType: string): string[];
	after(uid: string, sourceType: string): string[];
}

/** One request, and what the stand-in made of it. */
export interface Exchange {
	arrival: Arrival;
	/** The files in it. */
	ids: string[];
	/** Undefined if it never ended. */
	end?: Exclude<LogEntry, Arrival>;
	/** Whether the files were changed. */
	applied: boolean;
	/** Which misbehaviour it met. */
	cause?: Cause;
	/** The headers of the rate limit's refusal. */
	limitHeaders?: Record<string, string>;
}

const USUAL_LATENCY_MS = 7;

/** One stand-in and one clock, on which scenarios are played one after another. */
export class Stage {
	private constructor(
		private readonly service: Service,
		private readonly clock: Clock,
		/** Told of each line of the log. */
		private readonly listeners: Set<(entry: LogEntry) => void>,
		/** Handed to the stand-in once, and changed for each scenario. */
		private readonly limit: RateLimit,
	) {}

	static async open(): Promise<Stage> {
		const limit = { ...NO_LIMIT };
		const listeners = new Set<(entry: LogEntry) => void>();
		const agents = AGENTS.filter((uid) => uid !== 'nobody').map((uid) => ({ uid, name: uid }));
		const service = await startService({
			apiKey: KEY,
			authKey: AUTH_KEY,
			agents,
			// Never at once: each answer has a moment of its own, see `Clock`.
			latencyMs: USUAL_LATENCY_MS,
			rateLimit: limit,
			onEntry: (entry) => listeners.forEach((listener) => listener(entry)),
		});
		const options = { maxRedirects: 0, validateStatus: () => true };
		const { request } = await axios.get<unknown>(service.baseUrl, options);
		return new Stage(service, new Clock(request), listeners, limit);
	}

	async close(): Promise<void> {
		this.clock.stop();
		await this.service.stop();
	}

	async play(scenario: Scenario): Promise<Played> {
		const { service, clock } = this;
		service.reset();
		clock.startAnew();
		Object.assign(this.limit, NO_LIMIT);
		clock.serviceAheadMs = scenario.serviceAheadMs;
		await this.pass(this.fill(scenario));
		const before = this.snapshot();
		service.clearLog();

		const rules = rulesOf(scenario);
		service.script(...rules.keys());
		Object.assign(this.limit, scenario.rateLimit ?? NO_LIMIT);
		const chance = jest.spyOn(Math, 'random').mockImplementation(draws(scenario.chance));
		const stop = this.stopOf(scenario);
		const run = await this.pass(
			runNode({
				items: scenario.items.map(({ agent, sourceType, files }) => ({
					agent,
					sourceType,
					...(files === undefined ? {} : { files }),
				})),
				parameters: {
					...FROM_ITEM,
					operation: scenario.operation,
					sourceType: '={{ $json.sourceType }}',
					options: defined(scenario.options),
				},
				credential: credentialFor(service),
				onError: scenario.onError,
				stop: stop.pressed,
			}),
		);
		chance.mockRestore();
		const endedAtMs = Date.now();
		stop.forget();
		const timersLeft = clock.timersLeft();
		// What the node has left behind would now be sent.
		await this.pass(sleep(10_000_000));

		const log = [...service.log];
		return {
			scenario,
			run,
			exchanges: exchangesOf(log, rules, scenario),
			log,
			stoppedAtMs: stop.atMs(),
			endedAtMs,
			timersLeft,
			before,
			after: this.snapshot(),
		};
	}

	private async pass<T>(work: Promise<T>): Promise<T> {
		const { log } = this.service;
		return await this.clock.pass(work, () => {
			const arrived = log.filter(({ kind }) => kind === 'arrived').length;
			return { underWay: 2 * arrived - log.length, events: log.length };
		});
	}

	private async fill({ contents }: Scenario): Promise<void> {
		const { service } = this;
		for (const { agent, sourceType, ids: uniqueIds } of contents) {
			await axios.patch(
				`${service.baseUrl}/ai-agents/agent-builder/agents/${agent}/knowledge-base/${sourceType}/add`,
				{ uniqueIds },
				{ headers: { apikey: KEY }, maxRedirects: 0 },
			);
		}
	}

	private snapshot(): (uid: string, sourceType: string) => string[] {
		const files = new Map(
			AGENTS.flatMap((uid) =>
				['uploads', 'text'].map((sourceType) => [
					`${uid}/${sourceType}`,
					this.service.files(uid, sourceType),
				]),
			),
		);
		return (uid, sourceType) => files.get(`${uid}/${sourceType}`) ?? [];
	}

	private stopOf({ stop }: Scenario) {
		let atMs: number | undefined;
		let press = () => {};
		const pressed = new Promise<void>((resolve) => {
			press = () => {
				atMs ??= Date.now();
				resolve();
			};
		});
		const forgotten = new AbortController();
		let arrivals = 0;
		const listen = ({ kind }: LogEntry) => {
			if (kind !== 'arrived') return;
			arrivals += 1;
			if (stop && 'atRequest' in stop && arrivals === stop.atRequest) press();
		};
		this.listeners.add(listen);
		if (stop && 'afterMs' in stop) {
			sleep(stop.afterMs, forgotten.signal).then(press, () => undefined);
		}
		return {
			pressed,
			atMs: () => atMs,
			forget: () => {
				this.listeners.delete(listen);
				forgotten.abort();
			},
		};
	}
}

const NO_LIMIT: RateLimit = { requests: Infinity, windowMs: 0, header: 'seconds' };

/** Which misbehaviour each request met, by the stand-in's own script and rate limit played again. */
function exchangesOf(log: LogEntry[], rules: Map<Rule, Cause>, scenario: Scenario): Exchange[] {
	const script = new Script();
	script.add([...rules.keys()]);
	const limiter = new RateLimiter(scenario.rateLimit);
	const exchanges = new Map<number, Exchange>();
	for (const entry of log) {
		if (entry.kind === 'arrived') {
			const limited = limiter.take(entry.atMs);
			const rule = limited ? undefined : script.take(entry);
			exchanges.set(entry.request, {
				arrival: entry,
				ids: entry.uniqueIds ?? [],
				applied: false,
				cause: rule && rules.get(rule),
				limitHeaders: limited?.headers,
			});
			continue;
		}
		const exchange = exchanges.get(entry.request);
		if (exchange === undefined) continue;
		exchange.end = entry;
		exchange.applied = entry.applied;
	}
	return [...exchanges.values()];
}

function defined<T extends object>(values: T): Partial<T> {
	const copy: Partial<T> = { ...values };
	for (const key of Object.keys(copy)) {
		if (Reflect.get(copy, key) === undefined) Reflect.deleteProperty(copy, key);
	}
	return copy;
}

/** Chance that comes out the same each time: Lehmer's generator. Constant, it would break sorting. */
function draws(seed: number): () => number {
	let state = seed + 1;
	return () => {
		state = (state * 16_807) % 2_147_483_647;
		return state / 2_147_483_647;
	};
}
