import type { Shape } from '../../api/shape';
import { addressId, anything, list, optional, shape, success, text } from '../../api/shape';
import { JSON_BODY } from '../../api/documents';
import type { Json } from '../../text/json';

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

/** A message of an agent. */
export interface AgentMessage {
	id: string;
	/** The ID of the message whose thread it is in, or that it replies to. */
	answers?: string;
	/** Undefined for a message about tools, and for an interim text. */
	text?: string;
}

/** CometChat's apps show these texts until the answer comes: they are none. */
const INTERIM =
	/^(?:thinking|retrieving relevant information(?: from available sources)?)\s*(?:…|\.\.\.)?$/i;

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
		text: type === ASSISTANT && data ? textOf(data) : undefined,
	}));
}

/**
 * What an answer says. Its elements come before its text, which may be empty beside them
 * (https://www.cometchat.com/docs/sdk/javascript/card-messages); a card says what stands in its place
 * where it can't be shown.
 */
function textOf({ elements = [], text: all = '' }: { elements?: Json[]; text?: string }) {
	const parts = elements.flatMap((one) => {
		const { type, value } = element(one) ?? {};
		return (type === 'text' ? content(value) : card(value)?.card.fallbackText) ?? [];
	});
	const answer = parts.length === 0 ? all : parts.join('\n\n');
	return answer === '' || INTERIM.test(answer.trim()) ? undefined : answer;
}

const deleted = shape({ data: shape({}) });

/** CometChat's page shows what was deleted, as `data`, and no `success`. */
export const readDeleted: Shape<true> = (body) => (deleted(body) ? true : success(body));
