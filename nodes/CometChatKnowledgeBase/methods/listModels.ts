import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { readAccount } from '../account/account';
import { isSuccess } from '../requests/attemptResult';
import { withSender } from '../requests/transport';
import { refused, unanswered } from '../results/errors';
import { explain } from '../results/messages';
import { modelsRequest, readModels } from '../service/agents';
import { joined } from '../values/shown';
import { ValidationIssue } from '../values/validationIssue';
import type { PickerEntry } from './documents';

const MODELS_TIMEOUT_MS = 30_000;

/** The models that an agent can have, in CometChat's own order. */
export async function listModels(context: ILoadOptionsFunctions): Promise<PickerEntry[]> {
	const fields = await context.getCredentials('cometChatApi');
	const account = readAccount(fields);
	if (account instanceof ValidationIssue) throw refused(context.getNode(), account);
	const reply = await withSender(
		context,
		fields,
		async (send) => await send(modelsRequest(), MODELS_TIMEOUT_MS),
	);
	const models = isSuccess(reply) ? readModels(reply.body) : undefined;
	if (models === undefined)
		throw unanswered(context.getNode(), explain(reply, account, 'elsewhere'));
	return models.map(({ model, provider }) => {
		return {
			name: joined(provider === undefined ? [model] : [model, provider], ' · '),
			value: model,
		};
	});
}
