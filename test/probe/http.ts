import axios from 'axios';

import type { AttemptResult } from '../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import {
	toNetworkFailure,
	toServiceResponse,
} from '../../nodes/CometChatKnowledgeBase/requests/attemptResult';

export interface HttpRequest {
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	url: string;
	qs?: Record<string, unknown>;
	headers?: Record<string, string>;
	/** A text is sent as it is, anything else as JSON. */
	body?: unknown;
}

/** Sends one request once. Every outcome is a value; it never throws. */
export type Send = (request: HttpRequest, timeoutMs: number) => Promise<AttemptResult>;

const LONGEST_ANSWER_BYTES = 5_000_000;

export const sendOnce: Send = async ({ method, url, qs, headers, body }, timeoutMs) => {
	try {
		const answer = await axios.request<unknown>({
			method,
			url,
			params: qs,
			// Null, or axios would make up a type where none is given on purpose.
			headers: { 'Content-Type': null, ...headers },
			data: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
			// Axios would mend a body that is broken on purpose.
			transformRequest: (given: unknown) => given,
			timeout: timeoutMs,
			// Axios' own timeout starts anew with each piece of a slow answer.
			signal: AbortSignal.timeout(2 * timeoutMs),
			// A redirect would take the key to another host.
			maxRedirects: 0,
			validateStatus: null,
			maxContentLength: LONGEST_ANSWER_BYTES,
		});
		return toServiceResponse({ ...answer, statusCode: answer.status, body: answer.data });
	} catch (thrown) {
		return toNetworkFailure(thrown);
	}
};
