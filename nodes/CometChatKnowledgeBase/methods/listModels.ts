import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { isSuccess } from '../requests/attemptResult';
import { modelsRequest, readModels } from '../service/agents';
import { joined } from '../values/shown';
import { askOnce } from './askOnce';
import type { PickerEntry } from './documents';

/** The models that an agent can have, in CometChat's own order. */
export async function listModels(context: ILoadOptionsFunctions): Promise<PickerEntry[]> {
	const models = await askOnce(context, modelsRequest(), (reply) =>
		isSuccess(reply) ? readModels(reply.body) : undefined,
	);
	return models.map(({ model, provider }) => {
		return {
			name: joined(provider === undefined ? [model] : [model, provider], ' · '),
			value: model,
		};
	});
}
