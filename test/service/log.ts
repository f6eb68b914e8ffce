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
	/** Of an upload only. */
	received?: ReceivedBytes;
}

/**
 * 'answered': the whole answer is just about to be sent. Else no whole answer was sent, perhaps a status:
 * the service closed the connection ('dropped'), or the client closed it first ('aborted').
 */
type End = { kind: 'answered'; status: number } | { kind: 'dropped' | 'aborted'; status?: number };

/** A request has 'arrived' when it has been read in full (an upload: its headers), and then has one end. */
export type LogEntry = Line & ({ kind: 'arrived'; status?: undefined } | End);
export type Arrival = Extract<LogEntry, { kind: 'arrived' }>;

/** What happened on both hosts, in order. */
export class RequestLog {
	readonly entries: LogEntry[] = [];
	readonly underWay = new Set<Exchange>();
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

	nowMs(): number {
		this.lastMs = Math.max(this.lastMs, Date.now());
		return this.lastMs;
	}

	write(entry: LogEntry): void {
		if (this.options.keepLog !== false) this.entries.push(entry);
		this.options.onEntry?.(entry);
	}

	arrivals(isWanted: (arrival: Arrival) => boolean): Arrival[] {
		return this.entries.filter((entry) => entry.kind === 'arrived').filter(isWanted);
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
}

/** One request and its end, written into the log as they happen. */
export class Exchange {
	applied = false;
	/** The status, as soon as it has been sent without the whole body. */
	sentStatus?: number;

	/**
	 * @param closed Aborts when the connection closes.
	 * @param received What has come of an upload's bytes so far.
	 */
	constructor(
		private readonly log: RequestLog,
		private readonly request: ReceivedRequest,
		readonly closed: AbortSignal,
		private readonly limited = false,
		private readonly received?: () => ReceivedBytes,
	) {
		log.underWay.add(this);
		log.write({ ...request, kind: 'arrived', applied: false, limited, atMs: log.nowMs() });
		closed.addEventListener('abort', () => this.cutShort('aborted'));
	}

	cutShort(kind: 'dropped' | 'aborted', status = this.sentStatus): void {
		this.end({ kind, status });
	}

	/** Only the first end counts. Called before the bytes leave, so that no client is ahead of the log. */
	end(end: End): void {
		if (!this.log.underWay.delete(this)) return;
		const { request, applied, limited } = this;
		const received = this.received?.();
		this.log.write({ ...request, applied, limited, received, atMs: this.log.nowMs(), ...end });
	}
}
