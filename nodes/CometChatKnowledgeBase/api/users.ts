import { id, list, number, optional, shape, text } from './shape';
import type { Json } from '../text/json';
import { pickable } from './agents';

/** The default that is documented; up to 1,000 are allowed. */
const USERS_PER_PAGE = 100;

/** Agents are users, too; CometChat's own apps (`@cometchat/chat-uikit-react` 7.2.1) tell them by this role. */
const AGENT_ROLE = '@agentic';

/**
 * List users (https://www.cometchat.com/docs/rest-api/users/list), not tried: `searchKey` finds names and
 * UIDs that begin with it. The first page is asked for without its number, which CometChat's pages call 1
 * in one place and 0 in another (https://api-explorer.cometchat.com/reference/chat-apis).
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
 * A page without the agents that are among its users; undefined if the body is no list of users, or of
 * another page than the one that was asked for. `next` is what to hand to `usersRequest` for the page after it.
 */
export function readUserPage(body: Json | undefined, asked?: string) {
	const { data, meta } = readUsers(body) ?? {};
	const { current_page: page = Number(asked ?? 1), total_pages: total } = meta?.pagination ?? {};
	if (data === undefined || String(page) !== (asked ?? String(page))) return undefined;
	const users = data.filter(({ role }) => role !== AGENT_ROLE).map(pickable);
	// Of a list that does not say how long it is, a full page may be the first of many.
	const goesOn = total === undefined ? data.length === USERS_PER_PAGE : page < total;
	return { users, next: goesOn && data.length > 0 ? String(page + 1) : undefined };
}
