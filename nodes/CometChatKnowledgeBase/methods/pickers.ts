import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import { listRequest, modelsRequest, pickable, readAgents, readModels } from '../service/agents';
import { readUserPage, usersRequest } from '../service/users';
import type { Next } from '../service/wholeList';
import { CUT_OFF, UNREADABLE } from '../service/wholeList';
import { inEditor } from './inEditor';

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
