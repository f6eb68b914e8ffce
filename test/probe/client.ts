import type { Account } from '../../nodes/CometChatKnowledgeBase/account/account';
import { readAccount } from '../../nodes/CometChatKnowledgeBase/account/account';
import { sign } from '../../nodes/CometChatKnowledgeBase/account/sign';
import type { AttemptResult } from '../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import {
	isRateLimited,
	retryAfterMs,
} from '../../nodes/CometChatKnowledgeBase/requests/retryPolicy';
import { ValidationIssue } from '../../nodes/CometChatKnowledgeBase/values/validationIssue';
import { Answer } from './answer';
import type { HttpRequest, Send } from './http';
import { redactor } from './redaction';

/** What the person who runs the probe has set. */
export interface Settings {
	/** As the node's credential holds them. */
	fields: Record<string, unknown>;
	account: Account;
	/** Make tiny files and texts, which are deleted again. */
	filesMayBeMade: boolean;
}

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

/** Below the base URL, and for the person's own account unless it says another. */
export interface Asked extends HttpRequest {
	/** A made-up one, or no key at all. */
	account?: Record<string, unknown> | 'no key';
}

/** Most requests of a run, and how many of them are kept for deleting what was made. */
export const BUDGET = { requests: 160, kept: 45 };

export const PAUSE_MS = 250;

/** Below this the probe could be what makes the app's own users meet the limit. */
const FEWEST_REMAINING = 10;

/** Where the service limits the rate without saying for how long: it counts by the minute. */
const RATE_LIMIT_WAIT_MS = 60_000;

/** A longer rest is cut into these, so that a Ctrl-C in the middle of it is noticed. */
const REST_MS = 1000;

/** Thrown where no further request may be sent. */
export class Halt extends Error {}

/** The only way to the service: one request at a time, counted, with a pause before each. */
export class ProbeClient {
	/** All of them, in order. */
	readonly answers: Answer[] = [];
	requests = 0;
	/** Why no more questions are asked. */
	halted?: string;
	readonly redact: (text: string) => string;
	/** Where files may be uploaded to, for whoever has them: shown nowhere. */
	readonly uploadAddresses: string[] = [];
	private isCleaningUp = false;
	private restMs = 0;

	constructor(
		readonly settings: Settings,
		readonly machine: Machine,
	) {
		this.redact = redactor(settings.account, this.uploadAddresses);
	}

	/**
	 * @param beforeSending Called when nothing can keep the request from being sent any more.
	 * @throws {Halt} before it is sent, if it may not be.
	 */
	async ask({ account: given, ...request }: Asked, beforeSending?: () => void): Promise<Answer> {
		const { fields, account: own } = this.settings;
		const signed =
			given === 'no key'
				? { ...request, url: `${own.baseUrl}${request.url}` }
				: sign(request, given ?? fields);
		const account = given === 'no key' ? own : readAccount(given ?? fields);
		if (signed instanceof ValidationIssue) throw new Error(signed.what);
		if (account instanceof ValidationIssue) throw new Error(account.what);
		const result = await this.send(signed, beforeSending);
		this.watchRate(result);
		return this.kept(new Answer(request, result, account));
	}

	/**
	 * Sends bytes to an upload address: without the key, which is the service's alone. Of the answer
	 * only status and code are kept, because such hosts repeat the address in their words.
	 */
	async store(request: HttpRequest): Promise<Answer> {
		const result = withCodeOnly(await this.send(request));
		const shown = { ...request, url: '[Upload Address]' };
		return this.kept(new Answer(shown, result, this.settings.account));
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

	private kept(answer: Answer): Answer {
		this.answers.push(answer);
		return answer;
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
		if (!this.isCleaningUp) {
			if (this.machine.isInterrupted()) this.halted ??= 'the probe was interrupted';
			if (this.halted !== undefined) throw new Halt(this.halted);
		}
		if (this.requests >= BUDGET.requests - (this.isCleaningUp ? 0 : BUDGET.kept)) {
			throw new Halt(`all ${BUDGET.requests} requests are used or kept`);
		}
	}

	private watchRate(result: AttemptResult): void {
		if (isRateLimited(result)) {
			this.halted = 'the service limits the rate, and the probe must not add to that';
			const namedMs = retryAfterMs(result, this.machine.nowMs()) ?? RATE_LIMIT_WAIT_MS;
			this.restMs = Math.min(namedMs, 2 * RATE_LIMIT_WAIT_MS);
		}
		const headers = result.kind === 'response' ? result.headers : {};
		const remaining = headers['x-ratelimit-remaining'] ?? headers['x-rate-limit-remaining'];
		if (typeof remaining !== 'string' || !/^\d+$/.test(remaining)) return;
		if (Number(remaining) < FEWEST_REMAINING) this.halted ??= 'the app is close to its rate limit';
	}
}

/** The storage host's own code is a word such as AccessDenied. */
function withCodeOnly(result: AttemptResult): AttemptResult {
	if (result.kind === 'network failure') return { ...result, text: '' };
	const { status, body } = result;
	const code = typeof body === 'string' ? /<Code>([a-z]{1,40})<\/Code>/i.exec(body)?.[1] : '';
	return { kind: 'response', status, headers: {}, body: code ? { code } : {} };
}
