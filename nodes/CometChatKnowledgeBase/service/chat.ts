import type { Json } from '../values/json';
import type { Shape } from './shape';
import { pickable } from './agents';
import { JSON_BODY } from './documents';
import { addressId, anything, id, list, number, optional, shape, success, text } from './shape';

/*
 * A chat with an agent, which is a user of the app that answers text messages. CometChat documents each of
 * these requests (https://www.cometchat.com/docs/rest-api/messages), and none that runs an agent: that a
 * message sent in this way starts one, nobody has tried.
 */

/** Enough for all that an agent says to one question; the most that CometChat's own SDK asks for. */
const MESSAGES_PER_PAGE = 100;

/** @param askAs UID of the user who asks. */
export function questionRequest(uid: string, askAs: string, text: string) {
	return {
		method: 'POST' as const,
		url: '/messages',
		headers: { ...JSON_BODY, onBehalfOf: askAs },
		body: {
			receiver: uid,
			receiverType: 'user',
			category: 'message',
			type: 'text',
			data: { text },
		},
	};
}

/**
 * Where an agent may answer a question: in the thread under it, as CometChat's own apps show it, or in the chat
 * behind it.
 *
 * @param id Of the question.
 */
export function answerRequests({ uid, askAs, id }: { uid: string; askAs: string; id: string }) {
	const asked = { method: 'GET' as const, headers: { onBehalfOf: askAs } };
	const [agent, question] = [uid, id].map(encodeURIComponent);
	const limit = MESSAGES_PER_PAGE;
	const behind = { limit, affix: 'append', id, category: AGENTIC };
	return [
		{ ...asked, url: `/messages/${question}/thread`, qs: { limit } },
		{ ...asked, url: `/users/${agent}/messages`, qs: behind },
	];
}

/** Deletes for good. */
export function deleteMessageRequest(id: string) {
	return {
		method: 'DELETE' as const,
		url: `/messages/${encodeURIComponent(id)}`,
		headers: JSON_BODY,
		body: { permanent: true },
	};
}

/** The category of all that an agent writes, and the type of its answers; the others are about its tools. */
const AGENTIC = 'agentic';
const ASSISTANT = 'assistant';

/** What an agent has written. */
export interface AgentMessage {
	id: string;
	/** The message in whose thread it stands, or to which it is a reply. */
	answers?: string;
	/** What the agent has done for one question is one run. */
	runId?: string;
	/** Undefined of what is about its tools. */
	text?: string;
}

/** It will be a part of addresses; 0 is that of none. */
const messageId: Shape<string> = (value) => {
	const id = addressId(typeof value === 'number' ? String(value) : value);
	return id === '0' ? undefined : id;
};

/** More than white space. */
const content: Shape<string> = (value) => (text(value)?.trim() ? text(value) : undefined);

const sentMessage = shape({ data: shape({ id: messageId }) });

/** The ID of the message that was sent. */
export const readMessageId: Shape<string> = (body) => sentMessage(body)?.data.id;

const element = shape({ type: optional(text), value: optional(anything) });
const card = shape({ card: shape({ fallbackText: content }) });
const said = shape({
	elements: optional(list(anything)),
	runId: optional(content),
	text: optional(content),
});
const message = shape({
	id: messageId,
	category: optional(text),
	type: optional(text),
	parentId: optional(messageId),
	quotedMessageId: optional(messageId),
	data: optional(said),
});
const messages = shape({ data: list(message) });

/** Of a list of messages those that an agent has written. */
export function readAgentMessages(body: Json | undefined): AgentMessage[] | undefined {
	const written = messages(body)?.data.filter(({ category }) => category === AGENTIC);
	return written?.map(({ id, type, parentId, quotedMessageId, data }) => ({
		id,
		answers: parentId ?? quotedMessageId,
		runId: data?.runId,
		text: type === ASSISTANT && data ? textOf(data) : undefined,
	}));
}

/**
 * What an answer says. Its elements come before its text, which may be empty beside them
 * (https://www.cometchat.com/docs/sdk/javascript/card-messages); a card says what stands in its place
 * where it can't be shown.
 */
function textOf({ elements = [], text: all }: { elements?: Json[]; text?: string }) {
	const parts = elements.flatMap((one) => {
		const { type, value } = element(one) ?? {};
		return (type === 'text' ? content(value) : card(value)?.card.fallbackText) ?? [];
	});
	return parts.length === 0 ? all : parts.join('\n\n');
}

const deleted = shape({ data: shape({}) });

/** CometChat's page shows what was deleted, as `data`, and no `success`. */
export const readDeleted: Shape<true> = (body) => (deleted(body) ? true : success(body));

/** One page of the app's users, for the 'Ask As' list. */
interface UserPage {
	users: Array<{ name: string; value: string }>;
	/** What to hand to `usersRequest` for the page after this one; undefined after the last. */
	next?: string;
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

const pagination = shape({ current_page: optional(number), total_pages: optional(number) });
const readUsers = shape({
	data: list(shape({ uid: id, name: optional(text), role: optional(text) })),
	meta: optional(shape({ pagination: optional(pagination) })),
});

/**
 * A page without the agents that are among its users; undefined if the body is no list of users, or of
 * another page than the one that was asked for.
 */
export function readUserPage(body: Json | undefined, asked?: string): UserPage | undefined {
	const { data, meta } = readUsers(body) ?? {};
	const { current_page: page = Number(asked ?? 1), total_pages: total } = meta?.pagination ?? {};
	if (data === undefined || String(page) !== (asked ?? String(page))) return undefined;
	const users = data.filter(({ role }) => role !== AGENT_ROLE).map(pickable);
	// Of a list that does not say how long it is, a full page may be the first of many.
	const goesOn = total === undefined ? data.length === USERS_PER_PAGE : page < total;
	return { users, next: goesOn && data.length > 0 ? String(page + 1) : undefined };
}
