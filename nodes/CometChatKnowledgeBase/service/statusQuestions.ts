import { ApiError } from '../results/apiError';
import type { ApiClient } from './apiClient';
import type { StatusById } from './statuses';
import { IDS_PER_QUESTION, NOT_LISTED, readStatuses, statusRequest } from './statuses';
import { attempt } from './apiClient';

/**
 * So many of the IDs that CometChat refuses a question for are looked for in a poll, each with nine more
 * questions at most: seven halves of 100, that ID alone, and the rest without it. The next poll goes on.
 */
const MOST_SEARCHES = 5;

interface QuestionOptions {
	/** A document that there is, which tells a service that does not know one from one that answers nothing. */
	there?: string;
	/** Whether the time has come to leave the rest to the next poll. */
	isLate?: () => boolean;
}

/**
 * The status of each ID. One that CometChat does not know is `NOT_LISTED`, and that is proven: with the
 * same question or beside it CometChat has answered for one that there is. What could not be settled is
 * left out, and so is what there was no time for.
 */
export async function askStatuses(
	client: ApiClient,
	ids: string[],
	circumstances: QuestionOptions = {},
): Promise<StatusById | ApiError> {
	return await new StatusQuestions(client, circumstances).statusesOf(ids);
}

class StatusQuestions {
	private readonly settled: StatusById = new Map();

	/** Those that an answer has left out. */
	private readonly leftOut = new Set<string>();

	/** Those that were asked for alone, and refused. */
	private readonly refused = new Set<string>();

	private hasAnswered = false;

	private searches = 0;

	constructor(
		private readonly client: ApiClient,
		private readonly circumstances: QuestionOptions,
	) {}

	async statusesOf(ids: string[]): Promise<StatusById | ApiError> {
		const { isLate = () => false } = this.circumstances;
		for (let from = 0; from < ids.length; from += IDS_PER_QUESTION) {
			if (from > 0 && isLate()) break;
			const failure = await this.settle(ids.slice(from, from + IDS_PER_QUESTION));
			if (failure === undefined) continue;
			// What has been learned is not thrown away: the next poll begins with this question.
			return this.hasAnswered || isOutOfTime(failure) ? this.learned() : failure;
		}
		await this.confirmLeftOut(isLate);
		return this.learned();
	}

	private learned(): StatusById {
		if (this.hasAnswered) for (const id of this.refused) this.settled.set(id, NOT_LISTED);
		return this.settled;
	}

	/** Asks for all; where that is refused because of one of them, it is found, and the others are asked for without it. */
	private async settle(ids: string[]): Promise<ApiError | undefined> {
		let open = ids;
		while (open.length > 0) {
			const failure = await this.ask(open);
			if (failure === undefined) return undefined;
			if (!isAboutOne(failure)) return failure;
			const refusal = await this.refusesAll();
			if (refusal !== undefined) return refusal;
			if (this.searches === MOST_SEARCHES) return undefined;
			this.searches += 1;
			const broken = await this.findRefused(open);
			if (broken !== undefined) return broken;
			open = open.filter((id) => !this.isSettled(id));
		}
		return undefined;
	}

	/** A service that refuses every question says nothing of any ID: why, if it does. */
	private async refusesAll(): Promise<ApiError | undefined> {
		const { there } = this.circumstances;
		return this.hasAnswered || there === undefined ? undefined : await this.ask([there]);
	}

	/**
	 * Halves what was refused until one is refused alone. The halves that are answered are settled by that.
	 */
	private async findRefused(ids: string[]): Promise<ApiError | undefined> {
		let suspects = ids;
		let isRefused = true;
		while (suspects.length > 1) {
			const half = suspects.slice(0, Math.ceil(suspects.length / 2));
			const failure = await this.ask(half);
			if (failure !== undefined && !isAboutOne(failure)) return failure;
			isRefused = failure !== undefined;
			suspects = isRefused ? half : suspects.slice(half.length);
		}
		// That the last one is to blame because the others are not would be a guess.
		if (!isRefused) {
			const failure = await this.ask(suspects);
			if (failure === undefined || !isAboutOne(failure)) return failure;
		}
		for (const id of suspects) this.refused.add(id);
		return undefined;
	}

	/** An answer may be cut, or empty by mistake: what it has left out is asked for again, with one that there is at the end. */
	private async confirmLeftOut(isLate: () => boolean): Promise<void> {
		const there = [...this.settled.keys()].at(-1) ?? this.circumstances.there;
		if (there === undefined) return;
		const leftOut = [...this.leftOut].filter((id) => id !== there);
		for (let from = 0; from < leftOut.length; from += IDS_PER_QUESTION - 1) {
			if (from > 0 && isLate()) return;
			const ids = leftOut.slice(from, from + IDS_PER_QUESTION - 1);
			const question = statusRequest([...ids, there]);
			const answer: StatusById | ApiError = await attempt(this.client, question, readStatuses);
			if (answer instanceof ApiError) return;
			if (!answer.has(there)) continue;
			for (const id of ids) this.settled.set(id, answer.get(id) ?? NOT_LISTED);
		}
	}

	private async ask(ids: string[]): Promise<ApiError | undefined> {
		const answer = await attempt(this.client, statusRequest(ids), readStatuses);
		if (answer instanceof ApiError) return answer;
		this.hasAnswered = true;
		for (const id of ids) {
			const status = answer.get(id);
			if (status === undefined) this.leftOut.add(id);
			else this.settled.set(id, status);
		}
		return undefined;
	}

	private isSettled(id: string): boolean {
		return this.settled.has(id) || this.leftOut.has(id) || this.refused.has(id);
	}
}

/** Whether a question is refused for an ID in it: another 404 says nothing of any of them. */
function isAboutOne({ result }: ApiError): boolean {
	const { concernsOneFile, status } = result.explanation ?? {};
	return status === 404 && concernsOneFile === true;
}

function isOutOfTime({ result }: ApiError): boolean {
	return result.stopReason === 'cancelled';
}
