import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { readAccount } from './account';
import { Redaction } from './redaction';
import type { AttemptResult } from './attemptResult';
import { toAttemptResult } from './attemptResult';
import { sendWithTimeout } from './time';

/** A request below the account's base URL; the credential adds host and key. */
export type ServiceRequest = Pick<
	IHttpRequestOptions,
	'method' | 'url' | 'headers' | 'body' | 'qs'
>;

/** Sends one request once. Whatever happens is a value; it never throws. */
export type Send = (request: ServiceRequest, timeoutMs: number) => Promise<AttemptResult>;

/**
 * Sends through n8n's own HTTP helper, so that n8n's proxy, certificate and stop button apply.
 *
 * @param fields The decrypted credential, read once for a whole run: without it the helper decrypts
 *   it anew for every request. It goes to the credential's `authenticate` and nowhere else.
 * @param stop The user's, which ends all requests at once. Left out: there is none.
 */
export function sender(
	context: IAllExecuteFunctions,
	fields: ICredentialDataDecryptedObject,
	stop = new AbortController().signal,
): Send {
	const redaction = new Redaction(readAccount(fields));
	const credentialsDecrypted = { id: '', name: '', type: 'cometChatApi', data: fields };
	return async (request, timeoutMs) =>
		await sendWithTimeout(timeoutMs, stop, async (signal) => {
			const sent: Promise<unknown> = context.helpers.httpRequestWithAuthentication.call(
				context,
				'cometChatApi',
				optionsFor(request, timeoutMs, signal),
				{ credentialsDecrypted },
			);
			return await toAttemptResult(sent, redaction);
		});
}

/** A new object each time: the helper writes into it. */
function optionsFor(
	request: ServiceRequest,
	timeout: number,
	signal: AbortSignal,
): IHttpRequestOptions {
	return {
		...request,
		json: true,
		timeout,
		returnFullResponse: true,
		// A refusal is data here. Thrown, a 401 would make the helper send the request again.
		ignoreHttpStatusErrors: true,
		get abortSignal() {
			return signal;
		},
		// In an execution, the helper would put the execution's own here, which knows nothing of a time limit.
		set abortSignal(_) {},
	};
}
