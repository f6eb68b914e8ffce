import type { Address } from './address';

/** A request as received. */
export interface ReceivedRequest extends Address {
	/** Counts the requests from 1. */
	request: number;
	method: string;
	/** Raw: percent-encoded, with the query, as it came over the wire. */
	path: string;
	/** Names in lower case; a header that came twice is joined with a comma. */
	headers: Record<string, string>;
	/** The parsed JSON; the text if it is no JSON; undefined if there was none. */
	body: unknown;
	/** The body's `uniqueIds`, if it is a list of strings. */
	uniqueIds?: string[];
}

interface Line extends ReceivedRequest {
	/** Unix time in milliseconds; never less than that of the line before. */
	atMs: number;
	/** Whether the rate limit refuses the request. */
	limited: boolean;
}

/** The request has been read in full. */
export interface Arrival extends Line {
	kind: 'arrived';
	status?: undefined;
	applied: false;
}

/** The whole answer is just about to be sent. */
export interface Answered extends Line {
	kind: 'answered';
	status: number;
	/** Whether the request has been carried out on the files. */
	applied: boolean;
}

/**
 * No whole answer was sent: the service closed the connection ('dropped'), or the client closed it
 * first ('aborted').
 */
export interface CutShort extends Line {
	kind: 'dropped' | 'aborted';
	/** The status sent, if one was. */
	status?: number;
	/** Whether the request has been carried out on the files. */
	applied: boolean;
}

/** A request has one 'arrived' and then one of the others, with the same `request` number. */
export type LogEntry = Arrival | Answered | CutShort;

/** An entry as it is handed in; the log adds the time. */
type Undated<Entry> = Entry extends LogEntry ? Omit<Entry, 'atMs'> : never;

/** What happened, in order. */
export class RequestLog {
	readonly entries: LogEntry[] = [];
	private lastMs = 0;

	constructor(private readonly onEntry: (entry: LogEntry) => void = () => undefined) {}

	write(entry: Undated<LogEntry>): void {
		this.lastMs = Math.max(this.lastMs, Date.now());
		const written = { ...entry, atMs: this.lastMs };
		this.entries.push(written);
		this.onEntry(written);
	}

	clear(): void {
		this.entries.length = 0;
	}

	/** The most adds and removes that were under way at once, for one agent or for all. */
	maxInFlight(uid?: string): number {
		const underWay = new Set<number>();
		let most = 0;
		for (const entry of this.entries) {
			if (entry.operation !== 'add' && entry.operation !== 'remove') continue;
			if (uid !== undefined && entry.uid !== uid) continue;
			if (entry.kind === 'arrived') underWay.add(entry.request);
			else underWay.delete(entry.request);
			most = Math.max(most, underWay.size);
		}
		return most;
	}
}
