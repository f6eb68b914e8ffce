import type { ApiError } from '../results/apiError';
import { caught, isItemFailure } from '../results/apiError';
import type { Json } from '../values/json';
import { isRecord } from '../values/userError';
import type { ApiClient } from './apiClient';
import { inHalves } from './apiClient';
import { JSON_BODY, KNOWLEDGE_BASE } from './documents';

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
		headers: JSON_BODY,
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
	await inHundreds(uniqueIds, async (ids) => {
		const answer = await client.call(statusRequest(ids), readStatuses);
		for (const id of ids) found.set(id, answer.get(id) ?? NOT_LISTED);
	});
	return found;
}

async function inHundreds(ids: string[], ask: (some: string[]) => Promise<unknown>): Promise<void> {
	for (let from = 0; from < ids.length; from += IDS_PER_QUESTION) {
		await ask(ids.slice(from, from + IDS_PER_QUESTION));
	}
}

export function isReady(status: string | undefined): boolean {
	return status !== undefined && READY.includes(status);
}

/**
 * So many of the IDs that CometChat refuses a question for are looked for, each with two questions for each of seven
 * halves of 100. What is left over the next poll asks for.
 */
const MOST_REFUSED = 5;

/**
 * The status of each ID. One that CometChat does not know is `NOT_LISTED`, and that is proven: in the same answer, or
 * in another where it refuses to answer for it, it has told of one that there is. What could not be settled is left out.
 *
 * @param there A document that there is, which tells a service that does not know one from one that answers nothing.
 *   Left out: what an answer leaves out is not settled.
 */
export async function askStatuses(
	client: ApiClient,
	ids: string[],
	{ there }: { there?: string } = {},
): Promise<StatusById> {
	const settled: StatusById = new Map();
	const refused: string[] = [];
	let hasAnswered = false;
	// In the end for the one that there is: an answer may be cut, or empty by mistake.
	const ask = async (some: string[]) => {
		const asked = there === undefined ? some : [...some, there];
		const answer = await client.call(statusRequest(asked), readStatuses);
		hasAnswered = true;
		const isWhole = there !== undefined && answer.has(there);
		for (const id of some) {
			const status = answer.get(id) ?? (isWhole ? NOT_LISTED : undefined);
			if (status !== undefined) settled.set(id, status);
		}
	};
	const isOneToBlame = async (refusal: ApiError, some: string[]) => {
		// Another 404 says nothing of any ID.
		if (refusal.more.status !== 404 || refusal.more.concernsOneFile !== true) throw refusal;
		if (some.length === 1) refused.push(...some);
		if (refused.length >= MOST_REFUSED) return false;
		// Nor does a service that refuses every question. Without one that there is, nobody can tell.
		if (!hasAnswered && there !== undefined) await ask([]);
		return true;
	};
	const failure = await caught(inHundreds(ids, (some) => inHalves(some, ask, isOneToBlame)));
	// What has been learned is not thrown away: the next poll begins with this question.
	if (isItemFailure(failure) && !hasAnswered && failure.more.because !== 'cancelled') throw failure;
	if (hasAnswered) for (const id of refused) settled.set(id, NOT_LISTED);
	return settled;
}
