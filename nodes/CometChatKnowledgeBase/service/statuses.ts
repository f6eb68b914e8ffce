import type { ItemFailure } from '../results/apiError';
import { ApiError, caught, isItemFailure } from '../results/apiError';
import type { Json } from '../values/json';
import { isRecord } from '../values/userError';
import type { ApiClient } from './apiClient';
import { inHalves } from './apiClient';
import { KNOWLEDGE_BASE } from './documents';

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

/**
 * So many of the IDs that CometChat refuses a question for are looked for, each with two questions for each of seven
 * halves of 100. What is left over the next poll asks for.
 */
const MOST_REFUSED = 5;

/**
 * The status of each ID. One that CometChat does not know is `NOT_LISTED`, and that is proven: with the
 * same question or beside it CometChat has answered for one that there is. What could not be settled is
 * left out.
 *
 * @param there A document that there is, which tells a service that does not know one from one that answers nothing.
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
		if (questions.hasAnswered || failure.more.because === 'cancelled') return questions.learned();
		throw failure;
	}
	await questions.confirmLeftOut();
	return questions.learned();
}

class StatusQuestions {
	hasAnswered = false;

	private readonly settled: StatusById = new Map();

	/** Those that an answer has left out. */
	private readonly leftOut = new Set<string>();

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

	/** An answer may be cut, or empty by mistake: what it has left out is asked for again, with one that there is at the end. */
	async confirmLeftOut(): Promise<void> {
		const there = [...this.settled.keys()].at(-1) ?? this.there;
		if (there === undefined) return;
		const leftOut = [...this.leftOut].filter((id) => id !== there);
		for (let from = 0; from < leftOut.length; from += IDS_PER_QUESTION - 1) {
			const ids = leftOut.slice(from, from + IDS_PER_QUESTION - 1);
			const answer: StatusById | ItemFailure = await caught(this.call([...ids, there]));
			if (isItemFailure(answer)) return;
			if (!answer.has(there)) continue;
			for (const id of ids) this.settled.set(id, answer.get(id) ?? NOT_LISTED);
		}
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
		const answer = await caught(this.call([this.there]));
		if (isItemFailure(answer)) this.failure = answer;
		else this.hasAnswered = true;
		return this.hasAnswered;
	}

	private async call(ids: string[]): Promise<StatusById> {
		return await this.client.call(statusRequest(ids), readStatuses);
	}

	private async ask(ids: string[]): Promise<void> {
		if (this.failure) throw this.failure;
		const answer = await caught(this.call(ids));
		if (isItemFailure(answer)) {
			const [alone] = ids;
			if (!isAboutOne(answer)) this.failure = answer;
			else if (ids.length === 1 && alone !== undefined) this.refused.add(alone);
			throw answer;
		}
		this.hasAnswered = true;
		for (const id of ids) {
			const status = answer.get(id);
			if (status === undefined) this.leftOut.add(id);
			else this.settled.set(id, status);
		}
	}
}

/** Whether a question is refused for an ID in it: another 404 says nothing of any of them. */
function isAboutOne(failure: ItemFailure): boolean {
	if (!(failure instanceof ApiError)) return false;
	return failure.more.status === 404 && failure.more.concernsOneFile === true;
}
