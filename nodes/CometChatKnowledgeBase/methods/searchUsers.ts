import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { unanswered } from '../results/errors';
import { readUserPage, usersRequest } from '../service/users';
import { CUT_OFF, UNREADABLE } from '../service/wholeList';
import { askOnce } from './askOnce';

/**
 * One page of the list behind 'Ask As'. It may be empty, where all of it are agents: n8n asks for the next
 * one until the list is filled.
 */
export async function searchUsers(
	context: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const page = await askOnce(context, usersRequest(filter, paginationToken), (reply) =>
		readUserPage(reply, paginationToken),
	);
	if (page.next === UNREADABLE) throw unanswered(context.getNode(), CUT_OFF);
	return { results: page.users, paginationToken: page.next };
}
