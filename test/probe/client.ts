import { sign } from '../../nodes/CometChatKnowledgeBase/account/sign';
import { ValidationIssue } from '../../nodes/CometChatKnowledgeBase/values/validationIssue';
import { serviceWords } from '../../nodes/CometChatKnowledgeBase/results/messages';
import type { AttemptResult } from '../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import {
	isRateLimited,
	retryAfterMs,
} from '../../nodes/CometChatKnowledgeBase/requests/retryPolicy';
import type { HttpRequest, Send } from './http';
import { redactor, signedTextsIn } from './redaction';
import type { Settings } from './settings';

/** What the probe needs of the machine it runs on. */
export interface Machine {
	send: Send;
	pause(waitMs: number): Promise<void>;
	nowMs(): number;
	/** A new random UUID. */
	newId(): string;
	print(line: string): void;
	/** Keeps the answers to one question. */
	save(fileName: string, text: string): void;
	/** True once the person has asked it to stop. */
	isInterrupted(): boolean;
	/** How long one answer may take. */
	timeoutMs: number;
}

/** One request, without host and key, and what came back. Nothing in it is redacted. */
export interface Exchange {
	what: string;
	request: HttpRequest;
	reply: AttemptResult;
}

/** Most requests of a run, and how many of them are kept for deleting what was made. */
export const BUDGET = {
	withoutFiles: { requests: 50, kept: 10 },
	/** There are more questions, some wait for indexing, and a dozen files and texts are to delete. */
	withFiles: { requests: 160, kept: 45 },
};

export const PAUSE_MS = 250;

/** Below this the probe could be what makes the app's own users meet the limit. */
const FEWEST_REMAINING = 10;

/** Where the service limits the rate without saying for how long: it counts by the minute. */
const RATE_LIMIT_WAIT_MS = 60_000;

/** A longer rest is cut into these, so that a Ctrl-C in the middle of it is noticed. */
const REST_MS = 1000;

/** Thrown where no further request may be sent. */
export class Halt extends Error {}

interface Options {
	/** Sent instead of the person's own account: a made-up one, or no key at all. */
	account?: Record<string, unknown> | 'no key';
	/** Called when nothing can keep the request from being sent any more. */
	beforeSending?: () => void;
}

/** The only way to the service: one request at a time, counted, with a pause before each. */
export class ProbeClient {
	/** All that was asked, in order. */
	readonly exchanges: Exchange[] = [];
	requests = 0;
	/** Why no more questions are asked. */
	halted?: string;
	readonly redact: (text: string) => string;
	/** Where files may be uploaded to, for whoever has them: shown nowhere. */
	private readonly secrets: string[] = [];
	private isCleaningUp = false;
	private restMs = 0;

	constructor(
		readonly settings: Settings,
		readonly machine: Machine,
	) {
		this.redact = redactor(settings.account, this.secrets);
	}

	/**
	 * @param what In words; never holds anything foreign.
	 * @throws {Halt} before it is sent, if it may not be.
	 */
	async ask(what: string, request: HttpRequest, options: Options = {}): Promise<AttemptResult> {
		const reply = await this.send(this.signed(request, options.account), options.beforeSending);
		if (reply.kind === 'response') this.secrets.push(...signedTextsIn(reply.body));
		this.exchanges.push({ what, request, reply });
		this.watchRate(reply);
		return reply;
	}

	/**
	 * Sends bytes to an upload address: without the key, which is the service's alone. Of the answer
	 * only status and code are kept, because such hosts repeat the address in their words.
	 */
	async store(what: string, request: HttpRequest): Promise<AttemptResult> {
		this.secrets.push(request.url);
		const reply = withCodeOnly(await this.send(request));
		this.exchanges.push({ what, request: { ...request, url: '[Upload Address]' }, reply });
		return reply;
	}

	/** Waits, and gives up waiting when the person stops the probe. */
	async rest(waitMs: number): Promise<void> {
		for (let leftMs = waitMs; leftMs > 0; leftMs -= REST_MS) {
			this.throwIfHalted();
			await this.machine.pause(Math.min(leftMs, REST_MS));
		}
	}

	/** From here on the requests that were kept may be used, and nothing holds them up. */
	async startCleaningUp(): Promise<void> {
		this.isCleaningUp = true;
		if (this.restMs > 0) await this.machine.pause(this.restMs);
	}

	private async send(request: HttpRequest, beforeSending?: () => void): Promise<AttemptResult> {
		this.throwIfHalted();
		if (this.requests > 0) await this.machine.pause(PAUSE_MS);
		this.throwIfHalted();
		this.requests += 1;
		beforeSending?.();
		return await this.machine.send(request, this.machine.timeoutMs);
	}

	private throwIfHalted(): void {
		const { requests, kept } = this.settings.filesMayBeMade
			? BUDGET.withFiles
			: BUDGET.withoutFiles;
		if (!this.isCleaningUp) {
			if (this.machine.isInterrupted()) this.halted ??= 'the probe was interrupted';
			if (this.halted !== undefined) throw new Halt(this.halted);
		}
		if (this.requests >= requests - (this.isCleaningUp ? 0 : kept)) {
			throw new Halt(`all ${requests} requests are used or kept`);
		}
	}

	private signed(request: HttpRequest, account: Options['account']): HttpRequest {
		if (account === 'no key') {
			return { ...request, url: `${this.settings.account.baseUrl}${request.url}` };
		}
		const signed = sign(request, account ?? this.settings.fields);
		if (signed instanceof ValidationIssue) throw new Error(signed.what);
		return signed;
	}

	private watchRate(reply: AttemptResult): void {
		if (isRateLimited(reply)) {
			this.halted = 'the service limits the rate, and the probe must not add to that';
			const namedMs = retryAfterMs(reply, this.machine.nowMs()) ?? RATE_LIMIT_WAIT_MS;
			this.restMs = Math.min(namedMs, 2 * RATE_LIMIT_WAIT_MS);
		}
		if (reply.kind === 'network failure') return;
		const { headers } = reply;
		const remaining = headers['x-ratelimit-remaining'] ?? headers['x-rate-limit-remaining'];
		if (typeof remaining !== 'string' || !/^\d+$/.test(remaining)) return;
		if (Number(remaining) < FEWEST_REMAINING) {
			this.halted ??= 'the app is close to its rate limit';
		}
	}
}

/** The storage host's own code is one such as AccessDenied. */
function withCodeOnly(reply: AttemptResult): AttemptResult {
	if (reply.kind === 'network failure') return { ...reply, text: '' };
	const { status, body } = reply;
	const code = typeof body === 'string' ? /<Code>(\w{1,60})<\/Code>/.exec(body)?.[1] : undefined;
	return { kind: 'response', status, headers: {}, body: code === undefined ? {} : { code } };
}

export function isSuccessStatus(reply: AttemptResult): boolean {
	return reply.kind === 'response' && reply.status >= 200 && reply.status < 300;
}

/** A reply as it may stand in a sentence: its status and code, or the network's code. */
export function inBrief(reply: AttemptResult): string {
	if (reply.kind === 'network failure') return `no answer (${reply.code || 'no code'})`;
	const { code } = serviceWords(reply.body);
	return code === undefined ? String(reply.status) : `${reply.status} ${code}`;
}
