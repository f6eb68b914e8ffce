import { isWhole } from '../account/redaction';
import { readPathValue } from '../input/identifiers';
import { caughtNow, isRecord, UserError } from '../values/userError';
import type { Json } from '../values/json';

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
		headers: { 'Content-Type': 'application/json', onBehalfOf: askAs },
		body: {
			receiver: uid,
			receiverType: 'user',
			category: 'message',
			type: 'text',
			data: { text },
		},
	};
}

/** What stands in the thread under a message, as CometChat's own apps show what an agent answers. */
export function threadRequest(id: string, askAs: string) {
	return {
		method: 'GET' as const,
		url: `/messages/${encodeURIComponent(id)}/thread`,
		headers: { onBehalfOf: askAs },
		qs: { limit: MESSAGES_PER_PAGE },
	};
}

/** What the agent has said to the user after a message, and done with its tools. */
export function chatRequest(uid: string, id: string, askAs: string) {
	return {
		method: 'GET' as const,
		url: `/users/${encodeURIComponent(uid)}/messages`,
		headers: { onBehalfOf: askAs },
		qs: {
			limit: MESSAGES_PER_PAGE,
			affix: 'append',
			id,
			category: AGENTIC,
		},
	};
}

/** Deletes for good. */
export function deleteMessageRequest(id: string) {
	return {
		method: 'DELETE' as const,
		url: `/messages/${encodeURIComponent(id)}`,
		headers: { 'Content-Type': 'application/json' },
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

/** The ID of the message that was sent. */
export function readMessageId(body: Json | undefined): string | undefined {
	return isRecord(body) && isRecord(body.data) ? messageIdOf(body.data.id) : undefined;
}

/** Of a list of messages those that an agent has written; undefined if it is no such list. */
export function readAgentMessages(body: Json | undefined): AgentMessage[] | undefined {
	if (!isRecord(body) || !Array.isArray(body.data)) return undefined;
	const messages: AgentMessage[] = [];
	for (const entry of body.data) {
		const id = isRecord(entry) ? messageIdOf(entry.id) : undefined;
		if (!isRecord(entry) || id === undefined) return undefined;
		if (entry.category !== AGENTIC) continue;
		const data = isRecord(entry.data) ? entry.data : {};
		messages.push({
			id,
			answers: messageIdOf(entry.parentId) ?? messageIdOf(entry.quotedMessageId),
			runId: contentOf(data.runId),
			text: entry.type === ASSISTANT ? textOf(data.elements, data.text) : undefined,
		});
	}
	return messages;
}

/**
 * What an answer says. Its elements come before its text, which may be empty beside them
 * (https://www.cometchat.com/docs/sdk/javascript/card-messages); a card says what stands in its place
 * where it can't be shown.
 */
function textOf(elements: Json | undefined, text: Json | undefined): string | undefined {
	const parts = (Array.isArray(elements) ? elements : []).flatMap((element) => {
		const { type, value } = isRecord(element) ? element : {};
		if (type === 'text') return contentOf(value) ?? [];
		const card = isRecord(value) && isRecord(value.card) ? value.card : {};
		return contentOf(card.fallbackText) ?? [];
	});
	return parts.length === 0 ? contentOf(text) : parts.join('\n\n');
}

function contentOf(value: Json | undefined): string | undefined {
	return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** CometChat's page shows what was deleted, as `data`, and no `success`. */
export function readDeleted(body: Json | undefined): true | undefined {
	if (!isRecord(body)) return undefined;
	const { data, success } = body;
	return success === true || (isRecord(data) && data.success !== false) ? true : undefined;
}

/** It will be a part of addresses. */
function messageIdOf(value: Json | undefined): string | undefined {
	const id = caughtNow(() => readPathValue(value, 'id', ''));
	return id instanceof UserError || !isWhole(id) || id === '0' ? undefined : id;
}
