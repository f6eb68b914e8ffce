import type { Page, PageRequest } from './page';
import { cutPage, readPageRequest } from './page';
import { MINUTE_MS, seeds, startMs } from './seeds';

/** An agent as 'List agents' and 'Get agent' show it. Times are Unix times in milliseconds. */
export interface Agent {
	uid: string;
	appId: string;
	name: string;
	icon: string;
	isActive: boolean;
	description: string;
	tools: string[];
	/** What they hold is not documented: see `agentLists`. `service.files()` knows better. */
	files: string[];
	websites: string[];
	otherKbIntegrations: string[];
	apiTools: string[];
	mcpServers: string[];
	frontendActions: string[];
	ragVersion: 'v1' | 'v2';
	lastMessageAt: number | null;
	instruction: string;
	formattedInstruction: string;
	metaData: Record<string, unknown>;
	model: string;
	modelMetaData: { temperature?: number; maxTokens?: number };
	/** Unique among the agents: pages start and end at it. */
	createdAt: number;
	updatedAt: number;
}

/** An agent to start with; what is left out is filled in. */
export type AgentSeed = Pick<Agent, 'uid' | 'name'> & Partial<Agent>;

/** A request for one page of agents. `createdAt` is in milliseconds and excluded from the page. */
interface AgentsRequest extends PageRequest {
	createdAt?: number;
	search: string;
}

export type AgentPage = Page<Agent, { createdAt: number }>;

const DEFAULT_AGENTS: AgentSeed[] = [
	{ uid: 'support-bot', name: 'Support Bot', description: 'Answers questions about orders' },
	{ uid: 'sales-assistant', name: 'Sales Assistant', description: 'Helps to choose a plan' },
	{ uid: 'onboarding-guide', name: 'Onboarding Guide', description: 'Shows new users around' },
];

/** The agents of the app, newest first. */
export class Agents {
	private agents: Agent[];

	/** @param start Agents, newest first, or how many to make up; three if left out. */
	constructor(private readonly start: AgentSeed[] | number = DEFAULT_AGENTS) {
		this.agents = seed(this.start);
	}

	reset(): void {
		this.agents = seed(this.start);
	}

	all(): readonly Agent[] {
		return this.agents;
	}

	has(uid: string): boolean {
		return this.get(uid) !== undefined;
	}

	get(uid: string): Agent | undefined {
		return this.agents.find((agent) => agent.uid === uid);
	}

	create(uid: string): void {
		this.add(this.prepare({ uid, name: uid }));
	}

	/** An agent that is not there yet. */
	prepare(agent: AgentSeed): Agent {
		const newestMs = this.agents[0]?.createdAt ?? startMs(0);
		return fillIn(agent, newestMs + MINUTE_MS);
	}

	add(agent: Agent): void {
		this.agents.unshift(agent);
	}

	change(uid: string, settings: Partial<Agent>): void {
		this.agents = this.agents.map((agent) =>
			agent.uid === uid ? { ...agent, ...settings, updatedAt: agent.updatedAt + 1 } : agent,
		);
	}

	/** @param isShown Which agents the list has; all if left out. */
	page(
		{ createdAt, search, ...request }: AgentsRequest,
		isShown: (uid: string) => boolean = () => true,
	): AgentPage {
		const found = this.agents.filter((agent) => mentions(agent, search) && isShown(agent.uid));
		const age = createdAt === undefined ? undefined : (agent: Agent) => createdAt - agent.createdAt;
		return cutPage(found, request, ({ createdAt: place }) => ({ createdAt: place }), age);
	}
}

/** @param path The raw path of a request that openapi.json has let through. */
export function readAgentsRequest(path: string): AgentsRequest {
	const query = new URLSearchParams(path.split('?')[1]);
	const createdAt = query.get('createdAt');
	return {
		...readPageRequest(query),
		createdAt: createdAt === null ? undefined : Number(createdAt),
		search: query.get('search') ?? '',
	};
}

function mentions({ uid, name, description }: Agent, search: string): boolean {
	const wanted = search.toLowerCase();
	return [name, description, uid].some((text) => text.toLowerCase().includes(wanted));
}

function seed(start: AgentSeed[] | number): Agent[] {
	const agents = seeds(start, (number) => ({ uid: `agent-${number}`, name: `Agent ${number}` }))
		.map((agent, index) => fillIn(agent, startMs(index)))
		.sort((one, other) => other.createdAt - one.createdAt);
	for (const field of ['uid', 'createdAt'] as const) {
		if (new Set(agents.map((agent) => agent[field])).size < agents.length) {
			throw new Error(`Two agents have the same ${field}.`);
		}
	}
	return agents;
}

function fillIn(agent: AgentSeed, createdAt: number): Agent {
	return {
		appId: 'stand-in-app',
		icon: '',
		isActive: true,
		description: '',
		tools: [],
		files: [],
		websites: [],
		otherKbIntegrations: [],
		apiTools: [],
		mcpServers: [],
		frontendActions: [],
		ragVersion: 'v2',
		lastMessageAt: null,
		instruction: '',
		formattedInstruction: '',
		metaData: {},
		model: 'gpt-4o-mini',
		modelMetaData: {},
		createdAt,
		updatedAt: agent.createdAt ?? createdAt,
		...agent,
	};
}
