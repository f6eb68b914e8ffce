import { createHash } from 'node:crypto';

import type { ItemContext } from '../../../execution/itemContext';
import type { IngestionRun } from '../../../ingestion/ingestionRun';
import type { Records } from '../../../ingestion/records';
import { composed } from '../../../input/document';
import { caught, isItemFailure } from '../../../results/apiError';
import type { KnowledgeBaseRecord } from '../../../service/records';
import { cut } from '../../../values/quoting';
import { SOURCE_TYPE } from '../oldUploads';
import type { SyncNote } from './syncNote';
import type { UnkeptUploads } from './unkeptUploads';

/** More of what an agent has beside the folder is looked up anew each time. */
const MOST_OTHERS = 1000;

/** What the files of a run share. */
export interface SyncRun {
	run: IngestionRun;
	note: SyncNote;
	holdings: NotedHoldings;
	unkept: UnkeptUploads;
}

/** What an agent has, by its own answer. */
export interface Holding {
	/** The IDs of its uploads: of those that are noted, and of all others whose kind is known. */
	uploads: ReadonlySet<string>;
	/** Its uploads of a name. */
	named(fileName: string): string[];
	/** The names of those that are not noted, as `nameKey` has them. */
	unnoted: string[];
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
	async of(steps: ItemContext, uid: string): Promise<Holding | undefined> {
		const agent = await caught(this.run.inventory.agentAlone(steps, uid));
		if (isItemFailure(agent) || !agent.files?.some((id) => this.names.has(id))) return undefined;
		const told = this.holdings.get(uid) ?? this.read(steps, uid, agent.files);
		this.holdings.set(uid, told);
		return await told;
	}

	/**
	 * The names of the uploads that an agent has and that are not noted for any agent, as `nameKey` has them:
	 * as far as it was asked for by now what the agent has.
	 */
	async unnoted(steps: ItemContext, uid: string): Promise<string[]> {
		const { inventory } = this.run;
		if (!inventory.isComplete) return (await this.holdings.get(uid))?.unnoted ?? [];
		const records = await caught(inventory.recordsFor(steps));
		const found = await caught(inventory.agentFor(steps, uid));
		if (isItemFailure(records) || isItemFailure(found)) return [];
		const noted = this.note.uploads();
		const others = [...(found.documents ?? [])].filter((id) => !noted.has(id));
		return others.flatMap((id) => records.withId(id) ?? []).flatMap(uploadName);
	}

	private async read(steps: ItemContext, uid: string, ids: string[]): Promise<Holding | undefined> {
		const others = await this.othersOf(steps, uid, ids);
		if (others === undefined) return undefined;
		const byKey = new Map<string, string[]>();
		const uploads = new Set<string>();
		for (const id of ids) {
			const name = this.names.get(id);
			const key = name === undefined ? others.get(id) : nameKey(name);
			if (key === undefined || key === NO_UPLOAD) continue;
			uploads.add(id);
			byKey.set(key, [...(byKey.get(key) ?? []), id]);
		}
		return {
			uploads,
			named: (fileName) => byKey.get(nameKey(fileName)) ?? [],
			unnoted: [...others.values()].filter((key) => key !== NO_UPLOAD),
		};
	}

	/**
	 * What the agent has and is not noted as a file of the folder; its names are looked up once, newest first.
	 * What the list does not show counts as none of the folder.
	 */
	private async othersOf(
		steps: ItemContext,
		uid: string,
		ids: string[],
	): Promise<ReadonlyMap<string, string> | undefined> {
		const agent = this.note.agentFor(uid);
		const others = new Map<string, string>();
		const unknown: string[] = [];
		for (const id of ids) {
			if (this.names.has(id)) continue;
			const key = agent.otherNames.get(id);
			if (key === undefined) unknown.push(id);
			else others.set(id, key);
		}
		if (unknown.length > 0) {
			const isFound = (read: Records) => unknown.every((id) => read.withId(id) !== undefined);
			const records = await caught(this.run.inventory.recordsFor(steps, isFound));
			if (isItemFailure(records)) return undefined;
			for (const record of unknown.flatMap((id) => records.withId(id) ?? [])) {
				others.set(record.uniqueId, uploadName(record)[0] ?? NO_UPLOAD);
			}
		}
		agent.otherNames = new Map([...others].slice(0, MOST_OTHERS));
		return others;
	}
}

/** The place of a name in a document that has none of the folder's. */
const NO_UPLOAD = '';

function uploadName({ uniqueId, type, sourceName }: KnowledgeBaseRecord): string[] {
	return type === SOURCE_TYPE ? [nameKey(sourceName ?? uniqueId)] : [];
}

/** What a message shows of a name. */
const LONGEST_NAME = 60;

/** A name as it is noted and compared: one of hundreds of characters ends in a hash. */
export function nameKey(fileName: string): string {
	const name = composed(fileName);
	if (name.length <= LONGEST_NAME) return name;
	const hash = createHash('sha256').update(name).digest('base64url').slice(0, 16);
	return `${cut(name, LONGEST_NAME)}${hash}`;
}
