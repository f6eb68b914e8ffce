import type { Agents } from './agents';
import { cutPage } from './page';
import { badRequest, Refusal } from './refusal';
import type { Answer, Asked } from './routes';
import { route } from './routes';
import type { ServiceOptions } from './service';
import { digits, fields, flag, oneOf, optional, PAGED, text } from './shapes';

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

const QUESTION = {
	...{ receiver: text(), receiverType: oneOf('user', 'group'), category: oneOf('message') },
	...{ type: text(), data: fields({ text: text(1) }) },
};
const USERS = {
	searchKey: optional(text(1)),
	perPage: optional(digits(1, 1000)),
	page: optional(digits(1)),
};
const CHAT = {
	...PAGED,
	...{ affix: optional(oneOf('append', 'prepend')), id: optional(digits()) },
	...{ category: optional(text(1)), type: optional(text(1)) },
};

/** The chats of the app; what an agent will say is there, and has its ID, as soon as it is due. */
export class Messages {
	readonly routes = [
		route('listUsers', 'GET /users', USERS, ({ given }) => this.listUsers(given)),
		route(
			'sendMessage',
			'POST /messages',
			QUESTION,
			(asked) => this.send(asked),
			({ data }) => [data.text],
		),
		route('thread', 'GET /messages/{uniqueId}/thread', PAGED, (asked) => {
			userIn(asked);
			this.known(asked.uniqueId);
			return this.paged(asked.given.limit, ({ parentId }) => parentId === asked.uniqueId);
		}),
		// Without what stands in threads, as the lists of CometChat's apps.
		route('chat', 'GET /users/{uid}/messages', CHAT, (asked) => {
			const chat = [asked.uid, userIn(asked)].sort().join();
			const { limit, id: behind = 0, category, type } = asked.given;
			return this.paged(
				limit,
				(one) =>
					one.parentId === undefined &&
					[one.sender, one.receiver].sort().join() === chat &&
					Number(one.id) > Number(behind) &&
					one.category === (category ?? one.category) &&
					one.type === (type ?? one.type),
			);
		}),
		route(
			'deleteMessage',
			'DELETE /messages/{uniqueId}',
			{ permanent: optional(flag) },
			({ uniqueId }) => {
				const message = this.known(uniqueId);
				const body = () => ({ data: { ...message, category: 'action', type: 'message' } });
				return { body, change: () => this.remove(message) };
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

	all(): Message[] {
		const isDue = ({ dueMs }: { dueMs: number }) => dueMs <= Date.now();
		const due = this.pending.filter(isDue).sort((one, other) => one.dueMs - other.dueMs);
		this.pending = this.pending.filter((one) => !isDue(one));
		this.messages.push(...due.map(({ draft }) => this.numbered(draft)));
		return this.messages;
	}

	private numbered(draft: Draft): Message {
		this.count += 1;
		return { ...draft, id: String(this.count), sentAt: Math.floor(Date.now() / 1000) };
	}

	private known(id: string): Message {
		return this.all().find((one) => one.id === id) ?? unknown('id', id, 'ERR_MESSAGE_NOT_FOUND');
	}

	private remove(message: Message): void {
		this.messages = this.messages.filter((one) => one !== message);
	}

	private paged(limit: string | undefined, isWanted: (message: Message) => boolean): Answer {
		const placeOf = ({ id }: Message) => ({ id });
		return { body: () => cutPage(this.all().filter(isWanted), placeOf, { limit }) };
	}

	private users(): string[] {
		return this.options.answering?.users ?? ['checker'];
	}

	private send(asked: Asked<{ receiver: string; data: { text: string } }>): Answer {
		const { receiver, data } = asked.given;
		const sender = userIn(asked);
		for (const uid of [sender, receiver]) {
			const isThere = this.users().includes(uid) || this.agents.get(uid) !== undefined;
			if (!isThere) unknown('uid', uid, 'ERR_UID_NOT_FOUND');
		}
		this.all();
		const chat = { sender, receiver, receiverType: 'user' } as const;
		const question = this.numbered({ ...chat, category: 'message', type: 'text', data });
		const change = () => {
			this.messages.push(question);
			if (this.agents.get(receiver)?.isActive) this.reply(question, data.text);
		};
		return { body: () => ({ data: question }), change };
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
		const nowMs = Date.now();
		const tool: Draft = { ...said, type: 'tool-result', data: { runId: id } };
		const answers = says(question).map((answer): Draft => {
			return { ...said, type: 'assistant', data: { text: answer, runId: id } };
		});
		const drafts = [tool, ...answers];
		this.pending.push(...drafts.map((draft, at) => ({ draft, dueMs: nowMs + ms * at })));
	}

	/** Agents are users, too, and come first here. In which order CometChat lists them is not documented. */
	private listUsers(given: { searchKey?: string; perPage?: string; page?: string }): Answer {
		const typed = (given.searchKey ?? '').toLowerCase();
		const [perPage, page] = [Number(given.perPage ?? 100), Number(given.page ?? 1)];
		const found = [
			...this.agents.all().map(({ uid, name }) => ({ uid, name, role: '@agentic' })),
			...this.users().map((uid) => ({ uid, name: `Name of ${uid}`, role: 'default' })),
		].filter(({ uid, name }) => [uid, name].some((said) => said.toLowerCase().startsWith(typed)));
		const data = found.slice((page - 1) * perPage, page * perPage);
		const pagination = {
			...{ total: found.length, count: data.length, per_page: perPage, current_page: page },
			total_pages: Math.ceil(found.length / perPage),
		};
		return { body: () => ({ data, meta: { pagination } }) };
	}
}

/** The user who acts; without one the sender would be app_system. */
function userIn({ headers }: { headers: Record<string, string> }): string {
	if (headers.onbehalfof === undefined) throw badRequest('The onBehalfOf header is missing.');
	return headers.onbehalfof;
}

/** Of the codes only that of a user is public. */
function unknown(name: string, id: string, code: string): never {
	throw new Refusal({ status: 404, code, message: `The ${name} ${id} does not exist.` });
}

function repeated(question: string): string[] {
	return [`You asked: ${question}`];
}
