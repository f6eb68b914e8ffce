import { ApiError } from '../../apiErrors/apiError';
import type { ItemContext } from '../../execution/itemContext';
import type { RunContext } from '../../execution/operation';
import { growingPauseMs } from '../../requests/time';
import { UserError, caught, isFailure, reasonOf } from '../../values/failure';
import { listed, quoted } from '../../values/quoting';
import type { AgentMessage } from './chat';
import { answerRequests, deleteMessageRequest, readAgentMessages, readDeleted } from './chat';

/** How long is waited between two looks. */
const LONGEST_PAUSE_MS = 5000;

/** Ours: CometChat's lists show no end of an answer, so that it ends where nothing has come for so long. */
const QUIET_MS = 5000;

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
	/** Whether the agent had ended by the time it had. */
	hasEnded: boolean;
	/** Whether it is for this question: nothing else may have come. */
	isSure: boolean;
}

/** For which question an agent has written a message: thread, reply, time or its run tell. */
function whose(
	message: AgentMessage,
	{ id, earlier }: Question,
): 'its own' | 'another' | 'unknown' {
	if (message.answers !== undefined) return message.answers === id ? 'its own' : 'another';
	// IDs of messages are numbers that count up.
	const isOlder = Number(message.id) <= Number(id);
	if (isOlder || earlier.runs.has(message.runId ?? '')) return 'another';
	return earlier.late === 'likely' ? 'unknown' : 'its own';
}

/** A question, and what an agent has written since. */
export class Conversation {
	/** By ID. */
	private readonly written = new Map<string, AgentMessage>();

	constructor(
		private readonly run: Pick<RunContext, 'clock' | 'permits'>,
		private readonly item: ItemContext,
		private readonly question: Question,
	) {}

	/** Waits until the agent has ended: what it says has been the same for a while, and its last message is a text. */
	async answer(maxMs: number): Promise<AgentAnswer> {
		const { earlier, sinceMs } = this.question;
		const lastMs = sinceMs + maxMs;
		let answer: AgentAnswer | undefined;
		for (;;) {
			await this.pause(lastMs, answer !== undefined);
			const { hasText, failures } = await this.look();
			const own = this.of('its own');
			const text = textOf(own);
			const durationMs = this.run.clock.nowMs() - sinceMs;
			if (text !== answer?.text) {
				const isSure = earlier.late === 'no' || own.every(({ answers }) => answers !== undefined);
				answer = text ? { text, durationMs, hasEnded: false, isSure } : undefined;
			} else if (answer && hasText && own.at(-1)?.text !== undefined) {
				return { ...answer, hasEnded: true };
			}
			if (failures.length < 2 && durationMs < maxMs) continue;
			if (answer) return answer;
			throw failures[0] ?? noAnswer(textOf(this.of('unknown')));
		}
	}

	/** What the next question in this chat has to know. */
	after(answer: AgentAnswer | undefined): Earlier {
		const { runs, late } = this.question.earlier;
		const own = this.of('its own');
		const isNamed = own.length > 0 && own.every(({ answers, runId }) => answers ?? runId);
		const more = [...this.written.values()].flatMap(({ runId }) => runId ?? []);
		const unnamed = answer?.hasEnded ? 'perhaps' : 'likely';
		return { runs: new Set([...runs, ...more]), late: isNamed ? late : unnamed };
	}

	/**
	 * Deletes the question and what was answered, also in a run that ends; not in one that the user stops.
	 *
	 * @returns What may still be there, in a clause; undefined if nothing is.
	 */
	async delete(): Promise<string | undefined> {
		this.item.mustComplete = true;
		const remaining: string[] = [];
		let why = '';
		// The question last: what is in its thread may not be found without it.
		for (const { id } of [...this.of('its own'), this.question]) {
			const deleted = await caught(this.item.call(deleteMessageRequest(id), readDeleted));
			// What is not there any more was deleted by an earlier attempt, whose answer was lost.
			const isGone = deleted instanceof ApiError && deleted.more.status === 404;
			if (!isFailure(deleted) || isGone) continue;
			remaining.push(id);
			why = reasonOf(deleted.title, deleted.more);
		}
		if (remaining.length === 0) return undefined;
		return `Of the chat of ${quoted(this.question.askAs)} with the agent, these messages could not be deleted: ${listed(remaining)} (${why})`;
	}

	/** Meanwhile the caller's permit is others'. */
	private async pause(lastMs: number, hasText: boolean): Promise<void> {
		const { clock, permits } = this.run;
		const nowMs = clock.nowMs();
		const growingMs = growingPauseMs(nowMs - this.question.sinceMs, LONGEST_PAUSE_MS);
		const pauseMs = Math.min(hasText ? QUIET_MS : growingMs, lastMs - nowMs);
		await permits.without(async () => await clock.delay(Math.max(0, pauseMs)));
	}

	/** Looks into the thread and, unless the answer is there, into the chat. */
	private async look() {
		const failures: unknown[] = [];
		for (const request of answerRequests(this.question)) {
			const found = await caught(this.item.call(request, readAgentMessages));
			if (isFailure(found)) {
				failures.push(found);
				continue;
			}
			for (const message of found) this.written.set(message.id, message);
			if (found.some(({ text }) => text !== undefined)) return { hasText: true, failures };
		}
		return { hasText: false, failures };
	}

	/** In the order in which they were written. */
	private of(wanted: ReturnType<typeof whose>): AgentMessage[] {
		return [...this.written.values()]
			.filter((message) => whose(message, this.question) === wanted)
			.sort((one, other) => Number(one.id) - Number(other.id) || 0);
	}
}

function textOf(messages: AgentMessage[]): string | undefined {
	const texts = messages.flatMap(({ text }) => text ?? []);
	return texts.length === 0 ? undefined : texts.join('\n\n');
}

/** @param unknown What may be the answer to this or to an earlier question. */
function noAnswer(unknown: string | undefined): UserError {
	const cause = 'temporarily-unavailable';
	if (unknown === undefined) {
		return new UserError(
			"The agent did not answer within 'Max Answer Time (Seconds)'",
			'Ask it in the CometChat dashboard: if it answers there, raise that option under Options; if not, see whether it is active.',
			{ cause },
		);
	}
	const detail = `An earlier question in this chat has had no answer in time, and nothing tells which of them this is for: ${quoted(unknown)}.`;
	return new UserError(
		'The agent has answered, but perhaps an earlier question',
		'Ask again later, or ask each question as another user of the app.',
		{ detail, cause },
	);
}
