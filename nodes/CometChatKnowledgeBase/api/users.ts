import { id, list, number, optional, shape, text } from './shape';
import type { Json } from '../text/json';
import { pickable } from './agents';

/** The documented default; the maximum is 1,000. */
const USERS_PER_PAGE = 100;

/** The role by which CometChat's apps (`@cometchat/chat-uikit-react` 7.2.1) recognize agents, which are users, too. */
const AGENT_ROLE = '@agentic';

/**
 * The request "List users" (https://www.cometchat.com/docs/rest-api/users/list), not tried: `searchKey` finds names
 * and UIDs that begin with it. The first page is requested without its number, which is 1 in one place of CometChat's
 * pages and 0 in another (https://api-explorer.cometchat.com/reference/chat-apis).
 */
export function usersRequest(searchKey?: string, page?: string) {
	return {
		method: 'GET' as const,
		url: '/users',
		qs: {
			perPage: USERS_PER_PAGE,
			...(searchKey ? { searchKey } : {}),
			...(page === undefined ? {} : { page }),
		},
	};
}

const pagination = shape({ current_page: optional(number), total_pages: optional(number) });

const readUsers = shape({
	data: list(shape({ uid: id, name: optional(text), role: optional(text) })),
	meta: optional(shape({ pagination: optional(pagination) })),
});

/**
 * Reads a page of users without the agents; undefined if the body is no list of users, or another page than the
 * requested page. `next` is the `page` of the next `usersRequest`.
 */
export function readUserPage(body: Json | undefined, asked?: string) {
	const { data, meta } = readUsers(body) ?? {};
	const { current_page: page = Number(asked ?? 1), total_pages: total } = meta?.pagination ?? {};
	if (data === undefined || String(page) !== (asked ?? String(page))) return undefined;
	const users = data.filter(({ role }) => role !== AGENT_ROLE).map(pickable);
	// Without a number of pages, there may be more users after a full page.
	const goesOn = total === undefined ? data.length === USERS_PER_PAGE : page < total;
	return { users, next: goesOn && data.length > 0 ? String(page + 1) : undefined };
}
