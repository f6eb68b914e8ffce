import { isWhole } from '../account/redaction';
import { readUid } from '../input/identifiers';
import { caughtNow, isRecord, UserError } from '../values/userError';
import { readableTime } from '../values/times';
import type { ServiceResponse, AttemptResult } from '../requests/attemptResult';
import { isSuccess } from '../requests/attemptResult';
import { ApiError, caught, explaining } from '../results/apiError';
import type { Fields } from '../results/itemResult';
import { fieldsOf } from '../results/itemResult';
import { explainUnknownAgent } from '../results/messages';
import type { OutputName } from '../results/outputFields';
import type { ApiClient } from './apiClient';
import { readSuccess } from './attachments';
import type { ListPage, Next, OnCut } from './wholeList';
import { readNext, readWholeList } from './wholeList';
import type { Json } from '../values/json';

/** One page of the account's agents, for the 'Agent' list. */
export interface AgentPage {
	agents: Array<{ name: string; value: string }>;
	/** What to hand to `listRequest` for the page after this one; undefined after the last. */
	next?: Next;
}

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

/** Reads a page; undefined if the reply is no list of agents. */
export function readAgentPage(reply: AttemptResult, previous?: string): AgentPage | undefined {
	const page = isSuccess(reply) ? readAgents(reply.body) : undefined;
	if (page === undefined) return undefined;
	const agents = page.entries.map(pickable);
	// The same place twice would make the editor ask for ever.
	return { agents, next: page.next === previous ? undefined : page.next };
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
	return isRecord(body) ? readWholeAgent(body.agent) : undefined;
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
	const answer = await caught(explaining(explainUnknownAgent, client.call(request, readSuccess)));
	if (!(answer instanceof ApiError)) return;
	const { effect, explanation } = answer.result;
	const isUnknown = explanation !== undefined && explainUnknownAgent(explanation) !== undefined;
	if (effect !== 'unknown' || !isUnknown) throw answer;
}

/** List available models (`available-models` of CometChat's OpenAPI description), not tried: a bare list. */
export function modelsRequest() {
	return { method: 'GET' as const, url: '/ai-agents/agent-builder/agents/available-models' };
}

/** Undefined if it is no list of models. Which of them the service calls its default, its pages contradict. */
export function readModels(
	body: Json | undefined,
): Array<{ model: string; provider?: string }> | undefined {
	if (!Array.isArray(body)) return undefined;
	const models: Array<{ model: string; provider?: string }> = [];
	for (const entry of body) {
		if (!isRecord(entry)) return undefined;
		const { model, provider } = entry;
		if (typeof model !== 'string' || model === '' || !isWhole(model)) return undefined;
		models.push({ model, provider: typeof provider === 'string' ? provider : undefined });
	}
	return models;
}

/** An agent, alone or of a list; undefined if it is none. */
export function readAgent(body: Json | undefined): Agent | undefined {
	if (!isRecord(body)) return undefined;
	const { uid, name, files, websites } = body;
	if (typeof uid !== 'string' || uid === '' || !isWhole(uid)) return undefined;
	return {
		uid,
		name: typeof name === 'string' && name !== '' ? name : undefined,
		files: textsOf(files),
		websites: textsOf(websites),
	};
}

/**
 * The agent as the service gives it; a refusal says that it does not know the agent, also where it has no
 * code of its own for that: nothing else was asked for.
 *
 * @param uid As for `agentRequest`.
 */
export async function wholeAgent(client: ApiClient, uid: string): Promise<WholeAgent> {
	return await explaining(explainUnknownAgent, client.call(agentRequest(uid), readWholeAgent));
}

/** The agent with all that the service says of it. */
export function readWholeAgent(body: Json | undefined): WholeAgent | undefined {
	const { uid } = readAgent(body) ?? {};
	return uid === undefined || !isRecord(body) ? undefined : { ...fieldsOf(body), uid };
}

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
export function documentsOf({ files = [], websites = [] }: Agent): string[] {
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
