import axios from 'axios';
import { buf as checksumOf, str as checksumOfText } from 'crc-32';
import type { IDataObject } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import type { Run, Scenario as Workflow, TestFile } from '../node/engine';
import { runNode } from '../node/engine';
import { AUTH_KEY, credentialFor, KEY } from '../node/fixture';
import type {
	LogEntry,
	RateLimit,
	RecordSeed,
	ReceivedBytes,
	Rule,
	Service,
} from '../service/service';
import { startService } from '../service/service';
import { Clock } from '../node/clock';
import { exchangesOf } from './exchanges';
import type {
	Again,
	Edit,
	FileDraft,
	Held,
	Holdings,
	Operation,
	Played,
	Scenario,
} from './operation';
import { AGENTS, KNOWN_AGENTS } from './records';
import type { Circumstances, ServiceSettings } from './serviceBehaviour';
import { applyVariant } from './serviceBehaviour';
import { rulesOf } from './serviceRules';

const USUAL_LATENCY_MS = 7;

const NO_LIMIT: RateLimit = { requests: Infinity, windowMs: 0, header: 'seconds' };

const SOURCE_TYPES = ['uploads', 'text', 'website'];

/** One stand-in and one clock, on which scenarios are played one after another. */
export class Environment {
	private constructor(
		readonly service: Service,
		private readonly clock: Clock,
		/** Told of each line of the log. */
		private readonly listeners: Set<(entry: LogEntry) => void>,
		/** Handed to the stand-in once, and changed for each scenario. */
		private readonly settings: ServiceSettings,
	) {}

	/** @param records What is in the service at the start of each scenario, as are the agents. */
	static async open(
		records: RecordSeed[],
		agents = KNOWN_AGENTS,
		found?: ServiceSettings['found'],
	): Promise<Environment> {
		const listeners = new Set<(entry: LogEntry) => void>();
		const settings: ServiceSettings = {
			apiKey: KEY,
			authKey: AUTH_KEY,
			agents: agents.map((uid) => ({ uid, name: uid })),
			records,
			found,
			// Never at once: each answer has a moment of its own, see `Clock`.
			latencyMs: USUAL_LATENCY_MS,
			rateLimit: { ...NO_LIMIT },
			uploads: {},
			indexing: {},
			// From the start, so that the stand-in remembers what was; each scenario has its own.
			agentLists: 'stale',
			lagsMs: {},
			onEntry: (entry) => listeners.forEach((listener) => listener(entry)),
		};
		const service = await startService(settings);
		await rehearse(service);
		return new Environment(service, new Clock(), listeners, settings);
	}

	async close(): Promise<void> {
		this.clock.stop();
		await this.service.stop();
	}

	/** Runs the node, and lets the scenario befall it. */
	async play(operation: Operation, scenario: Scenario): Promise<Played> {
		const { service } = this;
		await this.prepare(scenario);
		const { staticData, edits } = await this.goBefore(operation, scenario);
		const before = holdingsOf(service);
		const lastSeen: Played['lastSeen'] = new Map();
		const moments: Played['moments'] = [];
		const sites: Played['sites'] = [];
		const look = () => {
			for (const record of service.records()) {
				const { uniqueId } = record;
				lastSeen.set(uniqueId, { record, stored: service.stored(uniqueId) });
			}
			moments.push(attachedIn(service));
			sites.push(service.websites());
		};
		look();
		const rules = rulesOf(scenario, service);
		const { result: run, ...ended } = await this.during(
			scenario,
			[...rules.keys()],
			look,
			async (stop) =>
				await runNode({
					...this.workflowOf(operation, scenario, staticData),
					onError: scenario.onError,
					stop,
				}),
		);
		look();

		const log = [...service.log];
		const exchanges = exchangesOf(log, rules, scenario);
		const after = holdingsOf(service);
		const stored = new Map([...lastSeen.keys()].map((id) => [id, service.stored(id)]));
		const text = textsOf(service);
		const next = operation.runsAgain ? await this.playAgain(operation, scenario) : undefined;
		const seen = { scenario, before, after, moments, sites, lastSeen, edits, text, next };
		const again = await this.comeAgain(operation, scenario, run.staticData);
		return { ...seen, ...ended, run, exchanges, log, stored: (id) => stored.get(id), again };
	}

	/** What there was before the run: another of the node, and what somebody else has done since. */
	private async goBefore(
		operation: Operation,
		scenario: Scenario,
	): Promise<{ staticData: IDataObject; edits: Edit[] }> {
		const { service } = this;
		const items = operation.earlier?.(scenario.items) ?? [];
		if (items.length === 0) return { staticData: {}, edits: [] };
		const { staticData } = await this.playCalmly(operation, scenario, { items });
		const edits = operation.edits?.(scenario.items, holdingsOf(service)) ?? [];
		await this.pass(edit(service, edits));
		return { staticData, edits };
	}

	private async comeAgain(
		operation: Operation,
		scenario: Scenario,
		staticData: IDataObject,
	): Promise<Again | undefined> {
		if (!operation.comesAgain) return undefined;
		const { service } = this;
		const before = holdingsOf(service);
		const run = await this.playCalmly(operation, scenario, { staticData });
		const [after, text] = [holdingsOf(service), textsOf(service)];
		return { before, run, log: [...service.log], after, text };
	}

	/** The same workflow once more, with nothing in its way. */
	private async playAgain(operation: Operation, scenario: Scenario): Promise<Played['next']> {
		const { service } = this;
		const calm: Scenario = {
			...scenario,
			onError: 'continueRegularOutput',
			misbehaviours: [],
			rateLimit: undefined,
			stop: undefined,
		};
		const rules = rulesOf(calm, service);
		const play = async (stop: Promise<void>) =>
			await runNode({
				...this.workflowOf(operation, calm, {}),
				onError: calm.onError,
				stop,
			});
		const { result: run } = await this.during(calm, [...rules.keys()], () => undefined, play);
		const exchanges = exchangesOf([...service.log], rules, calm);
		return { run, exchanges, after: holdingsOf(service) };
	}

	/** A run while the service is good, in which each item has an outcome of its own. */
	private async playCalmly(
		operation: Operation,
		scenario: Scenario,
		{ items, staticData = {} }: { items?: IDataObject[]; staticData?: IDataObject },
	): Promise<Run> {
		const { splitLongText } = scenario.options;
		const calm = { ...scenario, options: { splitLongText }, misbehaviours: [], badIds: [] };
		const workflow = this.workflowOf(operation, calm, staticData);
		const still = { ...calm, rateLimit: undefined, stop: undefined };
		const { result } = await this.during(
			still,
			[...rulesOf(still, this.service).keys()],
			() => undefined,
			async () =>
				await runNode({
					...workflow,
					items: items ?? workflow.items,
					onError: 'continueRegularOutput',
				}),
		);
		return result;
	}

	private workflowOf(
		{ parameters, earlier }: Operation,
		{ items, options }: Scenario,
		staticData: IDataObject,
	): Workflow {
		const testFile = (file: FileDraft): TestFile => {
			const { fileName, kept } = file;
			return { fileName, bytes: bytesOf(file), kept };
		};
		const files = items.map(({ files: drafts = {} }) =>
			Object.fromEntries(Object.entries(drafts).map(([field, file]) => [field, testFile(file)])),
		);
		return {
			items: items.map(({ json }) => json),
			files,
			parameters: { ...parameters, options: withoutUndefined(options) },
			credential: credentialFor(this.service),
			// n8n keeps nothing of a run by hand.
			...(earlier && { mode: 'trigger', staticData }),
		};
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
		this.clock.startAnew();
	}

	/** How the service is from now on. */
	arrange({ serviceAheadMs, variant }: Pick<Circumstances, 'serviceAheadMs' | 'variant'>): void {
		this.clock.serviceAheadMs = serviceAheadMs;
		Object.assign(this.settings.rateLimit, NO_LIMIT);
		applyVariant(this.settings, variant);
	}

	/** Back to the start, and to what the scenario begins with. */
	private async prepare(scenario: Scenario): Promise<void> {
		const { service } = this;
		this.reset();
		this.arrange(scenario);
		await this.pass(hold(service, scenario.heldBefore));
		for (const fileName of scenario.unreadable) {
			service.scriptIndexing({ for: { fileName }, times: Infinity, ends: 'failed' });
		}
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
		parameters: { resource: 'document', operation: 'upload', addToAgent: false },
		credential: credentialFor(service),
	});
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

/** As somebody would in CometChat's dashboard. */
async function edit({ baseUrl }: Service, edits: Edit[]): Promise<void> {
	for (const { id, text } of edits) {
		await axios.patch(
			`${baseUrl}/ai-agents/agent-builder/knowledge-base/text/${id}`,
			{ text },
			{ headers: { apikey: KEY }, maxRedirects: 0 },
		);
	}
}

/** What each text says at this moment. */
function textsOf(service: Service): Played['text'] {
	const texts = new Map(service.records().map(({ uniqueId: id }) => [id, service.text(id)]));
	return (id) => texts.get(id);
}

function holdingsOf(service: Service): Holdings {
	return {
		records: service.records(),
		websites: service.websites(),
		agents: service.agents(),
		attached: attachedIn(service),
	};
}

function attachedIn(service: Service): Holdings['attached'] {
	const places = AGENTS.flatMap((uid) =>
		SOURCE_TYPES.map((sourceType) => [uid, sourceType] as const),
	);
	return new Map(
		places.map(([uid, sourceType]) => [`${uid}/${sourceType}`, service.files(uid, sourceType)]),
	);
}

/** As it stands in a workflow, which has only what is set. */
export function withoutUndefined<T extends object>(options: T): Partial<T> {
	const copy: Partial<T> = { ...options };
	for (const key of Object.keys(copy)) {
		if (Reflect.get(copy, key) === undefined) Reflect.deleteProperty(copy, key);
	}
	return copy;
}

/** No two files of a run have the same bytes, unless they are of the same name and size. */
function bytesOf({ fileName, size }: FileDraft): Uint8Array {
	const pattern = `${checksumOfText(fileName)} of ${size} bytes. `;
	const text = pattern.repeat(Math.ceil(size / pattern.length));
	return new TextEncoder().encode(text).subarray(0, size);
}

/** What the upload host has of a file if it has all of it. */
export function arrived(file: FileDraft): ReceivedBytes {
	const bytes = bytesOf(file);
	return { bytes: bytes.length, checksum: checksumOf(bytes) };
}

/** Chance that comes out the same each time: Lehmer's generator. Constant, it would break sorting. */
function draws(seed: number): () => number {
	let state = seed + 1;
	return () => {
		state = (state * 16_807) % 2_147_483_647;
		return state / 2_147_483_647;
	};
}
