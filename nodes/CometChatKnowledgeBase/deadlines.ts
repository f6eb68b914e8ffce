import type { Reply } from './reply';
import type { Send } from './transport';

/** How much longer the client's own timeout is given, which also closes the connection. */
const LEEWAY_MS = 1000;

interface Awaited {
	untilMs: number;
	giveUp(): void;
}

/**
 * Gives up waiting at last: the client's timeout counts only time without a single byte, so that an
 * answer that drips would hold up the run for ever.
 */
export class Deadlines {
	private readonly awaited = new Set<Awaited>();

	private isWatching = false;

	private isClosed = false;

	/** @param pauses Its own: those of the run end with it, when answers are still awaited. */
	constructor(private readonly pauses: { pause(waitMs: number): Promise<void>; endAll(): void }) {}

	/** @param send Always with the same timeout. */
	bound(send: Send): Send {
		return async (request, timeoutMs) => {
			const reply = send(request, timeoutMs);
			return await new Promise((resolve) => {
				const awaited = {
					untilMs: Date.now() + timeoutMs + LEEWAY_MS,
					giveUp: () => resolve(tooLate(timeoutMs)),
				};
				this.awaited.add(awaited);
				void reply.then((answer) => {
					this.awaited.delete(awaited);
					resolve(answer);
				});
				void this.watch();
			});
		};
	}

	/** Leaves no timer behind. */
	close(): void {
		this.isClosed = true;
		this.pauses.endAll();
	}

	/**
	 * With one timer for all: to end one for each request takes an error with its stack, and n8n before
	 * 2.41 would not end it at all, but keep the answer for a minute.
	 */
	private async watch(): Promise<void> {
		if (this.isWatching) return;
		this.isWatching = true;
		for (;;) {
			// The first has the earliest time.
			const [next] = this.awaited;
			if (next === undefined || this.isClosed) break;
			const leftMs = next.untilMs - Date.now();
			if (leftMs > 0) {
				await this.pauses.pause(leftMs);
			} else {
				this.awaited.delete(next);
				next.giveUp();
			}
		}
		this.isWatching = false;
	}
}

function tooLate(timeoutMs: number): Reply {
	return {
		kind: 'silence',
		code: 'ECONNABORTED',
		text: `timeout of ${timeoutMs}ms exceeded`,
	};
}
