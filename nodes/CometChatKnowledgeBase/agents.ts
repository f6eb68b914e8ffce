import { isRecord } from './complaint';
import type { Answer, Reply } from './reply';

/** One page of the account's agents, for the 'Agent' list. */
export interface AgentPage {
	agents: Array<{ name: string; value: string }>;
	/** What to hand to `listRequest` for the page after this one; undefined after the last. */
	next?: string;
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
export function readAgentPage(reply: Reply, previous?: string): AgentPage | undefined {
	if (!isAgentList(reply)) return undefined;
	const { data, meta } = reply.body;
	const agents = data.filter(isRecord).flatMap(({ uid, name }) => {
		if (typeof uid !== 'string' || uid === '') return [];
		return [{ name: typeof name === 'string' && name ? `${name} (${uid})` : uid, value: uid }];
	});
	const next = isRecord(meta) && isRecord(meta.next) ? meta.next.createdAt : undefined;
	const token = typeof next === 'number' || typeof next === 'string' ? String(next) : undefined;
	// The same place twice would make the editor ask for ever.
	return { agents, next: token === previous ? undefined : token };
}

/** Only a list proves that the service accepted the key for this app: a web page may be 200, too. */
export function isAgentList(
	reply: Reply,
): reply is Answer & { body: { data: unknown[]; meta?: unknown } } {
	return (
		reply.kind === 'answer' &&
		reply.status >= 200 &&
		reply.status < 300 &&
		isRecord(reply.body) &&
		Array.isArray(reply.body.data)
	);
}
