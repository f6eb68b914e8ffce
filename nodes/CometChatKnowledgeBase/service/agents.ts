import { isWhole } from '../account/redaction';
import { readUid } from '../input/identifiers';
import { caughtNow, isRecord, UserError } from '../values/userError';
import { readableTime } from '../values/times';
import type { ServiceResponse, AttemptResult } from '../requests/attemptResult';
import { isSuccess } from '../requests/attemptResult';
import { ApiError, caught } from '../results/apiError';
import type { Fields } from '../results/itemResult';
import type { OutputName } from '../results/outputFields';
import type { ApiClient } from './apiClient';
import type { Shape } from './shape';
import { id, list, optional, shape, success, text, whole } from './shape';
import type { ListPage, OnCut } from './wholeList';
import { readNext, readWholeList } from './wholeList';
import type { Json } from '../values/json';

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

/** No maximum is documented; the sister list of knowledge base records allows 100. */
const AGENTS_PER_PAGE = 50;

/**
 * List agents (https://www.cometchat.com/docs/rest-api/ai-agents-apis/agents/list-agents): newest
 * first, `search` over name, description and UID, older pages by `affix=append` and `createdAt`.
 */
export function listRequest(search?: string, next?: string, limit = AGENTS_PER_PAGE) {
	return {
		method: 'GET' as const,
		url: '/ai-agents/agent-builder/agents',
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

/**
 * One page of agents with what is attached to them; undefined if the body is no list of agents. `next`
 * is for `listRequest`.
 */
export function readAgents(body: Json | undefined): ListPage<Agent> | undefined {
	return pageOf(body, readAgent);
}

function pageOf<Entry>(
	body: Json | undefined,
	read: (entry: Json) => Entry | undefined,
): ListPage<Entry> | undefined {
	if (!isList(body)) return undefined;
	const entries: Entry[] = [];
	for (const entry of body.data) {
		const agent = read(entry);
		if (agent === undefined) return undefined;
		entries.push(agent);
	}
	return { entries, next: readNext(body.meta, 'createdAt', entries.length === AGENTS_PER_PAGE) };
}

/** The agents that CometChat finds, newest first, up to a number of them. */
export async function wholeAgents(
	client: ApiClient,
	search: string,
	limit: number,
	onCut: OnCut,
): Promise<WholeAgent[]> {
	return await readWholeList(
		async (next, found) => {
			const wanted = Math.min(limit - found, AGENTS_PER_PAGE);
			return await client.call(listRequest(search, next, wanted), (body) =>
				pageOf(body, readWholeAgent),
			);
		},
		({ uid }) => uid,
		{ limit, onCut },
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
		url: `/ai-agents/agent-builder/agents/${encodeURIComponent(uid)}`,
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
		url: '/ai-agents/agent-builder/agents',
		headers: { 'Content-Type': 'application/json' },
		body: settings,
	};
}

export function readCreatedAgent(body: Json | undefined): WholeAgent | undefined {
	return readCreated(body)?.agent;
}

/**
 * Update agent (https://www.cometchat.com/docs/rest-api/ai-agents-apis/agents/update-agent), not tried.
 * What is left out stays; sent twice, it leaves what it left the first time.
 *
 * @param uid As for `agentRequest`.
 */
export function updateAgentRequest(uid: string, settings: AgentSettings) {
	return { ...createAgentRequest(settings), ...agentRequest(uid), method: 'PATCH' as const };
}

/**
 * Delete agent (https://www.cometchat.com/docs/rest-api/ai-agents-apis/agents/delete-agent), not tried. What CometChat
 * does not know any more after an answer was lost is deleted.
 *
 * @param uid As for `agentRequest`.
 */
export async function deleteAgent(client: ApiClient, uid: string): Promise<void> {
	const request = { ...agentRequest(uid), method: 'DELETE' as const };
	const answer = await caught(client.call(request, success, { about: 'agent' }));
	if (!(answer instanceof ApiError)) return;
	const { effect, explanation } = answer.result;
	const isUnknown = explanation?.unknown === 'agent';
	if (effect !== 'unknown' || !isUnknown) throw answer;
}

/** List available models (`available-models` of CometChat's OpenAPI description), not tried: a bare list. */
export function modelsRequest() {
	return { method: 'GET' as const, url: '/ai-agents/agent-builder/agents/available-models' };
}

/** Which of them the service calls its default, its pages contradict. */
export const readModels = list(shape({ model: id, provider: optional(text) }));

/** An agent, alone or of a list; undefined if it is none. */
export const readAgent: Shape<Agent> = shape({
	uid: id,
	name: optional(text),
	files: optional(textsOf),
	websites: optional(textsOf),
});

/**
 * The agent as the service gives it; a refusal says that it does not know the agent, also where it has no
 * code of its own for that: nothing else was asked for.
 *
 * @param uid As for `agentRequest`.
 */
export async function wholeAgent(client: ApiClient, uid: string): Promise<WholeAgent> {
	return await client.call(agentRequest(uid), readWholeAgent, { about: 'agent' });
}

/** The agent with all that the service says of it. */
export const readWholeAgent: Shape<WholeAgent> = whole(shape({ uid: id }));

const readCreated = shape({ agent: readWholeAgent });

/** Of `simplifiedAgent`. */
export const AGENT_FIELDS: OutputName[] = [
	...(['name', 'uid', 'isActive', 'description', 'model', 'files', 'websites'] as const),
	...(['createdAt', 'updatedAt'] as const),
];

/**
 * What a person asks of an agent, in that order, as far as it is there. Instructions are left out, which
 * may have 32,000 characters.
 */
export function simplifiedAgent(agent: WholeAgent): Fields {
	const { uid, name, isActive, description, model, files, websites, createdAt, updatedAt } = agent;
	const told: Fields = {
		name: typeof name === 'string' && name !== '' ? name : uid,
		uid,
		isActive,
		description,
		model,
		files,
		websites,
		createdAt: readableTime(createdAt),
		updatedAt: readableTime(updatedAt),
	};
	return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined));
}

/** All that is attached to an agent. */
export function attachedIds({ files = [], websites = [] }: Agent): string[] {
	return [...files, ...websites];
}

/** The agent that is chosen in the editor; undefined if none is, or an expression that is not evaluated there. */
export function chosenAgent(value: unknown): string | undefined {
	const uid = caughtNow(() => readUid(value));
	return uid instanceof UserError || uid.startsWith('=') ? undefined : uid;
}

/** Undefined if any entry is of another kind, because the list is then not what it is taken for. */
export function textsOf(value: Json | undefined): string[] | undefined {
	if (!Array.isArray(value)) return undefined;
	const texts = value.filter((entry) => typeof entry === 'string');
	// An ID of which something was taken out names nothing.
	return texts.length === value.length && texts.every(isWhole) ? texts : undefined;
}

/** Only a list proves that the service accepted the key for this app: a web page may be 200, too. */
export function isAgentList(
	reply: AttemptResult,
): reply is ServiceResponse & { body: { data: Json[] } } {
	return isSuccess(reply) && isList(reply.body);
}

function isList(body: Json | undefined): body is { [name: string]: Json; data: Json[] } {
	return isRecord(body) && Array.isArray(body.data);
}
