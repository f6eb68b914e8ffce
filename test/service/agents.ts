import { cutPage, MINUTE_MS, PAGED, seeds, startMs } from './lists';
import { type Records, uuid } from './records';
import { AGENTS, DONE, refused, route } from './routes';
import type { ServiceOptions } from './service';
import { digits, flag, list, optional, text } from './shapes';

const none: string[] = [];
const unset: Record<string, unknown> = {};

/** The defaults of a new agent with a name. */
const FRESH = {
	...{ icon: '', description: '', instruction: '', isActive: true, model: 'gpt-4o-mini' },
	...{ tools: none, files: none, websites: none, metaData: unset, lastMessageAt: null },
};

/**
 * An agent as 'List agents' and 'Get agent' return it, without its actual `files` and `websites` (`service.files()`).
 */
export interface Agent extends Omit<typeof FRESH, 'lastMessageAt'> {
	uid: string;
	name: string;
	lastMessageAt: number | null;
	createdAt: number;
	updatedAt: number;
}

/** An agent at the start; missing fields get defaults. */
export type AgentSeed = Pick<Agent, 'uid' | 'name'> & Partial<Agent>;

/** An agent's documents: websites, also by URL, all others, and the uploads among these. */
type Attached = Record<'files' | 'websites' | 'addresses' | 'uploads', string[]>;

const objects = (ids: string[]) => ids.map((uniqueId) => ({ uniqueId }));
/** Made from the ID, so that each response contains the same IDs. */
const others = (ids: string[]) => ids.map((id) => `source-${[...id].reverse().join('')}`);

/** The contents of an agent's `files` and `websites`. CometChat only documents that they are lists of texts. */
const LISTS = {
	uniqueIds: ({ files, websites }: Attached): object => ({ files, websites }),
	/** The state of a second ago. */
	stale: ({ files, websites }: Attached): object => ({ files, websites }),
	/** As in the documentation's examples. */
	empty: () => ({ files: [], websites: [] }),
	/** The same number of IDs that appear nowhere else. */
	otherIds: (has: Attached) => ({ files: others(has.files), websites: others(has.websites) }),
	/** Without text entries. */
	uploadsOnly: ({ uploads, websites }: Attached) => ({ files: uploads, websites }),
	/** Websites by their names in CometChat. */
	addresses: ({ files, addresses }: Attached) => ({ files, websites: addresses }),
	// From here on, contrary to the documentation.
	null: () => ({ files: null, websites: null }),
	missing: () => ({ files: undefined, websites: undefined }),
	objects: (has: Attached) => ({ files: objects(has.files), websites: objects(has.websites) }),
	websitesNull: ({ files }: Attached) => ({ files, websites: null }),
};

export type AgentLists = keyof typeof LISTS;

export interface AgentOptions {
	/** The agents, newest first, or their number ("Agent 001" …). Left out: three. */
	agents?: AgentSeed[] | number;
	/** 'uniqueIds' if left out. */
	agentLists?: AgentLists;
	/** The same for single agents, by UID. */
	agentListsOf?: Record<string, AgentLists>;
	/** UIDs that are not in the list, as may be the case for inactive agents. A request for such an agent succeeds. */
	hiddenAgents?: string[];
	/** The maximum number of agents on a page; left out: the requested limit. */
	agentsPerPage?: number;
	/** The name of the start of the next page; `createdAt` if left out. */
	agentsNext?: string;
	/** The response for an added ID that is unknown, or has another source type. */
	unknownFiles?: 'accept' | 'refuse';
}

const DEFAULT_AGENTS: AgentSeed[] = [
	{ uid: 'support-bot', name: 'Support Bot', description: 'Answers questions about orders' },
	{ uid: 'sales-assistant', name: 'Sales Assistant', description: 'Helps to choose a plan' },
	{ uid: 'onboarding-guide', name: 'Onboarding Guide', description: 'Shows new users around' },
];

/** Only the documented models. CometChat's pages contradict each other about the default. */
const MODELS = [
	{ model: 'gpt-4o', provider: 'openai', default: true },
	{ model: 'gpt-4o-mini', provider: 'openai', default: false },
	{ model: 'claude-sonnet', provider: 'anthropic', default: false },
];

const NAME = text(1, 100);
const TEXT = optional(text());
const SETTINGS = {
	...{ name: optional(NAME), icon: TEXT, description: TEXT, model: TEXT, isActive: optional(flag) },
	instruction: optional(text(0, 32_000)),
};
const FILES = { uniqueIds: list(text()) };
const CHANGE = `PATCH ${AGENTS}/{uid}/knowledge-base/{sourceType}`;

/** The use of a document by an agent, and its times. */
interface Attachment {
	sourceType: string;
	uniqueId: string;
	fromMs: number;
	untilMs: number;
}

/** The agents of the app, newest first, and their documents. */
export class Agents {
	readonly routes = [
		route(
			'list',
			`GET ${AGENTS}`,
			{ ...PAGED, createdAt: optional(digits()), search: optional(text()) },
			({ given: { limit, createdAt = Infinity, search = '' } }) => {
				const { hiddenAgents = [], agentsNext = 'createdAt', lagsMs } = this.options;
				const { agentsPerPage = Infinity } = this.options;
				const most = String(Math.min(Number(limit ?? 10), agentsPerPage));
				const isListed = (agent: Agent) =>
					mentions(agent, search) &&
					!hiddenAgents.includes(agent.uid) &&
					agent.createdAt < Number(createdAt);
				const placeOf = (agent: Agent) => ({ [agentsNext]: agent.createdAt });
				const body = () => {
					const { data, meta } = cutPage(this.agents.filter(isListed), most, placeOf);
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
				// A UID that no other agent or document has.
				const uid = uuid(900_000 + this.made++);
				const createdAt = (this.agents[0]?.createdAt ?? startMs(0)) + MINUTE_MS;
				const agent = fillIn({ ...given, uid }, createdAt);
				const change = () => this.agents.unshift(agent);
				return { status: 201, body: () => ({ agent }), change };
			},
			({ name }) => [name],
		),
		// Settings that are left out stay.
		route('updateAgent', `PATCH ${AGENTS}/{uid}`, SETTINGS, ({ uid, given }) => {
			const agent = this.known(uid);
			const changed: Partial<Agent> = { ...given, updatedAt: agent.updatedAt + 1 };
			return { ...DONE, change: () => Object.assign(agent, changed) };
		}),
		// The agent's documents stay. For its chats, nothing is documented.
		route('deleteAgent', `DELETE ${AGENTS}/{uid}`, {}, ({ uid }) => {
			const agent = this.known(uid);
			const change = () => {
				this.agents = this.agents.filter((one) => one !== agent);
				this.attachments.delete(uid);
			};
			return { ...DONE, change };
		}),
		route('add', `${CHANGE}/add`, FILES, ({ uid, sourceType, given: { uniqueIds } }) => {
			this.known(uid);
			const isType = ['uploads', 'text', 'website'].includes(sourceType);
			// One refused ID refuses the whole request.
			if (this.options.unknownFiles === 'refuse')
				uniqueIds.forEach((id) => this.records.known(id, isType ? sourceType : undefined));
			return { ...DONE, change: () => this.attach(uid, sourceType, uniqueIds) };
		}),
		// IDs to remove may be unknown and have any status.
		route('remove', `${CHANGE}/remove`, FILES, ({ uid, sourceType, given: { uniqueIds } }) => {
			this.known(uid);
			return { ...DONE, change: () => this.detach(uid, uniqueIds, sourceType) };
		}),
	];

	private agents: Agent[] = [];
	/** Never reset, so that no UID is used twice. */
	private made = 0;
	/** By UID, in the order in which they were added, including removed documents. */
	private readonly attachments = new Map<string, Attachment[]>();
	/** The current documents, because a search through all would take longer than the request. */
	private readonly attached = new Set<string>();

	constructor(
		private readonly records: Records,
		private readonly options: ServiceOptions,
	) {
		this.reset();
	}

	reset(): void {
		this.attachments.clear();
		this.attached.clear();
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

	detachAll(uniqueId: string): void {
		for (const uid of this.attachments.keys()) this.detach(uid, [uniqueId]);
	}

	private known(uid: string): Agent {
		const agent = this.get(uid);
		if (agent !== undefined) return agent;
		throw refused(404, 'ERR_AGENT_NOT_FOUND', `Agent with uid ${uid} not found`);
	}

	private shown(agent: Agent, lagMs?: number): object {
		const { agentLists = 'uniqueIds', agentListsOf } = this.options;
		const lists = agentListsOf?.[agent.uid] ?? agentLists;
		const behindMs = lagMs ?? (lists === 'stale' ? 1000 : 0);
		const held = this.heldAt(agent.uid, Date.now() - behindMs);
		const idsOf = (isMeant: (sourceType: string) => boolean) => {
			const wanted = held.filter(({ sourceType }) => isMeant(sourceType));
			return [...new Set(wanted.map(({ uniqueId }) => uniqueId))];
		};
		const websites = idsOf((type) => type === 'website');
		const attached: Attached = {
			files: idsOf((type) => type !== 'website'),
			websites,
			addresses: websites.map((id) => this.records.get(id)?.record.sourceName ?? id),
			uploads: idsOf((type) => type === 'uploads'),
		};
		return { ...agent, ...LISTS[lists](attached) };
	}

	/** Adds IDs. An ID that is already in the list keeps its place. */
	attach(uid: string, sourceType: string, uniqueIds: string[]): void {
		const there = this.attachments.get(uid) ?? [];
		this.attachments.set(uid, there);
		for (const uniqueId of uniqueIds) {
			const key = attachedKey(uid, { sourceType, uniqueId });
			if (this.attached.has(key)) continue;
			this.attached.add(key);
			there.push({ sourceType, uniqueId, fromMs: Date.now(), untilMs: Infinity });
		}
	}

	/** Removes IDs, and ignores missing ones. @param sourceType Left out: any. */
	private detach(uid: string, uniqueIds: string[], sourceType?: string): void {
		const gone = new Set(uniqueIds);
		for (const one of this.heldAt(uid)) {
			const isType = one.sourceType === (sourceType ?? one.sourceType);
			if (!gone.has(one.uniqueId) || !isType) continue;
			one.untilMs = Date.now();
			this.attached.delete(attachedKey(uid, one));
		}
	}

	private heldAt(uid: string, asOfMs = Date.now()): Attachment[] {
		const isHeld = ({ fromMs, untilMs }: Attachment) => fromMs <= asOfMs && asOfMs < untilMs;
		return (this.attachments.get(uid) ?? []).filter(isHeld);
	}
}

function attachedKey(
	uid: string,
	{ sourceType, uniqueId }: Pick<Attachment, 'sourceType' | 'uniqueId'>,
): string {
	return `${uid}/${sourceType}/${uniqueId}`;
}

function mentions({ uid, name, description }: Agent, search: string): boolean {
	const wanted = search.toLowerCase();
	return [name, description, uid].some((said) => said.toLowerCase().includes(wanted));
}

function fillIn(agent: AgentSeed, createdAt: number): Agent {
	return { ...FRESH, createdAt, updatedAt: agent.createdAt ?? createdAt, ...agent };
}
