import type { Clock as ReplacedClock } from '@sinonjs/fake-timers';
import { install } from '@sinonjs/fake-timers';

/** What this model needs of Node's `http.ClientRequest`. */
interface ClientRequest {
	once(event: 'close' | 'response', listener: () => void): unknown;
	setTimeout(this: ClientRequest, timeoutMs: number, onTimeout?: () => void): unknown;
}

/** What comes in, at either end. */
interface IncomingMessage {
	/** What it answers, at the client's end. */
	req?: ClientRequest;
	push(this: IncomingMessage, chunk: unknown, encoding?: unknown): boolean;
}

/** Of Node's `http`. */
interface Http {
	ClientRequest: { prototype: ClientRequest };
	IncomingMessage: { prototype: IncomingMessage };
}

/** Of Node's `net`. */
interface Socket {
	localPort?: number;
	remotePort?: number;
	bytesRead: number;
	bytesWritten: number;
	once(event: 'close', listener: () => void): unknown;
}

/** Of Node's `diagnostics_channel`, which tells of each socket. */
interface Diagnostics {
	subscribe(channel: string, listener: (message: { socket: Socket }) => void): void;
	unsubscribe(channel: string, listener: (message: { socket: Socket }) => void): void;
}

/** Of Node's `process`. */
interface Resources {
	getActiveResourcesInfo(): string[];
}

/** All but the time of day and what waits for it (`Date`, `setTimeout`). */
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

/** Of Node's `timers`. */
interface Timers {
	setImmediate(callback: () => void): unknown;
}

/** What the stand-ins of a test do: how many requests are under way in them, and how much has happened. */
export type Traffic = () => { underWay: number; events: number };

/**
 * What is under way outside of any socket that both ends of are seen, and takes real time: files, which are
 * read by threads, names, connecting.
 */
const OUTSIDE = ['FSReqCallback', 'FSReqPromise', 'CloseReq', 'GetAddrInfoReqWrap', 'ConnectWrap'];

/** Far from any real time, so that a real one would be noticed. */
const START_MS = Date.UTC(2040, 0, 1);

const HOUR_MS = 3_600_000;

/** A run of the model that takes more steps than this will not end. */
const MOST_STEPS = 20_000;

/** The system is at rest after this many turns of Node's event loop without any change. */
const TURNS_AT_REST = 3;

/** Whoever has not read for so long what was sent to it does not want to. */
const UNREAD_AT_REST_MS = 20;

/** Longest wait for bytes on their way, in turns. */
const MOST_TURNS = 2_000;

/**
 * Time for the node and for the stand-in, which stands still while anything happens and then jumps
 * to the next timer, one timer at a time. So an hour costs nothing, times in the stand-in's log are
 * exact, and what follows on an event in the log follows from it.
 *
 * `Date` and `setTimeout` are replaced. Node keeps two things on the real clock, which are put on this one
 * here: the timeout of a client's request, and signals that fire by themselves.
 */
export class Clock {
	/** Requests of the node's HTTP client that have no end yet. */
	private clientRequests = 0;

	/** Those of the HTTP client. */
	private readonly sockets = new Set<Socket>();

	/** Those of the stand-in, by the port of the other end. */
	private readonly peers = new Map<number, Socket>();

	/** Counts what the HTTP client does, and the bytes that either end reads, to see whether anything happens. */
	private events = 0;

	/** Begins a request's timeout anew: it counts the time without a byte. */
	private moved = new WeakMap<ClientRequest, () => void>();

	private readonly putBack: Array<() => void>;

	/** Not Jest's, which fires all timers of a moment together. */
	private readonly time: ReplacedClock;

	private readonly resources: Resources;

	private readonly timers: Timers;

	/** Signals that will fire by themselves: Node neither waits for them nor keeps what nobody listens to. */
	private signals = 0;

	/** Whether `run` is to end. */
	private isStopped = false;

	constructor() {
		// Not imported: n8n's lint for nodes, which knows no tests, holds for all TypeScript here.
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

	/** Timers that have not fired, and for which Node would wait. */
	timersLeft(): number {
		return this.time.countTimers() - this.signals;
	}

	/** Lets time pass until it is stopped: whoever waits meanwhile waits for nothing else. */
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

	/** To the beginning of the next hour, so that each run starts at the same part of a second. */
	startAnew(): void {
		this.time.setSystemTime(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS);
		this.clientRequests = 0;
	}

	stop(): void {
		this.isStopped = true;
		this.time.uninstall();
		for (const putBack of this.putBack) putBack();
	}

	/** Ends when nothing happens any more, except by time. */
	private async rest(traffic: Traffic): Promise<void> {
		let calm = 0;
		let before = -1;
		let sinceMs = 0;
		for (let turn = 0; turn < MOST_TURNS && calm < TURNS_AT_REST && !this.isStopped;) {
			await this.turn();
			const { underWay, events } = traffic();
			const now = events + this.events;
			// Unequal: a request is on its way.
			if (now !== before) sinceMs = performance.now();
			const isStill = now === before && underWay === this.clientRequests;
			// What is outside comes to its end, however many turns that takes. Asked last: it takes longest.
			const isOutside = isStill && calm + 1 >= TURNS_AT_REST && this.isOutside(sinceMs);
			calm = isStill && !isOutside ? calm + 1 : 0;
			before = now;
			// From the start: of the turns in which it is under way, two in three do not ask.
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

	/** @returns How to put it back. */
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

	/** @param sinceMs When something has happened last. */
	private isOutside(sinceMs: number): boolean {
		const isWaiting = performance.now() - sinceMs < UNREAD_AT_REST_MS;
		if (isWaiting && this.areBytesOnTheirWay()) return true;
		return this.resources.getActiveResourcesInfo().some((kind) => OUTSIDE.includes(kind));
	}

	/** The system hands them on by a thread of its own, which a busy machine lets wait. */
	private areBytesOnTheirWay(): boolean {
		return [...this.sockets].some(({ localPort = 0, bytesRead, bytesWritten }) => {
			const peer = this.peers.get(localPort) ?? { bytesRead: 0, bytesWritten: 0 };
			return bytesWritten !== peer.bytesRead || bytesRead !== peer.bytesWritten;
		});
	}

	/** One turn of Node's event loop, sockets included. */
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
 * Not by Jest, which remembers each call, and so keeps each message.
 *
 * @returns Puts back what was there.
 */
function replaced<T, K extends keyof T>(object: T, name: K, other: T[K]): () => void {
	const { [name]: usual } = object;
	object[name] = other;
	return () => {
		object[name] = usual;
	};
}
