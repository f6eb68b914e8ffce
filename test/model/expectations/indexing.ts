import { nameIn, namesOf } from '../attribution';
import type { Exchange } from '../exchanges';
import { meaningOf } from '../exchanges';
import type { Asked, Case, Promised, Wanted } from '../operation';
import { each, first } from './sending';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 15_000;
const BETWEEN_QUESTIONS_MS = 1000;

/** A question about files that are waited for, and the requests that repeat it. */
interface Question {
	ids: string[];
	askedAtMs: number;
	/** Undefined if no answer came before the end. */
	answeredAtMs?: number;
	last: Exchange;
	/** Whether it asks for a part of what the question before was refused for. */
	isPart: boolean;
}

/** An item that waits. */
interface Waiting extends Asked<Wanted> {
	/** Those that ask for its files. */
	questions: Question[];
	/** From when on it waits, at the earliest. */
	sinceMs: number;
	/** When it has to stop, at the earliest. */
	lastMs: number;
}

/** What is promised of waiting until content is indexed. */
export const ofIndexing: Array<Promised<Case>> = [
	{
		title:
			'CometChat is asked once a second at most, however many items wait, and again for parts of what it refused',
		contradiction: (given) => {
			const items = waiting(given);
			const rounds = questionsIn(given).filter(({ isPart }) => !isPart);
			// A question can't be due before the last one was answered, nor before its first item waits.
			const dueMs = rounds.map(({ ids }, at) => {
				const own = items.filter(({ questions }) => questions.some((one) => one.ids === ids));
				const fromMs = Math.min(...own.map(({ sinceMs }) => sinceMs));
				return Math.max(rounds[at - 1]?.answeredAtMs ?? 0, fromMs);
			});
			return first(rounds, ({ askedAtMs }, at) =>
				first(dueMs.slice(0, at), (earlierMs, before) => {
					const earliestMs = earlierMs + (at - before) * BETWEEN_QUESTIONS_MS;
					return askedAtMs >= earliestMs
						? undefined
						: `question ${at} comes ${earliestMs - askedAtMs} ms too early after ${before}`;
				}),
			);
		},
	},
	{
		title:
			'nobody is asked for after 1 s and then less and less often, up to every 15 s, before somebody is due',
		contradiction: (given) => {
			const items = waiting(given);
			return first(questionsIn(given), ({ ids, askedAtMs, isPart }) => {
				const dues = items
					.filter(({ questions }) => questions.some((one) => one.ids === ids))
					.map((one) => dueMsOf(one, askedAtMs));
				const dueMs = Math.min(...dues);
				return isPart || askedAtMs >= dueMs
					? undefined
					: `${ids.join()} is asked for ${dueMs - askedAtMs} ms too early`;
			});
		},
	},
	{
		title: 'it is not asked again once Max Indexing Time is over',
		contradiction: each(waiting, (one) =>
			first(one.questions.slice(1), ({ askedAtMs, isPart }, before) => {
				const lastMs = latestMs(one) + one.lastMs - one.sinceMs;
				const answeredAtMs = one.questions[before]?.answeredAtMs ?? 0;
				return isPart || answeredAtMs < lastMs
					? undefined
					: `item ${one.index} asks ${askedAtMs - lastMs} ms after it`;
			}),
		),
	},
	{
		title: 'nobody stops waiting before Max Indexing Time is over',
		contradiction: each(waiting, ({ index, questions, lastMs, reported }) => {
			const isTooSlow = /did not finish indexing/.test(String(reported.error?.message));
			const endedAtMs = questions.at(-1)?.answeredAtMs ?? 0;
			return isTooSlow && endedAtMs < lastMs
				? `item ${index} stops waiting ${lastMs - endedAtMs} ms too early`
				: undefined;
		}),
	},
];

/** Until when an item has begun to wait: behind its bytes it may have stood in a line. */
function latestMs({ questions, sinceMs }: Waiting): number {
	return questions[0]?.askedAtMs ?? sinceMs;
}

/** When an item is to be asked for at a moment, by the answer that it had before. */
function dueMsOf(one: Waiting, askedAtMs: number): number {
	const { questions, sinceMs, lastMs } = one;
	const before = questions.findLast((one) => one.askedAtMs < askedAtMs);
	if (before?.answeredAtMs === undefined) return sinceMs;
	const halfMs = Math.ceil((before.answeredAtMs - latestMs(one)) / 2);
	const pauseMs = Math.min(Math.max(halfMs, FIRST_PAUSE_MS), LONGEST_PAUSE_MS);
	return Math.min(before.answeredAtMs + pauseMs, lastMs);
}

function questionsIn(given: Case): Question[] {
	const questions: Question[] = [];
	for (const one of given.exchanges) {
		if (one.arrival.operation !== 'poll') continue;
		const before = questions.at(-1);
		const { ids } = one;
		const isRepetition =
			before !== undefined &&
			before.ids.join() === ids.join() &&
			!meaningOf(before.last).startsWith('done');
		if (isRepetition) {
			before.last = one;
			before.answeredAtMs = one.end?.atMs;
			continue;
		}
		const same = questions.findLast((earlier) => earlier.ids.some((id) => ids.includes(id)));
		const isPart = same !== undefined && !meaningOf(same.last).startsWith('done');
		const { atMs: askedAtMs } = one.arrival;
		questions.push({ ids, askedAtMs, answeredAtMs: one.end?.atMs, last: one, isPart });
	}
	return questions;
}

/** The items that wait. */
function waiting(given: Case): Waiting[] {
	const maxMs = (given.scenario.options.maxIndexingMinutes ?? 10) * 60_000;
	const all = questionsIn(given);
	return given.asked.flatMap((one) => {
		const own = namesOf(one.wanted);
		const questions = all.filter(({ ids }) => ids.some((id) => own.includes(nameIn(given, id))));
		const [firstOne] = questions;
		if (firstOne === undefined) return [];
		const before = one.requests.findLast(
			({ arrival }) => arrival.operation !== 'poll' && arrival.atMs <= firstOne.askedAtMs,
		);
		const sinceMs = before?.end?.atMs ?? firstOne.askedAtMs;
		return [{ ...one, questions, sinceMs, lastMs: sinceMs + maxMs }];
	});
}
