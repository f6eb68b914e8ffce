import type { Agent } from './agents';
import { readAgentsRequest } from './agents';
import type { Answer } from './answer';
import type { Holdings } from './holdings';
import type { Attached } from './knowledgeBases';
import type { ReceivedRequest } from './log';
import { nextNamed } from './page';
import type { Envelope } from './refusal';
import { noSuchAgent, refuse } from './refusal';

/**
 * What an agent's `files` and `websites` hold, of which only is documented that they are lists of
 * texts. 'uniqueIds': the IDs of what is attached to it, of websites in `websites` and of everything
 * else in `files`; 'otherIds': as many IDs that appear nowhere else; 'stale': the `uniqueIds` of
 * `staleMs` ago; 'empty': nothing, as in the documentation's examples. The others break the
 * documentation: 'null', 'missing', 'objects' (each `{ uniqueId }`), and 'websitesNull', whose `files`
 * are as they should be.
 */
export type AgentLists =
	'uniqueIds' | 'otherIds' | 'stale' | 'empty' | 'null' | 'missing' | 'objects' | 'websitesNull';

/** What is undocumented about looking at agents. Looked at with every answer: it may change meanwhile. */
export interface AgentOptions {
	/** 'uniqueIds' if left out. */
	agentLists?: AgentLists;
	/** The same for some agents alone, by UID. */
	agentListsOf?: Record<string, AgentLists>;
	/** How far behind 'stale' is, in milliseconds; 1000 if left out. */
	staleMs?: number;
	/** UIDs that the list leaves out, as it might those that are not active; each is there when asked for. */
	hiddenAgents?: string[];
	/** Under which name a page of the list says where the next one begins; `createdAt` if left out. */
	agentsNext?: string;
	/**
	 * How far the list of agents, and an agent alone, are behind in what is attached; as `agentLists` has
	 * it if left out. Given at the start (if only as `{}`), a day is remembered, or else nothing.
	 */
	lagsMs?: { agents?: number; agent?: number };
}

/** How far back any answer can look at present. */
export function rememberedMs({ agentLists, agentListsOf, staleMs, lagsMs }: AgentOptions): number {
	const isStale = [agentLists, ...Object.values(agentListsOf ?? {})].includes('stale');
	const lags = lagsMs === undefined ? [] : [DAY_MS, lagsMs.agents ?? 0, lagsMs.agent ?? 0];
	return Math.max(isStale ? (staleMs ?? STALE_MS) : 0, ...lags);
}

const STALE_MS = 1000;
const DAY_MS = 24 * 60 * 60_000;

export function listAgents(
	{ path }: ReceivedRequest,
	{ agents, knowledgeBases }: Holdings,
	options: AgentOptions,
): Answer {
	const { hiddenAgents = [], agentsNext, lagsMs } = options;
	const body = () => {
		const page = agents.page(readAgentsRequest(path), (uid) => !hiddenAgents.includes(uid));
		const data = page.data.map((agent) => {
			const shape = shapeOf(agent, options);
			const behindMs = lagsMs?.agents ?? staleBy(shape, options);
			return shown(agent, shape, knowledgeBases.attached(agent.uid, behindMs));
		});
		return nextNamed({ ...page, data }, 'createdAt', agentsNext);
	};
	const departs = agentsNext !== undefined || agents.all().some((one) => isOdd(one, options));
	return { status: 200, body, departs };
}

/** The answer is the agent itself, without anything around it. */
export function getAgent(
	{ uid = '' }: ReceivedRequest,
	{ agents, knowledgeBases }: Holdings,
	options: AgentOptions,
	envelope: Envelope,
): Answer {
	const agent = agents.get(uid);
	if (agent === undefined) return refuse(noSuchAgent(uid, envelope));
	const shape = shapeOf(agent, options);
	const behindMs = options.lagsMs?.agent ?? staleBy(shape, options);
	const body = () => shown(agent, shape, knowledgeBases.attached(uid, behindMs));
	return { status: 200, body, departs: isOdd(agent, options) };
}

function shapeOf({ uid }: Agent, { agentLists = 'uniqueIds', agentListsOf }: AgentOptions) {
	return agentListsOf?.[uid] ?? agentLists;
}

function staleBy(shape: AgentLists, { staleMs = STALE_MS }: AgentOptions): number {
	return shape === 'stale' ? staleMs : 0;
}

function isOdd(agent: Agent, options: AgentOptions): boolean {
	return ['null', 'missing', 'objects', 'websitesNull'].includes(shapeOf(agent, options));
}

function shown(agent: Agent, shape: AgentLists, { files, websites }: Attached): object {
	const objects = (ids: string[]) => ids.map((uniqueId) => ({ uniqueId }));
	switch (shape) {
		case 'empty':
			return { ...agent, files: [], websites: [] };
		case 'otherIds':
			return { ...agent, files: files.map(otherId), websites: websites.map(otherId) };
		case 'null':
			return { ...agent, files: null, websites: null };
		case 'missing':
			// JSON leaves them out.
			return { ...agent, files: undefined, websites: undefined };
		case 'objects':
			return { ...agent, files: objects(files), websites: objects(websites) };
		case 'websitesNull':
			return { ...agent, files, websites: null };
		default:
			return { ...agent, files, websites };
	}
}

/** Made of the ID, so that it is the same whenever it is asked for. */
function otherId(uniqueId: string): string {
	return `source-${[...uniqueId].reverse().join('')}`;
}
