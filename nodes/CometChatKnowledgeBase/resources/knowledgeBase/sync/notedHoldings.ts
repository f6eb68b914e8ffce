import { createHash } from 'node:crypto';

import type { Steps } from '../../../execution/steps';
import type { IngestionRun } from '../../../ingestion/ingestionRun';
import type { Records } from '../../../ingestion/records';
import { composed } from '../../../input/document';
import { isItemFailure } from '../../../results/itemFailure';
import type { KnowledgeBaseRecord } from '../../../service/records';
import { SOURCE_TYPE } from '../oldUploads';
import type { SyncNote } from './syncNote';

/** More of what an agent has beside the folder is looked up anew each time. */
const MOST_OTHERS = 1000;

/** What the files of a run share. */
export interface SyncRun {
	run: IngestionRun;
	note: SyncNote;
	holdings: NotedHoldings;
}

/** What an agent has, by its own answer. */
export interface Holding {
	/** The IDs of its uploads: of those that are noted, and of all others whose kind is known. */
	uploads: ReadonlySet<string>;
	/** Its uploads of a name. */
	named(fileName: string): string[];
}

/**
 * What agents have, by their own answers and the note, so that a run in which nothing has changed asks one
 * question for each agent, however much the account has. An answer is believed that names an upload which is
 * noted: `files` is then a list of records.
 */
export class NotedHoldings {
	private readonly holdings = new Map<string, Promise<Holding | undefined>>();

	/** The names of what is noted for any agent, by ID. */
	private readonly names: ReadonlyMap<string, string>;

	constructor(
		private readonly run: IngestionRun,
		private readonly note: SyncNote,
	) {
		this.names = note.uploads();
	}

	/** @returns Undefined if the agent's answer and the note do not tell. */
	async of(steps: Steps, uid: string): Promise<Holding | undefined> {
		const agent = await this.run.inventory.agentAlone(steps, uid);
		if (isItemFailure(agent) || !agent.files?.some((id) => this.names.has(id))) return undefined;
		const told = this.holdings.get(uid) ?? this.read(steps, uid, agent.files);
		this.holdings.set(uid, told);
		return await told;
	}

	private async read(steps: Steps, uid: string, ids: string[]): Promise<Holding | undefined> {
		const others = await this.othersOf(steps, uid, ids);
		if (others === undefined) return undefined;
		const byKey = new Map<string, string[]>();
		const uploads = new Set<string>();
		for (const id of ids) {
			const name = this.names.get(id);
			const key = name === undefined ? others.get(id) : keyOf(name);
			if (key === undefined || key === NO_UPLOAD) continue;
			uploads.add(id);
			byKey.set(key, [...(byKey.get(key) ?? []), id]);
		}
		return { uploads, named: (fileName) => byKey.get(keyOf(fileName)) ?? [] };
	}

	/**
	 * What the agent has and is not noted as a file of the folder; its names are looked up once, newest first.
	 * What the list does not show counts as none of the folder.
	 */
	private async othersOf(
		steps: Steps,
		uid: string,
		ids: string[],
	): Promise<ReadonlyMap<string, string> | undefined> {
		const agent = this.note.agentFor(uid);
		const others = new Map<string, string>();
		const unknown: string[] = [];
		for (const id of ids) {
			if (this.names.has(id)) continue;
			const key = agent.others.get(id);
			if (key === undefined) unknown.push(id);
			else others.set(id, key);
		}
		if (unknown.length > 0) {
			const isFound = (read: Records) => unknown.every((id) => read.withId(id) !== undefined);
			const records = await this.run.inventory.recordsFor(steps, isFound);
			if (isItemFailure(records)) return undefined;
			for (const record of unknown.flatMap((id) => records.withId(id) ?? [])) {
				others.set(record.uniqueId, otherKey(record));
			}
		}
		agent.others = new Map([...others].slice(0, MOST_OTHERS));
		return others;
	}
}

/** The place of a name in a document that has none of the folder's. */
const NO_UPLOAD = '';

function otherKey({ uniqueId, type, sourceName }: KnowledgeBaseRecord): string {
	return type === SOURCE_TYPE ? keyOf(sourceName ?? uniqueId) : NO_UPLOAD;
}

/** A name may have hundreds of characters, and is only compared. */
function keyOf(fileName: string): string {
	return createHash('sha256').update(composed(fileName)).digest('base64url').slice(0, 16);
}
