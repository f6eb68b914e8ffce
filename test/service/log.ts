import type { Address, Operation } from './address';

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
	/** What it asks for; undefined if its method and path are none of the operations. */
	operation?: Operation;
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
	/** Whether what was asked has been done. */
	applied: boolean;
}

/** The request has been read in full; of an upload: its headers have. */
export interface Arrival extends Line {
	kind: 'arrived';
	status?: undefined;
	received?: undefined;
}

/** The whole answer is just about to be sent. */
interface Answered extends Line {
	kind: 'answered';
	status: number;
	received?: ReceivedBytes;
}

/** No whole answer was sent: the service closed the connection ('dropped'), or the client did ('aborted'). */
interface CutShort extends Line {
	kind: 'dropped' | 'aborted';
	/** The status sent, if one was. */
	status?: number;
	received?: ReceivedBytes;
}

/** A request has one 'arrived' and then one of the others, with the same `request` number. */
export type LogEntry = Arrival | Answered | CutShort;

/** An entry as it is handed in; the log adds the time. */
type Undated<Entry> = Entry extends LogEntry ? Omit<Entry, 'atMs'> : never;

/** What happened on both hosts, in order. */
export class RequestLog {
	readonly entries: LogEntry[] = [];
	private readonly underWay = new Set<Exchange>();
	private count = 0;
	private lastMs = 0;

	constructor(
		private readonly options: { keepLog?: boolean; onEntry?: (entry: LogEntry) => void },
	) {}

	/** The number of a request that has just been received. */
	next(): number {
		this.count += 1;
		return this.count;
	}

	/** @param closed Aborts when the connection closes. */
	begin(request: ReceivedRequest, closed: AbortSignal, limited = false): Exchange {
		const exchange = new Exchange(request, closed, limited, (entry) => this.write(entry));
		this.underWay.add(exchange);
		closed.addEventListener('abort', () => {
			exchange.cutShort('aborted');
			this.underWay.delete(exchange);
		});
		return exchange;
	}

	/** Writes the end of every request that has none, just before the hosts stop. */
	dropAll(): void {
		for (const exchange of this.underWay) exchange.cutShort('dropped');
	}

	arrivals(): Arrival[] {
		return this.entries.filter((entry) => entry.kind === 'arrived');
	}

	/** The most adds and removes that were under way at once, for one agent or for all. */
	maxInFlight(uid?: string): number {
		let [underWay, most] = [0, 0];
		for (const { operation, uid: agent, kind } of this.entries) {
			if (operation !== 'add' && operation !== 'remove') continue;
			if (uid !== undefined && agent !== uid) continue;
			underWay += kind === 'arrived' ? 1 : -1;
			most = Math.max(most, underWay);
		}
		return most;
	}

	clear(): void {
		this.entries.length = 0;
	}

	/** Requests under way go on. */
	reset(): void {
		this.clear();
		this.count = 0;
	}

	private write(entry: Undated<LogEntry>): void {
		this.lastMs = Math.max(this.lastMs, Date.now());
		const written = { ...entry, atMs: this.lastMs };
		if (this.options.keepLog !== false) this.entries.push(written);
		this.options.onEntry?.(written);
	}
}

/** One request and its end, written into the log as they happen. */
export class Exchange {
	applied = false;
	/** The status, as soon as it has been sent without the whole body. */
	sentStatus?: number;
	/** What has come of an upload's bytes so far. */
	received?: () => ReceivedBytes;
	private ended = false;

	constructor(
		private readonly request: ReceivedRequest,
		readonly closed: AbortSignal,
		private readonly limited: boolean,
		private readonly write: (entry: Undated<LogEntry>) => void,
	) {
		this.write({ ...request, kind: 'arrived', applied: false, limited });
	}

	/** Called before the bytes leave, so that no client is ahead of the log. */
	answered(status: number): void {
		this.end({ ...this.soFar(), kind: 'answered', status });
	}

	cutShort(kind: 'dropped' | 'aborted', status = this.sentStatus): void {
		this.end({ ...this.soFar(), kind, status });
	}

	private soFar() {
		const { request, applied, limited } = this;
		return { ...request, applied, limited, received: this.received?.() };
	}

	/** Only the first end counts. */
	private end(entry: Undated<LogEntry>): void {
		if (this.ended) return;
		this.ended = true;
		this.write(entry);
	}
}
