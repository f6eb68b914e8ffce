import type { Response } from 'express';

import type { ReceivedBytes, ReceivedRequest, RequestLog } from './log';

/** One request and its end, written into the log as they happen. */
export class Exchange {
	applied = false;
	/** The status, as soon as it has been sent without the whole body. */
	sentStatus?: number;
	/** What has come of an upload's bytes so far. */
	received?: () => ReceivedBytes;
	private ended = false;

	constructor(
		readonly request: ReceivedRequest,
		readonly limited: boolean,
		private readonly log: RequestLog,
	) {
		this.log.write({ ...request, kind: 'arrived', applied: false, limited });
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
	private end(entry: Parameters<RequestLog['write']>[0]): void {
		if (this.ended) return;
		this.ended = true;
		this.log.write(entry);
	}
}

/** Aborts when the connection closes, whether or not it has carried an answer. */
export function connectionClosed(response: Response): AbortSignal {
	const closed = new AbortController();
	// With a reason, because without one an error with its stack is made for every request.
	response.once('close', () => closed.abort('The connection has closed.'));
	return closed.signal;
}
