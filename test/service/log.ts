import type { Address } from './address';

/** A request as received. */
export interface ReceivedRequest extends Address {
	/** Counts the requests to both hosts from 1. */
	request: number;
	/** Which of the stand-in's two hosts it came to. */
	host: 'api' | 'uploads';
	method: string;
	/** Raw: percent-encoded, with the query, as it came over the wire. */
	path: string;
	/** Names in lower case; a header that came twice is joined with a comma. */
	headers: Record<string, string>;
	/** The parsed JSON; the text if it is no JSON; undefined if there was none, or of an upload. */
	body: unknown;
	/** The IDs that it names, in its body, in its path or by its presigned URL. */
	uniqueIds?: string[];
	/** The names of the files, or the title of the text, that it brings. */
	fileNames?: string[];
}

/** What came of an upload's bytes. They themselves are not kept. */
export interface ReceivedBytes {
	bytes: number;
	/** CRC-32: it tells whether all of them came, in their order. */
	checksum: number;
}

interface Line extends ReceivedRequest {
	/** Unix time in milliseconds; never less than that of the line before. */
	atMs: number;
	/** Whether the rate limit refuses the request. */
	limited: boolean;
}

/** The request has been read in full; of an upload: its headers have. */
export interface Arrival extends Line {
	kind: 'arrived';
	status?: undefined;
	applied: false;
}

interface End extends Line {
	/** Whether the request has been carried out on the files. */
	applied: boolean;
	/** Of an upload only. */
	received?: ReceivedBytes;
}

/** The whole answer is just about to be sent. */
export interface Answered extends End {
	kind: 'answered';
	status: number;
}

/**
 * No whole answer was sent: the service closed the connection ('dropped'), or the client closed it
 * first ('aborted').
 */
export interface CutShort extends End {
	kind: 'dropped' | 'aborted';
	/** The status sent, if one was. */
	status?: number;
}

/** A request has one 'arrived' and then one of the others, with the same `request` number. */
export type LogEntry = Arrival | Answered | CutShort;

/** An entry as it is handed in; the log adds the time. */
type Undated<Entry> = Entry extends LogEntry ? Omit<Entry, 'atMs'> : never;

/** What happened, in order. */
export class RequestLog {
	readonly entries: LogEntry[] = [];
	private lastMs = 0;

	/** @param keep Whether `entries` grows; `onEntry` is called in any case. */
	constructor(
		private readonly onEntry: (entry: LogEntry) => void = () => undefined,
		private readonly keep = true,
	) {}

	write(entry: Undated<LogEntry>): void {
		this.lastMs = Math.max(this.lastMs, Date.now());
		const written = { ...entry, atMs: this.lastMs };
		if (this.keep) this.entries.push(written);
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
