import { Exchange } from './exchange';
import type { ReceivedRequest, RequestLog } from './log';
import { Script } from './script';

/** What the two hosts have in common: one count of requests, one log, one script. */
export class Traffic {
	private readonly underWay = new Set<Exchange>();
	private requestCount = 0;
	readonly script = new Script();

	constructor(private readonly log: RequestLog) {}

	/** The number of a request that has just been received. */
	next(): number {
		this.requestCount += 1;
		return this.requestCount;
	}

	/** @param closed Aborts when the connection closes. */
	begin(received: ReceivedRequest, limited: boolean, closed: AbortSignal): Exchange {
		const exchange = new Exchange(received, limited, this.log);
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

	/** Requests under way go on. */
	reset(): void {
		this.log.clear();
		this.script.clear();
		this.requestCount = 0;
	}
}
