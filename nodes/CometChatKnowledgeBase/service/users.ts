import type { Json } from '../values/json';
import { isRecord } from '../values/userError';
import { pickable, readAgent } from './agents';
import type { Next } from './wholeList';
import { UNREADABLE } from './wholeList';

/** One page of the app's users, for the 'Ask As' list. */
interface UserPage {
	users: Array<{ name: string; value: string }>;
	/** What to hand to `usersRequest` for the page after this one; undefined after the last. */
	next?: Next;
}

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

/**
 * A page without the agents that are among its users; undefined if the body is no list of users, or of
 * another page than the one that was asked for.
 */
export function readUserPage(body: Json | undefined, asked?: string): UserPage | undefined {
	if (!isRecord(body) || !Array.isArray(body.data)) return undefined;
	const users: UserPage['users'] = [];
	for (const entry of body.data) {
		// What is read of an agent is what each user has.
		const user = readAgent(entry);
		if (user === undefined) return undefined;
		if (!isRecord(entry) || entry.role !== AGENT_ROLE) users.push(pickable(user));
	}
	const { pagination } = isRecord(body.meta) ? body.meta : {};
	const { current_page: current, total_pages: total } = isRecord(pagination) ? pagination : {};
	if (asked !== undefined && typeof current === 'number' && String(current) !== asked) {
		return undefined;
	}
	return { users, next: nextPage(Number(asked ?? 1), total, body.data.length) };
}

/** @param total How many pages there are, as the service says it. */
function nextPage(page: number, total: unknown, count: number): Next | undefined {
	if (typeof total === 'number') return count > 0 && total > page ? String(page + 1) : undefined;
	// A full one that nothing is said of may be the first of many.
	return count < USERS_PER_PAGE ? undefined : UNREADABLE;
}
