import axios from 'axios';
import { str as checksumOf } from 'crc-32';
import type { IDataObject } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import type { Call, CallRun, Run, Scenario, TestFile } from '../../node/engine';
import { runNode } from '../../node/engine';
import { credentialFor, KEY } from '../../node/fixture';
import type { LogEntry, Rule } from '../../service/service';
import type { Environment } from '../environment';
import { hold } from '../environment';
import { rulesOf } from '../serviceRules';
import type { Brought } from './delivery';
import { callsOf } from './delivery';
import type { FolderFile } from './folder';
import { Folder } from './folder';
import { AbsenceCount } from './absences';
import type { ByHand, Night, Nights, Place, Settings } from './scenario';
import {
	BYSTANDER,
	FAILED_DOWNLOADS,
	HELD,
	NEVER_ACCEPTED,
	NIGHT_UIDS,
	PLACES,
	SCAN,
	UNREADABLE,
} from './scenario';

export interface Moment {
	attached: Map<string, string[]>;
	/** The uploads in CometChat, by ID. */
	uploads: ReadonlyMap<string, Upload>;
}

export interface Upload {
	fileName: string;
	/** Undefined if its bytes never arrived. */
	checksum?: number;
	isUsable: boolean;
	hasText: boolean;
	/** A Unix time in milliseconds, by the service's clock. */
	createdAtMs: number;
	/** Whether it existed before the first night, so that it is not from this node. */
	isForeign: boolean;
}

export interface NodeCall extends CallRun {
	items: Brought[];
}

export interface Execution {
	status: Run['status'];
	calls: NodeCall[];
	/** The items of the planned calls. */
	planned: Brought[][];
	/** The files in the folder at its start. */
	folder: FolderFile[];
	/** The moments at its start and its end. */
	first: number;
	last: number;
	/** Everything that n8n shows and stores. */
	stored: string;
}

/** A night after its end, with the log of the simulation. */
export interface Passed {
	settings: Settings;
	night: Night;
	/** None without items, two for a second execution at the same time. */
	executions: Execution[];
	/** The number of executions without each file at its start, as far as the node can know it. */
	absences: AbsenceCount;
	/** The states before the night, at each line of the log, and after the night. */
	moments: Moment[];
	/** The number of files that each agent ever had in the input. */
	namesCome: ReadonlyMap<string, number>;
	/** The uploads that any agent ever used. */
	everAttached: ReadonlySet<string>;
	/** The size of the node's static data after the night, in bytes. */
	noteBytes: number;
	/** Whether n8n has saved the record of this night and of all before. */
	isNoteWhole: boolean;
	log: LogEntry[];
	previous?: Passed;
}

const OUTAGE_MS = 20_000;
const BETWEEN_MS = 10_000_000;
const DAY_MS = 24 * 60 * 60_000;
/** Older than the uploads from elsewhere. */
const LONG_AGO_MS = 20 * 365 * DAY_MS;

interface Kept {
	staticData: IDataObject;
	absences: AbsenceCount;
}

/** Plays nights one after another until one breaks a promise. */
export async function playNights<T>(
	environment: Environment,
	scenario: Nights,
	judge: (passed: Passed) => T | undefined,
): Promise<T | undefined> {
	const played = new PlayedNights(environment, scenario);
	await played.begin();
	for (const night of scenario.nights) {
		const judged = judge(await played.play(night));
		if (judged !== undefined) return judged;
	}
	return undefined;
}

class PlayedNights {
	private readonly folder = new Folder();

	private readonly foreign = new Set<string>();

	private readonly everAttached = new Set<string>();

	private readonly namesCome = new Map(NIGHT_UIDS.map((uid) => [uid, new Set<string>()]));

	private readonly lastBrought = new Map<string, FolderFile>();

	private kept: Kept = { staticData: {}, absences: new AbsenceCount() };

	/** The saved data at the start of the previous night. */
	private keptBefore = this.kept;

	private previous: Passed | undefined;

	private moments: Moment[] = [];

	/** The texts of scans in CometChat, by ID. */
	private readonly pages: Record<string, string[]> = {};

	constructor(
		private readonly environment: Environment,
		private readonly scenario: Nights,
	) {}

	async begin(): Promise<void> {
		const { environment, scenario, folder, foreign } = this;
		const { service } = environment;
		environment.reset();
		environment.arrange({ variant: {} });
		service.scriptIndexing({ for: { fileName: UNREADABLE }, times: Infinity, ends: 'failed' });
		for (const record of service.records()) foreign.add(identityOf(record));
		await environment.pass(hold(service, HELD));
		for (const one of scenario.first)
			folder.edit(one, scenario.settings.startsOld ? LONG_AGO_MS : 0);
	}

	async play(night: Night): Promise<Passed> {
		const { environment, scenario, previous } = this;
		const { settings } = scenario;
		await this.letHappen(night);
		const begun = this.begunWith(night);
		this.moments = [];
		this.look();
		const { executions, kept } = await this.run(night, begun);
		this.look();
		const isKept = this.keep(night, begun, kept, executions);
		for (const file of executions.flatMap(({ planned }) => planned.flat())) {
			this.lastBrought.set(nameOf(file), file);
			this.namesCome.get(file.uid)?.add(file.fileName);
		}
		const { moments } = this;
		const isWhole = isKept && !night.losesNote && !night.second && (previous?.isNoteWhole ?? true);
		const passed = {
			settings,
			night,
			executions,
			absences: begun.absences,
			moments,
			namesCome: new Map([...this.namesCome].map(([uid, names]) => [uid, names.size])),
			everAttached: this.everAttached,
			noteBytes: JSON.stringify(this.kept.staticData).length,
			isNoteWhole: isWhole,
			log: [...environment.service.log],
			previous,
		};
		this.previous = passed;
		this.keptBefore = begun;
		return passed;
	}

	/** Changes the folder and the account before the night. */
	private async letHappen(night: Night): Promise<void> {
		const { environment, folder, scenario } = this;
		const { settings } = scenario;
		const variant = {
			...night.variant,
			lagsMs: night.lagsMs,
			agentLists: settings.agentLists,
			agentListsOf: settings.agentListsOf && {
				[settings.agentListsOf.uid]: settings.agentListsOf.lists,
			},
			hiddenAgents: settings.hidden === undefined ? undefined : [settings.hidden],
			agentsNext: settings.next,
			recordsNext: settings.next,
			freedIds: settings.freedIds,
			pages: { pages: this.pages },
		};
		environment.arrange({ ...night, variant });
		const edit = () => night.edits.forEach((one) => folder.edit(one));
		if (!night.isLate) edit();
		for (const one of night.byHand) await environment.pass(byHand(environment, one));
		await environment.pass(sleep(BETWEEN_MS + night.daysLater * DAY_MS));
		if (night.isLate) edit();
		if (night.losesNote) this.kept = { staticData: {}, absences: new AbsenceCount() };
	}

	/** Returns the record at the start of the node: usually the last one. */
	private begunWith({ mode }: Night): Kept {
		if (mode === 'retry') return { ...this.kept, staticData: {} };
		return mode === 'retryWithNote' ? this.keptBefore : this.kept;
	}

	private async run(night: Night, begun: Kept) {
		const { environment, folder } = this;
		const { service } = environment;
		const { killed, second } = night;
		const executions: Execution[] = [];
		let kept = begun.staticData;
		const begin = async (stop: Promise<void>) => {
			const files = folder.files();
			const planned = this.plannedFor(night, files);
			// n8n runs no node without items.
			if (planned.length === 0) return;
			const first = this.moments.length - 1;
			const run = await runNode(this.workflowFor(night, planned, begun.staticData, stop));
			const calls = run.calls.map((call, at) => ({ ...call, items: planned[at] ?? [] }));
			const last = this.moments.length - 1;
			const stored = JSON.stringify([run.stored, run.hints]);
			executions.push({ status: run.status, calls, planned, folder: files, first, last, stored });
			kept = run.staticData;
		};
		const { repeatsKey } = this.scenario.settings;
		const variant: Night['variant'] = { repeatsKey: repeatsKey ? 'agentName' : undefined };
		const rules = killed ? untilKilled(killed) : rulesOf({ ...night, variant });
		const stop = killed ? { atRequest: killed.atRequest } : night.stop;
		const look = () => this.look();
		await environment.during({ ...night, stop }, rules, look, async (pressed) => {
			const beginSecond = async (afterMs: number) => {
				await sleep(afterMs);
				for (const one of second?.edits ?? []) folder.edit(one);
				await begin(pressed);
			};
			const breakOff = async ({ operation, afterMs }: NonNullable<Night['outage']>) => {
				await sleep(afterMs);
				service.script({ for: { operation }, status: 503, times: Infinity });
				await sleep(OUTAGE_MS);
				service.clearScript();
			};
			if (night.outage) void breakOff(night.outage);
			await Promise.all([begin(pressed), ...(second ? [beginSecond(second.afterMs)] : [])]);
		});
		return { executions, kept };
	}

	private plannedFor(night: Night, files: FolderFile[]): Brought[][] {
		const isRetry = night.mode === 'retry' || night.mode === 'retryWithNote';
		const [again] = this.previous?.executions ?? [];
		if (isRetry && again) return again.planned;
		return callsOf(this.scenario.settings, night, files, [...this.lastBrought.values()]);
	}

	/** @returns Whether n8n saves the node's record. */
	private keep(night: Night, begun: Kept, staticData: IDataObject, all: Execution[]): boolean {
		const { killed, mode } = night;
		const isChanged = JSON.stringify(staticData) !== JSON.stringify(begun.staticData);
		if (killed || mode === 'manual' || (mode === 'retry' && !isChanged)) return all.length === 0;
		const absences = begun.absences.after(night, all);
		if (isChanged) this.kept = { staticData, absences };
		return mode === 'trigger' && all.every(({ status }) => status !== 'canceled');
	}

	private look(): void {
		const { service } = this.environment;
		const uploads = new Map(
			service.records().map((record): [string, Upload] => {
				const { uniqueId, sourceName: fileName, status, createdAt: createdAtMs } = record;
				const { checksum } = service.stored(uniqueId) ?? {};
				const isForeign = this.foreign.has(identityOf(record));
				const isUsable = status !== 'failed';
				const hasText = isUsable && checksum !== checksumOf(SCAN);
				if (checksum === checksumOf(SCAN)) this.pages[uniqueId] = [''];
				else Reflect.deleteProperty(this.pages, uniqueId);
				return [uniqueId, { fileName, checksum, isUsable, hasText, createdAtMs, isForeign }];
			}),
		);
		const attached = new Map(NIGHT_UIDS.map((uid) => [uid, service.files(uid, 'uploads')]));
		this.moments.push({ attached, uploads });
		for (const ids of attached.values()) for (const id of ids) this.everAttached.add(id);
	}

	private workflowFor(
		night: Night,
		planned: Brought[][],
		staticData: IDataObject,
		stop: Promise<void>,
	): Scenario {
		const { service } = this.environment;
		const { settings } = this.scenario;
		const calls: Scenario['calls'] = planned.map((items) => callWith(items, night, settings));
		if (night.failsAfter !== undefined) calls.splice(night.failsAfter, Infinity, 'fails');
		return {
			items: [],
			calls,
			parameters: parametersOf(settings),
			credential: credentialFor(service),
			onError: night.onError,
			mode: night.mode === 'retryWithNote' ? 'retry' : night.mode,
			staticData,
			stop,
		};
	}
}

/** Returns the identity of an upload, because its ID may be used again. */
function identityOf({ uniqueId, createdAt }: { uniqueId: string; createdAt: number }): string {
	return `${uniqueId} of ${createdAt}`;
}

function callWith(items: Brought[], { dry }: Night, settings: Settings): Call {
	const { tellsModified, goneFiles, goneFilesOf } = settings;
	const isDry = ({ uid }: Partial<Place>) =>
		dry?.kind === 'all' || (dry !== undefined && PLACES[dry.at]?.uid === uid);
	const jsons = items.map((file) => ({
		uid: file.uid,
		modified: tellsModified ? file.modifiedMs : '',
		dry: isDry(file),
		gone: goneFilesOf?.uid === file.uid ? goneFilesOf.goneFiles : goneFiles,
		documentName: nameIn(file),
		text: file.text,
	}));
	if (settings.areTexts) return { items: jsons, files: [] };
	const [first] = items;
	const others = first === undefined ? [] : settings.neverAccepted;
	return {
		items: [
			...jsons,
			...others.map((fileName) => ({ ...jsons[0], dry: isDry({ ...first, fileName }) })),
		],
		files: [...items.map(binaryOf), ...others.map(neverAccepted)],
	};
}

/** Returns the name in a row, in which the title may be missing. */
function nameIn({ fileName, flaw }: Brought): string {
	return flaw === undefined ? fileName : '';
}

function neverAccepted(fileName: string): Record<string, TestFile> {
	const { mimeType, text = '' } = NEVER_ACCEPTED[fileName] ?? {};
	return { data: { fileName, mimeType, bytes: bytesOf(text) } };
}

/** Returns the binary data of a previous node for a file, which may be missing. */
function binaryOf({ fileName, text, flaw }: Brought): Record<string, TestFile> {
	switch (flaw) {
		case 'noFile':
			return {};
		case 'nameless':
			return { data: { fileName: '', bytes: bytesOf(text) } };
		case 'unfilled':
			return { data: { fileName: '=.txt', bytes: bytesOf(text) } };
		case 'page':
			return { data: { fileName: 'login', mimeType: 'text/html', bytes: bytesOf(LOGIN_PAGE) } };
		default:
			return { data: { fileName, bytes: bytesOf(text) } };
	}
}

const [LOGIN_PAGE = ''] = FAILED_DOWNLOADS;

function parametersOf(settings: Settings): Scenario['parameters'] {
	const { oldVersions } = settings;
	return {
		resource: 'knowledgeBase',
		operation: 'sync',
		uid: { __rl: true, mode: 'id', value: '={{ $json.uid }}' },
		missingDocuments: '={{ $json.gone }}',
		...(oldVersions && { oldVersions }),
		dryRun: '={{ $json.dry }}',
		modified: '={{ $json.modified }}',
		contentFrom: settings.areTexts ? 'text' : 'file',
		...{ documentName: '={{ $json.documentName }}', text: '={{ $json.text }}' },
		startWithName: false,
	};
}

/** Makes the rules by which no request is carried out after a certain one. */
function untilKilled({ atRequest, applies }: NonNullable<Night['killed']>): Rule[] {
	return [
		...(atRequest > 1 ? [{ times: atRequest - 1 }] : []),
		{ drop: 'beforeApplying', apply: applies },
		{ times: Infinity, drop: 'beforeApplying' },
	];
}

function bytesOf(text: string): Uint8Array {
	return new TextEncoder().encode(text);
}

/** Returns the checksum of a file in the folder, to compare it with the stored one. */
export function checksumIn({ text }: Pick<FolderFile, 'text'>): number {
	return checksumOf(text);
}

function nameOf({ uid, fileName }: FolderFile): string {
	return `${fileName} of ${uid}`;
}

async function byHand({ service }: Environment, { kind, at }: ByHand): Promise<void> {
	const { uid = '', fileName = '' } = PLACES[at] ?? {};
	const attached = service.files(uid, 'uploads');
	const uniqueIds = service
		.records()
		.filter((record) => record.sourceName === fileName && attached.includes(record.uniqueId))
		.map(({ uniqueId }) => uniqueId);
	const authorized = { headers: { apikey: KEY }, maxRedirects: 0 };
	const path = `${service.baseUrl}/ai-agents/agent-builder`;
	if (kind === 'share' && uniqueIds.length > 0) {
		await hold(service, [{ uid: BYSTANDER, sourceType: 'uploads', ids: uniqueIds }]);
	}
	for (const uniqueId of uniqueIds) {
		if (kind === 'delete') {
			await axios.delete(`${path}/knowledge-base/uploads/${uniqueId}`, authorized);
		} else if (kind === 'take') {
			const body = { uniqueIds: [uniqueId] };
			await axios.patch(`${path}/agents/${uid}/knowledge-base/uploads/remove`, body, authorized);
		}
	}
}
