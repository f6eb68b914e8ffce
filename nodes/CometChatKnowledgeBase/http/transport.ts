import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { readAccount } from './account';
import { Redaction } from './redaction';
import type { AttemptResult } from './attemptResult';
import { toAttemptResult } from './attemptResult';
import { sendUntil } from './time';

/** A request below the account's base URL; the credential adds host and key. */
export type ServiceRequest = Pick<
	IHttpRequestOptions,
	'method' | 'url' | 'headers' | 'body' | 'qs'
>;

/** Sends one request once. Never throws: a failure is a value, too. */
export type Send = (request: ServiceRequest, timeoutMs: number) => Promise<AttemptResult>;

/**
 * Sends through n8n's own HTTP helper, so that n8n's proxy, certificate and stop button apply.
 *
 * @param fields The decrypted credential, read once for the whole execution: otherwise, the helper would decrypt the
 *   credential for each request. Only passed to the credential's `authenticate`.
 * @param stop The user's stop button, which ends all requests immediately. Left out: there is none.
 */
export function sender(
	context: IAllExecuteFunctions,
	fields: ICredentialDataDecryptedObject,
	stop = new AbortController().signal,
): Send {
	const redaction = new Redaction(readAccount(fields));
	const credentialsDecrypted = { id: '', name: '', type: 'cometChatApi', data: fields };
	return async (request, timeoutMs) =>
		// n8n's client only limits the time without any byte, so a response that drips would hold up the execution.
		await sendUntil(AbortSignal.timeout(timeoutMs), stop, async (signal) => {
			const sent: Promise<unknown> = context.helpers.httpRequestWithAuthentication.call(
				context,
				'cometChatApi',
				optionsFor({ ...request, json: true }, timeoutMs, signal),
				{ credentialsDecrypted },
			);
			return await toAttemptResult(sent, redaction);
		});
}

/** Makes a new object for each request, because n8n's helper changes the object. */
export function optionsFor(
	request: IHttpRequestOptions,
	timeout: number,
	signal: AbortSignal,
): IHttpRequestOptions {
	return {
		...request,
		timeout,
		returnFullResponse: true,
		// A refusal is a value here: a thrown 401 would make the helper send the request again.
		ignoreHttpStatusErrors: true,
		get abortSignal() {
			return signal;
		},
		// In an execution, the helper would otherwise use the execution's own signal, which has no time limit.
		set abortSignal(_) {},
	};
}
