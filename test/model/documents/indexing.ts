import type { Exchange } from '../exchanges';
import { meaningOf } from '../facts';
import type { Promised } from '../promised';
import { first } from '../promised';
import type { Asked, Case } from './case';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 15_000;

/** What is promised of waiting until content is indexed. */
export const ofIndexing: Array<Promised<Case>> = [
	{
		title: 'CometChat is asked after 1 s and then less and less often, up to every 15 s',
		contradiction: (given) =>
			first(waiting(given), ({ index, rounds, lastMs }) =>
				first(rounds.slice(1), ([question], round) => {
					const answeredAtMs = rounds[round]?.at(-1)?.end?.atMs;
					if (question === undefined || answeredAtMs === undefined) return undefined;
					const pauseMs = Math.min(FIRST_PAUSE_MS * 1.5 ** round, LONGEST_PAUSE_MS);
					// To the millisecond, of which timers know no parts.
					const dueMs = Math.floor(Math.min(answeredAtMs + pauseMs, lastMs));
					return question.arrival.atMs >= dueMs
						? undefined
						: `item ${index} asks ${dueMs - question.arrival.atMs} ms too early`;
				}),
			),
	},
	{
		title: 'it is not asked again once Max Indexing Time is over',
		contradiction: (given) =>
			first(waiting(given), ({ index, rounds, lastMs }) =>
				first(rounds.slice(1), ([question], round) => {
					const answeredAtMs = rounds[round]?.at(-1)?.end?.atMs ?? 0;
					return question === undefined || answeredAtMs < lastMs
						? undefined
						: `item ${index} asks ${question.arrival.atMs - lastMs} ms after it`;
				}),
			),
	},
	{
		title: 'nobody stops waiting before Max Indexing Time is over',
		contradiction: (given) =>
			first(waiting(given), ({ index, rounds, lastMs, reported }) => {
				const isTooSlow = /did not finish indexing/.test(String(reported.error?.message));
				const endedAtMs = rounds.at(-1)?.at(-1)?.end?.atMs ?? 0;
				return isTooSlow && endedAtMs < lastMs
					? `item ${index} stops waiting ${lastMs - endedAtMs} ms too early`
					: undefined;
			}),
	},
];

/** The items that wait: their questions, each with those that repeat it, and when they have to stop. */
function waiting(given: Case): Array<Asked & { rounds: Exchange[][]; lastMs: number }> {
	const maxMs = (given.scenario.options.maxIndexingMinutes ?? 10) * 60_000;
	return given.asked.flatMap((one) => {
		if (one.wanted.kind === 'getStatus') return [];
		const polls = one.requests.filter(({ arrival }) => arrival.operation === 'poll');
		const [firstPoll] = polls;
		if (firstPoll === undefined) return [];
		const before = one.requests[one.requests.indexOf(firstPoll) - 1];
		const rounds: Exchange[][] = [];
		for (const poll of polls) {
			const last = rounds.at(-1);
			const previous = last?.at(-1);
			if (previous === undefined || meaningOf(previous).startsWith('done')) rounds.push([poll]);
			else last?.push(poll);
		}
		const lastMs = (before?.end?.atMs ?? firstPoll.arrival.atMs) + maxMs;
		return [{ ...one, rounds, lastMs }];
	});
}
