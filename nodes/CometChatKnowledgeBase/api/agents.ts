import type { ApiClient } from './apiClient';
import type { Shape } from './shape';
import { id, list, optional, shape, text, whole } from './shape';
import type { ListPage } from './pagination';
import { pageOf, pagesOf } from './pagination';
import { readUid } from '../fields/ids';
import type { Fields } from '../output/itemResult';
import type { OutputName } from '../output/outputFields';
import { toResultSync, UserError } from '../text/failure';
import { readableTime } from '../text/times';
import { JSON_BODY } from './documents';

/** An agent, as far as it is of interest here. */
export interface Agent {
	uid: string;
	name?: string;
	/**
	 * What is attached to it. Documented is only that both are lists of texts; what they tell, see `WhoHasIt`.
	 * Undefined if the service gives no such list.
	 */
	files?: string[];
	websites?: string[];
}

/** An agent with all that the service tells of it. */
export interface WholeAgent extends Fields {
	uid: string;
}

/** An agent, alone or of a list; undefined if it is none. */
export const readAgent: Shape<Agent> = shape({
	uid: id,
	name: optional(text),
	files: optional(list(id)),
	websites: optional(list(id)),
});

/** The agent with all that the service says of it. */
const readWholeAgent: Shape<WholeAgent> = whole(shape({ uid: id }));

const AGENTS = '/ai-agents/agent-builder/agents';

/** No maximum is documented; the sister list of knowledge base records allows 100. */
const AGENTS_PER_PAGE = 50;

/**
 * List agents (https://www.cometchat.com/docs/rest-api/ai-agents-apis/agents/list-agents): newest
 * first, `search` over name, description and UID, older pages by `affix=append` and `createdAt`.
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

/** An entry of a list in the editor. */
export function pickable({ uid, name }: Agent): { name: string; value: string } {
	return { name: name === undefined ? uid : `${name} (${uid})`, value: uid };
}

/** One page of agents. `next` is for `listRequest`. */
export const readAgents = pageOf(readAgent, 'createdAt', AGENTS_PER_PAGE);
export const readWholeAgents = pageOf(readWholeAgent, 'createdAt', AGENTS_PER_PAGE);

/**
 * The pages of the app's agents, newest first. CometChat continues by `createdAt`, which two agents may share. So a page
 * starts one millisecond earlier than CometChat says, and repeats agents of the page before.
 *
 * @param limit How many are enough.
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

/**
 * Get agent (https://www.cometchat.com/docs/ai-agents/apis/get-agent): answers with the agent itself,
 * without anything around it.
 *
 * @param uid One that can be part of an address (`readUid`).
 */
export function agentRequest(uid: string) {
	return {
		method: 'GET' as const,
		url: `${AGENTS}/${encodeURIComponent(uid)}`,
	};
}

/** What somebody sets an agent up with; what is left out is CometChat's to choose, or stays. */
export interface AgentSettings {
	name?: string;
	description?: string;
	icon?: string;
	instruction?: string;
	model?: string;
	isActive?: boolean;
}

/** Create agent (https://www.cometchat.com/docs/ai-agents/apis/create-agent), not tried: the name alone is required. */
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
 * Update agent (https://www.cometchat.com/docs/rest-api/ai-agents-apis/agents/update-agent), not tried.
 * What is left out stays; sent twice, it leaves what it left the first time.
 *
 * @param uid As for `agentRequest`.
 */
export function updateAgentRequest(uid: string, settings: AgentSettings) {
	return { ...createAgentRequest(settings), ...agentRequest(uid), method: 'PATCH' as const };
}

/** List available models (`available-models` of CometChat's OpenAPI description), not tried: a bare list. */
export function modelsRequest() {
	return { method: 'GET' as const, url: `${AGENTS}/available-models` };
}

/** Which of them the service calls its default, its pages contradict. */
export const readModels = list(shape({ model: id, provider: optional(text) }));

/**
 * The agent as the service gives it; a refusal says that it does not know the agent, also where it has no
 * code of its own for that: nothing else was asked for.
 *
 * @param uid As for `agentRequest`.
 */
export async function wholeAgent(client: ApiClient, uid: string): Promise<WholeAgent> {
	return await client.call(agentRequest(uid), readWholeAgent, { about: 'agent' });
}

/** Of `simplifiedAgent`. */
export const AGENT_FIELDS: OutputName[] = [
	...(['name', 'uid', 'isActive', 'description', 'model', 'files', 'websites'] as const),
	...(['createdAt', 'updatedAt'] as const),
];

/** What a person asks of an agent, as far as it is there: without instructions, which may have 32,000 characters. */
export function simplifiedAgent(agent: WholeAgent): Fields {
	const { uid, name, createdAt, updatedAt } = agent;
	return {
		...Object.fromEntries(AGENT_FIELDS.map((field) => [field, agent[field]])),
		name: typeof name === 'string' && name !== '' ? name : uid,
		createdAt: readableTime(createdAt),
		updatedAt: readableTime(updatedAt),
	};
}

/** All that is attached to an agent. */
export function attachedIds({ files = [], websites = [] }: Agent): string[] {
	return [...files, ...websites];
}

/** The agent that is chosen in the editor; undefined if none is, or an expression that is not evaluated there. */
export function chosenAgent(value: unknown): string | undefined {
	const uid = toResultSync(() => readUid(value));
	return uid instanceof UserError || uid.startsWith('=') ? undefined : uid;
}

export type ChangeOperation = 'add' | 'remove';

/** What one PATCH asks for. */
export interface Change {
	operation: ChangeOperation;
	/** The agent's unique identifier. */
	uid: string;
	sourceType: string;
	uniqueIds: string[];
}

/**
 * The PATCH that attaches documents, or detaches them; the credential adds host and key. Repeating it is right, although
 * HTTP promises nothing for PATCH: it adds members to a set, or takes them out, and done twice it leaves the same set.
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
