import { ItemContext } from '../execution/itemContext';
import type { RunContext } from '../execution/operation';
import { composed } from '../input/document';
import type { ItemFailure } from '../results/apiError';
import { isItemFailure, ApiError } from '../results/apiError';
import type { KnowledgeBaseRecord } from '../service/records';
import { recordsFrom } from '../service/records';
import { NOT_LISTED } from '../service/statuses';
import { askStatuses } from '../service/statusQuestions';
import type { Next } from '../service/wholeList';
import { sourceTypeOf } from '../values/sourceTypes';

/** What items of a run have asked for together, and the requests that it took. */
export interface Shared<Value> {
	value: Value | ItemFailure;
	steps: ItemContext;
}

/**
 * The account's list of records, newest first: read page by page, no further than anybody needs it, and
 * each page once for all items of a run.
 */
export class RecordList {
	readonly records = new Records();

	private readonly steps: ItemContext;

	/** Where the page begins that was not read yet. */
	private next?: Next;

	/** The last part that was asked for: one goes on where the other ends. */
	private reading: Promise<ItemFailure | undefined> = Promise.resolve(undefined);

	private completed?: Promise<Shared<Records>>;

	/** Whether it was read as a whole. */
	isComplete = false;

	/** @param noted The names of files that were uploaded in earlier runs, by ID. */
	constructor(
		run: RunContext,
		private readonly noted: ReadonlyMap<string, string> = new Map(),
	) {
		this.steps = new ItemContext(run);
	}

	/** Reads on until it is enough; the first page in any case, and all of it if it never is. */
	async until(
		isEnough: (records: Records) => boolean,
		steps: ItemContext = this.steps,
	): Promise<Shared<Records>> {
		this.reading = this.readOn(this.reading, isEnough, steps);
		const failure = await this.reading;
		return { value: failure ?? this.records, steps };
	}

	/** The whole list, and what it lacks of the noted files. */
	async whole(): Promise<Shared<Records>> {
		this.completed ??= this.complete();
		return await this.completed;
	}

	private async complete(): Promise<Shared<Records>> {
		const list = await this.until(() => false);
		if (isItemFailure(list.value)) return list;
		await this.addUnlisted();
		this.isComplete = true;
		return list;
	}

	private async readOn(
		before: Promise<ItemFailure | undefined>,
		isEnough: (records: Records) => boolean,
		steps: ItemContext,
	): Promise<ItemFailure | undefined> {
		const ended = await before;
		const { records } = this;
		// What ends with the run is no reason for an item that goes to its end not to read on.
		const failure = isStop(ended) && steps.endedBy === 'the user' ? undefined : ended;
		if (failure || records.isWhole || (this.next !== undefined && isEnough(records)))
			return failure;
		let isEnd = true;
		const found = await recordsFrom(steps, this.next, ({ entries, next }) => {
			for (const record of entries) records.addListed(record);
			this.next = next;
			isEnd = !isEnough(records);
			return !isEnd;
		});
		if (isItemFailure(found)) return found;
		for (const record of found) records.addListed(record);
		records.isWhole = isEnd;
		return undefined;
	}

	/** The list may be late: that it lacks what was uploaded once proves nothing. */
	private async addUnlisted(): Promise<void> {
		const { noted, records, steps } = this;
		const unlisted = [...noted.keys()].filter((id) => records.withId(id) === undefined);
		const statuses = await askStatuses(steps, unlisted, { there: records.any?.uniqueId });
		if (isItemFailure(statuses)) return;
		for (const [id, status] of statuses) {
			if (status === NOT_LISTED) continue;
			const sourceName = noted.get(id);
			records.addUnlisted({ uniqueId: id, type: 'uploads', sourceName, status });
		}
	}
}

function isStop(failure: ItemFailure | undefined): boolean {
	return failure instanceof ApiError && failure.result.stopReason === 'cancelled';
}

/** The records of an account, as far as they have been read, to look up. */
export class Records {
	/** Whether the list was read to its end. */
	isWhole = false;

	private readonly byId = new Map<string, KnowledgeBaseRecord>();

	/** By kind and name. */
	private readonly idsByName = new Map<string, Set<string>>();

	private readonly unlisted = new Set<string>();

	private readonly removed = new Set<string>();

	add(record: KnowledgeBaseRecord): void {
		const { uniqueId } = record;
		this.byId.set(uniqueId, record);
		const key = recordKey(record);
		if (key === undefined) return;
		this.idsByName.set(key, (this.idsByName.get(key) ?? new Set()).add(uniqueId));
	}

	/** One that the list lacks, and that has a status. */
	addUnlisted(record: KnowledgeBaseRecord): void {
		this.add(record);
		this.unlisted.add(record.uniqueId);
	}

	/** One of a page, which may have been read before what this run has done to it. */
	addListed(record: KnowledgeBaseRecord): void {
		const { uniqueId } = record;
		if (!this.removed.has(uniqueId) || this.byId.has(uniqueId)) this.add(record);
	}

	isListed(uniqueId: string): boolean {
		return this.byId.has(uniqueId) && !this.unlisted.has(uniqueId);
	}

	remove(uniqueId: string): void {
		const key = recordKey(this.byId.get(uniqueId) ?? {});
		this.byId.delete(uniqueId);
		this.removed.add(uniqueId);
		// Its ID may come again for a file of another name.
		if (key !== undefined) this.idsByName.get(key)?.delete(uniqueId);
	}

	withId(uniqueId: string): KnowledgeBaseRecord | undefined {
		return this.byId.get(uniqueId);
	}

	/** Also one that this run has deleted: a list that names it was no worse for that. */
	wasThere(uniqueId: string): boolean {
		return this.byId.has(uniqueId) || this.removed.has(uniqueId);
	}

	/** Any of them; undefined if there is none. */
	get any(): KnowledgeBaseRecord | undefined {
		const [first] = this.byId.values();
		return first;
	}

	/** As they were listed: newest first. */
	all(): KnowledgeBaseRecord[] {
		return [...this.byId.values()];
	}

	get count(): number {
		return this.byId.size;
	}

	uploadsNamed(name: string): KnowledgeBaseRecord[] {
		return this.named('uploads', name);
	}

	/** Those of a kind that have a name. */
	named(type: string, sourceName: string): KnowledgeBaseRecord[] {
		const ids = this.idsByName.get(recordKey({ type, sourceName }) ?? '') ?? [];
		return [...ids].flatMap((id) => this.byId.get(id) ?? []);
	}
}

/** Of what has a name, by which it is found whatever way the name's letters are put together. */
function recordKey({
	type,
	sourceName,
}: {
	type?: string;
	sourceName?: string;
}): string | undefined {
	if (type === undefined || sourceName === undefined) return undefined;
	return `${sourceTypeOf(type)}/${composed(sourceName)}`;
}
