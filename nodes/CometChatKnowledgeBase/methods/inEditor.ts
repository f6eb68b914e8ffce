import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { readAccount } from '../account/account';
import { isSuccess } from '../requests/attemptResult';
import { sender } from '../requests/transport';
import { isItemFailure } from '../results/apiError';
import { orRefused, unanswered } from '../results/errors';
import { explain } from '../results/messages';
import type { ApiClient } from '../service/apiClient';

/** For each answer that somebody in the editor waits for. */
const PICKER_TIMEOUT_MS = 30_000;

/**
 * What CometChat is asked for by the editor: each question once, since who waits asks again by opening the list.
 *
 * @throws What n8n shows in the place of the list.
 */
export async function inEditor<Value>(
	context: ILoadOptionsFunctions,
	ask: (client: ApiClient) => Promise<Value>,
): Promise<Value> {
	const fields = await context.getCredentials('cometChatApi');
	const account = orRefused(context.getNode(), () => readAccount(fields));
	const send = sender(context, fields);
	const client: ApiClient = {
		call: async (request, read, { timeoutMs = PICKER_TIMEOUT_MS } = {}) => {
			const reply = await send(request, timeoutMs);
			const value = isSuccess(reply) ? read(reply.body) : undefined;
			if (value !== undefined) return value;
			throw explain(reply, account);
		},
	};
	try {
		return await ask(client);
	} catch (thrown) {
		throw isItemFailure(thrown) ? unanswered(context.getNode(), thrown) : thrown;
	}
}
