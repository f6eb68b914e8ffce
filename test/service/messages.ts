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
	receiverType: 'user';
	receiver: string;
	category: 'message' | 'agentic';
	type: 'text' | 'assistant' | 'tool-result';
	data: { text?: string };
	/** Unix time in seconds. */
	sentAt: number;
	parentId?: string;
}

type Draft = Omit<Message, 'id' | 'sentAt'>;

const QUESTION = {
	...{ receiver: text(), receiverType: oneOf('user', 'group'), category: oneOf('message') },
	...{ type: text(), data: fields({ text: text(1) }) },
};
const USERS = { searchKey: optional(text(1)), perPage: optional(digits(1, 1000)) };
const KIND = { category: optional(text(1)), type: optional(text(1)) };

/** The chats of the app; what an agent will say is there, and has its ID, as soon as it is due. */
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
			const total = found.length;
			const pages = { current_page: page, total_pages: Math.ceil(total / perPage) };
			const pagination = { total, count: data.length, per_page: perPage, ...pages };
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
				this.settle();
				const chat = { sender, receiver, receiverType: 'user' } as const;
				const question = this.numbered({ ...chat, category: 'message', type: 'text', data });
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
				const change = () => {
					this.messages = this.messages.filter((one) => one !== message);
				};
				return { body, change };
			},
		),
	];

	private count = 0;
	private messages: Message[] = [];
	private pending: Array<{ draft: Draft; dueMs: number }> = [];

	constructor(
		private readonly agents: Agents,
		private readonly options: ServiceOptions,
	) {}

	reset(): void {
		[this.messages, this.pending] = [[], []];
	}

	/** Oldest first. */
	all(): Message[] {
		this.settle();
		return this.messages;
	}

	private settle(): void {
		const isDue = ({ dueMs }: { dueMs: number }) => dueMs <= Date.now();
		const due = this.pending.filter(isDue).sort((one, other) => one.dueMs - other.dueMs);
		this.pending = this.pending.filter((one) => !isDue(one));
		this.messages.push(...due.map(({ draft }) => this.numbered(draft)));
	}

	private numbered(draft: Draft): Message {
		this.count += 1;
		return { ...draft, id: String(this.count), sentAt: Math.floor(Date.now() / 1000) };
	}

	private known(id: string): Message {
		const message = this.all().find((one) => one.id === id);
		if (message !== undefined) return message;
		throw refused(404, 'ERR_MESSAGE_NOT_FOUND', `There is no message ${id}.`);
	}

	private paged(limit: string | undefined, isWanted: (message: Message) => boolean): Answer {
		const placeOf = ({ id }: Message) => ({ id });
		return { body: () => cutPage(this.all().filter(isWanted), placeOf, { limit }) };
	}

	private users(): string[] {
		return this.options.answering?.users ?? ['checker'];
	}

	/** An agent says what it does with its tools, and then answers. */
	private reply({ id, sender: receiver, receiver: sender }: Message, question: string): void {
		const { ms = 1000, in: place = 'thread', says = repeated } = this.options.answering ?? {};
		if (place === 'nowhere') return;
		const parent = place === 'thread' ? { parentId: id } : {};
		const said = {
			sender,
			receiver,
			receiverType: 'user',
			category: 'agentic',
			...parent,
		} as const;
		const drafts: Draft[] = [
			{ ...said, type: 'tool-result', data: {} },
			...says(question).map((answer) => {
				return { ...said, type: 'assistant' as const, data: { text: answer } };
			}),
		];
		const nowMs = Date.now();
		this.pending.push(...drafts.map((draft, at) => ({ draft, dueMs: nowMs + ms * at })));
	}
}

/** The user who acts; without one the sender would be app_system. */
function userIn(headers: Record<string, string>): string {
	if (headers.onbehalfof === undefined) throw badRequest('The onBehalfOf header is missing.');
	return headers.onbehalfof;
}

function repeated(question: string): string[] {
	return [`You asked: ${question}`];
}
