import { ApiError } from '../apiErrors/apiError';
import type { ItemContext } from '../execution/itemContext';
import type { Document } from '../service/documents';
import { documentPages } from '../service/documents';
import { composed } from '../values/names';
import { sourceTypeOf } from '../values/sourceTypes';

/**
 * The account's list of records, newest first: read page by page, no further than anybody needs it, and
 * each page once for all items of a run. A page that cannot be read fails all who need it.
 */
export class RecordList {
	readonly records = new Records();

	/** Where the page begins that was not read yet. */
	private next?: string;

	/** The last part that was asked for: one goes on where the other ends. */
	private reading: Promise<void> = Promise.resolve();

	/** Whether it was read to its end. */
	isWhole = false;

	/** Reads on until it is enough; the first page in any case, and all of it if it never is. */
	async until(item: ItemContext, isEnough: (records: Records) => boolean): Promise<Records> {
		this.reading = this.readOn(this.reading, item, isEnough);
		await this.reading;
		return this.records;
	}

	async whole(item: ItemContext): Promise<Records> {
		return await this.until(item, () => false);
	}

	private async readOn(
		before: Promise<void>,
		item: ItemContext,
		isEnough: (records: Records) => boolean,
	): Promise<void> {
		// What ends with the run is no reason for an item that goes to its end not to read on.
		await before.catch((thrown: unknown) => {
			if (!isStop(thrown) || !item.mustComplete) throw thrown;
		});
		const { records } = this;
		if (this.isWhole || (this.next !== undefined && isEnough(records))) return;
		for await (const { entries, next } of documentPages(item, { from: this.next })) {
			for (const record of entries) records.addListed(record);
			this.next = next;
			if (next !== undefined && isEnough(records)) return;
		}
		this.isWhole = true;
	}
}

function isStop(thrown: unknown): boolean {
	return thrown instanceof ApiError && thrown.more.stopReason === 'cancelled';
}

/** The records of an account, as far as they have been read, to look up. */
export class Records {
	private readonly byId = new Map<string, Document>();

	/** By kind and name. */
	private readonly idsByName = new Map<string, Set<string>>();

	/** What this run has deleted, with its type. */
	private readonly removed = new Map<string, string | undefined>();

	add(record: Document): void {
		const { uniqueId } = record;
		this.byId.set(uniqueId, record);
		const key = recordKey(record);
		if (key === undefined) return;
		this.idsByName.set(key, (this.idsByName.get(key) ?? new Set()).add(uniqueId));
	}

	addAll(records: Iterable<Document>): void {
		for (const record of records) this.add(record);
	}

	/** One of a page, which may have been read before what this run has done to it. */
	addListed(record: Document): void {
		const { uniqueId } = record;
		if (!this.removed.has(uniqueId) || this.byId.has(uniqueId)) this.add(record);
	}

	remove(uniqueId: string): void {
		const record = this.byId.get(uniqueId);
		const key = recordKey(record ?? {});
		this.byId.delete(uniqueId);
		this.removed.set(uniqueId, record?.type);
		// Its ID may come again for a file of another name.
		if (key !== undefined) this.idsByName.get(key)?.delete(uniqueId);
	}

	withId(uniqueId: string): Document | undefined {
		return this.byId.get(uniqueId);
	}

	/** Its source type, also of one that this run has deleted: a list that names it was no worse for that. */
	typeOf(uniqueId: string): string | undefined {
		const record = this.byId.get(uniqueId);
		if (!record && !this.removed.has(uniqueId)) return undefined;
		return sourceTypeOf(record?.type ?? this.removed.get(uniqueId));
	}

	/** Any of them; undefined if there is none. */
	get any(): Document | undefined {
		const [first] = this.byId.values();
		return first;
	}

	/** As they were listed: newest first. */
	all(): Document[] {
		return [...this.byId.values()];
	}

	get count(): number {
		return this.byId.size;
	}

	/** Those of a kind that have a name. */
	named(type: string, sourceName: string): Document[] {
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
