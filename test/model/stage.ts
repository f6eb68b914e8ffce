import axios from 'axios';
import { sleep } from 'n8n-workflow';

import type { Run, Scenario as Workflow } from '../node/engine';
import { runNode } from '../node/engine';
import { AUTH_KEY, credentialFor, KEY } from '../node/fixture';
import type { LogEntry, RateLimit, RecordSeed, Service } from '../service/service';
import { startService } from '../service/service';
import { Clock } from './clock';
import type { Exchange } from './exchanges';
import { exchangesOf } from './exchanges';
import type { Changeable, Habits } from './habits';
import { takeOn } from './habits';
import type { Circumstances } from './misbehaviour';
import { rulesOf } from './rules';

/** What came of a run: what the node says, and what the stand-in saw. */
export interface Course<Scenario extends Circumstances> {
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
}

const USUAL_LATENCY_MS = 7;

/** One stand-in and one clock, on which scenarios are played one after another. */
export class Stage {
	private constructor(
		readonly service: Service,
		private readonly clock: Clock,
		/** Told of each line of the log. */
		private readonly listeners: Set<(entry: LogEntry) => void>,
		/** Handed to the stand-in once, and changed for each scenario. */
		private readonly options: Changeable,
	) {}

	/**
	 * @param agents The IDs of those that there are.
	 * @param records What is in the service at the start of each scenario.
	 */
	static async open(agents: string[], records: RecordSeed[] = []): Promise<Stage> {
		const listeners = new Set<(entry: LogEntry) => void>();
		const options: Changeable = {
			apiKey: KEY,
			authKey: AUTH_KEY,
			agents: agents.map((uid) => ({ uid, name: uid })),
			records,
			// Never at once: each answer has a moment of its own, see `Clock`.
			latencyMs: USUAL_LATENCY_MS,
			rateLimit: { ...NO_LIMIT },
			uploads: {},
			indexing: {},
			// From the start, so that the stand-in remembers what was; each scenario has its own.
			agentLists: 'stale',
			onEntry: (entry) => listeners.forEach((listener) => listener(entry)),
		};
		const service = await startService(options);
		await rehearse(service);
		const anyStatus = { maxRedirects: 0, validateStatus: () => true };
		const { request } = await axios.get<unknown>(service.baseUrl, anyStatus);
		return new Stage(service, new Clock(request), listeners, options);
	}

	async close(): Promise<void> {
		this.clock.stop();
		await this.service.stop();
	}

	/** Back to the start, for the next scenario. */
	begin({ serviceAheadMs }: Circumstances, habits: Habits = {}): void {
		this.service.reset();
		this.clock.startAnew();
		this.clock.serviceAheadMs = serviceAheadMs;
		Object.assign(this.options.rateLimit, NO_LIMIT);
		takeOn(this.options, habits);
	}

	/** Runs the node, and lets the scenario befall it. @param onEntry Told of each line of the log. */
	async perform<Scenario extends Circumstances>(
		scenario: Scenario,
		workflow: Pick<Workflow, 'items' | 'files' | 'parameters'>,
		onEntry: (entry: LogEntry) => void = () => undefined,
	): Promise<Course<Scenario>> {
		const { service, clock, listeners } = this;
		service.clearLog();
		const rules = rulesOf(scenario, service);
		service.script(...rules.keys());
		Object.assign(this.options.rateLimit, scenario.rateLimit ?? NO_LIMIT);
		const chance = jest.spyOn(Math, 'random').mockImplementation(draws(scenario.chance));
		const stop = this.stopOf(scenario);
		listeners.add(onEntry);
		const run = await this.pass(
			runNode({
				...workflow,
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
		listeners.delete(onEntry);

		const log = [...service.log];
		const exchanges = exchangesOf(log, rules, scenario);
		const stoppedAtMs = stop.atMs();
		return { scenario, run, exchanges, log, stoppedAtMs, endedAtMs, timersLeft };
	}

	/** Lets time pass until `work` has ended. */
	async pass<T>(work: Promise<T>): Promise<T> {
		const { log } = this.service;
		return await this.clock.pass(work, () => {
			const arrived = log.filter(({ kind }) => kind === 'arrived').length;
			return { underWay: 2 * arrived - log.length, events: log.length };
		});
	}

	private stopOf({ stop }: Circumstances) {
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

/** In real time, because n8n loads parts of itself when they are first used: its store of files. */
async function rehearse(service: Service): Promise<void> {
	const data = { fileName: 'rehearsal.txt', bytes: new TextEncoder().encode('Rehearsal.') };
	await runNode({
		items: [{}],
		files: [{ data }],
		parameters: { resource: 'file', operation: 'upload' },
		credential: credentialFor(service),
	});
}

const NO_LIMIT: RateLimit = { requests: Infinity, windowMs: 0, header: 'seconds' };

/** Chance that comes out the same each time: Lehmer's generator. Constant, it would break sorting. */
function draws(seed: number): () => number {
	let state = seed + 1;
	return () => {
		state = (state * 16_807) % 2_147_483_647;
		return state / 2_147_483_647;
	};
}
