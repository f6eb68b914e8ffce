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

/** One stand-in and one clock, on which scenarios are played one after another. */
export class Environment {
	private constructor(
		readonly service: Service,
		private readonly clock: Clock,
		/** Told of each line of the log. */
		private readonly listeners: Set<(entry: LogEntry) => void>,
		/** Handed to the stand-in once, and changed for each scenario. */
		private readonly settings: ServiceSettings,
		/** What has happened in the stand-in, and what is on its way. */
		private readonly traffic: { underWay: number; events: number },
	) {}

	/** @param records What is in the service at the start of each scenario, as are the agents. */
	static async open(records: RecordSeed[], agents: string[]): Promise<Environment> {
		const listeners = new Set<(entry: LogEntry) => void>();
		const traffic = { underWay: 0, events: 0 };
		const settings: ServiceSettings = {
			apiKey: KEY,
			authKey: AUTH_KEY,
			// The last two were created at the same time: pages continue by this time.
			agents: agents.map((uid, at) => ({ uid, name: uid, createdAt: startMs(at === 2 ? 1 : at) })),
			records,
			// Never at once: each answer has a moment of its own, see `Clock`.
			latencyMs: USUAL_LATENCY_MS,
			rateLimit: { ...NO_LIMIT },
			uploads: {},
			indexing: {},
			// From the start, so that the stand-in remembers what was; each scenario has its own.
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

	/**
	 * Lets circumstances befall runs of the node, and then much time pass.
	 *
	 * @param rules The stand-in's, for these circumstances.
	 * @param onEntry Is told of each line of the log.
	 * @param work Is given what resolves when the user presses the stop button.
	 */
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
		// What the node has left behind would now be sent.
		await this.pass(sleep(10_000_000));
		service.clearScript();
		listeners.delete(onEntry);
		return { result, stoppedAtMs: stop.atMs(), endedAtMs, timersLeft };
	}

	/** Back to the start. */
	reset(): void {
		this.service.reset();
		Object.assign(this.traffic, { underWay: 0, events: 0 });
		this.clock.startAnew();
	}

	/** How the service is from now on. */
	arrange({ variant }: Pick<Circumstances, 'variant'>): void {
		Object.assign(this.settings.rateLimit, NO_LIMIT);
		applyVariant(this.settings, variant);
	}

	/** Lets time pass until `work` has ended. */
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

/** In real time, because n8n loads parts of itself when they are first used: its store of files. */
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
	// Lists that are behind show it, too.
	if (all.length > 0) await sleep(2000);
}

/** Chance that comes out the same each time: Lehmer's generator. Constant, it would break sorting. */
function draws(seed: number): () => number {
	let state = seed + 1;
	return () => {
		state = (state * 16_807) % 2_147_483_647;
		return state / 2_147_483_647;
	};
}
