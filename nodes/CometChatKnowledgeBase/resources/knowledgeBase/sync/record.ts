import type { IDataObject, WorkflowExecuteMode } from 'n8n-workflow';

import { isRecord } from '../../../text/json';

/*
 * A node's record of its folders, in n8n's static data, by account and agent. The record is only a cache and may be
 * missing: n8n doesn't save it after manual or killed executions, a copy of the workflow starts without it, and of two
 * simultaneous executions the last one wins. Without it, nothing wrong is done.
 */

/** An upload of a file. */
export interface OldUpload {
	id: string;
	/** Whether it was found by its name, and not uploaded by this node, so that it is not deleted as an own upload. */
	isForeign?: boolean;
}

/** The last state of a file of the folder. */
export interface FileRecord {
	/** The ID of the current upload. */
	uniqueId: string;
	/** The hash of the uploaded content; undefined if the time decided. */
	sha256?: string;
	/** The value of 'Last Modified', in milliseconds. */
	modified?: number;
	/** 'uploaded': not added to the agent yet. 'removed': removed from the agent as missing, but not deleted. */
	step?: 'uploaded' | 'removed';
	isForeign?: boolean;
	/** Earlier uploads that must still be removed from the agent, or deleted. */
	old?: OldUpload[];
	/** The number of the last call that contained the file. */
	call?: number;
	/** The first call without the file after the last call that contained it. */
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
	/** The files by name. */
	files: Map<string, FileRecord>;
	/** The IDs of the agent's other documents, which are no versions of these files. */
	others: Set<string>;
	/** The last execution, and the number of its first call. */
	calls?: { execution: string; first: number };
}

/** Returns all uploads of a file, beginning with the current upload. */
export function uploadsOf({ uniqueId, isForeign, old = [] }: FileRecord): OldUpload[] {
	return [{ id: uniqueId, isForeign }, ...old];
}

/** Returns the IDs of the uploads that this node created itself. */
export function ownIds(file: FileRecord | undefined): Set<string> {
	const own = file ? uploadsOf(file).filter(({ isForeign }) => isForeign !== true) : [];
	return new Set(own.map(({ id }) => id));
}

/** Returns the uploads of a file that the agent uses, by the record. */
export function attachedUploads(file: FileRecord | undefined): string[] {
	if (file === undefined || file.step === 'removed') return [];
	const uploads = uploadsOf(file).map(({ id }) => id);
	return file.step === 'uploaded' ? uploads.slice(1) : uploads;
}

export type NamedFile = [name: string, file: FileRecord];

/** Returns the files that are in the folder or missing, without removed files. */
export function inFolder({ files }: AgentRecord): NamedFile[] {
	return [...files].filter(([, { step }]) => step !== 'removed');
}

/** The name in the static data. */
const RECORD_NAME = 'syncedFiles';

/** The format, which changes with the fields of the record. */
const FORMAT = 1;

/** The number of removed files in the record, because they may return to the folder. */
const MOST_REMOVED = 1000;

/** The record of a node during an execution. */
export class SyncRecord {
	private readonly agents: AgentRecord[];

	/** An execution with an item without a name: no call of this execution proves that a document is missing. */
	unclear?: string;

	/** Whether the record was empty before. */
	readonly wasEmpty: boolean;

	/** The names of the files that were uploaded earlier for the account's agents, by ID. */
	readonly uploads: ReadonlyMap<string, string>;

	/** @param staticData The node's static data, which `save` changes. */
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

	/** Whether n8n keeps saved data. n8n passes no static data to the retry of an execution. */
	get isPersisted(): boolean {
		return this.mode !== 'manual' && !(this.mode === 'retry' && this.wasEmpty);
	}

	/** Returns the record of an agent. In a dry run, it is a copy that is not saved. */
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

/** Returns a record as n8n stores it: about 155 bytes per file. */
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

/** The record as n8n stores it. */
interface Stored {
	format: typeof FORMAT;
	/** The value of `SyncRecord.unclear`. */
	unclear?: string;
	agents: Array<
		Omit<AgentRecord, 'files' | 'others'> & {
			files: Array<FileRecord & { name: string }>;
			others: string[];
		}
	>;
}

/** Reads a copy, because n8n's static data are proxies. The data of another version of this node are ignored. */
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
