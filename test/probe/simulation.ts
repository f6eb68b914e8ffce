import { sleep } from 'n8n-workflow';

import type { AttemptResult } from '../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import { isRecord } from '../../nodes/CometChatKnowledgeBase/values/validationIssue';
import type { IndexingRule, RecordSeed, Rule, Service, ServiceOptions } from '../service/service';
import { startService } from '../service/service';
import type { HttpRequest } from './http';
import { sendOnce } from './http';
import type { Report } from './report';
import { summaryLines } from './report';
import { runProbe } from './run';
import { NO_KEY, readSettings } from './settings';
import { Throwaways } from './throwaways';

export const KEY = '0123456789abcdef'.repeat(3).slice(0, 40);
export const HOST = 'https://app1.api-us.cometchat.io';
export const UPLOADS = 'https://uploads.test';
export const FILE = '550e8400-e29b-41d4-a716-446655440000';
export const ENVIRONMENT = {
	COMETCHAT_APP_ID: 'app1',
	COMETCHAT_REGION: 'us',
	COMETCHAT_API_KEY: KEY,
};

/** An agent of the stand-in that is handed out as the one that the probe has made. */
export const SPARE_UID = '7d3c0f52-1111-4222-8333-fedcbafedcba';

/** Longer pauses of the probe last so long here, and indexing two of them. */
const REAL_PAUSE_MS = 8;
const INDEXING_MS = 15;

/** The second file is surely added before it is indexed, and the third is the broken one. */
export const INDEXING: IndexingRule[] = [{}, { ms: Infinity }, { ends: 'failed' }];

/** The account's own. */
export const RECORDS: RecordSeed[] = [
	{ uniqueId: FILE, sourceName: 'a private name.pdf' },
	{ uniqueId: FILE.replace(/0$/, '1'), sourceName: 'https://private.example', type: 'website' },
];

/** In which way the service turns out, and what happens meanwhile. */
export interface Circumstances {
	service?: Partial<ServiceOptions>;
	rules?: Rule[];
	/** How the files and texts are indexed, one after another. */
	indexing?: IndexingRule[];
	/** Calls that the stand-in does not have, by their addresses, and what they answer. */
	calls?: [address: RegExp, body: object];
	refusesNewAgents?: boolean;
	/** How many deletes of an agent fail before one succeeds. */
	failingDeletes?: number;
	/** Headers on every answer. */
	headers?: Record<string, string>;
	filesMayBeMade?: boolean;
	apiKey?: string;
	/** Where presigned addresses lead to. */
	uploadOrigin?: string;
	/** The person presses Ctrl-C while this request is under way, counted from 1. */
	interruptedAt?: number;
	/** This request is lost by an error of the probe's own. */
	breaksAt?: number;
	/** The answer to this request is lost; the service has done it. */
	losesAt?: number;
	/** What a made-up account meets. */
	stranger?: AttemptResult;
	timeoutMs?: number;
}

export interface Run {
	report: Report;
	printed: string[];
	/** By file name. */
	saved: Map<string, string>;
	/** All that a person could see of it. */
	shown: string;
	pausesMs: number[];
	sent: HttpRequest[];
	mostAtOnce: number;
	/** Agents, files and texts that were made and are there. */
	leftBehind: string[];
	service: Service;
}

const failure = (code: string): AttemptResult => ({ kind: 'network failure', code, text: code });

const answer = (status: number, body: object): AttemptResult => {
	return { kind: 'response', status, headers: {}, body };
};

/** By their options: a start takes longer than a whole probe. */
const services = new Map<string, Service>();

export async function stopServices(): Promise<void> {
	for (const service of services.values()) await service.stop();
}

async function serviceWith(options: Partial<ServiceOptions>): Promise<Service> {
	const agents = [
		{ uid: 'support-bot', name: 'A private bot', tools: ['a private tool'] },
		{ uid: SPARE_UID, name: 'Spare' },
	];
	const key = JSON.stringify(options, (_, value: unknown) =>
		value === Infinity ? 'Infinity' : value,
	);
	const service =
		services.get(key) ??
		(await startService({ apiKey: KEY, authKey: 'f'.repeat(40), agents, ...options }));
	services.set(key, service);
	service.reset();
	return service;
}

/** What the stand-in does not have: making, finding and deleting an agent. */
function agentMaker({ refusesNewAgents, failingDeletes = 0 }: Circumstances) {
	let made: string | undefined;
	let failures = failingDeletes;
	const refuse = (status: number) => answer(status, { error: { message: 'No.' } });
	const replyTo = ({ method, url, qs = {}, body }: HttpRequest): AttemptResult | undefined => {
		const uid = /\/agents\/([^/]+)$/.exec(url)?.[1];
		if (method === 'POST' && url.endsWith('/agents')) {
			if (refusesNewAgents) return refuse(403);
			made = isRecord(body) ? String(body.name) : '';
			return answer(200, { agent: { uid: SPARE_UID, name: made, isActive: false } });
		}
		if (method === 'GET' && url.endsWith('/agents') && 'search' in qs) {
			return answer(200, { data: made === qs.search ? [{ uid: SPARE_UID, name: made }] : [] });
		}
		if (uid !== undefined && (uid !== SPARE_UID || made === undefined)) return refuse(404);
		if (method !== 'DELETE' || uid === undefined) return undefined;
		if (failures-- > 0) return refuse(503);
		made = undefined;
		return answer(200, { success: true });
	};
	return { replyTo, made: () => (made === undefined ? [] : [made]) };
}

/** Runs the whole probe against the stand-in, with nothing of this machine but its sockets. */
export async function probe(circumstances: Circumstances = {}): Promise<Run> {
	const { filesMayBeMade = true, apiKey = KEY, uploadOrigin = UPLOADS } = circumstances;
	const service = await serviceWith({
		records: RECORDS,
		indexing: { ms: INDEXING_MS },
		unknownFiles: 'refuse',
		...circumstances.service,
	});
	const noSuchType = { for: { sourceType: 'no-such-type' }, status: 400, message: 'No such type' };
	service.script(...(circumstances.rules ?? []), { ...noSuchType, times: Infinity });
	service.scriptIndexing(...(circumstances.indexing ?? INDEXING));
	const settings = readSettings({ ...ENVIRONMENT, COMETCHAT_API_KEY: apiKey }, filesMayBeMade);
	if (settings === NO_KEY || !('account' in settings)) throw new Error('Unusable settings');

	const agents = agentMaker(circumstances);
	const replyTo = async (request: HttpRequest, timeoutMs: number): Promise<AttemptResult> => {
		const { url } = request;
		if (![HOST, uploadOrigin].some((origin) => url.startsWith(origin))) {
			return circumstances.stranger ?? failure('ENOTFOUND');
		}
		const [call, body] = circumstances.calls ?? [];
		if (body && request.method === 'GET' && call?.test(url)) return answer(200, body);
		const isSigned = request.headers?.apikey === KEY;
		const made = isSigned ? agents.replyTo(request) : undefined;
		if (made !== undefined) return made;
		const there = url
			.replace(`${HOST}/v3`, service.baseUrl)
			.replace(uploadOrigin, service.uploadOrigin);
		const reply = await sendOnce({ ...request, url: there }, timeoutMs);
		if (reply.kind === 'network failure') return reply;
		// With other addresses for the bytes: the stand-in's own are not encrypted.
		const text = JSON.stringify(reply.body).split(service.uploadOrigin).join(uploadOrigin);
		const other: unknown = JSON.parse(text);
		return { ...reply, headers: { ...reply.headers, ...circumstances.headers }, body: other };
	};

	const [printed, sent, pausesMs]: [string[], HttpRequest[], number[]] = [[], [], []];
	const saved = new Map<string, string>();
	const startedAtMs = Date.now();
	let [ids, atOnce, mostAtOnce] = [0, 0, 0];
	const machine = {
		send: async (request: HttpRequest, timeoutMs: number) => {
			const at = sent.push(request);
			if (at === circumstances.breaksAt) throw new Error('a step failed');
			mostAtOnce = Math.max(mostAtOnce, (atOnce += 1));
			const reply = await replyTo(request, timeoutMs);
			atOnce -= 1;
			return at === circumstances.losesAt ? failure('ECONNRESET') : reply;
		},
		pause: async (waitMs: number) => {
			pausesMs.push(waitMs);
			if (waitMs >= 1000) await sleep(REAL_PAUSE_MS);
		},
		nowMs: () => startedAtMs + pausesMs.reduce((sum, waitMs) => sum + waitMs, 0),
		newId: () => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, '0')}`,
		print: (line: string) => void printed.push(line),
		save: (fileName: string, text: string) => void saved.set(fileName, text),
		isInterrupted: () => sent.length >= (circumstances.interruptedAt ?? Infinity),
		timeoutMs: circumstances.timeoutMs ?? 5000,
	};
	const report = await runProbe(settings, machine, new Throwaways());
	printed.push(...summaryLines(report));
	const own = RECORDS.map(({ uniqueId }) => uniqueId);
	const records = service.records().map(({ uniqueId }) => uniqueId);
	const shown = [...printed, JSON.stringify(report), ...saved.keys(), ...saved.values()].join('\n');
	const leftBehind = [...agents.made(), ...records.filter((id) => !own.includes(id))];
	return { report, printed, saved, shown, pausesMs, sent, mostAtOnce, leftBehind, service };
}
