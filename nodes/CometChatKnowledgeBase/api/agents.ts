import type { ApiClient } from './apiClient';
import type { Shape } from './shape';
import { id, list, optional, shape, text, whole } from './shape';
import type { ListPage } from './pagination';
import { pageOf, pagesOf } from './pagination';
import type { Fields } from '../output/itemResult';
import type { OutputName } from '../output/outputFields';
import { readableTime } from '../text/times';
import { JSON_BODY } from './documents';

/** The fields of an agent that the node uses. */
export interface Agent {
	uid: string;
	name?: string;
	/**
	 * The IDs of the agent's documents. CometChat only documents two lists of texts; `Usage` decides what they prove.
	 * Undefined if CometChat returns no such list.
	 */
	files?: string[];
	websites?: string[];
}

/** An agent with all fields that CometChat returns. */
export interface WholeAgent extends Fields {
	uid: string;
}

/** Reads an agent, alone or in a list; undefined if the value is no agent. */
export const readAgent: Shape<Agent> = shape({
	uid: id,
	name: optional(text),
	files: optional(list(id)),
	websites: optional(list(id)),
});

/** Reads an agent with all its fields. */
const readWholeAgent: Shape<WholeAgent> = whole(shape({ uid: id }));

const AGENTS = '/ai-agents/agent-builder/agents';

/** Our choice: no maximum is documented. The list of knowledge base records allows 100. */
const AGENTS_PER_PAGE = 50;

/**
 * The request "List agents" (https://www.cometchat.com/docs/rest-api/ai-agents-apis/agents/list-agents): newest first,
 * `search` over name, description and UID, older pages by `affix=append` and `createdAt`.
 */
export function listRequest(search?: string, next?: string, limit = AGENTS_PER_PAGE) {
	return {
		method: 'GET' as const,
		url: AGENTS,
		qs: {
			limit,
			...(search ? { search } : {}),
			...(next === undefined ? {} : { affix: 'append', createdAt: next }),
		},
	};
}

/** Returns an agent's entry for a list in the editor. */
export function pickable({ uid, name }: Agent): { name: string; value: string } {
	return { name: name === undefined ? uid : `${name} (${uid})`, value: uid };
}

/** Reads a page of agents. Its `next` is a parameter of `listRequest`. */
export const readAgents = pageOf(readAgent, 'createdAt', AGENTS_PER_PAGE);
export const readWholeAgents = pageOf(readWholeAgent, 'createdAt', AGENTS_PER_PAGE);

/**
 * Reads the pages of the app's agents, newest first. CometChat continues by `createdAt`, which two agents may share. So
 * a page starts one millisecond earlier than CometChat says, and repeats agents of the previous page.
 */
export function agentPages<Entry extends { uid: string }>(
	client: ApiClient,
	read: Shape<ListPage<Entry>>,
	search?: string,
	limit = Infinity,
): AsyncGenerator<ListPage<Entry>> {
	return pagesOf(
		async (next) => {
			const from = next === undefined ? undefined : String(Number(next) + 1);
			const wanted = next === undefined ? Math.min(limit, AGENTS_PER_PAGE) : AGENTS_PER_PAGE;
			return await client.call(listRequest(search, from, wanted), read);
		},
		({ uid }) => uid,
	);
}

/** The request "Get agent" (https://www.cometchat.com/docs/ai-agents/apis/get-agent): its response is the bare agent. */
export function agentRequest(uid: string) {
	return {
		method: 'GET' as const,
		url: `${AGENTS}/${encodeURIComponent(uid)}`,
	};
}

/** The settings of an agent. Left out, CometChat chooses them (only `name` is required), or keeps them in an update. */
export interface AgentSettings {
	name?: string;
	description?: string;
	icon?: string;
	instruction?: string;
	model?: string;
	isActive?: boolean;
}

/** The request "Create agent" (https://www.cometchat.com/docs/ai-agents/apis/create-agent), not tried. */
export function createAgentRequest(settings: AgentSettings) {
	return {
		method: 'POST' as const,
		url: AGENTS,
		headers: JSON_BODY,
		body: settings,
	};
}

const created = shape({ agent: readWholeAgent });

export const readCreatedAgent: Shape<WholeAgent> = (body) => created(body)?.agent;

/**
 * The request "Update agent" (https://www.cometchat.com/docs/rest-api/ai-agents-apis/agents/update-agent), not tried.
 * Settings that are left out stay, and a repeated request changes nothing more.
 */
export function updateAgentRequest(uid: string, settings: AgentSettings) {
	return { ...createAgentRequest(settings), ...agentRequest(uid), method: 'PATCH' as const };
}

/** The request "List available models" (`available-models` in CometChat's OpenAPI description), not tried: a list. */
export function modelsRequest() {
	return { method: 'GET' as const, url: `${AGENTS}/available-models` };
}

/** Reads the models without CometChat's default, because CometChat's pages contradict each other about it. */
export const readModels = list(shape({ model: id, provider: optional(text) }));

/** Requests an agent with all fields. Any 404 means an unknown agent, because the request names nothing else. */
export async function wholeAgent(client: ApiClient, uid: string): Promise<WholeAgent> {
	return await client.call(agentRequest(uid), readWholeAgent, { about: 'agent' });
}

/** The fields of `simplifiedAgent`. */
export const AGENT_FIELDS: OutputName[] = [
	...(['name', 'uid', 'isActive', 'description', 'model', 'files', 'websites'] as const),
	...(['createdAt', 'updatedAt'] as const),
];

/** Returns an agent's main fields: without the instructions, which may have 32,000 characters. */
export function simplifiedAgent(agent: WholeAgent): Fields {
	const { uid, name, createdAt, updatedAt } = agent;
	return {
		...Object.fromEntries(AGENT_FIELDS.map((field) => [field, agent[field]])),
		name: typeof name === 'string' && name !== '' ? name : uid,
		createdAt: readableTime(createdAt),
		updatedAt: readableTime(updatedAt),
	};
}

/** Returns the IDs of an agent's documents. */
export function attachedIds({ files = [], websites = [] }: Agent): string[] {
	return [...files, ...websites];
}

export type ChangeOperation = 'add' | 'remove';

/** The content of one PATCH request. */
export interface Change {
	operation: ChangeOperation;
	uid: string;
	sourceType: string;
	uniqueIds: string[];
}

/**
 * The PATCH that adds documents to an agent or removes them. It may be repeated, although HTTP promises nothing for
 * PATCH: it changes a set of IDs, and a second request leaves the same set.
 */
export function knowledgeRequest({ operation, uid, sourceType, uniqueIds }: Change) {
	const agent = encodeURIComponent(uid);
	const source = encodeURIComponent(sourceType);
	return {
		method: 'PATCH' as const,
		url: `${AGENTS}/${agent}/knowledge-base/${source}/${operation}`,
		headers: JSON_BODY,
		body: { uniqueIds },
	};
}
