import type { Clock as ReplacedClock } from '@sinonjs/fake-timers';
import { install } from '@sinonjs/fake-timers';

/** The part of Node's `http.ClientRequest` that this file uses. */
interface ClientRequest {
	once(event: 'close' | 'response', listener: () => void): unknown;
	setTimeout(this: ClientRequest, timeoutMs: number, onTimeout?: () => void): unknown;
}

/** A message to either end. */
interface IncomingMessage {
	/** Its request, at the client's end. */
	req?: ClientRequest;
	push(this: IncomingMessage, chunk: unknown, encoding?: unknown): boolean;
}

interface Http {
	ClientRequest: { prototype: ClientRequest };
	IncomingMessage: { prototype: IncomingMessage };
}

interface Socket {
	localPort?: number;
	remotePort?: number;
	bytesRead: number;
	bytesWritten: number;
	once(event: 'close', listener: () => void): unknown;
}

/** A part of Node's `diagnostics_channel`, which reports each socket. */
interface Diagnostics {
	subscribe(channel: string, listener: (message: { socket: Socket }) => void): void;
	unsubscribe(channel: string, listener: (message: { socket: Socket }) => void): void;
}

interface Resources {
	getActiveResourcesInfo(): string[];
}

/** Everything except for the time of day and timers (`Date`, `setTimeout`). */
const LEFT_REAL: FakeableAPI[] = [
	'clearImmediate',
	'clearInterval',
	'hrtime',
	'nextTick',
	'performance',
	'queueMicrotask',
	'setImmediate',
	'setInterval',
];

interface Timers {
	setImmediate(callback: () => void): unknown;
}

/** Returns the number of open requests in a test's simulations, and the number of events. */
export type Traffic = () => { underWay: number; events: number };

/** Work in real time outside of sockets of this process: files, which threads read, names, and connections. */
const OUTSIDE = ['FSReqCallback', 'FSReqPromise', 'CloseReq', 'GetAddrInfoReqWrap', 'ConnectWrap'];

/** Far from the real time, so that a real time would be noticed. */
const START_MS = Date.UTC(2040, 0, 1);

const HOUR_MS = 3_600_000;

/** The steps after which an execution is endless. */
const MOST_STEPS = 20_000;

/** The turns of Node's event loop without a change after which nothing happens any more. */
const TURNS_AT_REST = 3;

/** The time after which unread bytes will not be read. */
const UNREAD_AT_REST_MS = 20;

/** The longest wait for sent bytes, in turns. */
const MOST_TURNS = 2_000;

/**
 * The time of the node and of the simulation. It stands still while anything happens, and then jumps to the next timer,
 * one timer at a time. `Date`, `setTimeout` and two functions of Node that use the real clock are replaced: the
 * time-out of a client's request, and signals with a time-out.
 */
export class Clock {
	/** The open requests of the node's HTTP client. */
	private clientRequests = 0;

	/** The sockets of the HTTP client. */
	private readonly sockets = new Set<Socket>();

	/** The sockets of the simulation, by the port of the other end. */
	private readonly peers = new Map<number, Socket>();

	/** The number of events of the HTTP client and of reads at either end, which shows whether anything happens. */
	private events = 0;

	/** Restarts the time-out of a request, which measures the time without a byte. */
	private moved = new WeakMap<ClientRequest, () => void>();

	private readonly putBack: Array<() => void>;

	/** Not Jest's clock, which fires all timers of the same time together. */
	private readonly time: ReplacedClock;

	private readonly resources: Resources;

	private readonly timers: Timers;

	/** The signals with a time-out, for which Node does not wait. */
	private signals = 0;

	/** Whether `run` must end. */
	private isStopped = false;

	constructor() {
		// Not imported, because n8n's lint for nodes applies to all TypeScript here.
		const { ClientRequest: requests, IncomingMessage: messages } =
			jest.requireActual<Http>('node:http');
		const follow = (request: ClientRequest, timeoutMs: number, onTimeout?: () => void) =>
			this.follow(request, timeoutMs, onTimeout);
		const timeouts = replaced(requests.prototype, 'setTimeout', function (timeoutMs, onTimeout) {
			follow(this, timeoutMs, onTimeout);
			return this;
		});
		const { push } = messages.prototype;
		const readBytes = (request?: ClientRequest) => {
			this.events += 1;
			if (request) this.moved.get(request)?.();
		};
		const bytes = replaced(messages.prototype, 'push', function (chunk, encoding) {
			readBytes(this.req);
			return push.call(this, chunk, encoding);
		});
		const signals = replaced(AbortSignal, 'timeout', (ms) => this.firing(ms));
		this.putBack = [timeouts, bytes, signals, ...this.followSockets()];
		this.time = install({ now: START_MS, toNotFake: LEFT_REAL });
		this.resources = jest.requireActual<Resources>('node:process');
		this.timers = jest.requireActual<Timers>('node:timers');
	}

	/** Returns the number of timers that have not fired, and for which Node would wait. */
	timersLeft(): number {
		return this.time.countTimers() - this.signals;
	}

	/** Lets time pass until `stop`. Code that waits must only wait for time. */
	async run(traffic: Traffic): Promise<void> {
		while (!this.isStopped) {
			await this.rest(traffic);
			if (this.time.countTimers() > 0) this.time.next();
		}
	}

	/** Lets time pass until `work` has ended. */
	async pass<T>(work: Promise<T>, traffic: Traffic): Promise<T> {
		let isDone = false;
		const done = () => {
			isDone = true;
		};
		work.then(done, done);
		for (let step = 0; step < MOST_STEPS; step++) {
			await this.rest(traffic);
			if (isDone) return await work;
			if (this.time.countTimers() > 0) this.time.next();
		}
		throw new Error('The run does not end');
	}

	/** Continues at the start of the next hour, so that each execution starts at the same part of a second. */
	startAnew(): void {
		this.time.setSystemTime(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS);
		this.clientRequests = 0;
	}

	stop(): void {
		this.isStopped = true;
		this.time.uninstall();
		for (const putBack of this.putBack) putBack();
	}

	/** Waits until only time can change anything. */
	private async rest(traffic: Traffic): Promise<void> {
		let calm = 0;
		let before = -1;
		let sinceMs = 0;
		for (let turn = 0; turn < MOST_TURNS && calm < TURNS_AT_REST && !this.isStopped;) {
			await this.turn();
			const { underWay, events } = traffic();
			const now = events + this.events;
			// A different number means that a request is being sent.
			if (now !== before) sinceMs = performance.now();
			const isStill = now === before && underWay === this.clientRequests;
			// Work outside ends after any number of turns. Checked last, because the check takes longest.
			const isOutside = isStill && calm + 1 >= TURNS_AT_REST && this.isOutside(sinceMs);
			calm = isStill && !isOutside ? calm + 1 : 0;
			before = now;
			// Counts from 0 again, because two of three turns don't check for work outside.
			turn = isOutside ? 0 : turn + 1;
		}
	}

	private firing(waitMs: number): AbortSignal {
		const controller = new AbortController();
		this.signals += 1;
		this.time.setTimeout(() => {
			this.signals -= 1;
			controller.abort();
		}, waitMs);
		return controller.signal;
	}

	/** @returns Functions that undo it */
	private followSockets(): Array<() => void> {
		const channels = jest.requireActual<Diagnostics>('node:diagnostics_channel');
		const followed = (end: string, listener: (message: { socket: Socket }) => void) => {
			channels.subscribe(`net.${end}.socket`, listener);
			return () => channels.unsubscribe(`net.${end}.socket`, listener);
		};
		return [
			followed('client', ({ socket }) => {
				this.sockets.add(socket);
				socket.once('close', () => this.sockets.delete(socket));
			}),
			followed('server', ({ socket }) => {
				const { remotePort = 0 } = socket;
				this.peers.set(remotePort, socket);
				socket.once('close', () => this.peers.delete(remotePort));
			}),
		];
	}

	/** @param sinceMs The time of the last event. */
	private isOutside(sinceMs: number): boolean {
		const isWaiting = performance.now() - sinceMs < UNREAD_AT_REST_MS;
		if (isWaiting && this.areBytesOnTheirWay()) return true;
		return this.resources.getActiveResourcesInfo().some((kind) => OUTSIDE.includes(kind));
	}

	/** Whether sent bytes have not been read: a thread of the system passes them on, which a busy machine delays. */
	private areBytesOnTheirWay(): boolean {
		return [...this.sockets].some(({ localPort = 0, bytesRead, bytesWritten }) => {
			const peer = this.peers.get(localPort) ?? { bytesRead: 0, bytesWritten: 0 };
			return bytesWritten !== peer.bytesRead || bytesRead !== peer.bytesWritten;
		});
	}

	/** Waits for one turn of Node's event loop, including sockets. */
	private async turn(): Promise<void> {
		await new Promise<void>((resolve) => this.timers.setImmediate(resolve));
	}

	private follow(request: ClientRequest, timeoutMs: number, onTimeout?: () => void): void {
		this.clientRequests += 1;
		this.events += 1;
		let silence: ReturnType<ReplacedClock['setTimeout']> | undefined;
		request.once('close', () => {
			this.clientRequests -= 1;
			this.events += 1;
			if (silence !== undefined) this.time.clearTimeout(silence);
			this.moved.delete(request);
		});
		request.once('response', () => void (this.events += 1));
		if (timeoutMs <= 0 || !onTimeout) return;
		const begin = () => {
			if (silence !== undefined) this.time.clearTimeout(silence);
			silence = this.time.setTimeout(onTimeout, timeoutMs);
		};
		this.moved.set(request, begin);
		begin();
	}
}

/**
 * Replaces a function, without Jest, which stores each call and so each message.
 *
 * @returns A function that undoes it.
 */
function replaced<T, K extends keyof T>(object: T, name: K, other: T[K]): () => void {
	const { [name]: usual } = object;
	object[name] = other;
	return () => {
		object[name] = usual;
	};
}
