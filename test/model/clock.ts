import type { Clock as ReplacedClock } from '@sinonjs/fake-timers';
import { install } from '@sinonjs/fake-timers';
import { sleep } from 'n8n-workflow';

import { LEFT_REAL } from '../node/time';

/** What this model needs of Node's `http.ClientRequest`. */
interface ClientRequest {
	once(event: 'close', listener: () => void): unknown;
	prependOnceListener(event: 'response', listener: (response: Response) => void): unknown;
	setTimeout(timeoutMs: number, onTimeout?: () => void): unknown;
}

interface Response {
	headers: Record<string, unknown>;
}

/** Of Node's `process`. */
interface Resources {
	getActiveResourcesInfo(): string[];
}

/** What is under way outside of any socket that both ends of are seen: files, names, connecting. */
const OUTSIDE = ['FSReqCallback', 'FSReqPromise', 'CloseReq', 'GetAddrInfoReqWrap', 'ConnectWrap'];

/** Far from any real time, so that a real one would be noticed. */
const START_MS = Date.UTC(2040, 0, 1);

const HOUR_MS = 3_600_000;

/** A run of the model that takes more steps than this will not end. */
const MOST_STEPS = 20_000;

/** The system is at rest after this many turns of Node's event loop without any change. */
const TURNS_AT_REST = 3;

/** Longest wait for bytes on their way, in turns. */
const MOST_TURNS = 2_000;

/**
 * Time for the node and for the stand-in, which stands still while anything happens and then jumps
 * to the next timer, one timer at a time. So an hour costs nothing, times in the stand-in's log are
 * exact, and what follows on an event in the log follows from it.
 *
 * `Date` and `setTimeout` are replaced. Node keeps two things on the real clock, which are put on
 * this one here: the timeout of a client's request, and the `Date` header of an answer.
 */
export class Clock {
	/** How far the service's clock is ahead of the node's. */
	serviceAheadMs = 0;

	/** Requests of the node's HTTP client that have no end yet. */
	private clientRequests = 0;

	/** Counts what the HTTP client does, to see whether anything happens. */
	private clientEvents = 0;

	/** Two that take turns: one alone would have its messages delivered in a single turn. */
	private channels = [new MessageChannel(), new MessageChannel()];

	private readonly timeouts: jest.SpyInstance;

	/** Not Jest's, which fires all timers of a moment together. */
	private readonly time: ReplacedClock;

	private readonly resources: Resources;

	/** @param anyRequest A request that Node's own HTTP client has sent: it leads to all others. */
	constructor(anyRequest: unknown) {
		const prototype: unknown = Object.getPrototypeOf(anyRequest);
		if (!isClientRequest(prototype)) throw new Error("This is no request of Node's HTTP client");
		const follow = (request: ClientRequest, timeoutMs: number, onTimeout?: () => void) =>
			this.follow(request, timeoutMs, onTimeout);
		this.timeouts = jest.spyOn(prototype, 'setTimeout').mockImplementation(function (
			this: ClientRequest,
			timeoutMs,
			onTimeout,
		) {
			follow(this, timeoutMs, onTimeout);
			return this;
		});
		this.time = install({ now: START_MS, toNotFake: LEFT_REAL });
		// Not imported: n8n's lint for nodes, which knows no tests, holds for all TypeScript here.
		const resources: unknown = jest.requireActual('node:process');
		if (!isResources(resources)) throw new Error('Node does not say what is under way');
		this.resources = resources;
	}

	/** Timers that have not fired. */
	timersLeft(): number {
		return this.time.countTimers();
	}

	/**
	 * Lets time pass until `work` has ended.
	 *
	 * @param service How many requests the stand-in has under way, and how much has happened in it.
	 */
	async pass<T>(work: Promise<T>, service: () => { underWay: number; events: number }): Promise<T> {
		let isDone = false;
		const done = () => {
			isDone = true;
		};
		work.then(done, done);
		for (let step = 0; step < MOST_STEPS; step++) {
			await this.rest(service);
			if (isDone) return await work;
			if (this.timersLeft() > 0) this.time.next();
		}
		throw new Error('The run does not end');
	}

	/** To the beginning of the next hour, so that each run starts at the same part of a second. */
	startAnew(): void {
		this.time.setSystemTime(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS);
		this.clientRequests = 0;
	}

	stop(): void {
		this.time.uninstall();
		this.timeouts.mockRestore();
		for (const { port1 } of this.channels) port1.close();
	}

	/** Ends when nothing happens any more, except by time. */
	private async rest(service: () => { underWay: number; events: number }): Promise<void> {
		let calm = 0;
		let before = -1;
		for (let turn = 0; turn < MOST_TURNS && calm < TURNS_AT_REST;) {
			await this.turn();
			const { underWay, events } = service();
			const now = events + this.clientEvents;
			const isStill = now === before;
			// What is outside comes to its end, however many turns that takes.
			const isOutside = isStill && this.isOutside();
			// Unequal: bytes are on their way.
			const isCalm = isStill && !isOutside && underWay === this.clientRequests;
			calm = isCalm ? calm + 1 : 0;
			before = now;
			if (!isOutside) turn += 1;
		}
	}

	/** Files are read by threads, which take real time: the bytes of an upload come from the disk. */
	private isOutside(): boolean {
		return this.resources.getActiveResourcesInfo().some((kind) => OUTSIDE.includes(kind));
	}

	/** One turn of Node's event loop, sockets included. */
	private async turn(): Promise<void> {
		this.channels.reverse();
		const [channel] = this.channels;
		if (channel === undefined) return;
		const { port1, port2 } = channel;
		await new Promise<void>((resolve) => {
			port1.once('message', () => resolve());
			port2.postMessage(undefined);
		});
	}

	private follow(request: ClientRequest, timeoutMs: number, onTimeout?: () => void): void {
		this.clientRequests += 1;
		this.clientEvents += 1;
		const ended = new AbortController();
		request.once('close', () => {
			this.clientRequests -= 1;
			this.clientEvents += 1;
			ended.abort();
		});
		request.prependOnceListener('response', (response) => {
			this.clientEvents += 1;
			response.headers.date = new Date(Date.now() + this.serviceAheadMs).toUTCString();
		});
		if (timeoutMs > 0 && onTimeout) {
			sleep(timeoutMs, ended.signal).then(onTimeout, () => undefined);
		}
	}
}

function isClientRequest(value: unknown): value is ClientRequest {
	return (
		typeof value === 'object' &&
		value !== null &&
		'setTimeout' in value &&
		'prependOnceListener' in value
	);
}

function isResources(value: unknown): value is Resources {
	return typeof value === 'object' && value !== null && 'getActiveResourcesInfo' in value;
}
