import { AGENTS } from './address';
import { cutPage } from './page';
import { recordOf, type Records, typeOf, uuid } from './records';
import { noSuchRecord, Refusal } from './refusal';
import { type Answer, DONE, route } from './routes';
import { APP_ID, MINUTE_MS, seeds, startMs } from './seeds';
import type { ServiceOptions } from './service';
import { digits, flag, list, optional, PAGED, record, text } from './shapes';

const none: string[] = [];
const unset: Record<string, unknown> = {};

/** What an agent is that was given a name only. */
const FRESH = {
	...{ appId: APP_ID, icon: '', description: '', instruction: '', formattedInstruction: '' },
	...{ isActive: true, ragVersion: 'v2', model: 'gpt-4o-mini', metaData: unset },
	...{ modelMetaData: unset, tools: none, files: none, websites: none, apiTools: none },
	...{ otherKbIntegrations: none, mcpServers: none, frontendActions: none, lastMessageAt: null },
};

/**
 * An agent as 'List agents' and 'Get agent' show it, but for its `files` and `websites`: `service.files()`
 * knows better. Times are Unix times in milliseconds; its `createdAt` no other agent has.
 */
export interface Agent extends Omit<typeof FRESH, 'lastMessageAt'> {
	uid: string;
	name: string;
	lastMessageAt: number | null;
	createdAt: number;
	updatedAt: number;
}

/** An agent to start with; what is left out is filled in. */
export type AgentSeed = Pick<Agent, 'uid' | 'name'> & Partial<Agent>;

/** What is attached to an agent: websites, and all else. */
type Attached = Record<'files' | 'websites', string[]>;

const objects = (ids: string[]) => ids.map((uniqueId) => ({ uniqueId }));
/** Made of the ID, so that it is the same whenever it is asked for. */
const others = (ids: string[]) => ids.map((id) => `source-${[...id].reverse().join('')}`);

/** What an agent's `files` and `websites` hold, of which only is documented that they are lists of texts. */
const LISTS = {
	uniqueIds: (attached: Attached): object => attached,
	/** As it was `staleMs` ago. */
	stale: (attached: Attached): object => attached,
	/** As in the documentation's examples. */
	empty: () => ({ files: [], websites: [] }),
	/** As many IDs that appear nowhere else. */
	otherIds: (has: Attached) => ({ files: others(has.files), websites: others(has.websites) }),
	// From here on against the documentation.
	null: () => ({ files: null, websites: null }),
	missing: () => ({ files: undefined, websites: undefined }),
	objects: (has: Attached) => ({ files: objects(has.files), websites: objects(has.websites) }),
	websitesNull: ({ files }: Attached) => ({ files, websites: null }),
};

export type AgentLists = keyof typeof LISTS;

export interface AgentOptions {
	/** The agents, newest first, or how many to make up ("Agent 001" …). Left out: three. */
	agents?: AgentSeed[] | number;
	/** 'uniqueIds' if left out. */
	agentLists?: AgentLists;
	/** The same for some agents alone, by UID. */
	agentListsOf?: Record<string, AgentLists>;
	/** How far behind 'stale' is; 1000 if left out. */
	staleMs?: number;
	/** UIDs that the list leaves out, as it might those that are not active; each is there when asked for. */
	hiddenAgents?: string[];
	/** Under which name a page of the list says where the next one begins; `createdAt` if left out. */
	agentsNext?: string;
	/** What a change of an unknown agent does. */
	unknownAgents?: 'refuse' | 'create';
	/** What adding does with an ID that is unknown (or of another source type), or not indexed (yet). */
	unknownFiles?: 'accept' | 'refuse';
	unindexedFiles?: 'accept' | 'refuse';
}

const DEFAULT_AGENTS: AgentSeed[] = [
	{ uid: 'support-bot', name: 'Support Bot', description: 'Answers questions about orders' },
	{ uid: 'sales-assistant', name: 'Sales Assistant', description: 'Helps to choose a plan' },
	{ uid: 'onboarding-guide', name: 'Onboarding Guide', description: 'Shows new users around' },
];

/** Of these only what is documented: CometChat's pages contradict each other in which is the default. */
const MODELS = [
	{ model: 'gpt-4o', provider: 'openai', settings: { temperature: 0.7 }, default: true },
	{ model: 'gpt-4o-mini', provider: 'openai', settings: { temperature: 0.7 }, default: false },
	{ model: 'claude-sonnet', provider: 'anthropic', settings: {}, default: false },
];

const NAME = text(1, 100);
const [TEXT, TEXTS, OBJECT] = [optional(text()), optional(list(text())), optional(record)];
const SETTINGS = {
	...{ name: optional(NAME), icon: TEXT, description: TEXT, model: TEXT, isActive: optional(flag) },
	...{ instruction: optional(text(0, 32_000)), tools: TEXTS, apiTools: TEXTS, mcpServers: TEXTS },
	...{ metaData: OBJECT, modelMetaData: OBJECT },
};
const FILES = { uniqueIds: list(text()) };
const CHANGE = `PATCH ${AGENTS}/{uid}/knowledge-base/{sourceType}`;

/** One attachment, from when to when. */
interface Attachment {
	sourceType: string;
	uniqueId: string;
	fromMs: number;
	untilMs: number;
}

/** The agents of the app, newest first, and what is attached to them. */
export class Agents {
	readonly routes = [
		route(
			'list',
			`GET ${AGENTS}`,
			{ ...PAGED, createdAt: optional(digits()), search: optional(text()) },
			({ given: { limit, createdAt = Infinity, search = '' } }) => {
				const { hiddenAgents = [], agentsNext = 'createdAt', lagsMs } = this.options;
				const isListed = (agent: Agent) =>
					mentions(agent, search) && !hiddenAgents.includes(agent.uid);
				const placeOf = (agent: Agent) => ({ [agentsNext]: agent.createdAt });
				const body = () => {
					const found = this.agents.filter(isListed);
					const from = found.filter((agent) => agent.createdAt >= Number(createdAt)).length;
					const { data, meta } = cutPage(found, placeOf, { limit, from });
					return { data: data.map((agent) => this.shown(agent, lagsMs?.agents)), meta };
				};
				return { body };
			},
		),
		route('models', `GET ${AGENTS}/available-models`, {}, () => ({ body: () => MODELS })),
		route('agent', `GET ${AGENTS}/{uid}`, {}, ({ uid }) => {
			const agent = this.known(uid);
			return { body: () => this.shown(agent, this.options.lagsMs?.agent) };
		}),
		route(
			'createAgent',
			`POST ${AGENTS}`,
			{ ...SETTINGS, name: NAME },
			({ given }) => {
				// A UID that no other agent has, and no document.
				const agent = this.prepare({ ...given, uid: uuid(900_000 + this.agents.length) });
				const status = this.options.createdStatus ?? 201;
				return { status, body: () => ({ agent }), change: () => this.agents.unshift(agent) };
			},
			({ name }) => [name],
		),
		// What is left out stays as it is.
		route('updateAgent', `PATCH ${AGENTS}/{uid}`, SETTINGS, ({ uid, given }) => {
			const agent = this.known(uid);
			const changed: Partial<Agent> = { ...given, updatedAt: agent.updatedAt + 1 };
			const withChange = (one: Agent) => (one.uid === uid ? { ...one, ...changed } : one);
			return { ...DONE, change: () => (this.agents = this.agents.map(withChange)) };
		}),
		route('add', `${CHANGE}/add`, FILES, ({ uid, sourceType, given: { uniqueIds } }) => {
			uniqueIds.forEach((id) => this.refuseFile(id, sourceType));
			return this.change(uid, () => this.attach(uid, sourceType, uniqueIds));
		}),
		// What is removed may be unknown and in any state.
		route('remove', `${CHANGE}/remove`, FILES, ({ uid, sourceType, given: { uniqueIds } }) =>
			this.change(uid, () => this.detach(uid, uniqueIds, sourceType)),
		),
	];

	private agents: Agent[] = [];
	/** By UID, in the order in which they were added; those that are no more as well. */
	private readonly attachments = new Map<string, Attachment[]>();

	constructor(
		private readonly records: Records,
		private readonly options: ServiceOptions,
	) {
		this.reset();
	}

	reset(): void {
		this.attachments.clear();
		const start = this.options.agents ?? DEFAULT_AGENTS;
		this.agents = seeds(start, (number) => ({ uid: `agent-${number}`, name: `Agent ${number}` }))
			.map((agent, index) => fillIn(agent, startMs(index)))
			.sort((one, other) => other.createdAt - one.createdAt);
	}

	all(): readonly Agent[] {
		return this.agents;
	}

	get(uid: string): Agent | undefined {
		return this.agents.find((agent) => agent.uid === uid);
	}

	files(uid: string, sourceType: string): string[] {
		return this.heldAt(uid).flatMap((one) => (one.sourceType === sourceType ? one.uniqueId : []));
	}

	/** A document was deleted. */
	detachAll(uniqueId: string): void {
		for (const uid of this.attachments.keys()) this.detach(uid, [uniqueId]);
	}

	private known(uid: string): Agent {
		const agent = this.get(uid);
		if (agent !== undefined) return agent;
		const message = `Agent with uid ${uid} not found`;
		throw new Refusal({ status: 404, code: 'ERR_AGENT_NOT_FOUND', message });
	}

	/** An agent that is not there yet. */
	private prepare(agent: AgentSeed): Agent {
		return fillIn(agent, (this.agents[0]?.createdAt ?? startMs(0)) + MINUTE_MS);
	}

	private shown(agent: Agent, lagMs?: number): object {
		const { agentLists = 'uniqueIds', agentListsOf, staleMs = 1000 } = this.options;
		const lists = agentListsOf?.[agent.uid] ?? agentLists;
		const behindMs = lagMs ?? (lists === 'stale' ? staleMs : 0);
		const held = this.heldAt(agent.uid, Date.now() - behindMs);
		const idsOf = (areWebsites: boolean) => [
			...new Set(
				held
					.filter(({ sourceType }) => (sourceType === 'website') === areWebsites)
					.map(({ uniqueId }) => uniqueId),
			),
		];
		return { ...agent, ...LISTS[lists]({ files: idsOf(false), websites: idsOf(true) }) };
	}

	private change(uid: string, apply: () => void): Answer {
		if (this.options.unknownAgents !== 'create') this.known(uid);
		const change = () => {
			if (this.get(uid) === undefined) this.agents.unshift(this.prepare({ uid, name: uid }));
			apply();
		};
		return { ...DONE, change };
	}

	/** One refused ID refuses the whole request. */
	private refuseFile(id: string, sourceType: string): void {
		const { unknownFiles, unindexedFiles } = this.options;
		const source = this.records.get(id);
		const isType = ['uploads', 'text', 'website'].includes(sourceType);
		if (source === undefined || (isType && typeOf(source) !== sourceType)) {
			if (unknownFiles === 'refuse') throw noSuchRecord(id);
			return;
		}
		const { status } = recordOf(source);
		if (unindexedFiles !== 'refuse' || status === 'indexed' || status === 'inSync') return;
		const code = status === 'failed' ? 'ERR_KB_INDEXING_FAILED' : 'ERR_BAD_REQUEST';
		const message = `Knowledge base record with uniqueId ${id} is not indexed: ${status}`;
		throw new Refusal({ status: 400, code, message });
	}

	/** An ID that is there already keeps its place. */
	private attach(uid: string, sourceType: string, uniqueIds: string[]): void {
		const there = this.attachments.get(uid) ?? [];
		const held = new Set(this.files(uid, sourceType));
		const life = { fromMs: Date.now(), untilMs: Infinity };
		const added = [...new Set(uniqueIds)].filter((id) => !held.has(id));
		const attached = added.map((uniqueId) => ({ sourceType, uniqueId, ...life }));
		this.attachments.set(uid, [...there, ...attached]);
	}

	/** An ID that is not there is passed over. @param sourceType Left out: any. */
	private detach(uid: string, uniqueIds: string[], sourceType?: string): void {
		const gone = new Set(uniqueIds);
		for (const one of this.heldAt(uid)) {
			const isType = one.sourceType === (sourceType ?? one.sourceType);
			if (gone.has(one.uniqueId) && isType) one.untilMs = Date.now();
		}
	}

	/** As it is, or was then. */
	private heldAt(uid: string, asOfMs = Date.now()): Attachment[] {
		const isHeld = ({ fromMs, untilMs }: Attachment) => fromMs <= asOfMs && asOfMs < untilMs;
		return (this.attachments.get(uid) ?? []).filter(isHeld);
	}
}

function mentions({ uid, name, description }: Agent, search: string): boolean {
	const wanted = search.toLowerCase();
	return [name, description, uid].some((said) => said.toLowerCase().includes(wanted));
}

function fillIn(agent: AgentSeed, createdAt: number): Agent {
	return { ...FRESH, createdAt, updatedAt: agent.createdAt ?? createdAt, ...agent };
}
