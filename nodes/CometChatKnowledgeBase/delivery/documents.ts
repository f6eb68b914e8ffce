import type { Document } from '../api/documents';
import { normalizeName } from '../text/names';
import { sourceTypeOf } from '../text/sourceTypes';
import { timeMs } from '../text/times';

/** Documents by ID and by name. */
export class Documents {
	private readonly byId = new Map<string, Document>();

	/** The IDs by source type and name. */
	private readonly idsByName = new Map<string, Set<string>>();

	/** The source types of documents that are known without the account's list, by ID. */
	private readonly types = new Map<string, string>();

	add(document: Document): void {
		const { uniqueId } = document;
		this.byId.set(uniqueId, document);
		const key = keyOf(document);
		if (key === undefined) return;
		this.idsByName.set(key, (this.idsByName.get(key) ?? new Set()).add(uniqueId));
	}

	addAll(documents: Iterable<Document>): void {
		for (const document of documents) this.add(document);
	}

	/** Adds the source type of a document that the account's list may not contain. */
	addType(uniqueId: string, type: string): void {
		this.types.set(uniqueId, type);
	}

	withId(uniqueId: string): Document | undefined {
		return this.byId.get(uniqueId);
	}

	/** Returns a document's source type; undefined for an unknown ID. */
	typeOf(uniqueId: string): string | undefined {
		const document = this.byId.get(uniqueId);
		return document ? sourceTypeOf(document.type) : this.types.get(uniqueId);
	}

	/** Returns all documents in the order in which they were added. */
	all(): Document[] {
		return [...this.byId.values()];
	}

	/** Returns the documents of a source type with a name, newest first. */
	named(type: string, sourceName: string): Document[] {
		const ids = this.idsByName.get(keyOf({ type, sourceName }) ?? '') ?? [];
		return newestFirst([...ids].flatMap((id) => this.byId.get(id) ?? []));
	}
}

/** Sorts documents, newest first. A document without a time is the newest. */
export function newestFirst<One extends Document>(documents: readonly One[]): One[] {
	const createdMs = ({ createdAt }: One) => timeMs(createdAt) ?? Infinity;
	return [...documents].sort((one, other) => createdMs(other) - createdMs(one));
}

/** Returns the key for a search by name, in which differently composed letters are equal. */
function keyOf({ type, sourceName }: Pick<Document, 'type' | 'sourceName'>): string | undefined {
	if (type === undefined || sourceName === undefined) return undefined;
	return `${sourceTypeOf(type)}/${normalizeName(sourceName)}`;
}
