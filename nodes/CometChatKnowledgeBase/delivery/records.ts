import type { Document } from '../api/documents';
import { normalizeName } from '../text/names';
import { sourceTypeOf } from '../text/sourceTypes';

/** Documents by ID and by name. */
export class Records {
	private readonly byId = new Map<string, Document>();

	/** By source type and name. */
	private readonly idsByName = new Map<string, Set<string>>();

	add(record: Document): void {
		const { uniqueId } = record;
		this.byId.set(uniqueId, record);
		const key = keyOf(record);
		if (key === undefined) return;
		this.idsByName.set(key, (this.idsByName.get(key) ?? new Set()).add(uniqueId));
	}

	addAll(records: Iterable<Document>): void {
		for (const record of records) this.add(record);
	}

	withId(uniqueId: string): Document | undefined {
		return this.byId.get(uniqueId);
	}

	/** The source type of a document; undefined if the ID is not known. */
	typeOf(uniqueId: string): string | undefined {
		const record = this.byId.get(uniqueId);
		return record && sourceTypeOf(record.type);
	}

	/** All documents, in the order in which they were added. */
	all(): Document[] {
		return [...this.byId.values()];
	}

	/** The documents of a source type with a name. */
	named(type: string, sourceName: string): Document[] {
		const ids = this.idsByName.get(keyOf({ type, sourceName }) ?? '') ?? [];
		return [...ids].flatMap((id) => this.byId.get(id) ?? []);
	}
}

/** Names count as the same whatever way their letters are composed. */
function keyOf({ type, sourceName }: Pick<Document, 'type' | 'sourceName'>): string | undefined {
	if (type === undefined || sourceName === undefined) return undefined;
	return `${sourceTypeOf(type)}/${normalizeName(sourceName)}`;
}
