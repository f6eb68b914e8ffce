import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { readAccount } from '../account/account';
import { listRequest, readAgentPage } from '../service/agents';
import { CUT_OFF, UNREADABLE } from '../service/wholeList';
import { ValidationIssue } from '../values/validationIssue';
import { refused, unanswered } from '../results/errors';
import { explain } from '../results/messages';
import { withSender } from '../requests/transport';

const AGENTS_TIMEOUT_MS = 30_000;

/** One page of the list behind 'Agent'; n8n asks for the next one as the user scrolls. */
export async function searchAgents(
	context: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const fields = await context.getCredentials('cometChatApi');
	const account = readAccount(fields);
	if (account instanceof ValidationIssue) throw refused(context.getNode(), account);

	const reply = await withSender(
		context,
		fields,
		async (send) => await send(listRequest(filter, paginationToken), AGENTS_TIMEOUT_MS),
	);
	const page = readAgentPage(reply, paginationToken);
	if (page === undefined) throw unanswered(context.getNode(), explain(reply, account, 'elsewhere'));
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
