import type { IDataObject, WorkflowExecuteMode } from 'n8n-workflow';

import { isRecord } from '../../../values/userError';
import type { GoneFiles } from './folder';
import { GONE_FILES } from './folder';

/** An upload in CometChat. */
export interface NotedUpload {
	uniqueId: string;
	/** Whether this node has uploaded it: what it has not, it never deletes. */
	isOwn: boolean;
}

/** An upload, and the SHA-256 of its content. */
export interface NotedVersion extends NotedUpload {
	sha256: string;
	/** Of one that was to be added: whether the answer was lost, so that the agent may have it. */
	mayBeAttached?: boolean;
}

/** A content that CometChat was not able to read. */
export interface Unreadable {
	sha256: string;
	/** How often it was uploaded. */
	tries: number;
	/** When it was uploaded last. */
	lastMs: number;
	/** The last upload of it that is counted. */
	uniqueId?: string;
}

/** What is noted of a file for an agent. */
export interface NotedFile {
	/** What the agent was given last. */
	current?: NotedVersion;
	/** What was uploaded, and not given to the agent as far as is known. */
	pending?: NotedVersion;
	/** Uploads that are still to be taken from the agent or deleted. */
	old: NotedUpload[];
	/** What this node has taken from the agent and CometChat still has, the last one at the end. */
	out: NotedVersion[];
	unreadable?: Unreadable;
}

/** When the executions of the workflow have brought a file. */
export interface Seen {
	/** Whether the execution that is noted has brought it. */
	isNamed: boolean;
	/** How many executions that count have gone by without it, since it came last. */
	missed: number;
	/** Files that came together the last time have the same number. */
	cohort: number;
}

/** The execution that has called the node last. */
export interface NotedExecution {
	/** n8n's ID. */
	id: string;
	/** How often it has called the node. */
	calls: number;
	/** Whether each item named its file, nothing was only tried, and nothing stopped the node. */
	isWhole: boolean;
	/** How the one before it has ended, where that made a difference. */
	before?: ExecutionEnd;
	/** What becomes of files that are gone, as the mildest of its items until now says. */
	goneFiles?: GoneFiles;
}

/** How an earlier execution has ended, as far as n8n has kept it. */
export type ExecutionEnd = (typeof EXECUTION_ENDS)[number];

const EXECUTION_ENDS = ['well', 'not well', 'not kept'] as const;

/** Where and for whom something is noted. */
export interface NotedAgent {
	/** The account's base URL. */
	account: string;
	/** In lower case: two spellings may be one agent. */
	uid: string;
	/** By the file's name. */
	files: Map<string, NotedFile>;
	/** By the file's name: of those that the agent was given, or was to be given. */
	seen: Map<string, Seen>;
	execution?: NotedExecution;
	/** How often the execution before that one has called the node. */
	lastCalls: number;
	/** The number of the youngest cohort. */
	cohorts: number;
	/** What else the agent has: of uploads the name, shortened if it is long, of all else an empty text; by ID. */
	otherNames: Map<string, string>;
	/** Whether CometChat has ever told which documents the agent has. */
	wasTold: boolean;
	/** Whether it was said that no item is for this agent any more. */
	isAbsenceTold: boolean;
	/**
	 * Of how many files too many were missing, for as long as they are. Files that have come since do not make
	 * up for them: what was left one night for safety would go in the next.
	 */
	missingOf?: number;
}

export function newFile(): NotedFile {
	return { old: [], out: [] };
}

/** Whether the agent was given a file, or was to be given it; otherwise all that is noted is what it lost. */
export function isKnown({ current, pending, old }: NotedFile): boolean {
	return current !== undefined || pending !== undefined || old.length > 0;
}

/** All uploads that an agent may have of a file. */
export function uploadsOf({ current, pending, old }: NotedFile): NotedUpload[] {
	return [...(current ? [current] : []), ...(pending ? [pending] : []), ...old];
}

/** Of whom nothing is noted yet. */
export function newAgent(account: string, uid: string): NotedAgent {
	return {
		account,
		uid,
		files: new Map(),
		seen: new Map(),
		otherNames: new Map(),
		lastCalls: 0,
		cohorts: 0,
		wasTold: false,
		isAbsenceTold: false,
	};
}

/** Of the shape that is written below. */
const NOTE_VERSION = 2;

/**
 * What a node has sent in earlier runs, as n8n keeps it in the node's static data. By account and agent,
 * so that a node that is pointed elsewhere and back finds its own again.
 *
 * Whoever reads it must be right without it, too: n8n keeps nothing of a run by hand or one that was
 * killed, a copy of the workflow begins without, and of two runs at the same time the last one wins.
 *
 * @param note Foreign: what does not have the shape is passed over; one of another version counts as none.
 */
export function readNote(note: unknown): NotedAgent[] {
	if (!isRecord(note) || note.version !== NOTE_VERSION) return [];
	return arrayOf(note.agents).flatMap((agent) => {
		if (!isRecord(agent) || !Array.isArray(agent.files)) return [];
		const { account, uid } = agent;
		if (typeof account !== 'string' || typeof uid !== 'string') return [];
		const read = newAgent(account, uid);
		for (const file of agent.files) {
			if (!isRecord(file) || typeof file.name !== 'string') continue;
			const noted = readFile(file);
			read.files.set(file.name, noted);
			if (isKnown(noted)) read.seen.set(file.name, readSeen(file));
		}
		return {
			...read,
			execution: readExecution(agent.execution),
			otherNames: readTexts(agent.otherNames),
			lastCalls: countIn(agent.lastCalls),
			cohorts: countIn(agent.cohorts),
			wasTold: agent.wasTold === true,
			isAbsenceTold: agent.isAbsenceTold === true,
			missingOf: typeof agent.missingOf === 'number' ? agent.missingOf : undefined,
		};
	});
}

function readFile(file: Record<string, unknown>): NotedFile {
	const { unreadable } = file;
	return {
		current: readVersion(file),
		pending: readVersion(file.pending),
		old: [...readNotedUploads(file.oldOwn, true), ...readNotedUploads(file.old, false)],
		out: arrayOf(file.out).flatMap((one) => readVersion(one) ?? []),
		...(isRecord(unreadable) && typeof unreadable.sha256 === 'string'
			? {
					unreadable: {
						sha256: unreadable.sha256,
						tries: countIn(unreadable.tries),
						lastMs: countIn(unreadable.lastMs),
						...(typeof unreadable.uniqueId === 'string' && { uniqueId: unreadable.uniqueId }),
					},
				}
			: {}),
	};
}

function readVersion(value: unknown): NotedVersion | undefined {
	if (!isRecord(value)) return undefined;
	const { uniqueId, sha256, own, mayBeAttached } = value;
	if (typeof uniqueId !== 'string' || typeof sha256 !== 'string') return undefined;
	const version = { uniqueId, sha256, isOwn: own === true };
	return mayBeAttached === true ? { ...version, mayBeAttached } : version;
}

function readNotedUploads(ids: unknown, isOwn: boolean): NotedUpload[] {
	return arrayOf(ids).flatMap((uniqueId) =>
		typeof uniqueId === 'string' ? [{ uniqueId, isOwn }] : [],
	);
}

function readSeen({ named, missed, cohort }: Record<string, unknown>): Seen {
	return { isNamed: named === true, missed: countIn(missed), cohort: countIn(cohort) };
}

function readTexts(texts: unknown): Map<string, string> {
	const entries = isRecord(texts) ? Object.entries(texts) : [];
	return new Map(entries.flatMap(([id, text]) => (typeof text === 'string' ? [[id, text]] : [])));
}

function readExecution(execution: unknown): NotedExecution | undefined {
	if (!isRecord(execution) || typeof execution.id !== 'string') return undefined;
	const { id, calls, whole } = execution;
	const before = EXECUTION_ENDS.find((one) => one === execution.before);
	const goneFiles = GONE_FILES.find((one) => one === execution.goneFiles);
	return {
		id,
		calls: countIn(calls),
		isWhole: whole === true,
		...(before && { before }),
		...(goneFiles && { goneFiles }),
	};
}

function countIn(value: unknown): number {
	return typeof value === 'number' && value > 0 ? value : 0;
}

function arrayOf(value: unknown): unknown[] {
	return Array.isArray(value) ? value : [];
}

/** As `readNote` reads it: about 170 bytes a file. What is false or empty is left out. */
export function writtenNote(agents: NotedAgent[]): IDataObject {
	return {
		version: NOTE_VERSION,
		agents: agents
			.filter(({ files }) => files.size > 0)
			.map(({ account, uid, files, seen, execution, otherNames, ...agent }) => ({
				account,
				uid,
				wasTold: agent.wasTold,
				...(agent.isAbsenceTold && { isAbsenceTold: true }),
				...(agent.missingOf !== undefined && { missingOf: agent.missingOf }),
				...(execution && { execution: writtenExecution(execution) }),
				...(otherNames.size > 0 && { otherNames: Object.fromEntries(otherNames) }),
				lastCalls: agent.lastCalls,
				cohorts: agent.cohorts,
				files: [...files].map(([name, file]) => writtenFile(name, file, seen.get(name))),
			})),
	};
}

function writtenFile(name: string, file: NotedFile, seen: Seen | undefined): IDataObject {
	const { current, pending, old, out, unreadable } = file;
	const own = old.filter(({ isOwn }) => isOwn).map(({ uniqueId }) => uniqueId);
	const foreign = old.filter(({ isOwn }) => !isOwn).map(({ uniqueId }) => uniqueId);
	return {
		name,
		...(current && writtenVersion(current)),
		...(pending && { pending: writtenVersion(pending) }),
		...(own.length > 0 && { oldOwn: own }),
		...(foreign.length > 0 && { old: foreign }),
		...(out.length > 0 && { out: out.map(writtenVersion) }),
		...(unreadable && { unreadable: { ...unreadable } }),
		...(seen?.isNamed && { named: true }),
		...(seen !== undefined && seen.missed > 0 && { missed: seen.missed }),
		...(seen !== undefined && seen.cohort > 0 && { cohort: seen.cohort }),
	};
}

function writtenVersion({ uniqueId, sha256, isOwn, mayBeAttached }: NotedVersion): IDataObject {
	return { uniqueId, sha256, ...(isOwn && { own: true }), ...(mayBeAttached && { mayBeAttached }) };
}

function writtenExecution(execution: NotedExecution): IDataObject {
	const { id, calls, isWhole, before, goneFiles } = execution;
	return {
		id,
		calls,
		...(isWhole && { whole: true }),
		...(before && { before }),
		...(goneFiles && { goneFiles }),
	};
}

/** Its name in the static data. */
const NOTE_NAME = 'syncedFiles';

/** The note of a node during a run. */
export class SyncNote {
	private readonly agents: NotedAgent[];

	/** How many known files each agent had when the run began. */
	private readonly sizes: Map<NotedAgent, number>;

	/**
	 * @param staticData Of the node; changed by `save`.
	 * @param mode n8n's word for what has started the execution.
	 */
	constructor(
		private readonly staticData: IDataObject,
		private readonly mode: WorkflowExecuteMode,
		private readonly account: string,
	) {
		this.agents = readNote(staticData[NOTE_NAME]);
		this.sizes = new Map(this.agents.map((agent) => [agent, agent.seen.size]));
	}

	/** Whether nothing was noted when the run began. */
	get wasEmpty(): boolean {
		return this.sizes.size === 0;
	}

	/** Whether n8n keeps what is saved. It hands no note to the retry of an execution. */
	get isKept(): boolean {
		return this.mode !== 'manual' && !(this.mode === 'retry' && this.wasEmpty);
	}

	/** Those of the account for which anything is noted. */
	notedAgents(): NotedAgent[] {
		return this.agents.filter(({ account, files }) => account === this.account && files.size > 0);
	}

	/** The names of the files that were uploaded for the account's agents, by ID. */
	uploads(): Map<string, string> {
		return new Map(
			this.notedAgents().flatMap(({ files }) =>
				[...files].flatMap(([name, file]) =>
					[...uploadsOf(file), ...file.out].map(({ uniqueId }) => [uniqueId, name] as const),
				),
			),
		);
	}

	/** How many files of an agent were known when the run began. */
	sizeBefore(uid: string): number {
		return this.sizes.get(this.agentFor(uid)) ?? 0;
	}

	/** The files of an agent, by name; to be changed. */
	filesOf(uid: string): Map<string, NotedFile> {
		return this.agentFor(uid).files;
	}

	/** What is noted of an agent; to be changed. */
	agentFor(uid: string): NotedAgent {
		const { account } = this;
		const key = uid.toLowerCase();
		const known = this.agents.find((one) => one.account === account && one.uid === key);
		if (known) return known;
		const agent = newAgent(account, key);
		this.agents.push(agent);
		return agent;
	}

	/** @param isTried Whether all that was done for an agent was only tried: what was noted of it stays. */
	save(isTried: (uid: string) => boolean = () => false): void {
		if (!this.isKept) return;
		const before = readNote(this.staticData[NOTE_NAME]);
		const agents = this.agents.flatMap((agent) => {
			if (!isTried(agent.uid)) return [agent];
			return before.filter(({ account, uid }) => account === agent.account && uid === agent.uid);
		});
		this.staticData[NOTE_NAME] = writtenNote(agents);
	}
}
