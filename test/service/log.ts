import type { Address, Operation } from './routes';

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
	body?: unknown;
	/** What it asks for; undefined if its method and path are none of the operations. */
	operation?: Operation;
	/** The IDs that it names, in its body, in its path or by its presigned URL. */
	uniqueIds?: string[];
	/** The names of the files, or the title of the text, that it brings. */
	fileNames?: string[];
	/** Whether the rate limit refuses it. */
	limited?: boolean;
}

/**
 * A request has 'arrived' when it has been read in full (an upload: its headers), and then has one end.
 * 'answered': the whole answer is just about to be sent. Else no whole answer was sent, perhaps a status:
 * the service closed the connection ('dropped'), or it was closed before ('aborted').
 */
export interface LogEntry extends ReceivedRequest {
	kind: 'arrived' | 'answered' | 'dropped' | 'aborted';
	status?: number;
	/** Unix time in milliseconds. */
	atMs: number;
	/** Whether what was asked has been done. */
	applied: boolean;
}

/** What happened on both hosts, in order. */
export class RequestLog {
	readonly entries: LogEntry[] = [];
	private count = 0;

	constructor(private readonly onEntry?: (entry: LogEntry) => void) {}

	/** The number of a request that has just been received. */
	next(): number {
		this.count += 1;
		return this.count;
	}

	write(entry: LogEntry): void {
		this.entries.push(entry);
		this.onEntry?.(entry);
	}

	arrivals(at: LogEntry['host']): LogEntry[] {
		return this.entries.filter(({ kind, host }) => kind === 'arrived' && host === at);
	}

	/** The most adds and removes that were under way at once, for one agent or for all. */
	maxInFlight(uid?: string): number {
		let [underWay, most] = [0, 0];
		for (const { operation, uid: agent, kind } of this.entries) {
			const isChange = operation === 'add' || operation === 'remove';
			if (!isChange || agent !== (uid ?? agent)) continue;
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
	private isOver = false;

	/** @param closed Aborts when the connection closes. */
	constructor(
		private readonly log: RequestLog,
		readonly request: ReceivedRequest,
		readonly closed: AbortSignal,
	) {
		this.write('arrived');
		closed.addEventListener('abort', () => this.end('aborted'));
	}

	/** Only the first end counts. Called before the bytes leave, so that no client is ahead of the log. */
	end(kind: LogEntry['kind'], status = this.sentStatus): void {
		if (!this.isOver) this.write(kind, status);
		this.isOver = true;
	}

	private write(kind: LogEntry['kind'], status?: number): void {
		const { request, applied } = this;
		this.log.write({ ...request, applied, atMs: Date.now(), kind, status });
	}
}
