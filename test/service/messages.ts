import type { Answer } from './answer';
import { fieldsOf } from './given';
import type { Holdings } from './holdings';
import type { ReceivedRequest } from './log';
import { cutPage, readPageRequest } from './page';
import type { Envelope } from './refusal';
import { noSuch, refuse } from './refusal';

/** What is undocumented about asking an agent. Looked at with each question: it may change meanwhile. */
export interface AnsweringOptions {
	/** How long an agent takes, in milliseconds; 1000 if left out. */
	ms?: number;
	/**
	 * Where its answer stands: in the thread of the question, which is the default, or after it in the
	 * chat; 'nowhere' if a question that no app has sent starts no agent.
	 */
	in?: 'thread' | 'chat' | 'nowhere';
	/** What it says, each a message of its own, as much later as the first; left out: it repeats the question. */
	says?: (question: string) => string[];
	/** The users of the app that are no agents; left out: one, `checker`. */
	users?: string[];
}

export const DEFAULT_USERS = ['checker'];

/** As CometChat's pages show a message. */
export interface Message {
	/** Counts up. */
	id: string;
	sender: string;
	receiverType: 'user';
	receiver: string;
	category: 'message' | 'agentic';
	type: 'text' | 'assistant' | 'tool-result';
	data: { text?: string; runId?: string };
	/** Unix time in seconds. */
	sentAt: number;
	parentId?: string;
}

type Draft = Omit<Message, 'id' | 'sentAt'>;

/** The chats of the app; what an agent will say is there, and has its ID, as soon as it is due. */
export class Messages {
	private count = 0;
	private messages: Message[] = [];
	private pending: Array<{ draft: Draft; dueMs: number }> = [];

	reset(): void {
		this.messages = [];
		this.pending = [];
	}

	all(): Message[] {
		this.settle();
		return this.messages;
	}

	prepare(draft: Draft): Message {
		this.settle();
		return this.numbered(draft);
	}

	add(message: Message): void {
		this.messages.push(message);
	}

	addLater(draft: Draft, delayMs: number): void {
		this.pending.push({ draft, dueMs: Date.now() + delayMs });
	}

	remove(id: string): void {
		this.messages = this.messages.filter((message) => message.id !== id);
	}

	private settle(): void {
		const isDue = ({ dueMs }: { dueMs: number }) => dueMs <= Date.now();
		const due = this.pending.filter(isDue).sort((one, other) => one.dueMs - other.dueMs);
		this.pending = this.pending.filter((one) => !isDue(one));
		for (const { draft } of due) this.messages.push(this.numbered(draft));
	}

	private numbered(draft: Draft): Message {
		this.count += 1;
		return { ...draft, id: String(this.count), sentAt: Math.floor(Date.now() / 1000) };
	}
}

/** What the service says to a user or message that it does not have; of the code only the first is public. */
const NO_USER = 'ERR_UID_NOT_FOUND';
const NO_MESSAGE = 'ERR_MESSAGE_NOT_FOUND';

export function sendMessage(
	{ body, headers }: ReceivedRequest,
	holdings: Holdings,
	options: AnsweringOptions,
	envelope: Envelope,
): Answer {
	const { agents, messages } = holdings;
	const sender = headers.onbehalfof ?? '';
	const { receiver, data } = fieldsOf(body);
	const uid = String(receiver);
	const { users = DEFAULT_USERS } = options;
	const stranger = [sender, uid].find((one) => !users.includes(one) && !agents.has(one));
	if (stranger !== undefined) return refuse(noSuch('uid', stranger, NO_USER, envelope));
	const text = String(fieldsOf(data).text);
	const asked = { sender, receiver: uid, receiverType: 'user' as const };
	const question = messages.prepare({
		...asked,
		category: 'message',
		type: 'text',
		data: { text },
	});
	return {
		status: 200,
		body: () => ({ data: question }),
		change: () => {
			messages.add(question);
			if (agents.get(uid)?.isActive) reply(question, text, messages, options);
		},
	};
}

/** An agent says what it does with its tools, and then answers. */
function reply(
	{ id, sender: receiver, receiver: sender }: Message,
	text: string,
	messages: Messages,
	{ ms = 1000, in: place = 'thread', says = repeated }: AnsweringOptions,
): void {
	if (place === 'nowhere') return;
	const parent = place === 'thread' ? { parentId: id } : {};
	const said = { sender, receiver, receiverType: 'user' as const, category: 'agentic' as const };
	const tool = { ...said, ...parent, type: 'tool-result' as const, data: { runId: id } };
	messages.addLater(tool, 0);
	for (const [at, answer] of says(text).entries()) {
		const data = { text: answer, runId: id };
		messages.addLater({ ...said, ...parent, type: 'assistant', data }, ms * (at + 1));
	}
}

function repeated(question: string): string[] {
	return [`You asked: ${question}`];
}

export function listThread(
	{ path, uniqueId = '' }: ReceivedRequest,
	{ messages }: Holdings,
	envelope: Envelope,
): Answer {
	if (!messages.all().some(({ id }) => id === uniqueId)) {
		return refuse(noSuch('id', uniqueId, NO_MESSAGE, envelope));
	}
	return paged(path, () => messages.all().filter(({ parentId }) => parentId === uniqueId));
}

/** Without what stands in threads, as the lists of CometChat's apps. */
export function listChat(
	{ headers, path, uid = '' }: ReceivedRequest,
	{ messages }: Holdings,
): Answer {
	const query = new URLSearchParams(path.split('?')[1]);
	const user = headers.onbehalfof ?? '';
	const isWanted = (name: 'category' | 'type', message: Message) => {
		const wanted = query.get(name);
		return wanted === null || wanted === message[name];
	};
	return paged(path, () =>
		messages
			.all()
			.filter(
				(one) =>
					one.parentId === undefined &&
					[one.sender, one.receiver].sort().join() === [uid, user].sort().join() &&
					Number(one.id) > Number(query.get('id') ?? 0) &&
					isWanted('category', one) &&
					isWanted('type', one),
			),
	);
}

function paged(path: string, found: () => Message[]): Answer {
	const request = readPageRequest(new URLSearchParams(path.split('?')[1]));
	return { status: 200, body: () => cutPage(found(), request, ({ id }) => ({ id })) };
}

export function deleteMessage(
	{ uniqueId = '' }: ReceivedRequest,
	{ messages }: Holdings,
	envelope: Envelope,
): Answer {
	const message = messages.all().find(({ id }) => id === uniqueId);
	if (message === undefined) return refuse(noSuch('id', uniqueId, NO_MESSAGE, envelope));
	return {
		status: 200,
		body: () => ({ data: { ...message, category: 'action', type: 'message' } }),
		change: () => messages.remove(uniqueId),
	};
}
