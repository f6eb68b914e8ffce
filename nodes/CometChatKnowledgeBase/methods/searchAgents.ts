import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { listRequest, readAgentPage } from '../service/agents';
import { CUT_OFF, UNREADABLE } from '../service/wholeList';
import { unanswered } from '../results/errors';
import { askOnce } from './askOnce';

/** One page of the list behind 'Agent'; n8n asks for the next one as the user scrolls. */
export async function searchAgents(
	context: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const page = await askOnce(context, listRequest(filter, paginationToken), (reply) =>
		readAgentPage(reply, paginationToken),
	);
	if (page.next === UNREADABLE) throw unanswered(context.getNode(), CUT_OFF);
	return { results: page.agents, paginationToken: page.next };
}

/** For each node that asks for an agent. */
export const agentSearch = {
	async searchAgents(
		this: ILoadOptionsFunctions,
		filter?: string,
		paginationToken?: string,
	): Promise<INodeListSearchResult> {
		return await searchAgents(this, filter, paginationToken);
	},
};
