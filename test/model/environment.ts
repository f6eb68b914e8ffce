import axios from 'axios';
import { sleep } from 'n8n-workflow';

import { runNode } from '../node/engine';
import { AUTH_KEY, credentialFor, KEY } from '../node/fixture';
import { startMs } from '../service/lists';
import type { LogEntry, RateLimit, RecordSeed, Rule, Service } from '../service/service';
import { startService } from '../service/service';
import { Clock } from '../node/clock';
import type { Circumstances, ServiceSettings } from './serviceBehaviour';
import { applyVariant } from './serviceBehaviour';

const USUAL_LATENCY_MS = 7;

const NO_LIMIT: RateLimit = { requests: Infinity, windowMs: 0, header: 'seconds' };

/** A simulation and a clock, on which scenarios are played one after another. */
export class Environment {
	private constructor(
		readonly service: Service,
		private readonly clock: Clock,
		/** Called with each line of the log. */
		private readonly listeners: Set<(entry: LogEntry) => void>,
		/** The options of the simulation, which are changed for each scenario. */
		private readonly settings: ServiceSettings,
		/** The number of events in the simulation, and of open requests. */
		private readonly traffic: { underWay: number; events: number },
	) {}

	/** @param records The documents at the start of each scenario. */
	static async open(records: RecordSeed[], agents: string[]): Promise<Environment> {
		const listeners = new Set<(entry: LogEntry) => void>();
		const traffic = { underWay: 0, events: 0 };
		const settings: ServiceSettings = {
			apiKey: KEY,
			authKey: AUTH_KEY,
			// The last two have the same time, by which pages continue.
			agents: agents.map((uid, at) => ({ uid, name: uid, createdAt: startMs(at === 2 ? 1 : at) })),
			records,
			// Not 0, so that each response has its own time, see `Clock`.
			latencyMs: USUAL_LATENCY_MS,
			rateLimit: { ...NO_LIMIT },
			uploads: {},
			indexing: {},
			// From the start, so that the simulation stores earlier states; each scenario has its own lists.
			agentLists: 'stale',
			lagsMs: {},
			onEntry: (entry) => {
				traffic.events += 1;
				traffic.underWay += entry.kind === 'arrived' ? 1 : -1;
				listeners.forEach((listener) => listener(entry));
			},
		};
		const service = await startService(settings);
		await rehearse(service);
		return new Environment(service, new Clock(), listeners, settings, traffic);
	}

	async close(): Promise<void> {
		this.clock.stop();
		await this.service.stop();
	}

	/** Runs the node under circumstances, and then lets much time pass. `work` gets a promise of the stop button. */
	async during<T>(
		circumstances: Circumstances,
		rules: Rule[],
		onEntry: () => void,
		work: (stop: Promise<void>) => Promise<T>,
	): Promise<{ result: T; stoppedAtMs?: number; endedAtMs: number; timersLeft: number }> {
		const { service, clock, listeners } = this;
		service.clearLog();
		Object.assign(this.traffic, { underWay: 0, events: 0 });
		service.script(...rules);
		Object.assign(this.settings.rateLimit, circumstances.rateLimit ?? NO_LIMIT);
		const chance = jest.spyOn(Math, 'random').mockImplementation(draws(circumstances.chance));
		const stop = this.stopOf(circumstances);
		listeners.add(onEntry);
		const result = await this.pass(work(stop.pressed));
		chance.mockRestore();
		const endedAtMs = Date.now();
		stop.forget();
		const timersLeft = clock.timersLeft();
		// The node would now send requests that it should not send.
		await this.pass(sleep(10_000_000));
		service.clearScript();
		listeners.delete(onEntry);
		return { result, stoppedAtMs: stop.atMs(), endedAtMs, timersLeft };
	}

	reset(): void {
		this.service.reset();
		Object.assign(this.traffic, { underWay: 0, events: 0 });
		this.clock.startAnew();
	}

	arrange({ variant }: Pick<Circumstances, 'variant'>): void {
		Object.assign(this.settings.rateLimit, NO_LIMIT);
		applyVariant(this.settings, variant);
	}

	async pass<T>(work: Promise<T>): Promise<T> {
		return await this.clock.pass(work, () => this.traffic);
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

/** Runs the node in real time, because n8n loads its store of files on first use. */
async function rehearse(service: Service): Promise<void> {
	const data = { fileName: 'rehearsal.txt', bytes: new TextEncoder().encode('Rehearsal.') };
	await runNode({
		items: [{}],
		files: [{ data }],
		parameters: { resource: 'document', operation: 'upload', addToAgent: false },
		credential: credentialFor(service),
	});
}

interface Held {
	uid: string;
	sourceType: string;
	ids: string[];
}

export async function hold({ baseUrl }: Service, all: Held[]): Promise<void> {
	for (const { uid, sourceType, ids: uniqueIds } of all) {
		await axios.patch(
			`${baseUrl}/ai-agents/agent-builder/agents/${uid}/knowledge-base/${sourceType}/add`,
			{ uniqueIds },
			{ headers: { apikey: KEY }, maxRedirects: 0 },
		);
	}
	// Late lists must show it, too.
	if (all.length > 0) await sleep(2000);
}

/** Returns repeatable random numbers, by Lehmer's generator. A constant would break sorting. */
function draws(seed: number): () => number {
	let state = seed + 1;
	return () => {
		state = (state * 16_807) % 2_147_483_647;
		return state / 2_147_483_647;
	};
}
