import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { readAccount } from '../../credentials/account';
import { listRequest, readAgentPage } from './agents';
import { Complaint } from './complaint';
import { explain } from './explain';
import { sender } from './transport';

const TIMEOUT_MS = 30_000;

/** One page of the list behind 'Agent'; n8n asks for the next one as the user scrolls. */
export async function searchAgents(
	context: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const fields = await context.getCredentials('cometChatApi');
	const account = readAccount(fields);
	if (account instanceof Complaint) {
		const { what, remedy } = account;
		throw new NodeOperationError(context.getNode(), what, { description: remedy });
	}
	const reply = await sender(context, fields)(listRequest(filter, paginationToken), TIMEOUT_MS);
	const page = readAgentPage(reply, paginationToken);
	if (page === undefined) {
		const { what, remedy, said, status } = explain(reply, account);
		throw new NodeApiError(
			context.getNode(),
			{ message: what },
			{ message: what, description: `${said} ${remedy}`, httpCode: status?.toString() },
		);
	}
	return { results: page.agents, paginationToken: page.next };
}
