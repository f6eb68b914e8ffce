import type { Document } from '../service/documents';
import type { Shape } from '../service/shape';
import { list, number, optional, shape, text } from '../service/shape';

const DAY_MS = 24 * 3600_000;

/** A document of the list, and when it was created. */
export interface Listed {
	record: Document;
	createdMs: number;
}

/** What a poll leaves for the next one: plain JSON, and small, however many documents there are. */
export interface State {
	/** The base URL whose documents these are. */
	account: string;
	/** Since when: all that were created until then are known without being named. */
	sinceMs: number;
	/** What was seen of those that were created later. */
	seen: Seen[];
	/** What is watched. The next poll asks for the first of them first. */
	watched: Watched[];
}

/** A document that is known, and when it was created. */
type Seen = [id: string, createdMs: number];

/** A document that CometChat has not finished indexing, with what is to be said of it once it has. */
export interface Watched {
	record: Pick<Document, 'uniqueId' | 'sourceName' | 'type'> & { createdAt?: number };
	/** When a poll first saw it like that. */
	sinceMs: number;
}

const seen: Shape<Seen> = (value) => {
	const [id, createdMs] = Array.isArray(value) ? value : [];
	return typeof id === 'string' && typeof createdMs === 'number' ? [id, createdMs] : undefined;
};

const record: Shape<Watched['record']> = shape({
	...{ uniqueId: text, sourceName: optional(text), type: optional(text) },
	createdAt: optional(number),
});

const readWhole: Shape<State> = shape({
	...{ account: text, sinceMs: number, seen: list(seen) },
	watched: list(shape({ record, sinceMs: number })),
});

/**
 * What an earlier poll has left; undefined if that is no state, or one of another account. It is taken
 * whole or not at all: half of one would repeat or lose events.
 *
 * @param json What n8n has persisted. What it shows has gone through the redaction before it was noted.
 */
export function readState(json: string | undefined, account: string): State | undefined {
	const found = json === undefined ? undefined : readWhole(JSON.parse(json));
	return found?.account === account ? found : undefined;
}

/**
 * Before the first poll all is known that it finds. A list that is empty by mistake must not make all of
 * it new.
 */
export function firstState(account: string, listed: Listed[], nowMs: number): State {
	const sinceMs = listed.length === 0 ? nowMs - DAY_MS : 0;
	return { account, sinceMs, seen: listed.map(seenOf), watched: [] };
}

export function seenOf({ record: { uniqueId }, createdMs }: Listed): Seen {
	return [uniqueId, createdMs];
}
