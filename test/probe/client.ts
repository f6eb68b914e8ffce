import type { Account } from '../../nodes/CometChatKnowledgeBase/account/account';
import { readAccount } from '../../nodes/CometChatKnowledgeBase/account/account';
import { Redaction } from '../../nodes/CometChatKnowledgeBase/account/redaction';
import type { Shown } from '../../nodes/CometChatKnowledgeBase/values/shown';
import { given } from '../../nodes/CometChatKnowledgeBase/values/shown';
import { sign } from '../../nodes/CometChatKnowledgeBase/account/sign';
import type { AttemptResult } from '../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import { toServiceResponse } from '../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import {
	isRateLimited,
	retryAfterMs,
} from '../../nodes/CometChatKnowledgeBase/requests/retryPolicy';
import { ValidationIssue } from '../../nodes/CometChatKnowledgeBase/values/validationIssue';
import type { HttpRequest, Reply } from './answer';
import { Answer } from './answer';

/** What the person who runs the probe has set. */
export interface Settings {
	/** As the node's credential holds them. */
	fields: Record<string, unknown>;
	account: Account;
	/** Make tiny files and texts, which are deleted again. */
	filesMayBeMade: boolean;
	/** The page that may be crawled; undefined: none may. */
	site?: Shown;
	/** Crawl it a second time, and read the page again. */
	crawlTwice: boolean;
}

/** What the probe needs of the machine it runs on. */
export interface Machine {
	/** Every outcome is a value. */
	send(request: HttpRequest): Promise<Reply>;
	pause(waitMs: number): Promise<void>;
	nowMs(): number;
	/** A new random UUID. */
	newId(): string;
	print(line: string): void;
	/** Keeps the answers to one question. */
	save(fileName: string, text: string): void;
	/** True once the person has asked it to stop. */
	isInterrupted(): boolean;
}

/** Below the base URL, and for the person's own account unless it says another. */
export interface Asked extends HttpRequest {
	/** A made-up account's. */
	fields?: Record<string, unknown>;
	isKeyless?: boolean;
}

/** Most requests for questions; deleting what was made comes on top. */
const MOST_REQUESTS = 200;

const PAUSE_MS = 250;

/** Below this the probe could be what makes the app's own users meet the limit. */
const FEWEST_REMAINING = 10;

/** Where the service limits the rate without saying for how long: it counts by the minute. */
const RATE_LIMIT_WAIT_MS = 60_000;

/** Why a question is not asked, or a request not sent. */
export class NotAsked extends Error {}

/** The only way to the service: one request at a time, counted, with a pause before each. */
export class Client {
	/** All of them, in order. */
	readonly answers: Answer[] = [];
	requests = 0;
	/** Why no more questions are asked. */
	halted?: string;
	/** Nothing but a rate limit holds up the deleting of what was made. */
	isCleaningUp = false;
	private restUntilMs = 0;

	constructor(
		readonly settings: Settings,
		readonly machine: Machine,
	) {}

	/**
	 * @param beforeSending Called when nothing can keep the request from being sent any more.
	 * @throws {NotAsked} before it is sent, if it may not be.
	 */
	async ask(
		{ fields = this.settings.fields, isKeyless = false, ...request }: Asked,
		beforeSending?: () => void,
	): Promise<Answer> {
		const [signed, account] = [sign(request, fields), readAccount(fields)];
		if (signed instanceof ValidationIssue) throw new Error(signed.what);
		if (account instanceof ValidationIssue) throw new Error(account.what);
		const sent = isKeyless ? { ...signed, headers: request.headers } : signed;
		const result = await this.send(sent, new Redaction(account), beforeSending);
		this.watchRate(result);
		return this.kept(new Answer(request, result, account));
	}

	/**
	 * Sends bytes to an upload address: without the key, which is the service's alone. Of the answer
	 * only status and code are kept, because such hosts repeat the address in their words.
	 */
	async store(request: HttpRequest): Promise<Answer> {
		const result = withCodeOnly(await this.send(request, new Redaction(this.settings.account)));
		const shown = { ...request, url: '[Upload Address]' };
		return this.kept(new Answer(shown, result, this.settings.account, []));
	}

	/** Waits, second by second, and gives up waiting when the person stops the probe. */
	async rest(seconds: number): Promise<void> {
		for (let left = seconds; left > 0; left--) {
			this.throwIfHalted();
			await this.machine.pause(1000);
		}
	}

	private kept(answer: Answer): Answer {
		this.answers.push(answer);
		return answer;
	}

	private async send(
		request: HttpRequest,
		redaction: Redaction,
		beforeSending?: () => void,
	): Promise<AttemptResult> {
		this.throwIfHalted();
		await this.machine.pause(Math.max(PAUSE_MS, this.restUntilMs - this.machine.nowMs()));
		this.throwIfHalted();
		this.requests += 1;
		beforeSending?.();
		const reply = await this.machine.send(request);
		if (reply.kind === 'network failure') return reply;
		return toServiceResponse({ ...reply, statusCode: reply.status }, redaction);
	}

	private throwIfHalted(): void {
		if (this.isCleaningUp) return;
		if (this.machine.isInterrupted()) this.halted ??= 'the probe was interrupted';
		if (this.requests >= MOST_REQUESTS) this.halted ??= `all ${MOST_REQUESTS} requests are used`;
		if (this.halted !== undefined) throw new NotAsked(this.halted);
	}

	private watchRate(result: AttemptResult): void {
		if (isRateLimited(result)) {
			this.halted ??= 'the service limits the rate, and the probe must not add to that';
			const nowMs = this.machine.nowMs();
			const namedMs = retryAfterMs(result, nowMs) ?? RATE_LIMIT_WAIT_MS;
			this.restUntilMs = nowMs + Math.min(namedMs, 2 * RATE_LIMIT_WAIT_MS);
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
	return { kind: 'response', status, headers: {}, body: code ? { code: given(code) } : {} };
}
