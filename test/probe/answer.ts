import axios from 'axios';

import type { Account } from '../../nodes/CometChatKnowledgeBase/account/account';
import type {
	AttemptResult,
	NetworkFailure,
} from '../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import {
	effectOf,
	isSuccess,
	toNetworkFailure,
} from '../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import { explain, serviceWords } from '../../nodes/CometChatKnowledgeBase/results/messages';
import { readAgents } from '../../nodes/CometChatKnowledgeBase/service/agents';
import { readRecordPage } from '../../nodes/CometChatKnowledgeBase/service/records';
import type { ShownJson } from '../../nodes/CometChatKnowledgeBase/values/shown';
import { isRecord } from '../../nodes/CometChatKnowledgeBase/values/validationIssue';

export interface HttpRequest {
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	url: string;
	qs?: Record<string, unknown>;
	headers?: Record<string, string>;
	/** A text is sent as it is, anything else as JSON. */
	body?: unknown;
	/** How long the answer may take; as long as any other if left out. */
	timeoutMs?: number;
}

/** An answer as it came, or why there is none. */
export type Reply =
	NetworkFailure | { kind: 'response'; status: number; headers: object; body: unknown };

/** Sends one request once. Every outcome is a value; it never throws. */
export async function sendOnce(
	{ method, url, qs, headers, body }: HttpRequest,
	timeoutMs: number,
): Promise<Reply> {
	try {
		const answer = await axios.request<unknown>({
			method,
			url,
			params: qs,
			// Null, or axios would make up a type where none is given on purpose.
			headers: { 'Content-Type': null, ...headers },
			data: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
			timeout: timeoutMs,
			// Axios' own timeout starts anew with each piece of a slow answer.
			signal: AbortSignal.timeout(2 * timeoutMs),
			// A redirect would take the key to another host.
			maxRedirects: 0,
			validateStatus: null,
			maxContentLength: 5_000_000,
		});
		return {
			kind: 'response',
			status: answer.status,
			headers: answer.headers,
			body: answer.data,
		};
	} catch (thrown) {
		return toNetworkFailure(thrown);
	}
}

/** Of the service: key, plan and rate say nothing about what was asked. */
const BESIDE_THE_POINT = [401, 402, 403, 429];

/** What was asked and what came back, without the key and without signed addresses. */
export class Answer {
	constructor(
		/** Without host and key. */
		readonly request: HttpRequest,
		readonly result: AttemptResult,
		private readonly account: Account,
		private readonly besideThePoint = BESIDE_THE_POINT,
	) {}

	/** As it may stand in a report: its status and code, or the network's code. */
	toJSON(): string {
		return `${this.status || 'no answer'} ${this.code ?? ''}`.trim();
	}

	/** 0 without an answer. */
	get status(): number {
		return this.result.kind === 'response' ? this.result.status : 0;
	}

	get code(): string | undefined {
		const { result } = this;
		return result.kind === 'response' ? serviceWords(result.body).code : result.code;
	}

	/** Undefined unless it is a success. */
	get body(): ShownJson | undefined {
		return isSuccess(this.result) ? this.result.body : undefined;
	}

	/** What many answers have around it. */
	get data(): Record<string, ShownJson> {
		return isRecord(this.body) && isRecord(this.body.data) ? this.body.data : {};
	}

	/** What the node says of it. */
	get explanation() {
		return explain(this.result, this.account);
	}

	/** Whether the service does it; undefined if it says nothing about that. */
	get isTaken(): boolean | undefined {
		if (isSuccess(this.result)) return true;
		return this.isOutage || this.besideThePoint.includes(this.status) ? undefined : false;
	}

	/** As the node judges a change; undefined as for `isTaken`. */
	get isApplied(): boolean | undefined {
		return this.isTaken && effectOf(this.result) === 'applied';
	}

	/** Nobody has answered, or somebody who is broken. */
	get isOutage(): boolean {
		return this.status === 0 || this.status >= 500;
	}

	/** Of a call that the node does not need yet, or a wrong address. */
	get isNoSuchCall(): boolean {
		return this.code === 'ERR_API_NOT_FOUND';
	}

	/** A page of either list, with all that it says of each; undefined if it is none. */
	get page() {
		const page = readAgents(this.body) ?? readRecordPage(this.body);
		const entries = page?.entries.map((entry) => {
			const text = JSON.stringify(entry);
			return 'uniqueId' in entry
				? { id: entry.uniqueId, text, record: entry }
				: { id: entry.uid, text };
		});
		return entries && { entries, next: page?.next };
	}
}
