import type {
	AttemptResult,
	NetworkFailure,
} from '../../../nodes/CometChatKnowledgeBase/http/attemptResult';
import type { Clock } from '../../../nodes/CometChatKnowledgeBase/http/time';
import { redacted } from '../redacted';

export const answer = (status: number, headers = {}, body: unknown = {}): AttemptResult => ({
	kind: 'response',
	status,
	headers,
	body: redacted(body),
});

export const done = answer(200, {}, { success: true });

export const networkFailure = (code: string): NetworkFailure => ({
	kind: 'network failure',
	code,
	text: '',
});

/** Makes a clock whose time only passes in pauses, and a log of the events. */
export function scripted(replies: AttemptResult[]) {
	const log: string[] = [];
	let nowMs = 1_000_000;
	const left = [...replies];
	const note = (line: string) => {
		log.push(line);
		// Broken code would run endlessly.
		if (log.length > 100) throw new Error('No end in sight.');
	};
	const clock: Clock = {
		nowMs: () => nowMs,
		random: () => 0,
		delay: async (waitMs) => {
			note(`wait ${waitMs}`);
			nowMs += waitMs;
		},
		isCancelled: () => false,
	};
	const send = async () => {
		note('send');
		return left.shift() ?? done;
	};
	return { log, clock, send };
}
