import type { AttemptResult } from '../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import {
	toServiceResponse,
	toNetworkFailure,
} from '../../nodes/CometChatKnowledgeBase/requests/attemptResult';

export interface HttpRequest {
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	/** Absolute. */
	url: string;
	qs?: Record<string, unknown>;
	headers?: Record<string, string>;
	/** A text is sent as it is, anything else as JSON. */
	body?: unknown;
}

/** Sends one request once. Every outcome is a value; it never throws. */
export type Send = (request: HttpRequest, timeoutMs: number) => Promise<AttemptResult>;

/** The part of axios that is used; axios' own types differ between its two module systems. */
interface Http {
	request(config: {
		method: string;
		url: string;
		params?: object;
		headers?: Record<string, string | null>;
		data?: string;
		transformRequest: (data: unknown) => unknown;
		timeout: number;
		signal: AbortSignal;
		maxRedirects: number;
		validateStatus: null;
		maxContentLength: number;
	}): Promise<{ status: number; headers: object; data: unknown }>;
}

const LONGEST_ANSWER_BYTES = 5_000_000;

export function throughAxios(http: Http): Send {
	return async ({ method, url, qs, headers, body }, timeoutMs) => {
		try {
			const {
				status,
				headers: answered,
				data,
			} = await http.request({
				method,
				url,
				params: qs,
				// Null, or axios would make up a type where none is given on purpose.
				headers: { 'Content-Type': null, ...headers },
				data: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
				// Axios would mend a body that is broken on purpose.
				transformRequest: (given) => given,
				timeout: timeoutMs,
				// Axios' own timeout starts anew with each piece of a slow answer.
				signal: AbortSignal.timeout(2 * timeoutMs),
				// A redirect would take the key to another host.
				maxRedirects: 0,
				validateStatus: null,
				maxContentLength: LONGEST_ANSWER_BYTES,
			});
			return toServiceResponse({ statusCode: status, headers: answered, body: data });
		} catch (thrown) {
			return toNetworkFailure(thrown);
		}
	};
}
