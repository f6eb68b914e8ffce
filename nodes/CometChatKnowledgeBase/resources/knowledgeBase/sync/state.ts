import type { IDataObject, WorkflowExecuteMode } from 'n8n-workflow';

import { isRecord } from '../../../values/userError';

/*
 * What a node knows of its earlier runs, in n8n's static data, for each account and agent:
 *
 *   file name → { uniqueId, sha256, missed }   the upload that was sent last, its content, runs without the file
 *   execution → { id, calls, whole }           the one that called the node last
 *
 * Whoever reads it must be right without it, too: n8n keeps nothing of a run by hand or one that was killed, a
 * copy of the workflow begins without, and of two runs at the same time the last one wins.
 */

/** What becomes of files that are no longer in the folder, the mildest first. */
export const GONE_FILES = ['keep', 'remove', 'delete'] as const;

export type GoneFiles = (typeof GONE_FILES)[number];

/** How an earlier execution has ended, as far as n8n has kept it. */
export type ExecutionEnd = (typeof EXECUTION_ENDS)[number];

const EXECUTION_ENDS = ['well', 'not well', 'not kept'] as const;

/** The last that was done with an upload, as far as is known. */
export type Step = (typeof STEPS)[number];

/** 'removed': from the agent, since it had left the folder; CometChat still has it. */
const STEPS = ['uploaded', 'attached', 'removed'] as const;

/** A file of the folder. */
export interface FileState {
	/** The upload that was sent last. */
	uniqueId: string;
	/** Of its content. */
	sha256: string;
	step: Step;
	/** Earlier uploads of the file that are still to be taken from the agent, or deleted. */
	old: string[];
	/** Whether the execution that is noted has brought it. */
	isNamed: boolean;
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
	wasTold: boolean;
	/** Whether it was said that no item is for this agent any more. */
	isDisuseTold: boolean;
	/**
	 * Of how many files too many were missing, for as long as they are. Files that have come since do not make
	 * up for them: what was left one night for safety would go in the next.
	 */
	missingOf?: number;
}

/** A file that was sent now. */
export function sentFile(uniqueId: string, sha256: string, step: Step): FileState {
	return { uniqueId, sha256, step, old: [], isNamed: false, missed: 0, cohort: 0 };
}

/** All uploads of a file. */
export function uploadsOf({ uniqueId, old }: FileState): string[] {
	return [uniqueId, ...old];
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
		wasTold: false,
		isDisuseTold: false,
	};
}

/** @param stored Foreign: what does not have the shape is passed over. */
export function readAgents(stored: unknown): AgentState[] {
	return listIn(stored).flatMap((agent) => {
		const { account, uid, files, others, execution, missingOf } = agent;
		if (typeof account !== 'string' || typeof uid !== 'string') return [];
		const names = isRecord(others) ? Object.entries(others) : [];
		return {
			...newAgent(account, uid),
			files: new Map(listIn(files).flatMap(readFile)),
			others: new Map(
				names.flatMap(([id, name]) => (typeof name === 'string' ? [[id, name]] : [])),
			),
			execution: isRecord(execution) ? readExecution(execution) : undefined,
			lastCalls: countIn(agent.lastCalls),
			cohorts: countIn(agent.cohorts),
			wasTold: agent.wasTold === true,
			isDisuseTold: agent.isDisuseTold === true,
			missingOf: typeof missingOf === 'number' ? missingOf : undefined,
		};
	});
}

function readFile(file: Record<string, unknown>): Array<[string, FileState]> {
	const { name, uniqueId, sha256, old } = file;
	if (typeof name !== 'string' || typeof uniqueId !== 'string') return [];
	if (typeof sha256 !== 'string') return [];
	const step = STEPS.find((one) => one === file.step) ?? 'attached';
	const state: FileState = {
		...sentFile(uniqueId, sha256, step),
		old: Array.isArray(old) ? old.filter((id) => typeof id === 'string') : [],
		isNamed: file.named === true,
		missed: countIn(file.missed),
		cohort: countIn(file.cohort),
	};
	return [[name, state]];
}

function readExecution(execution: Record<string, unknown>): LastExecution | undefined {
	const { id, calls, whole } = execution;
	if (typeof id !== 'string') return undefined;
	return {
		id,
		calls: countIn(calls),
		isWhole: whole === true,
		before: EXECUTION_ENDS.find((one) => one === execution.before),
		goneFiles: GONE_FILES.find((one) => one === execution.goneFiles),
	};
}

function countIn(value: unknown): number {
	return typeof value === 'number' && value > 0 ? value : 0;
}

function listIn(value: unknown): Array<Record<string, unknown>> {
	return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Files that have left the folder and may come back: of more, the oldest are forgotten. */
const MOST_REMOVED = 1000;

/** As `readAgents` reads them: at most 170 bytes a file. What is false or empty is left out. */
export function writtenAgents(agents: AgentState[]): IDataObject[] {
	return agents
		.filter(({ files }) => files.size > 0)
		.map(({ files, others, execution, ...agent }) => {
			const removed = [...files].filter(([, { step }]) => step === 'removed');
			const forgotten = new Set(removed.slice(0, -MOST_REMOVED).map(([name]) => name));
			return withoutEmpty({
				...agent,
				execution: execution && withoutEmpty(writtenExecution(execution)),
				others: Object.fromEntries(others),
				files: [...files].filter(([name]) => !forgotten.has(name)).map(writtenFile),
			});
		});
}

function writtenFile([name, { isNamed, step, ...file }]: [string, FileState]): IDataObject {
	return withoutEmpty({ name, ...file, named: isNamed, ...(step !== 'attached' && { step }) });
}

function writtenExecution({ isWhole, ...execution }: LastExecution): IDataObject {
	return { ...execution, whole: isWhole };
}

function withoutEmpty(fields: IDataObject): IDataObject {
	const isEmpty = (value: unknown) =>
		!value || (typeof value === 'object' && Object.keys(value).length === 0);
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
		this.agents = readAgents(staticData[STATE_NAME]);
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
		const before = readAgents(this.staticData[STATE_NAME]);
		const agents = this.agents.flatMap((agent) => {
			if (!isTried(agent)) return [agent];
			return before.filter(({ account, uid }) => account === agent.account && uid === agent.uid);
		});
		this.staticData[STATE_NAME] = writtenAgents(agents);
	}
}

/** The files of an agent that are in the folder, or are missing; not those that it has lost for that. */
export function inFolder({ files }: AgentState): Array<[string, FileState]> {
	return [...files].filter(([, { step }]) => step !== 'removed');
}
