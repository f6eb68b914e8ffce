import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
} from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import { readAccount } from '../account/account';
import { Redaction } from '../account/redaction';
import { caughtNow, UserError } from '../values/userError';
import { createDelays } from './delays';
import type { AttemptResult } from './attemptResult';
import { toServiceResponse, toNetworkFailure } from './attemptResult';
import { RequestTimeouts } from './requestTimeout';

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
 * @param timeouts Ends what takes too long.
 */
export function sender(
	context: IAllExecuteFunctions,
	fields: ICredentialDataDecryptedObject,
	timeouts: RequestTimeouts,
): Send {
	const redaction = redactionFor(fields);
	const credentialsDecrypted = { id: '', name: '', type: 'cometChatApi', data: fields };
	const sendOnce = async (request: ServiceRequest, timeoutMs: number, signal: AbortSignal) => {
		try {
			// A new object each time: the helper writes into it.
			const options: IHttpRequestOptions = {
				...request,
				json: true,
				timeout: timeoutMs,
				abortSignal: signal,
				returnFullResponse: true,
				// A refusal is data here. Thrown, a 401 would make the helper send the request again.
				ignoreHttpStatusErrors: true,
			};
			const response: unknown = await context.helpers.httpRequestWithAuthentication.call(
				cancelledBy(signal, context),
				'cometChatApi',
				options,
				{ credentialsDecrypted },
			);
			return toServiceResponse(response, redaction);
		} catch (thrown) {
			return toNetworkFailure(thrown);
		}
	};
	return async (request, timeoutMs) =>
		await timeouts.run(timeoutMs, async (signal) => await sendOnce(request, timeoutMs, signal));
}

function redactionFor(fields: ICredentialDataDecryptedObject): Redaction {
	const account = caughtNow(() => readAccount(fields));
	// Of a credential that can't be read, no key is sent.
	return new Redaction(account instanceof UserError ? { apiKey: '' } : account);
}

/** For the lists in the editor, which have no run around them. */
export async function withSender<Value>(
	context: ILoadOptionsFunctions,
	fields: ICredentialDataDecryptedObject,
	work: (send: Send) => Promise<Value>,
): Promise<Value> {
	const timeouts = new RequestTimeouts(createDelays(sleep));
	try {
		return await work(sender(context, fields, timeouts));
	} finally {
		timeouts.close();
	}
}

/**
 * The context, for one request: in an execution the helper puts the signal that its caller names in
 * place of the one in the options, and the execution's own knows nothing of a timeout.
 */
function cancelledBy(signal: AbortSignal, context: IAllExecuteFunctions): IAllExecuteFunctions {
	return Object.create(context, { getExecutionCancelSignal: { value: () => signal } });
}
