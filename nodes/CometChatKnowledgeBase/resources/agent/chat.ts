import type { Shape } from '../../api/shape';
import { addressId, anything, list, optional, shape, success, text } from '../../api/shape';
import { JSON_BODY } from '../../api/documents';
import type { Json } from '../../text/json';

/*
 * A chat with an agent, which is an app user that answers text messages. CometChat documents each of these requests
 * (https://www.cometchat.com/docs/rest-api/messages), but no request that runs an agent. That such a message starts an
 * agent was not tried.
 */

/** Enough for the answer to one question: the maximum that CometChat's own SDK requests. */
const MESSAGES_PER_PAGE = 100;

/** @param askAs The UID of the user who asks. */
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

/** The requests for the answer: in the thread of the question, as in CometChat's own apps, or in the chat after it. */
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

/** Deletes a message permanently. */
export function deleteMessageRequest(id: string) {
	return {
		method: 'DELETE' as const,
		url: `/messages/${encodeURIComponent(id)}`,
		headers: JSON_BODY,
		body: { permanent: true },
	};
}

/** The category of all messages of an agent, and the type of its answers. Other types are about its tools. */
const AGENTIC = 'agentic';
const ASSISTANT = 'assistant';

export interface AgentMessage {
	id: string;
	/** The ID of the message whose thread contains this message, or that it quotes. */
	answers?: string;
	/** Undefined for a message about tools, and for an interim text. */
	text?: string;
}

/** Texts that CometChat's apps show before the answer. */
const INTERIM =
	/^(?:thinking|retrieving relevant information(?: from available sources)?)\s*(?:…|\.\.\.)?$/i;

/** Reads a message ID that is valid as a part of a URL; 0 means no message. */
const messageId: Shape<string> = (value) => {
	const id = addressId(typeof value === 'number' ? String(value) : value);
	return id === '0' ? undefined : id;
};

/** Reads a text with more than white space. */
const content: Shape<string> = (value) => (text(value)?.trim() ? text(value) : undefined);

const sentMessage = shape({ data: shape({ id: messageId }) });

/** Reads the ID of the message that was sent. */
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

/** Reads the agent's messages in a list of messages. */
export function readAgentMessages(body: Json | undefined): AgentMessage[] | undefined {
	const written = messages(body)?.data.filter(({ category }) => category === AGENTIC);
	return written?.map(({ id, type, parentId, quotedMessageId, data }) => ({
		id,
		answers: parentId ?? quotedMessageId,
		text: type === ASSISTANT && data ? textOf(data) : undefined,
	}));
}

/**
 * Returns the text of an answer. Its elements are preferred to its text, which may be empty then
 * (https://www.cometchat.com/docs/sdk/javascript/card-messages). A card has a text for apps that can't show it.
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

/** Reads a deletion: CometChat's page shows the deleted message as `data`, and no `success`. */
export const readDeleted: Shape<true> = (body) => (deleted(body) ? true : success(body));
