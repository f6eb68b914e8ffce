import type { Clock } from '../../../http/time';
import { pollingDelayMs } from '../../../http/time';
import type { Failure } from '../../../text/failure';
import { toResult, isFailure } from '../../../text/failure';

/** What comes late is found so much later at most. */
const LONGEST_PAUSE_MS = 60_000;

/**
 * Asks until there is an answer or the time is over. A failed question is no answer.
 *
 * @returns The answer, or what the last question gave.
 */
export async function until<Answer>(
	clock: Clock,
	endMs: number,
	ask: () => Promise<Answer | undefined>,
): Promise<Answer | Failure | undefined> {
	const startMs = clock.nowMs();
	for (;;) {
		const nowMs = clock.nowMs();
		const answer = await toResult(ask());
		const isAnswer = answer !== undefined && !isFailure(answer);
		if (isAnswer || nowMs >= endMs || clock.isCancelled()) return answer;
		await clock.delay(Math.min(pollingDelayMs(nowMs - startMs, LONGEST_PAUSE_MS), endMs - nowMs));
	}
}
