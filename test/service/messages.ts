import type { Agents } from './agents';
import { cutPage, PAGED } from './lists';
import { type Answer, badRequest, refused, route } from './routes';
import type { ServiceOptions } from './service';
import { digits, fields, flag, oneOf, optional, text } from './shapes';

export interface AnsweringOptions {
	/** How long an agent takes for each text; 1000 if left out. */
	ms?: number;
	/** Where its answer stands; 'nowhere' if a question that no app has sent starts no agent. */
	in?: 'thread' | 'chat' | 'nowhere';
	/** What it writes, one after another; left out: it uses a tool and repeats the question. */
	says?: (question: string) => Array<string | Written>;
	/** How a message outside of a thread shows what it belongs to; 'run' if left out. */
	names?: 'run' | 'reply' | 'nothing';
	/** The users of the app that are no agents; left out: one, `checker`. */
	users?: string[];
}

/** A text if it has no `type`. */
export interface Written {
	type?: 'assistant' | 'tool-arguments' | 'tool-result';
	data?: MessageData;
	/** After what it has written before; as it takes for a text if left out. */
	afterMs?: number;
}

interface MessageData {
	text?: string;
	elements?: Array<{ type: string; value: unknown }>;
	toolCalls?: unknown[];
	toolCallId?: string;
	runId?: string;
}

/** As CometChat's pages show a message. */
interface Message {
	/** Counts up, as they come. */
	id: string;
	sender: string;
	receiver: string;
	category: 'message' | 'agentic';
	type: 'text' | 'assistant' | 'tool-arguments' | 'tool-result';
	data: MessageData;
	parentId?: string;
	quotedMessageId?: string;
}

/** What an agent writes about a tool while it uses it: whether it stands in the chat at once is our choice. */
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
				const draft = {
					sender,
					receiver,
					category: 'message' as const,
					type: 'text' as const,
					data,
				};
				// What has come by now has an earlier number.
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
				const change = () => void this.messages.splice(this.messages.indexOf(message), 1);
				return { body, change };
			},
		),
	];

	private count = 0;
	private readonly messages: Message[] = [];
	/** What agents will have written, each with the Unix time in milliseconds from which on it is there. */
	private coming: Array<{ draft: Omit<Message, 'id'>; dueMs: number }> = [];

	constructor(
		private readonly agents: Agents,
		private readonly options: ServiceOptions,
	) {}

	reset(): void {
		this.messages.length = 0;
		this.coming = [];
	}

	/** Oldest first. */
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

	/** Unless it is told what to write, an agent uses a tool to find out, and then answers. */
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

/** The user who acts; without one the sender would be app_system. */
function userIn(headers: Record<string, string>): string {
	if (headers.onbehalfof === undefined) throw badRequest('The onBehalfOf header is missing.');
	return headers.onbehalfof;
}
