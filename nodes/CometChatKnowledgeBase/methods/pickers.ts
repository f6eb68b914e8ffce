import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import { readAccount } from '../account/account';
import { isSuccess } from '../requests/attemptResult';
import { sender } from '../requests/transport';
import { explain, isItemFailure } from '../results/apiError';
import { orRefused, unanswered } from '../results/errors';
import { listRequest, modelsRequest, pickable, readAgents, readModels } from '../service/agents';
import type { ApiClient } from '../service/apiClient';
import { readUserPage, usersRequest } from '../service/chat';
import type { Next } from '../service/wholeList';
import { CUT_OFF, UNREADABLE } from '../service/wholeList';

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

/** One page of a list; n8n asks for the next one as the user scrolls. The same place twice would be asked for ever. */
function pageOf(
	results: INodeListSearchResult['results'],
	next: Next | undefined,
	asked: string | undefined,
): INodeListSearchResult {
	if (next === UNREADABLE) throw CUT_OFF;
	return { results, paginationToken: next === asked ? undefined : next };
}

/** For each node that asks for an agent. */
export const agentSearch = {
	async searchAgents(
		this: ILoadOptionsFunctions,
		filter?: string,
		from?: string,
	): Promise<INodeListSearchResult> {
		return await inEditor(this, async (client) => {
			const { entries, next } = await client.call(listRequest(filter, from), readAgents);
			return pageOf(entries.map(pickable), next, from);
		});
	},
};

/** A page may be empty, where all of it are agents: n8n asks for the next one until the list is filled. */
export async function searchUsers(
	this: ILoadOptionsFunctions,
	filter?: string,
	from?: string,
): Promise<INodeListSearchResult> {
	return await inEditor(this, async (client) => {
		const { users, next } = await client.call(usersRequest(filter, from), (body) =>
			readUserPage(body, from),
		);
		return pageOf(users, next, from);
	});
}

/** The models that an agent can have, in CometChat's own order. */
export async function getModels(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const models = await inEditor(
		this,
		async (client) => await client.call(modelsRequest(), readModels),
	);
	return models.map(({ model, provider }) => {
		return { name: provider === undefined ? model : `${model} · ${provider}`, value: model };
	});
}
