import { isRecord } from '../values/userError';
import type { ApiClient } from './apiClient';
import { KNOWLEDGE_BASE } from './documents';
import type { Json } from '../values/json';

/** Our choice: the service documents no maximum for the IDs of one question. */
export const IDS_PER_QUESTION = 100;

/** The statuses of a file that an agent can answer from; the pages name both and explain neither. */
const READY = ['indexed', 'inSync'];

export const FAILED = 'failed';

/** What is said of an ID that the service leaves out of its answer. */
export const NOT_LISTED = 'notFound';

/** By file ID. */
export type StatusById = Map<string, string>;

/**
 * Poll knowledge base status
 * (https://www.cometchat.com/docs/rest-api/ai-agents-apis/knowledge-base/poll-knowledge-base-status):
 * the field is `uniqueId`, in the singular, and a list. Built on that page, not tried.
 */
export function statusRequest(uniqueIds: string[]) {
	return {
		method: 'POST' as const,
		url: `${KNOWLEDGE_BASE}/status/poll`,
		headers: { 'Content-Type': 'application/json' },
		body: { uniqueId: uniqueIds },
	};
}

export function readStatuses(body: Json | undefined): StatusById | undefined {
	if (!isRecord(body) || !isRecord(body.data)) return undefined;
	const entries = Object.entries(body.data);
	// Shown as it is, whatever the service gives for a status.
	return new Map(
		entries.map(([id, status]) => [id, typeof status === 'string' ? status : String(status)]),
	);
}

/** The status of each ID, in the order given. */
export async function statusesOf(client: ApiClient, uniqueIds: string[]): Promise<StatusById> {
	const found: StatusById = new Map();
	for (let from = 0; from < uniqueIds.length; from += IDS_PER_QUESTION) {
		const ids = uniqueIds.slice(from, from + IDS_PER_QUESTION);
		const answer = await client.call(statusRequest(ids), readStatuses);
		for (const id of ids) found.set(id, answer.get(id) ?? NOT_LISTED);
	}
	return found;
}

export function isReady(status: string | undefined): boolean {
	return status !== undefined && READY.includes(status);
}
