import type { Agents } from './agents';
import { cutPage, PAGED } from './lists';
import { type Answer, badRequest, refused, route } from './routes';
import type { ServiceOptions } from './service';
import { digits, fields, flag, oneOf, optional, text } from './shapes';

export interface AnsweringOptions {
	/** The time that an agent takes for each text; 1000 if left out. */
	ms?: number;
	/** The place of the answer; 'nowhere' if a question outside of an app starts no agent. */
	in?: 'thread' | 'chat' | 'nowhere';
	/** The agent's messages; left out: the agent uses a tool and repeats the question. */
	says?: (question: string) => Array<string | Written>;
	/** How a message outside of a thread shows its question; 'run' if left out. */
	names?: 'run' | 'reply' | 'nothing';
	/** The app users who are no agents; left out: one, `checker`. */
	users?: string[];
}

export interface Written {
	type?: 'assistant' | 'tool-arguments' | 'tool-result';
	data?: MessageData;
	/** The time after the previous message; the time for a text if left out. */
	afterMs?: number;
}

interface MessageData {
	text?: string;
	elements?: Array<{ type: string; value: unknown }>;
	toolCalls?: unknown[];
	toolCallId?: string;
	runId?: string;
}

interface Message {
	/** Ascending in the order of arrival. */
	id: string;
	sender: string;
	receiver: string;
	category: 'message' | 'agentic';
	type: 'text' | 'assistant' | 'tool-arguments' | 'tool-result';
	data: MessageData;
	parentId?: string;
	quotedMessageId?: string;
}

/** The messages of an agent that uses a tool. It is our choice that they are in the chat immediately. */
export const TOOL: Written[] = [
	{ type: 'tool-arguments', data: { toolCalls: [{ id: 'call_1', type: 'function' }] }, afterMs: 0 },
	{ type: 'tool-result', data: { toolCallId: 'call_1', text: '{}' }, afterMs: 0 },
];

const QUESTION = {
	...{ receiver: text(), receiverType: oneOf('user'), category: oneOf('message') },
	...{ type: text(), data: fields({ text: text(1) }) },
};
const USERS = { searchKey: optional(text(1)), perPage: optional(digits(1, 1000)) };
const KIND = { category: optional(text(1)), type: optional(text(1)) };

/** The chats of the app. A message of an agent is there once it is due. */
export class Messages {
	readonly routes = [
		// The agents are listed first, which is our choice: the order is not documented.
		route('listUsers', 'GET /users', { ...USERS, page: optional(digits(1)) }, ({ given }) => {
			const typed = (given.searchKey ?? '').toLowerCase();
			const [perPage, page] = [Number(given.perPage ?? 100), Number(given.page ?? 1)];
			const found = [
				...this.agents.all().map(({ uid, name }) => ({ uid, name, role: '@agentic' })),
				...this.users().map((uid) => ({ uid, name: `Name of ${uid}`, role: 'default' })),
			].filter(({ uid, name }) => [uid, name].some((said) => said.toLowerCase().startsWith(typed)));
			const data = found.slice((page - 1) * perPage, page * perPage);
			const pagination = { current_page: page, total_pages: Math.ceil(found.length / perPage) };
			return { body: () => ({ data, meta: { pagination } }) };
		}),
		route(
			'sendMessage',
			'POST /messages',
			QUESTION,
			({ headers, given: { receiver, data } }) => {
				const sender = userIn(headers);
				const isHere = (uid: string) => this.users().includes(uid) || this.agents.get(uid);
				const stranger = [sender, receiver].find((uid) => !isHere(uid));
				if (stranger !== undefined)
					throw refused(404, 'ERR_UID_NOT_FOUND', `There is no user ${stranger}.`);
				const draft = {
					sender,
					receiver,
					category: 'message' as const,
					type: 'text' as const,
					data,
				};
				// Messages that are already due have a smaller number.
				this.all();
				const question = this.numbered(draft);
				const change = () => {
					this.messages.push(question);
					if (this.agents.get(receiver)?.isActive) this.reply(question, data.text);
				};
				return { body: () => ({ data: question }), change };
			},
			({ data }) => [data.text],
		),
		route('thread', 'GET /messages/{uniqueId}/thread', PAGED, ({ uniqueId, given, headers }) => {
			userIn(headers);
			this.known(uniqueId);
			return this.paged(given.limit, ({ parentId }) => parentId === uniqueId);
		}),
		// Without the messages in threads, like the lists of CometChat's apps.
		route(
			'chat',
			'GET /users/{uid}/messages',
			{ ...PAGED, ...KIND, id: optional(digits()) },
			({ uid, headers, given: { limit, id: behind = 0, category, type } }) => {
				const chat = [uid, userIn(headers)].sort().join();
				const isWanted = (one: Message) =>
					one.parentId === undefined &&
					[one.sender, one.receiver].sort().join() === chat &&
					Number(one.id) > Number(behind) &&
					one.category === (category ?? one.category) &&
					one.type === (type ?? one.type);
				return this.paged(limit, isWanted);
			},
		),
		route(
			'deleteMessage',
			'DELETE /messages/{uniqueId}',
			{ permanent: optional(flag) },
			({ uniqueId }) => {
				const message = this.known(uniqueId);
				const body = () => ({ data: { ...message, category: 'action', type: 'message' } });
				const change = () => void this.messages.splice(this.messages.indexOf(message), 1);
				return { body, change };
			},
		),
	];

	private count = 0;
	private readonly messages: Message[] = [];
	/** The future messages of agents, each with its Unix time in milliseconds. */
	private coming: Array<{ draft: Omit<Message, 'id'>; dueMs: number }> = [];

	constructor(
		private readonly agents: Agents,
		private readonly options: ServiceOptions,
	) {}

	reset(): void {
		this.messages.length = 0;
		this.coming = [];
	}

	all(): Message[] {
		const due = this.coming.filter(({ dueMs }) => dueMs <= Date.now());
		this.coming = this.coming.filter((one) => !due.includes(one));
		due.sort((one, other) => one.dueMs - other.dueMs);
		this.messages.push(...due.map(({ draft }) => this.numbered(draft)));
		return [...this.messages];
	}

	private numbered(draft: Omit<Message, 'id'>): Message {
		this.count += 1;
		return { ...draft, id: String(this.count) };
	}

	private known(id: string): Message {
		const message = this.all().find((one) => one.id === id);
		if (message !== undefined) return message;
		throw refused(404, 'ERR_MESSAGE_NOT_FOUND', `There is no message ${id}.`);
	}

	private paged(limit: string | undefined, isWanted: (message: Message) => boolean): Answer {
		const placeOf = ({ id }: Message) => ({ id });
		return { body: () => cutPage(this.all().filter(isWanted), limit, placeOf) };
	}

	private users(): string[] {
		return this.options.answering?.users ?? ['checker'];
	}

	/** Plans the messages of an agent: by default, it uses a tool and then answers. */
	private reply({ id, sender: receiver, receiver: sender }: Message, question: string): void {
		const repeated = (asked: string) => [...TOOL, `You asked: ${asked}`];
		const { ms = 1000, in: place = 'thread', says = repeated } = this.options.answering ?? {};
		if (place === 'nowhere') return;
		const { names = 'run' } = this.options.answering ?? {};
		const where = place === 'thread' ? { parentId: id } : {};
		const quoting = names === 'reply' ? { quotedMessageId: id } : {};
		const from = { sender, receiver, category: 'agentic' as const, ...where, ...quoting };
		let dueMs = Date.now();
		for (const written of says(question)) {
			const one = typeof written === 'string' ? { data: { text: written } } : written;
			const { type = 'assistant', data = {}, afterMs = ms } = one;
			dueMs += afterMs;
			const runId = names === 'run' ? `run-${id}` : undefined;
			this.coming.push({ draft: { ...from, type, data: { ...data, runId } }, dueMs });
		}
	}
}

/** Returns the acting user; without one, the sender would be app_system. */
function userIn(headers: Record<string, string>): string {
	if (headers.onbehalfof === undefined) throw badRequest('The onBehalfOf header is missing.');
	return headers.onbehalfof;
}
