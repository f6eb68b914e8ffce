import type { ItemRun } from '../../execution/items';
import type { Steps } from '../../execution/steps';
import { numberOption } from '../../input/options';
import type { ItemFailure } from '../../results/itemFailure';
import { RequestFailure, StepFailure } from '../../results/itemFailure';
import type { AgentMessage } from '../../service/chat';
import {
	chatRequest,
	deleteMessageRequest,
	readAgentMessages,
	readDeleted,
	threadRequest,
} from '../../service/chat';
import type { Shown } from '../../values/shown';
import { given } from '../../values/shown';

/** How long is waited between two looks: half of what it has taken so far, between these. */
const SHORTEST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 5000;

/** A question that has been asked. */
export interface Question {
	uid: Shown;
	/** UID of the user who asks. */
	askAs: Shown;
	/** Of the message. */
	id: Shown;
	sinceMs: number;
	/** Whether an earlier question of this user to this agent may still be answered. */
	isAfterUnanswered: boolean;
}

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

export interface AgentAnswer {
	text: Shown;
	/** From the question until it was first seen whole. */
	durationMs: number;
}

/** A question, and what an agent has written since. */
export class Conversation {
	/** What the agent has written, by ID. */
	private readonly written = new Map<string, AgentMessage>();

	constructor(
		private readonly run: ItemRun,
		private readonly steps: Steps,
		private readonly question: Question,
	) {}

	/** Waits for the answer; meanwhile the caller's permit is others'. */
	async answer(): Promise<AgentAnswer | ItemFailure> {
		const { clock, option, permits } = this.run;
		const { sinceMs } = this.question;
		const lastMs = sinceMs + option(maxAnswerOption);
		let seen: AgentAnswer | undefined;
		for (;;) {
			const pauseMs = seen === undefined ? this.pauseMs() : SHORTEST_PAUSE_MS;
			const leftMs = Math.max(0, lastMs - clock.nowMs());
			await permits.without(async () => await clock.delay(Math.min(pauseMs, leftMs)));
			const failure = await this.look();
			if (failure?.ends) return seen ?? failure.why;
			const text = this.text();
			// One that comes in several messages is whole once a look brings no more.
			if (seen !== undefined && text === seen.text) return seen;
			if (text !== undefined) seen = { text, durationMs: clock.nowMs() - sinceMs };
			if (clock.nowMs() >= lastMs) return seen ?? failure?.why ?? NO_ANSWER;
		}
	}

	/**
	 * Deletes the question and what was answered, also in a run that ends; not in one that the user stops.
	 *
	 * @returns The IDs of those that may still be there.
	 */
	async delete(): Promise<Shown[]> {
		const { steps, question, written } = this;
		steps.finish();
		const left: Shown[] = [];
		// The question last: what is in its thread may not be found without it.
		for (const { id } of [...written.values(), question]) {
			const answer = await steps.call(deleteMessageRequest(id), readDeleted);
			if (answer instanceof RequestFailure && !isGone(answer)) left.push(id);
		}
		return left;
	}

	private pauseMs(): number {
		// Timers know no parts of a millisecond.
		const halfMs = Math.ceil((this.run.clock.nowMs() - this.question.sinceMs) / 2);
		return Math.min(Math.max(halfMs, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
	}

	/** @returns Why not all could be looked at, and whether another look would be in vain. */
	private async look(): Promise<{ why: RequestFailure; ends: boolean } | undefined> {
		const { steps, question } = this;
		const { askAs, id, uid } = question;
		const thread = await steps.call(threadRequest(id, askAs), readAgentMessages);
		if (!(thread instanceof RequestFailure)) this.take(thread);
		if (this.text() !== undefined) return undefined;
		const chat = await steps.call(chatRequest(uid, id, askAs), readAgentMessages);
		if (!(chat instanceof RequestFailure)) {
			this.take(chat.filter((message) => this.isAnswer(message)));
			return thread instanceof RequestFailure ? { why: thread, ends: false } : undefined;
		}
		return { why: chat, ends: thread instanceof RequestFailure };
	}

	/** Outside of the thread, what comes after an unanswered question may be the answer to that one. */
	private isAnswer({ parentId }: AgentMessage): boolean {
		const { id, isAfterUnanswered } = this.question;
		return parentId === undefined ? !isAfterUnanswered : parentId === id;
	}

	private take(messages: AgentMessage[]): void {
		for (const message of messages) this.written.set(message.id, message);
	}

	/** In the order in which it was written, by the IDs, which are numbers that count up. */
	private text(): Shown | undefined {
		const texts = [...this.written.values()]
			.sort((one, other) => Number(one.id) - Number(other.id) || 0)
			.flatMap(({ text }) => (text === undefined ? [] : [text]));
		return texts.length === 0 ? undefined : given(texts.join('\n\n'));
	}
}

/** An earlier attempt whose answer was lost has deleted it. */
function isGone({ result: { effect, explanation } }: RequestFailure): boolean {
	return effect === 'unknown' && explanation?.status === 404;
}

const NO_ANSWER = new StepFailure(
	"The agent did not answer within 'Max Answer Time (Seconds)'",
	'Ask it in the CometChat dashboard: if it answers there, raise that option under Options; if not, see whether it is active.',
	{ cause: 'temporarily-unavailable' },
);
