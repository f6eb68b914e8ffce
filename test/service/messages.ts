import type { Agents } from './agents';
import { cutPage, PAGED } from './lists';
import { type Answer, badRequest, refused, route } from './routes';
import type { ServiceOptions } from './service';
import { digits, fields, flag, oneOf, optional, text } from './shapes';

export interface AnsweringOptions {
	/** How long an agent takes; 1000 if left out. */
	ms?: number;
	/** Where its answer stands; 'nowhere' if a question that no app has sent starts no agent. */
	in?: 'thread' | 'chat' | 'nowhere';
	/** What it says, each a message of its own, as much later as the first; left out: it repeats the question. */
	says?: (question: string) => string[];
	/** The users of the app that are no agents; left out: one, `checker`. */
	users?: string[];
}

/** As CometChat's pages show a message. */
interface Message {
	/** Counts up. */
	id: string;
	sender: string;
	receiver: string;
	category: 'message' | 'agentic';
	type: 'text' | 'assistant' | 'tool-result';
	data: { text?: string };
	parentId?: string;
}

const QUESTION = {
	...{ receiver: text(), receiverType: oneOf('user'), category: oneOf('message') },
	...{ type: text(), data: fields({ text: text(1) }) },
};
const USERS = { searchKey: optional(text(1)), perPage: optional(digits(1, 1000)) };
const KIND = { category: optional(text(1)), type: optional(text(1)) };

/** The chats of the app; what an agent will say is there as soon as it is due. */
export class Messages {
	readonly routes = [
		// Agents are users, too, and come first here. In which order CometChat lists them is not documented.
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
				const question = this.draft({ sender, receiver, category: 'message', type: 'text', data });
				const change = () => {
					this.messages.set(question, Date.now());
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
		// Without what stands in threads, as the lists of CometChat's apps.
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
				return { body, change: () => this.messages.delete(message) };
			},
		),
	];

	private count = 0;
	/** Oldest first, each with the Unix time in milliseconds from which on it is there. */
	private readonly messages = new Map<Message, number>();

	constructor(
		private readonly agents: Agents,
		private readonly options: ServiceOptions,
	) {}

	reset(): void {
		this.messages.clear();
	}

	/** Oldest first. */
	all(): Message[] {
		return [...this.messages].flatMap(([message, dueMs]) => (dueMs <= Date.now() ? message : []));
	}

	private draft(draft: Omit<Message, 'id'>): Message {
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

	/** An agent says what it does with its tools, and then answers. */
	private reply({ id, sender: receiver, receiver: sender }: Message, question: string): void {
		const repeated = (asked: string) => [`You asked: ${asked}`];
		const { ms = 1000, in: place = 'thread', says = repeated } = this.options.answering ?? {};
		if (place === 'nowhere') return;
		const parentId = place === 'thread' ? id : undefined;
		const reply = (type: Message['type'], data: Message['data'], dueMs: number) => {
			const draft = { sender, receiver, category: 'agentic' as const, type, data, parentId };
			this.messages.set(this.draft(draft), dueMs);
		};
		const nowMs = Date.now();
		reply('tool-result', {}, nowMs);
		says(question).forEach((said, at) => reply('assistant', { text: said }, nowMs + ms * (at + 1)));
	}
}

/** The user who acts; without one the sender would be app_system. */
function userIn(headers: Record<string, string>): string {
	if (headers.onbehalfof === undefined) throw badRequest('The onBehalfOf header is missing.');
	return headers.onbehalfof;
}
