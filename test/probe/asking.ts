import { sign } from '../../nodes/CometChatKnowledgeBase/account/sign';
import { Complaint, isRecord } from '../../nodes/CometChatKnowledgeBase/values/complaint';
import { serviceWords } from '../../nodes/CometChatKnowledgeBase/results/explain';
import type { Reply } from '../../nodes/CometChatKnowledgeBase/requests/reply';
import { isWrongAddress } from '../../nodes/CometChatKnowledgeBase/requests/reply';
import { isRateLimited, namedWaitMs } from '../../nodes/CometChatKnowledgeBase/requests/retry';
import type { HttpRequest, Send } from './client';
import type { Exchange } from './finding';
import type { Given } from './given';
import { storageCode } from './records/storageAnswer';
import { redactor } from './redaction';

/** What the probe needs of the machine it runs on. */
export interface Surroundings {
	send: Send;
	pause(waitMs: number): Promise<void>;
	nowMs(): number;
	/** A new random UUID. */
	newId(): string;
	print(line: string): void;
	/** True once the person has asked it to stop. */
	isInterrupted(): boolean;
	/** How long one answer may take. */
	timeoutMs: number;
}

export const MOST_REQUESTS = 45;

/** Detach, delete, look, and two repetitions. */
const KEPT_FOR_PUTTING_BACK = 5;

/** Where files may be made: the questions about them are as many again, and wait for indexing. */
export const MOST_WITH_FILES = 120;

/** The same, and a delete for each of a dozen files and texts, some of them repeated. */
const KEPT_WITH_FILES = 30;

const PAUSE_MS = 250;

/** Below this the probe could be what makes the app's own users meet the limit. */
const FEWEST_REMAINING = 10;

/** Where the service limits the rate without saying for how long: it counts by the minute. */
const RATE_LIMIT_WAIT_MS = 60_000;

/** A longer rest is cut into these, so that a Ctrl-C in the middle of it is noticed. */
const REST_MS = 1000;

const LONGEST_TEXT = 140;

/** Thrown where no further question may be asked. */
export class Halt extends Error {}

/** Whose key goes with a request: the person's, nobody's, or that of a made-up account. */
type Signature = 'key' | 'no key' | { madeUp: Record<string, unknown> };

interface Options {
	signature?: Signature;
	/** Called when nothing can keep the request from being sent any more. */
	beforeSending?: () => void;
}

/** The only way to the service: one request at a time, counted, with a pause before each. */
export class Asker {
	readonly replies: Reply[] = [];
	/** The statuses and bodies of the PATCH requests that had a status of success. */
	readonly accepted: Array<{ status: number; body: unknown }> = [];
	requests = 0;
	/** Why no more questions are asked. */
	halted?: string;
	readonly redact: (text: string) => string;
	/** Where files may be uploaded to, for whoever has them: shown nowhere. */
	private readonly uploadAddresses: string[] = [];
	private exchanges: Exchange[] = [];
	private isPuttingBack = false;
	private restMs = 0;

	constructor(
		readonly given: Given,
		readonly around: Surroundings,
	) {
		this.redact = redactor(given.account, this.uploadAddresses);
	}

	/** @param asked In words; never holds anything foreign. */
	async ask(asked: string, request: HttpRequest, options: Options = {}): Promise<Reply> {
		const signed = this.signed(request, options.signature ?? 'key');
		const reply = await this.send(signed, options.beforeSending);
		this.replies.push(reply);
		this.exchanges.push({ asked, ...this.shown(reply) });
		if (request.method === 'PATCH' && reply.kind === 'answer' && isSuccessStatus(reply)) {
			this.accepted.push({ status: reply.status, body: reply.body });
		}
		this.watchRate(reply);
		return reply;
	}

	/**
	 * Sends bytes to an upload address: without the key, which is the service's alone. Of the answer
	 * only status and code are shown, because such hosts repeat the address in their words.
	 */
	async store(asked: string, request: HttpRequest): Promise<Reply> {
		const reply = await this.send(request);
		const code = storageCode(reply);
		this.exchanges.push({
			asked,
			...(reply.kind === 'answer' ? { status: reply.status } : {}),
			...(code === undefined ? {} : { code: this.redact(code) }),
			text: '',
		});
		return reply;
	}

	/** From here on no part of this address is shown that opens it. */
	keepSecret(uploadAddress: string): void {
		this.uploadAddresses.push(uploadAddress);
	}

	/** Waits, and gives up waiting when the person stops the probe. */
	async rest(waitMs: number): Promise<void> {
		for (let leftMs = waitMs; leftMs > 0; leftMs -= REST_MS) {
			this.refuseIfHalted();
			await this.around.pause(Math.min(leftMs, REST_MS));
		}
	}

	/** From here on the requests that were kept back may be used, and nothing holds them up. */
	async startPuttingBack(): Promise<void> {
		this.isPuttingBack = true;
		if (this.restMs > 0) await this.around.pause(this.restMs);
	}

	/** Hands over what was asked since the last call. */
	takeExchanges(): Exchange[] {
		return this.exchanges.splice(0);
	}

	private async send(request: HttpRequest, beforeSending?: () => void): Promise<Reply> {
		this.refuseIfHalted();
		if (this.requests > 0) await this.around.pause(PAUSE_MS);
		this.refuseIfHalted();
		this.requests += 1;
		beforeSending?.();
		return await this.around.send(request, this.around.timeoutMs);
	}

	private refuseIfHalted(): void {
		const [all, kept] = this.given.filesMayBeMade
			? [MOST_WITH_FILES, KEPT_WITH_FILES]
			: [MOST_REQUESTS, KEPT_FOR_PUTTING_BACK];
		const most = all - (this.isPuttingBack ? 0 : kept);
		if (!this.isPuttingBack) {
			if (this.around.isInterrupted()) this.halted ??= 'the probe was interrupted';
			if (this.halted !== undefined) throw new Halt(this.halted);
		}
		if (this.requests >= most) throw new Halt(`all ${all} requests are used or kept`);
	}

	private signed(request: HttpRequest, signature: Signature): HttpRequest {
		if (signature === 'no key') {
			return { ...request, url: `${this.given.account.baseUrl}${request.url}` };
		}
		const fields = signature === 'key' ? this.given.fields : signature.madeUp;
		const signed = sign(request, fields);
		if (signed instanceof Complaint) throw new Error(signed.what);
		return signed;
	}

	private shown(reply: Reply): Omit<Exchange, 'asked'> {
		if (reply.kind === 'silence') {
			return { code: this.redact(reply.code), text: this.short(reply.text) };
		}
		const { code, text } = serviceWords(reply.body);
		return {
			status: reply.status,
			...(code === undefined ? {} : { code: this.redact(code) }),
			text: this.short((isSuccessStatus(reply) && dataInWords(reply.body)) || text),
		};
	}

	private short(text: string): string {
		const line = this.redact(text)
			.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
			.trim();
		return line.length > LONGEST_TEXT ? `${line.slice(0, LONGEST_TEXT)}…` : line;
	}

	private watchRate(reply: Reply): void {
		if (isRateLimited(reply)) {
			this.halted = 'the service limits the rate, and the probe must not add to that';
			const namedMs = namedWaitMs(reply, this.around.nowMs()) ?? RATE_LIMIT_WAIT_MS;
			this.restMs = Math.min(namedMs, 2 * RATE_LIMIT_WAIT_MS);
		}
		if (reply.kind === 'silence') return;
		const { headers } = reply;
		const remaining = headers['x-ratelimit-remaining'] ?? headers['x-rate-limit-remaining'];
		if (typeof remaining === 'string' && /^\d+$/.test(remaining)) {
			if (Number(remaining) < FEWEST_REMAINING) {
				this.halted ??= 'the app is close to its rate limit';
			}
		}
	}
}

/** What an account holds is its own business: of its data only the kind is shown. */
function dataInWords(body: unknown): string | undefined {
	if (Array.isArray(body)) return `a bare list of ${body.length}`;
	if (!isRecord(body)) return undefined;
	if ('success' in body) return JSON.stringify({ success: body.success });
	return Array.isArray(body.data) ? `a list of ${body.data.length}` : 'a record';
}

/** Whether a reply to making something says for certain that it was not made. */
export function isNotMade(reply: Reply): boolean {
	return reply.kind === 'silence'
		? isWrongAddress(reply)
		: reply.status >= 400 && reply.status < 500 && reply.status !== 408;
}

export function isSuccessStatus(reply: Reply): boolean {
	return reply.kind === 'answer' && reply.status >= 200 && reply.status < 300;
}

/** A reply as it may stand in a sentence: its status and code, or the network's code. */
export function inBrief(reply: Reply): string {
	if (reply.kind === 'silence') return `no answer (${reply.code || 'no code'})`;
	const { code } = serviceWords(reply.body);
	return code === undefined ? String(reply.status) : `${reply.status} ${code}`;
}
