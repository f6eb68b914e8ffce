import { ApiError } from '../results/apiError';

/** Some of them, and how the last request that had them ended. */
export interface Part<Entry, Answer> {
	entries: Entry[];
	answer: Answer | ApiError;
}

/**
 * Sends several together, such as IDs. What is refused for what may be one of them is sent again in two halves, and so on, until those
 * that are refused stand alone: with k of them among n about 2 k log2 n more requests, and never as many as 2 n.
 *
 * @param isForOne Whether another part of a refused request may go through.
 */
export async function inHalves<Entry, Answer>(
	entries: Entry[],
	send: (entries: Entry[]) => Promise<Answer>,
	isForOne: (refusal: ApiError, entries: Entry[]) => boolean | Promise<boolean>,
): Promise<Array<Part<Entry, Answer>>> {
	try {
		return [{ entries, answer: await send(entries) }];
	} catch (thrown) {
		if (!(thrown instanceof ApiError)) throw thrown;
		if (entries.length < 2 || !(await isForOne(thrown, entries))) {
			return [{ entries, answer: thrown }];
		}
		const middle = Math.ceil(entries.length / 2);
		const first = await inHalves(entries.slice(0, middle), send, isForOne);
		return [...first, ...(await inHalves(entries.slice(middle), send, isForOne))];
	}
}
