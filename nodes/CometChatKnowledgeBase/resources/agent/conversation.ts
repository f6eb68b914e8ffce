import type { ItemRun } from '../../execution/items';
import type { ItemContext } from '../../execution/itemContext';
import { numberOption } from '../../input/options';
import type { ItemFailure } from '../../results/apiError';
import { isItemFailure, ApiError } from '../../results/apiError';
import type { AgentMessage } from '../../service/chat';
import {
	chatRequest,
	deleteMessageRequest,
	readAgentMessages,
	readDeleted,
	threadRequest,
} from '../../service/chat';
import { quoted } from '../../values/quoting';
import { UserError } from '../../values/userError';
import { attempt } from '../../service/apiClient';

/** How long is waited between two looks: half of what it has taken so far, between these. */
const SHORTEST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 5000;

/** Ours: CometChat's lists show no end of an answer, so that it ends where nothing has come for so long. */
const QUIET_MS = 5000;

/** Ours: CometChat's pages name no time, and an agent that uses tools may take a minute. */
export const maxAnswerOption = numberOption(
	{
		displayName: 'Max Answer Time (Seconds)',
		name: 'maxAnswerSeconds',
		type: 'number',
		typeOptions: { minValue: 5, maxValue: 600 },
		default: 60,
		description: 'Raise it for an agent that uses tools. How long to wait at most for the answer.',
	},
	{ scale: 1000 },
);

/** A question that has been asked. */
export interface Question {
	uid: string;
	/** UID of the user who asks. */
	askAs: string;
	/** Of the message. */
	id: string;
	sinceMs: number;
	earlier: Earlier;
}

/** What may still come of the questions that the same run has asked before in the same chat. */
export interface Earlier {
	/** The agent's runs for them: what belongs to one of these is not for another question. */
	runs: ReadonlySet<string>;
	/** Whether something may come that does not tell for which question it is. */
	late: 'no' | 'perhaps' | 'likely';
}

export interface AgentAnswer {
	text: string;
	/** From the question until it was first seen whole. */
	durationMs: number;
	/** Why it may not be the answer, or not all of it. */
	reason?: string;
}

/** For which question an agent has written a message: thread, reply, time or its run tell. */
function whose(message: AgentMessage, { id, earlier }: Question): 'its own' | 'another' | 'untold' {
	if (message.answers !== undefined) return message.answers === id ? 'its own' : 'another';
	// IDs of messages are numbers that count up.
	const isOlder = Number(message.id) <= Number(id);
	if (isOlder || earlier.runs.has(message.runId ?? '')) return 'another';
	return earlier.late === 'likely' ? 'untold' : 'its own';
}

/** A question, and what an agent has written since. */
export class Conversation {
	/** By ID. */
	private readonly written = new Map<string, AgentMessage>();

	constructor(
		private readonly run: ItemRun,
		private readonly steps: ItemContext,
		private readonly question: Question,
	) {}

	/** Waits until the agent has ended; meanwhile the caller's permit is others'. */
	async answer(): Promise<AgentAnswer | ItemFailure> {
		const { clock, option } = this.run;
		const { earlier, sinceMs } = this.question;
		const lastMs = sinceMs + option(maxAnswerOption);
		let answer: AgentAnswer | undefined;
		for (;;) {
			await this.pause(lastMs, answer !== undefined);
			const look = await this.look();
			const own = this.of('its own');
			const text = textOf(own);
			if (text !== answer?.text) {
				answer = text ? { text, durationMs: clock.nowMs() - sinceMs } : undefined;
			} else if (answer && look.hasText && own.at(-1)?.text !== undefined) {
				const isTold = earlier.late === 'no' || own.every(({ answers }) => answers !== undefined);
				return isTold ? answer : { ...answer, reason: UNTOLD };
			}
			if (look.isInVain || clock.nowMs() >= lastMs) {
				if (answer) return { ...answer, reason: CUT_OFF };
				return look.why ?? noAnswer(textOf(this.of('untold')));
			}
		}
	}

	/**
	 * Deletes the question and what was answered, also in a run that ends; not in one that the user stops.
	 *
	 * @returns The IDs of those that may still be there.
	 */
	async delete(): Promise<string[]> {
		const { steps, question } = this;
		steps.finish();
		const left: string[] = [];
		// The question last: what is in its thread may not be found without it.
		for (const { id } of [...this.of('its own'), question]) {
			const answer = await attempt(steps, deleteMessageRequest(id), readDeleted);
			if (answer instanceof ApiError && !isGone(answer)) left.push(id);
		}
		return left;
	}

	/** What the next question in this chat has to know. */
	after(answer: AgentAnswer | ItemFailure): Earlier {
		const { runs, late } = this.question.earlier;
		const own = this.of('its own');
		const more = [...this.written.values()].flatMap(({ runId }) => runId ?? []);
		const after = { runs: new Set([...runs, ...more]), late };
		if (own.length > 0 && own.every(({ answers, runId }) => answers ?? runId)) return after;
		const isWhole = !isItemFailure(answer) && answer.reason !== CUT_OFF;
		return { ...after, late: isWhole && late !== 'likely' ? 'perhaps' : 'likely' };
	}

	private async pause(lastMs: number, hasText: boolean): Promise<void> {
		const { clock, permits } = this.run;
		const nowMs = clock.nowMs();
		// Timers know no parts of a millisecond.
		const halfMs = Math.ceil((nowMs - this.question.sinceMs) / 2);
		const growingMs = Math.min(Math.max(halfMs, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
		const pauseMs = Math.min(hasText ? QUIET_MS : growingMs, lastMs - nowMs);
		await permits.without(async () => await clock.delay(Math.max(0, pauseMs)));
	}

	/**
	 * Looks into the thread and, unless the answer is there, into the chat.
	 *
	 * @returns Why not all could be looked at, and what that came to.
	 */
	private async look() {
		const { askAs, id, uid } = this.question;
		const thread = await attempt(this.steps, threadRequest(id, askAs), readAgentMessages);
		const lists = [thread];
		if (!hasText(thread)) {
			lists.push(await attempt(this.steps, chatRequest(uid, id, askAs), readAgentMessages));
		}
		for (const list of lists) {
			if (list instanceof ApiError) continue;
			for (const message of list) this.written.set(message.id, message);
		}
		const [why, ...more] = lists.filter((list) => list instanceof ApiError);
		return { why, isInVain: more.length > 0, hasText: lists.some(hasText) };
	}

	/** In the order in which they were written. */
	private of(wanted: ReturnType<typeof whose>): AgentMessage[] {
		return [...this.written.values()]
			.filter((message) => whose(message, this.question) === wanted)
			.sort((one, other) => Number(one.id) - Number(other.id) || 0);
	}
}

function hasText(list: AgentMessage[] | ApiError): boolean {
	return !(list instanceof ApiError) && list.some(({ text }) => text !== undefined);
}

function textOf(messages: AgentMessage[]): string | undefined {
	const texts = messages.flatMap(({ text }) => text ?? []);
	return texts.length === 0 ? undefined : texts.join('\n\n');
}

/** An earlier attempt whose answer was lost has deleted it. */
function isGone({ result: { effect, explanation } }: ApiError): boolean {
	return effect === 'unknown' && explanation?.status === 404;
}

const CUT_OFF: string =
	"The agent had not ended when 'Max Answer Time (Seconds)' was over, so its answer may go on. Raise that option under Options.";

const UNTOLD: string =
	'Nothing in it tells for sure that it answers this question and not the one before. To be sure, ask each question as another user of the app.';

/** @param untold What may be the answer to this or to an earlier question. */
function noAnswer(untold: string | undefined): UserError {
	const cause = 'temporarily-unavailable';
	return untold === undefined
		? new UserError(
				"The agent did not answer within 'Max Answer Time (Seconds)'",
				'Ask it in the CometChat dashboard: if it answers there, raise that option under Options; if not, see whether it is active.',
				{ cause },
			)
		: new UserError(
				'The agent has answered, but perhaps an earlier question',
				'Ask again later, or ask each question as another user of the app.',
				{
					said: `An earlier question in this chat has had no answer in time, and nothing tells which of them this is for: ${quoted(untold)}.`,
					cause,
				},
			);
}
