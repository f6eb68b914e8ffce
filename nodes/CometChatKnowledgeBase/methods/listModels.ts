import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { isSuccess } from '../requests/attemptResult';
import { modelsRequest, readModels } from '../service/agents';
import { askOnce } from './askOnce';
import type { PickerEntry } from './documents';

/** The models that an agent can have, in CometChat's own order. */
export async function listModels(context: ILoadOptionsFunctions): Promise<PickerEntry[]> {
	const models = await askOnce(context, modelsRequest(), (reply) =>
		isSuccess(reply) ? readModels(reply.body) : undefined,
	);
	return models.map(({ model, provider }) => {
		return {
			name: (provider === undefined ? [model] : [model, provider]).join(' · '),
			value: model,
		};
	});
}
