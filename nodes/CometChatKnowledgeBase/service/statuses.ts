import type { ItemFailure } from '../results/apiError';
import { ApiError, caught, isItemFailure } from '../results/apiError';
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
	const questions = new StatusQuestions(client, there);
	for (let from = 0; from < ids.length; from += IDS_PER_QUESTION) {
		const failure = await questions.settle(ids.slice(from, from + IDS_PER_QUESTION));
		if (failure === undefined) continue;
		// What has been learned is not thrown away: the next poll begins with this question.
		if (questions.hasAnswered || failure.more.because === 'cancelled') break;
		throw failure;
	}
	return questions.learned();
}

class StatusQuestions {
	hasAnswered = false;

	private readonly settled: StatusById = new Map();

	/** Those that were asked for alone, and refused. */
	private readonly refused = new Set<string>();

	/** Why a question got no answer, where that says nothing of any ID: after it no other is asked. */
	private failure?: ItemFailure;

	constructor(
		private readonly client: ApiClient,
		private readonly there: string | undefined,
	) {}

	/** Asks for all; where that is refused because of one of them, it is found. */
	async settle(ids: string[]): Promise<ItemFailure | undefined> {
		await inHalves(
			ids,
			async (some) => await this.ask(some),
			async () => this.refused.size < MOST_REFUSED && (await this.isOneToBlame()),
		);
		return this.failure;
	}

	/** That one was refused proves that CometChat does not know it once it has answered for another. */
	learned(): StatusById {
		if (this.hasAnswered) for (const id of this.refused) this.settled.set(id, NOT_LISTED);
		return this.settled;
	}

	/** A service that refuses every question says nothing of any ID; without one that there is, nobody can tell. */
	private async isOneToBlame(): Promise<boolean> {
		if (this.failure) return false;
		if (this.hasAnswered || this.there === undefined) return true;
		const answer = await caught(this.ask([]));
		if (isItemFailure(answer)) this.failure = answer;
		return this.hasAnswered;
	}

	/** Asks for some, and in the end for the one that there is: an answer may be cut, or empty by mistake. */
	private async ask(ids: string[]): Promise<void> {
		if (this.failure) throw this.failure;
		const { there } = this;
		const asked = there === undefined ? ids : [...ids, there];
		const answer = await caught(this.client.call(statusRequest(asked), readStatuses));
		if (isItemFailure(answer)) {
			const [alone] = ids;
			if (!isAboutOne(answer)) this.failure = answer;
			else if (ids.length === 1 && alone !== undefined) this.refused.add(alone);
			throw answer;
		}
		this.hasAnswered = true;
		const isWhole = there !== undefined && answer.has(there);
		for (const id of ids) {
			const status = answer.get(id) ?? (isWhole ? NOT_LISTED : undefined);
			if (status !== undefined) this.settled.set(id, status);
		}
	}
}

/** Whether a question is refused for an ID in it: another 404 says nothing of any of them. */
function isAboutOne(failure: ItemFailure): boolean {
	if (!(failure instanceof ApiError)) return false;
	return failure.more.status === 404 && failure.more.concernsOneFile === true;
}
