import type { IDataObject, WorkflowExecuteMode } from 'n8n-workflow';

import { isRecord } from '../../../text/json';

/*
 * What a node recorded of its folders, in n8n's static data, by account and agent. The record is only a cache and may be
 * missing: n8n does not save it after manual or killed executions, a copy of the workflow starts without it, and of two
 * executions at the same time the last one wins. Without it nothing wrong is done.
 */

/** An upload of a file. */
export interface OldUpload {
	id: string;
	/** Whether it was found by its name, and not uploaded by this node: it is never deleted as the node's own. */
	isForeign?: boolean;
}

/** A file of the folder, as it was synced last. */
export interface FileRecord {
	/** Its current upload. */
	uniqueId: string;
	/** The hash of the uploaded content; undefined if the time decided. */
	sha256?: string;
	/** Its Last Modified, in milliseconds. */
	modified?: number;
	/** 'uploaded': the agent does not have it yet. 'removed': it was missing, and CometChat kept it. */
	step?: 'uploaded' | 'removed';
	isForeign?: boolean;
	/** Earlier uploads that are still to be removed from the agent, or deleted. */
	old?: OldUpload[];
	/** The number of the call that contained the file last. */
	call?: number;
	/** The first call without it, since it came last. */
	missing?: { since: number; execution: string; call: number };
	/** Whether another workflow or a person had replaced the file for the agent. */
	isContested?: boolean;
	/** The number of the last call with half of the folder or less that did not contain the file. */
	kept?: number;
}

/** The folder of an agent. */
export interface AgentRecord {
	/** The account's base URL. */
	account: string;
	uid: string;
	/** By name. */
	files: Map<string, FileRecord>;
	/** The IDs of the agent's other documents, which are no versions of these files. */
	others: Set<string>;
	/** The last execution, and the number of its first call. */
	calls?: { execution: string; first: number };
}

/** All uploads of a file, the current one first. */
export function uploadsOf({ uniqueId, isForeign, old = [] }: FileRecord): OldUpload[] {
	return [{ id: uniqueId, isForeign }, ...old];
}

/** The IDs of the uploads that this node created itself. */
export function ownIds(file: FileRecord | undefined): Set<string> {
	const own = file ? uploadsOf(file).filter(({ isForeign }) => isForeign !== true) : [];
	return new Set(own.map(({ id }) => id));
}

/** The uploads of a file that the agent uses, by the record. */
export function attachedUploads(file: FileRecord | undefined): string[] {
	if (file === undefined || file.step === 'removed') return [];
	const uploads = uploadsOf(file).map(({ id }) => id);
	return file.step === 'uploaded' ? uploads.slice(1) : uploads;
}

export type NamedFile = [name: string, file: FileRecord];

/** The files that are in the folder or missing, without those that were removed for that. */
export function inFolder({ files }: AgentRecord): NamedFile[] {
	return [...files].filter(([, { step }]) => step !== 'removed');
}

/** The name in the static data. */
const RECORD_NAME = 'syncedFiles';

/** To be changed with the fields of the record. */
const FORMAT = 1;

/** How many removed files are remembered, because they may come back. */
const MOST_REMOVED = 1000;

/** The record of a node during an execution. */
export class SyncRecord {
	private readonly agents: AgentRecord[];

	/** An execution with an item without a name: no call of this execution proves that a document is missing. */
	unclear?: string;

	/** Whether nothing was recorded before. */
	readonly wasEmpty: boolean;

	/** The names of the files that were uploaded for the account's agents before, by ID. */
	readonly uploads: ReadonlyMap<string, string>;

	/** @param staticData Of the node; changed by `save`. */
	constructor(
		private readonly staticData: IDataObject,
		private readonly mode: WorkflowExecuteMode,
		private readonly account: string,
	) {
		const { agents, unclear } = readRecord(staticData);
		this.agents = agents;
		this.unclear = unclear;
		this.wasEmpty = this.agents.length === 0;
		const own = this.agents.filter((agent) => agent.account === account);
		const files = own.flatMap((agent) => [...agent.files]);
		this.uploads = new Map(
			files.flatMap(([name, file]) => uploadsOf(file).map(({ id }) => [id, name])),
		);
	}

	/** Whether n8n keeps what is saved. It passes no static data to the retry of an execution. */
	get isPersisted(): boolean {
		return this.mode !== 'manual' && !(this.mode === 'retry' && this.wasEmpty);
	}

	/** The record of an agent, to be changed. In a dry run it is a copy that is not saved. */
	agentFor(uid: string, { isDry = false } = {}): AgentRecord {
		const all = isDry ? readRecord(this.staticData).agents : this.agents;
		const known = all.find((one) => one.account === this.account && one.uid === uid);
		const agent = known ?? { account: this.account, uid, files: new Map(), others: new Set() };
		if (known === undefined && !isDry) this.agents.push(agent);
		return agent;
	}

	save(): void {
		if (!this.isPersisted) return;
		const agents = this.agents.filter(({ files }) => files.size > 0).map(toStored);
		this.staticData[RECORD_NAME] = { format: FORMAT, agents, unclear: this.unclear };
	}
}

/** A file takes about 155 bytes. */
function toStored({ files, others, ...agent }: AgentRecord): IDataObject {
	const removed = [...files].filter(([, { step }]) => step === 'removed');
	const forgotten = new Set(removed.slice(0, -MOST_REMOVED).map(([name]) => name));
	const stored = [...files].filter(([name]) => !forgotten.has(name));
	const rows = stored.map(([name, file]) => withoutEmpty({ name, ...file }));
	return { ...agent, files: rows, others: [...others] };
}

function withoutEmpty(fields: object): IDataObject {
	const isEmpty = (value: unknown) => !value || (Array.isArray(value) && value.length === 0);
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
}

/** As n8n stores it. */
interface Stored {
	format: typeof FORMAT;
	/** The execution that `SyncRecord.unclear` names. */
	unclear?: string;
	agents: Array<
		Omit<AgentRecord, 'files' | 'others'> & {
			files: Array<FileRecord & { name: string }>;
			others: string[];
		}
	>;
}

/** Reads a copy: n8n's static data are proxies. What another version of this node stored is dropped. */
function readRecord(staticData: IDataObject): { agents: AgentRecord[]; unclear?: string } {
	const stored: unknown = JSON.parse(JSON.stringify(staticData[RECORD_NAME] ?? null));
	if (!isStored(stored)) return { agents: [] };
	const agents = stored.agents.map(({ files, others, ...agent }) => ({
		...agent,
		files: new Map(files.map(({ name, ...file }) => [name, file])),
		others: new Set(others),
	}));
	return { agents, unclear: stored.unclear };
}

function isStored(value: unknown): value is Stored {
	return isRecord(value) && value.format === FORMAT;
}
