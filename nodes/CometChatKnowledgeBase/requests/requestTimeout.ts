import type { AttemptResult, NetworkFailure } from './attemptResult';

/**
 * How much longer the end of a request is awaited that was given up. n8n's client ends it at once;
 * one that does not hand the signal on must not hold up the run.
 */
const LEEWAY_MS = 1000;

/** What a request that the user has stopped is reported as, in the client's own words. */
const STOPPED: NetworkFailure = { kind: 'network failure', code: 'ERR_CANCELED', text: 'canceled' };

interface InFlight {
	readonly timeoutMs: number;
	/** When it is given up; once it is, when its end is no longer awaited. */
	dueMs: number;
	/** What it is reported as; undefined until it is given up. */
	givenUpAs?: NetworkFailure;
	/** Closes its connection. */
	readonly controller: AbortController;
	/** Awaits its end no longer. */
	leave(reply: NetworkFailure): void;
}

/**
 * One time limit for each request, from its start to the last byte of its answer: the client's own
 * timeout counts only time without a single byte, so that an answer that drips would hold up the run
 * for ever. What is given up is closed first, so that no more requests are open than are counted.
 */
export class RequestTimeouts {
	private readonly inFlight = new Set<InFlight>();

	/** When timers will look for what is late. */
	private readonly looksAtMs = new Set<number>();

	private isClosed = false;

	/**
	 * @param delays Its own: those of the run end with it, when answers are still awaited.
	 * @param stopSignal The user's stop, which ends all requests at once.
	 */
	constructor(
		private readonly delays: { delay(waitMs: number): Promise<void>; cancelAll(): void },
		private readonly stopSignal?: AbortSignal,
	) {
		stopSignal?.addEventListener('abort', this.stop, { once: true });
	}

	/**
	 * @param timeoutMs How long it may take in all.
	 * @param send Never throws; closes the connection when the signal fires.
	 * @returns The reply; ECONNABORTED after the timeout, ERR_CANCELED after the user's stop.
	 */
	async run(
		timeoutMs: number,
		send: (signal: AbortSignal) => Promise<AttemptResult>,
	): Promise<AttemptResult> {
		if (this.stopSignal?.aborted) return STOPPED;
		const controller = new AbortController();
		let leave: InFlight['leave'] = () => {};
		const left = new Promise<NetworkFailure>((resolve) => {
			leave = resolve;
		});
		const request: InFlight = { timeoutMs, dueMs: Date.now() + timeoutMs, controller, leave };
		this.inFlight.add(request);
		void this.lookAt(request.dueMs);
		try {
			const reply = await Promise.race([send(controller.signal), left]);
			// An answer that came whole just before is the answer.
			return reply.kind === 'response' ? reply : (request.givenUpAs ?? reply);
		} finally {
			this.inFlight.delete(request);
		}
	}

	/** Leaves no timer and no listener behind. */
	close(): void {
		this.isClosed = true;
		this.stopSignal?.removeEventListener('abort', this.stop);
		this.delays.cancelAll();
	}

	private readonly stop = () => {
		for (const request of this.inFlight) this.giveUp(request, STOPPED);
	};

	private giveUp(request: InFlight, as: NetworkFailure): void {
		if (request.givenUpAs) return;
		request.givenUpAs = as;
		request.dueMs = Date.now() + LEEWAY_MS;
		void this.lookAt(request.dueMs);
		request.controller.abort(as.text);
	}

	/**
	 * With one timer for all, unless a later request is due earlier: to end one for each request takes
	 * an error with its stack, and n8n before 2.41 would not end it at all, but keep the answer for a
	 * minute.
	 */
	private async lookAt(dueMs: number): Promise<void> {
		if (this.isClosed || dueMs >= Math.min(...this.looksAtMs)) return;
		this.looksAtMs.add(dueMs);
		await this.delays.delay(Math.max(0, dueMs - Date.now()));
		this.looksAtMs.delete(dueMs);
		if (this.isClosed) return;
		for (const request of this.inFlight) {
			if (request.dueMs > Date.now()) continue;
			if (request.givenUpAs) request.leave(request.givenUpAs);
			else this.giveUp(request, tooLate(request.timeoutMs));
		}
		void this.lookAt(Math.min(...[...this.inFlight].map((request) => request.dueMs)));
	}
}

function tooLate(timeoutMs: number): NetworkFailure {
	return {
		kind: 'network failure',
		code: 'ECONNABORTED',
		text: `timeout of ${timeoutMs}ms exceeded`,
	};
}

/** Half a megabit a second: a line that is slower than that is taken for broken. */
const SLOWEST_BYTES_PER_SECOND = 64 * 1024;

/** Ours: as long as a request has by default, for the host's answer alone. */
const UPLOAD_ANSWER_MS = 60_000;

/** How long an upload may take: a large file over a slow line is longer under way than any answer. */
export function uploadTimeoutMs(bytes: number): number {
	return UPLOAD_ANSWER_MS + Math.round((bytes / SLOWEST_BYTES_PER_SECOND) * 1000);
}
