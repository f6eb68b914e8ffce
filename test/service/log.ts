import type { Address, Operation } from './routes';

export interface ReceivedRequest extends Address {
	/** The number of the request on both hosts, from 1. */
	request: number;
	/** The host of the simulation that received the request. */
	host: 'api' | 'uploads';
	method: string;
	/** Raw: percent-encoded, with the query, as received. */
	path: string;
	/** Names in lower case; a repeated header is joined with commas. */
	headers: Record<string, string>;
	/** The parsed JSON, or the text if it is no JSON; undefined without a body, and for an upload. */
	body?: unknown;
	/** The operation of the route; undefined if no route matches. */
	operation?: Operation;
	/** The IDs in the body, in the path or of the upload URL. */
	uniqueIds?: string[];
	/** The names of the request's files, or the title of its text. */
	fileNames?: string[];
}

/**
 * A request has 'arrived' once it was read completely (an upload: its headers), and then has one end. 'answered': the
 * complete response is just about to be sent. Otherwise, at most the status was sent: the service closed the
 * connection ('dropped'), or it was closed before ('aborted').
 */
export interface LogEntry extends ReceivedRequest {
	kind: 'arrived' | 'answered' | 'dropped' | 'aborted';
	status?: number;
	/** Unix time in milliseconds. */
	atMs: number;
	applied: boolean;
}

/** The requests on both hosts, in order. */
export class RequestLog {
	readonly entries: LogEntry[] = [];
	private count = 0;

	constructor(private readonly onEntry?: (entry: LogEntry) => void) {}

	/** Returns the number of a request that has just been received. */
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

	/** Returns the largest number of simultaneous adds and removes, for one agent or for all. */
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

	/** Requests that are being answered continue. */
	reset(): void {
		this.clear();
		this.count = 0;
	}
}

/** A request and its end, which are written into the log as they happen. */
export class Exchange {
	applied = false;
	/** The status, once it was sent without the complete body. */
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

	/** Ends the request, once. Called before the bytes are sent, so that the log is never behind the client. */
	end(kind: LogEntry['kind'], status = this.sentStatus): void {
		if (!this.isOver) this.write(kind, status);
		this.isOver = true;
	}

	private write(kind: LogEntry['kind'], status?: number): void {
		const { request, applied } = this;
		this.log.write({ ...request, applied, atMs: Date.now(), kind, status });
	}
}
