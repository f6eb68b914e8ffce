import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { readAccount } from '../account/account';
import type { AttemptResult } from '../requests/attemptResult';
import type { Send } from '../requests/transport';
import { sender } from '../requests/transport';
import { orRefused, unanswered } from '../results/errors';
import { explain } from '../results/messages';

/** For each answer that somebody in the editor waits for. */
export const PICKER_TIMEOUT_MS = 30_000;

/**
 * Asks CometChat once: who waits in the editor asks again by opening the list.
 *
 * @param read Undefined for an answer that can't be used.
 * @throws What n8n shows in the place of the list.
 */
export async function askOnce<Value>(
	context: ILoadOptionsFunctions,
	request: Parameters<Send>[0],
	read: (reply: AttemptResult) => Value | undefined,
): Promise<Value> {
	const fields = await context.getCredentials('cometChatApi');
	const account = orRefused(context.getNode(), () => readAccount(fields));
	const reply = await sender(context, fields)(request, PICKER_TIMEOUT_MS);
	const value = read(reply);
	if (value === undefined) throw unanswered(context.getNode(), explain(reply, account));
	return value;
}
