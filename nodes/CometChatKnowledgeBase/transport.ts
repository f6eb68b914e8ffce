import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
} from 'n8n-workflow';

import type { Reply } from './reply';
import { toAnswer, toSilence } from './reply';

/** A request below the account's base URL; the credential adds host and key. */
export type ServiceRequest = Pick<
	IHttpRequestOptions,
	'method' | 'url' | 'headers' | 'body' | 'qs'
>;

/** Sends one request once. Every outcome is a value; it never throws. */
export type Send = (request: ServiceRequest, timeoutMs: number) => Promise<Reply>;

/**
 * Sends through n8n's own HTTP helper, so that n8n's proxy, certificate and stop button apply.
 *
 * @param fields The decrypted credential, read once for a whole run: without it the helper decrypts
 *   it anew for every request. It goes to the credential's `authenticate` and nowhere else.
 */
export function sender(
	context: IAllExecuteFunctions,
	fields: ICredentialDataDecryptedObject,
): Send {
	const credentialsDecrypted = { id: '', name: '', type: 'cometChatApi', data: fields };
	return async (request, timeoutMs) => {
		try {
			// A new object each time: the helper writes into it.
			const options: IHttpRequestOptions = {
				...request,
				json: true,
				timeout: timeoutMs,
				returnFullResponse: true,
				// A refusal is data here. Thrown, a 401 would make the helper send the request again.
				ignoreHttpStatusErrors: true,
			};
			const response: unknown = await context.helpers.httpRequestWithAuthentication.call(
				context,
				'cometChatApi',
				options,
				{ credentialsDecrypted },
			);
			return toAnswer(response);
		} catch (thrown) {
			return toSilence(thrown);
		}
	};
}
