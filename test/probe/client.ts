import type { Account } from '../../nodes/CometChatKnowledgeBase/http/account';
import type { Reply } from './answer';
import { Answer } from './answer';
import type { Step } from './questions';

export interface Sent {
	method: string;
	url: string;
	headers: Record<string, string>;
	body?: string;
}

/** The functions of the machine that the probe needs. */
export interface Machine {
	send(request: Sent): Promise<Reply>;
	pause(ms: number): Promise<void>;
	print(line: string): void;
	/** Whether the user has stopped the probe. */
	isStopped(): boolean;
}

/** Sends one request once. Each outcome is a value. */
export async function sendOnce({ url, ...request }: Sent): Promise<Reply> {
	try {
		const signal = AbortSignal.timeout(60_000);
		// A redirect would send the key to another host.
		const answer = await fetch(url, { ...request, signal, redirect: 'manual' });
		const [text, headers] = [await answer.text(), Object.fromEntries(answer.headers)];
		return { status: answer.status, headers, body: /^[[{]/.test(text) ? JSON.parse(text) : text };
	} catch {
		return { status: 0, headers: {}, body: '' };
	}
}

/** The base path of paths without a slash at the start. */
const AGENT_BUILDER = '/ai-agents/agent-builder/';

const PAUSE_MS = 250;
const POLLS_S = [1, 2, 3, 5, 8, 10, 10, 10, 10, 10, 10, 10];

/** The reason why a question is not asked. */
export class NotAsked extends Error {}

/** Sends requests to the service, one at a time, with a pause before each. No other code does. */
export class Client {
	readonly names = new Map<string, string>();
	/** The reason why no more questions are asked. */
	halted?: string;
	/** Whether the probe deletes its documents, which it does in any case. */
	isCleaningUp = false;
	private restMs = PAUSE_MS;

	constructor(
		readonly account: Account,
		readonly machine: Machine,
	) {}

	/** @throws {NotAsked} before the request, if it is impossible or not allowed */
	async ask(step: Step, beforeSending?: (sent: Sent) => void): Promise<Answer> {
		const request = this.requestOf(step.send, step.headers);
		let answer = await this.sendOnce(request, beforeSending);
		for (const pauseS of step.isPolled ? POLLS_S : []) {
			if (!answer.ok || step.expected.every((one) => answer.is(one.replace('?', '')))) break;
			await this.machine.pause(1000 * pauseS);
			answer = await this.sendOnce(request);
		}
		for (const [name, path] of Object.entries(step.keeps)) {
			if (answer.text(path) !== '') this.names.set(name, answer.text(path));
		}
		return answer;
	}

	async send(request: string): Promise<Answer> {
		return await this.sendOnce(this.requestOf(request));
	}

	private async sendOnce(request: Sent, beforeSending?: (sent: Sent) => void): Promise<Answer> {
		await this.machine.pause(this.restMs);
		if (this.machine.isStopped()) this.halted ??= 'the probe was stopped';
		if (this.halted !== undefined && !this.isCleaningUp) throw new NotAsked(this.halted);
		beforeSending?.(request);
		const reply = await this.machine.send(request);
		if (request.url.startsWith(this.account.baseUrl)) this.watchRate(reply);
		return new Answer(reply, (template) => this.fill(template));
	}

	private requestOf(send: string, given: Record<string, string> = {}): Sent {
		const [, method = '', address = '', text] = /^(\w+) (\S+)(?: (.+))?$/.exec(send) ?? [];
		const body = text && this.fill(text);
		const filled = Object.entries(given).map(([name, value]) => [name, this.fill(value)]);
		const headers = Object.fromEntries(filled);
		const { baseUrl, apiKey: apikey, appId } = this.account;
		if (address.startsWith('{')) {
			const url = this.fill(address);
			// Without the key, which is only for the service.
			if (/^https:/.test(url) || !/^https:/.test(baseUrl)) return { method, url, headers, body };
			throw new NotAsked('the upload URL is not encrypted');
		}
		const path = this.fill(address, encodeURIComponent);
		const url = baseUrl + (path.startsWith('/') ? path : AGENT_BUILDER + path);
		const type = body === undefined ? {} : { 'content-type': 'application/json' };
		const appid = appId === undefined ? {} : { appid: appId };
		return { method, url, headers: { apikey, ...appid, ...type, ...headers }, body };
	}

	/** @param written Encodes the value of a name. */
	private fill(template: string, written = (value: string) => value): string {
		return template.replace(/\{(\w+)\}/g, (_, name: string) => {
			const value = this.names.get(name);
			if (value === undefined)
				throw new NotAsked(
					`there is no ${name}${name === 'site' ? ': enter a page with --site' : ''}`,
				);
			return written(value);
		});
	}

	private watchRate({ status, headers }: Reply): void {
		const left = headers['x-ratelimit-remaining'] ?? headers['x-rate-limit-remaining'];
		// Stops early, because otherwise the app's own users could reach the limit.
		if (status === 429 || Number(left ?? 10) < 10) this.halted ??= 'the rate limit is close';
		// The limit is per minute.
		this.restMs = status === 429 ? 60_000 : PAUSE_MS;
	}
}
