import type { Agent } from './agents';
import { readAgentsRequest } from './agents';
import type { Answer } from './answer';
import type { Holdings } from './holdings';
import type { KnowledgeBases } from './knowledgeBases';
import type { ReceivedRequest } from './log';
import type { Envelope } from './refusal';
import { noSuchAgent, refuse } from './refusal';

/** What is undocumented about looking at agents. */
export interface AgentOptions {
	/**
	 * What an agent's `files` and `websites` hold, of which only is documented that they are lists of
	 * texts. 'uniqueIds', if left out: the IDs of what is attached to it, of websites in `websites` and
	 * of everything else in `files`; 'otherIds': as many IDs that appear nowhere else; 'stale': the
	 * `uniqueIds` of `staleMs` ago; 'empty': nothing, as in the documentation's examples.
	 */
	agentLists?: 'uniqueIds' | 'otherIds' | 'stale' | 'empty';
	/** How far behind 'stale' is, in milliseconds; 1000 if left out. */
	staleMs?: number;
}

export function listAgents(
	{ path }: ReceivedRequest,
	{ agents, knowledgeBases }: Holdings,
	options: AgentOptions,
): Answer {
	const body = () => {
		const page = agents.page(readAgentsRequest(path));
		return { ...page, data: page.data.map((agent) => shown(agent, knowledgeBases, options)) };
	};
	return { status: 200, body };
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
	return { status: 200, body: () => shown(agent, knowledgeBases, options) };
}

function shown(
	agent: Agent,
	knowledgeBases: KnowledgeBases,
	{ agentLists = 'uniqueIds' }: AgentOptions,
): Agent {
	if (agentLists === 'empty') return { ...agent, files: [], websites: [] };
	const { files, websites } = knowledgeBases.attached(agent.uid, agentLists === 'stale');
	if (agentLists !== 'otherIds') return { ...agent, files, websites };
	return { ...agent, files: files.map(otherId), websites: websites.map(otherId) };
}

/** Made of the ID, so that it is the same whenever it is asked for. */
function otherId(uniqueId: string): string {
	return `source-${[...uniqueId].reverse().join('')}`;
}
