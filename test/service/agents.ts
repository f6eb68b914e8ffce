import { cutPage, MINUTE_MS, PAGED, seeds, startMs } from './lists';
import { type Records, uuid } from './records';
import { AGENTS, DONE, refused, route } from './routes';
import type { ServiceOptions } from './service';
import { digits, flag, list, optional, text } from './shapes';

const none: string[] = [];
const unset: Record<string, unknown> = {};

/** What an agent is that was given a name only. */
const FRESH = {
	...{ icon: '', description: '', instruction: '', isActive: true, model: 'gpt-4o-mini' },
	...{ tools: none, files: none, websites: none, metaData: unset, lastMessageAt: null },
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

/** What is attached to an agent: websites, also by their addresses, all else, and the uploads of that. */
type Attached = Record<'files' | 'websites' | 'addresses' | 'uploads', string[]>;

const objects = (ids: string[]) => ids.map((uniqueId) => ({ uniqueId }));
/** Made of the ID, so that it is the same whenever it is asked for. */
const others = (ids: string[]) => ids.map((id) => `source-${[...id].reverse().join('')}`);

/** What an agent's `files` and `websites` hold, of which only is documented that they are lists of texts. */
const LISTS = {
	uniqueIds: ({ files, websites }: Attached): object => ({ files, websites }),
	/** As it was a second ago. */
	stale: ({ files, websites }: Attached): object => ({ files, websites }),
	/** As in the documentation's examples. */
	empty: () => ({ files: [], websites: [] }),
	/** As many IDs that appear nowhere else. */
	otherIds: (has: Attached) => ({ files: others(has.files), websites: others(has.websites) }),
	/** Texts are listed nowhere. */
	uploadsOnly: ({ uploads, websites }: Attached) => ({ files: uploads, websites }),
	/** Websites by what CometChat calls them. */
	addresses: ({ files, addresses }: Attached) => ({ files, websites: addresses }),
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
	/** UIDs that the list leaves out, as it might those that are not active; each is there when asked for. */
	hiddenAgents?: string[];
	/** How many agents a page has at most, whatever is asked for; left out: as many as are asked for. */
	agentsPerPage?: number;
	/** Under which name a page of the list says where the next one begins; `createdAt` if left out. */
	agentsNext?: string;
	/** What adding does with an ID that is unknown, or of another source type. */
	unknownFiles?: 'accept' | 'refuse';
}

const DEFAULT_AGENTS: AgentSeed[] = [
	{ uid: 'support-bot', name: 'Support Bot', description: 'Answers questions about orders' },
	{ uid: 'sales-assistant', name: 'Sales Assistant', description: 'Helps to choose a plan' },
	{ uid: 'onboarding-guide', name: 'Onboarding Guide', description: 'Shows new users around' },
];

/** Of these only what is documented: CometChat's pages contradict each other in which is the default. */
const MODELS = [
	{ model: 'gpt-4o', provider: 'openai', default: true },
	{ model: 'gpt-4o-mini', provider: 'openai', default: false },
	{ model: 'claude-sonnet', provider: 'anthropic', default: false },
];

const NAME = text(1, 100);
const TEXT = optional(text());
/** As far as the node sets them. */
const SETTINGS = {
	...{ name: optional(NAME), icon: TEXT, description: TEXT, model: TEXT, isActive: optional(flag) },
	instruction: optional(text(0, 32_000)),
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
				// A UID that no other agent has, and no document.
				const uid = uuid(900_000 + this.made++);
				const createdAt = (this.agents[0]?.createdAt ?? startMs(0)) + MINUTE_MS;
				const agent = fillIn({ ...given, uid }, createdAt);
				const change = () => this.agents.unshift(agent);
				return { status: 201, body: () => ({ agent }), change };
			},
			({ name }) => [name],
		),
		// What is left out stays as it is.
		route('updateAgent', `PATCH ${AGENTS}/{uid}`, SETTINGS, ({ uid, given }) => {
			const agent = this.known(uid);
			const changed: Partial<Agent> = { ...given, updatedAt: agent.updatedAt + 1 };
			return { ...DONE, change: () => Object.assign(agent, changed) };
		}),
		// Its documents stay. What of its chats is not documented.
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
		// What is removed may be unknown and in any state.
		route('remove', `${CHANGE}/remove`, FILES, ({ uid, sourceType, given: { uniqueIds } }) => {
			this.known(uid);
			return { ...DONE, change: () => this.detach(uid, uniqueIds, sourceType) };
		}),
	];

	private agents: Agent[] = [];
	/** Never starts anew, so that no UID is given twice. */
	private made = 0;
	/** By UID, in the order in which they were added; those that are no more as well. */
	private readonly attachments = new Map<string, Attachment[]>();
	/** Of these, what is attached now: to look through all with each request takes longer than the request. */
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

	/** A document was deleted. */
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

	/** An ID that is there already keeps its place. */
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

	/** An ID that is not there is passed over. @param sourceType Left out: any. */
	private detach(uid: string, uniqueIds: string[], sourceType?: string): void {
		const gone = new Set(uniqueIds);
		for (const one of this.heldAt(uid)) {
			const isType = one.sourceType === (sourceType ?? one.sourceType);
			if (!gone.has(one.uniqueId) || !isType) continue;
			one.untilMs = Date.now();
			this.attached.delete(attachedKey(uid, one));
		}
	}

	/** As it is, or was then. */
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
