import { Complaint, isRecord } from '../../nodes/CometChatKnowledgeBase/values/complaint';
import { NO_FILE_IDS, readFileIds } from '../../nodes/CometChatKnowledgeBase/input/fileIds';
import type { Reply } from '../../nodes/CometChatKnowledgeBase/requests/reply';
import { isSuccessStatus } from './asking';
import type { HttpRequest } from './client';

const AGENTS = '/ai-agents/agent-builder/agents';

/**
 * Inactive, so that nobody can chat with it. Name and isActive are required, and once the
 * description was (https://www.cometchat.com/docs/ai-agents/apis/create-agent).
 */
export function createRequest(name: string): HttpRequest {
	return {
		method: 'POST',
		url: AGENTS,
		headers: { 'Content-Type': 'application/json' },
		body: { name, isActive: false, description: 'Made by a test; safe to delete' },
	};
}

export function getRequest(uid: string): HttpRequest {
	return { method: 'GET', url: `${AGENTS}/${encodeURIComponent(uid)}` };
}

export function deleteRequest(uid: string): HttpRequest {
	return { method: 'DELETE', url: `${AGENTS}/${encodeURIComponent(uid)}` };
}

/**
 * The agent in a reply, alone or wrapped: 'get' shows it bare, 'create' as `agent`, and 'attach
 * tools' as `data`.
 *
 * @param isIt Which agent is looked for, lest the uid of another one is taken for it.
 */
export function agentIn(
	reply: Reply,
	isIt: (agent: { uid: string; name: unknown }) => boolean,
): (Record<string, unknown> & { uid: string }) | undefined {
	if (reply.kind === 'silence' || !isSuccessStatus(reply) || !isRecord(reply.body)) {
		return undefined;
	}
	const { body } = reply;
	const { agent, data } = body;
	const listed: unknown[] = Array.isArray(data) ? data : [data];
	for (const candidate of [agent, ...listed, body]) {
		if (!isRecord(candidate)) continue;
		const { uid, name } = candidate;
		if (typeof uid === 'string' && uid !== '' && isIt({ uid, name })) return { ...candidate, uid };
	}
	return undefined;
}

/** The IDs in an agent's `files`, whose content is not documented; undefined if it holds others. */
export function fileIdsOf(agent: Record<string, unknown> | undefined): string[] | undefined {
	if (!Array.isArray(agent?.files)) return undefined;
	const files = readFileIds(agent.files);
	if (files instanceof Complaint) return undefined;
	return files === NO_FILE_IDS ? [] : files.ids;
}
