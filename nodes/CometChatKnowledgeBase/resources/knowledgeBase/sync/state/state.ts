import type { IDataObject, WorkflowExecuteMode } from 'n8n-workflow';

import { isRecord } from '../../../../values/json';

/*
 * What a node knows of its earlier runs, in n8n's static data, for each account and agent:
 *
 *   files      name → the upload that was sent last, its content (SHA-256), what is left of earlier ones, which of
 *              these uploads are foreign, and how many executions that count have gone by without the file
 *   execution  the one that called the node last, how often, and whether it was whole
 *   others     what else the agent has, so that it is looked up once
 *
 * Whoever reads it must be right without it, too: n8n keeps nothing of a run by hand or one that was killed, a
 * copy of the workflow begins without, and of two runs at the same time the last one wins.
 */

/** What becomes of files that are no longer in the folder, the mildest first. */
export const GONE_FILES = ['keep', 'remove', 'delete'] as const;

export type GoneFiles = (typeof GONE_FILES)[number];

/** How an earlier execution has ended, as far as n8n has kept it. */
export type ExecutionEnd = 'well' | 'not well' | 'not kept';

/**
 * The last that was done with an upload, as far as is known; 'removed': from the agent, since it had left the folder.
 * CometChat still has it then.
 */
export type Stage = 'uploaded' | 'attached' | 'removed';

/** A file of the folder. */
export interface FileState {
	/** The upload that was sent last. */
	uniqueId: string;
	/** Of its content. */
	sha256: string;
	step: Stage;
	/** Earlier uploads of the file that are still to be taken from the agent, or deleted. */
	old: string[];
	/** Those of these uploads that this node found by their name, and did not upload: they are never deleted as its own. */
	foreign: string[];
	/** Whether the execution that is noted has not brought it, until now. */
	isMissing: boolean;
	/** How many executions that count have gone by without it, since it came last. */
	missed: number;
	/** Files that came together the last time have the same number. */
	cohort: number;
}

/** The execution that has called the node last. */
export interface LastExecution {
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

/** An agent and its folder. */
export interface AgentState {
	/** The account's base URL. */
	account: string;
	/** In lower case: two spellings may be one agent. */
	uid: string;
	/** By name. */
	files: Map<string, FileState>;
	execution?: LastExecution;
	/** How often the execution before that one has called the node. */
	lastCalls: number;
	/** The number of the youngest cohort. */
	cohorts: number;
	/** What else the agent has: of uploads the name, shortened if it is long, of all else an empty text; by ID. */
	others: Map<string, string>;
	/** Whether CometChat has ever told which documents the agent has. */
	wasKnown: boolean;
	/**
	 * Of how many files too many were missing, for as long as they are. Files that have come since do not make
	 * up for them: what was left one night for safety would go in the next.
	 */
	missingOf?: number;
}

/** A file that was sent now, in an execution that has not noted it yet. */
export function sentFile(uniqueId: string, sha256: string, step: Stage): FileState {
	return { uniqueId, sha256, step, old: [], foreign: [], isMissing: true, missed: 0, cohort: 0 };
}

/** All uploads of a file. */
export function uploadsOf({ uniqueId, old }: FileState): string[] {
	return [uniqueId, ...old];
}

/** Returns the uploads of a file that the agent uses, as far as the record says. */
export function attachedUploads(file: FileState | undefined): string[] {
	if (file === undefined || file.step === 'removed') return [];
	return file.step === 'attached' ? uploadsOf(file) : file.old;
}

/** The uploads of a file that this node uploaded itself. */
export function ownUploadsOf(file: FileState): string[] {
	return uploadsOf(file).filter((id) => !file.foreign.includes(id));
}

export type NamedFile = [name: string, file: FileState];

/** The files of an agent that are in the folder, or are missing; not those that it has lost for that. */
export function inFolder({ files }: AgentState): NamedFile[] {
	return [...files].filter(([, { step }]) => step !== 'removed');
}

/** Of whom nothing is known yet. */
export function newAgent(account: string, uid: string): AgentState {
	return {
		account,
		uid: uid.toLowerCase(),
		files: new Map(),
		others: new Map(),
		lastCalls: 0,
		cohorts: 0,
		wasKnown: false,
	};
}

/** As n8n stores it: what is false, empty or usual is left out, so that a file takes about 155 bytes. */
type StoredFile = Pick<FileState, 'uniqueId' | 'sha256'> & Partial<FileState> & { name: string };

interface StoredAgent extends Partial<Omit<AgentState, 'files' | 'others'>> {
	account: string;
	uid: string;
	files: StoredFile[];
	others?: Array<[string, string]>;
}

/** @param stored Written by this node alone: what lacks the shape is of another version, and passed over. */
export function readStoredAgents(stored: unknown): AgentState[] {
	const agents: unknown[] = Array.isArray(stored) ? stored : [];
	return agents.filter(isStoredAgent).map(({ execution, files, others, ...agent }) => ({
		...newAgent(agent.account, agent.uid),
		...agent,
		// A copy: what a call that only tries has noted is given up.
		execution: execution && { ...execution },
		files: new Map(files.filter(isStoredFile).map(readStoredFile)),
		others: new Map(others),
	}));
}

function readStoredFile({ name, ...file }: StoredFile): NamedFile {
	return [name, { ...sentFile(file.uniqueId, file.sha256, 'attached'), isMissing: false, ...file }];
}

function isStoredAgent(value: unknown): value is StoredAgent {
	return hasTexts(value, 'account', 'uid') && areLists(value.files, value.others);
}

function isStoredFile(value: unknown): value is StoredFile {
	return hasTexts(value, 'name', 'uniqueId', 'sha256') && areLists(value.old, value.foreign);
}

function hasTexts(value: unknown, ...names: string[]): value is Record<string, unknown> {
	return isRecord(value) && names.every((name) => typeof value[name] === 'string');
}

function areLists(...values: unknown[]): boolean {
	return values.every((value = []) => Array.isArray(value));
}

/** Files that have left the folder and may come back: of more, the oldest are forgotten. */
const MOST_REMOVED = 1000;

/** As `readAgents` reads them. */
export function storedAgents(agents: AgentState[]): IDataObject[] {
	return agents
		.filter(({ files }) => files.size > 0)
		.map(({ files, others, execution, ...agent }) => {
			const removed = [...files].filter(([, { step }]) => step === 'removed');
			const forgotten = new Set(removed.slice(0, -MOST_REMOVED).map(([name]) => name));
			return withoutEmpty({
				...agent,
				execution: execution && { ...execution },
				others: [...others],
				files: [...files].filter(([name]) => !forgotten.has(name)).map(storedFile),
			});
		});
}

function storedFile([name, { step, ...file }]: NamedFile): IDataObject {
	return withoutEmpty({ name, ...file, ...(step !== 'attached' && { step }) });
}

function withoutEmpty(fields: IDataObject): IDataObject {
	const isEmpty = (value: unknown) => !value || (Array.isArray(value) && value.length === 0);
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
}

/** Its name in the static data. */
const STATE_NAME = 'syncedFiles';

/** The state of a node during a run. */
export class SyncState {
	private readonly agents: AgentState[];

	/** How many files each agent had when the run began. */
	private readonly sizes: Map<AgentState, number>;

	/**
	 * @param staticData Of the node; changed by `save`.
	 * @param mode n8n's word for what has started the execution.
	 */
	constructor(
		private readonly staticData: IDataObject,
		private readonly mode: WorkflowExecuteMode,
		private readonly account: string,
	) {
		this.agents = readStoredAgents(staticData[STATE_NAME]);
		this.sizes = new Map(this.agents.map((agent) => [agent, inFolder(agent).length]));
	}

	/** Whether nothing was known when the run began. */
	get wasEmpty(): boolean {
		return this.sizes.size === 0;
	}

	/** Whether n8n keeps what is saved. It hands no state to the retry of an execution. */
	get isPersisted(): boolean {
		return this.mode !== 'manual' && !(this.mode === 'retry' && this.wasEmpty);
	}

	/** Those of the account of whom anything is known. */
	knownAgents(): AgentState[] {
		return this.agents.filter(({ account, files }) => account === this.account && files.size > 0);
	}

	/** The names of the files that were uploaded for the account's agents, by ID. */
	uploads(): Map<string, string> {
		const files = this.knownAgents().flatMap((agent) => [...agent.files]);
		return new Map(files.flatMap(([name, file]) => uploadsOf(file).map((id) => [id, name])));
	}

	/** How many files of an agent were known when the run began. */
	sizeBefore(agent: AgentState): number {
		return this.sizes.get(agent) ?? 0;
	}

	/** What is known of an agent; to be changed. */
	agentFor(uid: string): AgentState {
		const agent = newAgent(this.account, uid);
		const known = this.agents.find((one) => one.account === agent.account && one.uid === agent.uid);
		if (known) return known;
		this.agents.push(agent);
		return agent;
	}

	/** @param isTried Whether all that was done for an agent was only tried: what was known of it stays. */
	save(isTried: (agent: AgentState) => boolean): void {
		if (!this.isPersisted) return;
		const before = readStoredAgents(this.staticData[STATE_NAME]);
		const agents = this.agents.flatMap((agent) => {
			if (!isTried(agent)) return [agent];
			return before.filter(({ account, uid }) => account === agent.account && uid === agent.uid);
		});
		this.staticData[STATE_NAME] = storedAgents(agents);
	}
}
