import type { Account } from '../../nodes/CometChatKnowledgeBase/account/account';
import { Answer } from './answer';

export type Kind = 'agent' | 'user' | 'uploads' | 'text' | 'website';

/** One request of a question. Names in braces stand for what the run has made. */
export interface Step {
	/** Method, address below the account's (or an `{…Address}` to upload to), and what is sent. */
	send: string;
	headers?: Record<string, string>;
	/** What it makes, by the name for its ID; what it is called stands in the body. */
	makes?: Record<string, Kind>;
	/** Where the answer has what later steps need. */
	keeps?: Record<string, string>;
	/** Asked again until that is so, for a minute and a half. */
	until?: (answer: Answer) => boolean;
}

export interface Sent {
	method: string;
	url: string;
	headers: Record<string, string>;
	body?: string;
}

/** What the probe needs of the machine. */
export interface Machine {
	/** Every outcome is a value; 0 is the status of no answer. */
	send(request: Sent): Promise<Pick<Answer, 'status' | 'headers' | 'body'>>;
	pause(ms: number): Promise<void>;
	print(line: string): void;
	/** Whether the person wants it to stop. */
	isStopped(): boolean;
}

const PAUSE_MS = 250;
const POLLS_S = [1, 2, 3, 5, 8, 10, 10, 10, 10, 10, 10, 10];
const RATE_LIMIT_WAIT_MS = 60_000;

/** Below this the probe could be what makes the app's own users meet the limit. */
const FEWEST_REMAINING = 10;

/** Why a question is not asked. */
export class NotAsked extends Error {}

/** The only way to the service: one request at a time, with a pause before each. */
export class Client {
	/** What stands for the names in braces. */
	readonly names = new Map<string, string>();
	/** Why no more questions are asked. */
	halted?: string;
	/** Deleting what was made goes on whatever happens. */
	isCleaningUp = false;
	private restMs = PAUSE_MS;

	constructor(
		readonly account: Account,
		readonly machine: Machine,
	) {}

	/** @throws {NotAsked} before it is sent, if it can't be, or may not be. */
	async send(step: Step, beforeSending?: (sent: Sent) => void): Promise<Answer> {
		const request = this.requestOf(step);
		let answer = await this.sendOnce(request, beforeSending);
		for (const pauseS of POLLS_S) {
			if (!answer.ok || (step.until?.(answer) ?? true)) break;
			await this.machine.pause(1000 * pauseS);
			answer = await this.sendOnce(request);
		}
		for (const [name, path] of Object.entries(step.keeps ?? {})) {
			if (answer.text(path) !== '') this.names.set(name, answer.text(path));
		}
		return answer;
	}

	private async sendOnce(request: Sent, beforeSending?: (sent: Sent) => void): Promise<Answer> {
		this.throwIfHalted();
		await this.machine.pause(this.restMs);
		this.throwIfHalted();
		beforeSending?.(request);
		const { status, headers, body } = await this.machine.send(request);
		const answer = new Answer(status, headers, body, (template) => this.fill(template));
		if (request.url.startsWith(this.account.baseUrl)) this.watchRate(answer);
		return answer;
	}

	private requestOf({ send, headers: given = {} }: Step): Sent {
		const [, method = '', address = '', text] = /^(\w+) (\S+)(?: (.+))?$/.exec(send) ?? [];
		const body = text && this.fill(text);
		const filled = Object.entries(given).map(([name, value]) => [name, this.fill(value)]);
		const headers = Object.fromEntries(filled);
		const { baseUrl, apiKey: apikey, appId } = this.account;
		if (!address.startsWith('/')) {
			const url = this.fill(address);
			// Without the key, which is the service's alone.
			if (/^https:/.test(url) || !/^https:/.test(baseUrl)) return { method, url, headers, body };
			throw new NotAsked('the upload address is not encrypted');
		}
		const url = baseUrl + this.fill(address, encodeURIComponent);
		const type = body === undefined ? {} : { 'content-type': 'application/json' };
		const appid = appId === undefined ? {} : { appid: appId };
		return { method, url, headers: { apikey, ...appid, ...type, ...headers }, body };
	}

	/** @param written How a name's value is written there. */
	private fill(template: string, written = (value: string) => value): string {
		return template.replace(/\{(\w+)\}/g, (_, name: string) => {
			const value = this.names.get(name);
			if (value === undefined) throw new NotAsked(`there is no ${name}`);
			return written(value);
		});
	}

	private throwIfHalted(): void {
		if (this.isCleaningUp) return;
		if (this.machine.isStopped()) this.halted ??= 'the probe was stopped';
		if (this.halted !== undefined) throw new NotAsked(this.halted);
	}

	private watchRate({ status, headers }: Answer): void {
		const left = String(headers['x-ratelimit-remaining'] ?? headers['x-rate-limit-remaining']);
		if (status === 429 || Number(left) < FEWEST_REMAINING) {
			this.halted ??= 'the app is at its rate limit, or close to it';
		}
		const namedMs = 1000 * Number(headers['retry-after']) || RATE_LIMIT_WAIT_MS;
		this.restMs = status === 429 ? Math.min(namedMs, 2 * RATE_LIMIT_WAIT_MS) : PAUSE_MS;
	}
}
