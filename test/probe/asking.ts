import { sign } from '../../credentials/sign';
import { Complaint, isRecord } from '../../nodes/CometChatKnowledgeBase/complaint';
import { serviceWords } from '../../nodes/CometChatKnowledgeBase/explain';
import type { Reply } from '../../nodes/CometChatKnowledgeBase/reply';
import { isRateLimited, namedWaitMs } from '../../nodes/CometChatKnowledgeBase/retry';
import type { HttpRequest, Send } from './client';
import type { Exchange } from './finding';
import type { Given } from './given';
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

export const MOST_REQUESTS = 40;

/** Detach, delete, look, and two repetitions. */
const KEPT_FOR_PUTTING_BACK = 5;

const PAUSE_MS = 250;

/** Below this the probe could be what makes the app's own users meet the limit. */
const FEWEST_REMAINING = 10;

/** Where the service limits the rate without saying for how long: it counts by the minute. */
const RATE_LIMIT_WAIT_MS = 60_000;

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
	private exchanges: Exchange[] = [];
	private isPuttingBack = false;
	private restMs = 0;

	constructor(
		readonly given: Given,
		readonly around: Surroundings,
	) {
		this.redact = redactor(given.account);
	}

	/** @param asked In words; never holds anything foreign. */
	async ask(asked: string, request: HttpRequest, options: Options = {}): Promise<Reply> {
		this.refuseIfHalted();
		const signed = this.signed(request, options.signature ?? 'key');
		if (this.requests > 0) await this.around.pause(PAUSE_MS);
		this.refuseIfHalted();
		this.requests += 1;
		options.beforeSending?.();
		const reply = await this.around.send(signed, this.around.timeoutMs);
		this.replies.push(reply);
		this.exchanges.push({ asked, ...this.shown(reply) });
		if (request.method === 'PATCH' && reply.kind === 'answer' && isSuccessStatus(reply)) {
			this.accepted.push({ status: reply.status, body: reply.body });
		}
		this.watchRate(reply);
		return reply;
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

	private refuseIfHalted(): void {
		const most = MOST_REQUESTS - (this.isPuttingBack ? 0 : KEPT_FOR_PUTTING_BACK);
		if (!this.isPuttingBack) {
			if (this.around.isInterrupted()) this.halted ??= 'the probe was interrupted';
			if (this.halted !== undefined) throw new Halt(this.halted);
		}
		if (this.requests >= most) throw new Halt(`all ${MOST_REQUESTS} requests are used or kept`);
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
	if (!isRecord(body)) return undefined;
	if ('success' in body) return JSON.stringify({ success: body.success });
	return Array.isArray(body.data) ? `a list of ${body.data.length}` : 'a record';
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
