import { ApiError } from '../../http/apiError';
import type { ItemContext } from '../../operations/itemContext';
import type { RunContext } from '../../operations/operation';
import { growingPauses, until } from '../../http/time';
import type { Failure } from '../../text/failure';
import { UserError, toResult, isFailure } from '../../text/failure';
import type { AgentMessage } from './chat';
import { answerRequests, deleteMessageRequest, readAgentMessages, readDeleted } from './chat';

/** The longest pause between two requests for the answer. */
const LONGEST_PAUSE_MS = 5000;

/** CometChat reports no end of an answer: it ends when the agent has sent no message for this long. */
const QUIET_MS = 5000;

export interface Question {
	uid: string;
	/** The UID of the user who asks. */
	askAs: string;
	/** The ID of the message. */
	id: string;
	sinceMs: number;
	/** Whether only the question's thread counts, because an earlier question in this chat got no answer in time. */
	isThreadOnly: boolean;
}

export interface AgentAnswer {
	text: string;
	/** The time from the question until this text was first seen. */
	durationMs: number;
	/** Whether the agent was quiet before the time-out. */
	hasEnded: boolean;
	/** Whether CometChat shows that the answer belongs to the question. */
	isReply: boolean;
}

/** A question, and the agent's later messages. */
export class Conversation {
	/** By message ID. */
	private readonly written = new Map<string, AgentMessage>();

	/** The answer until now. */
	private said?: AgentAnswer;

	/** The reason why a list could not be read the last time. */
	private unread?: Failure;

	constructor(
		private readonly run: RunContext,
		private readonly item: ItemContext,
		private readonly question: Question,
	) {}

	/** Waits until the agent is quiet, and the last message of its answer is a text. */
	async answer(maxMs: number): Promise<AgentAnswer> {
		const { sinceMs, isThreadOnly } = this.question;
		const { clock } = this.run.starting;
		const found = await until(clock, sinceMs + maxMs, this.pauses(), async () => {
			const hasText = await this.look();
			const { messages, isReply } = this.answers();
			const text = messages.flatMap((message) => message.text ?? []).join('\n\n');
			const hasEnded = hasText && messages.at(-1)?.text !== undefined;
			if (text === (this.said?.text ?? '')) return hasEnded ? this.said : undefined;
			const durationMs = clock.nowMs() - sinceMs;
			this.said = text === '' ? undefined : { text, durationMs, hasEnded: false, isReply };
			return undefined;
		});
		if (found && !isFailure(found)) return { ...found, hasEnded: true };
		if (this.said) return this.said;
		throw this.unread ?? noAnswer(isThreadOnly);
	}

	/**
	 * Deletes the question and its replies, also after the failure of another item.
	 *
	 * @returns The warning that messages may still exist.
	 */
	async delete(): Promise<string | undefined> {
		let areAllDeleted = true;
		// The question is deleted last: without it, CometChat may not find its thread.
		for (const { id } of [...this.replies(), this.question]) {
			const deleted = await toResult(
				this.run.finishing.call(deleteMessageRequest(id), readDeleted),
			);
			// An earlier attempt has deleted the message, but its response was lost.
			const isGone = deleted instanceof ApiError && deleted.more.status === 404;
			if (isFailure(deleted) && !isGone) areAllDeleted = false;
		}
		return areAllDeleted ? undefined : NOT_DELETED;
	}

	private *pauses(): Generator<number> {
		for (const pauseMs of growingPauses(LONGEST_PAUSE_MS)) {
			if (pauseMs > 0) yield this.said ? QUIET_MS : pauseMs;
		}
	}

	/** Reads the thread and, if it has no text, the chat. @throws Failure if neither could be read */
	private async look(): Promise<boolean> {
		const failures: Failure[] = [];
		const requests = answerRequests(this.question);
		for (const request of requests) {
			const found = await toResult(this.item.call(request, readAgentMessages));
			if (isFailure(found)) {
				failures.push(found);
				continue;
			}
			for (const message of found) this.written.set(message.id, message);
			if (found.some(({ text }) => text !== undefined)) return true;
		}
		[this.unread] = failures;
		if (this.unread && failures.length === requests.length) throw this.unread;
		return false;
	}

	/** Returns the messages of the answer: the replies, or else the agent's messages in the chat since the question. */
	private answers(): { messages: AgentMessage[]; isReply: boolean } {
		const { id, isThreadOnly } = this.question;
		const replies = this.replies();
		const isReply = isThreadOnly || replies.some(({ text }) => text !== undefined);
		if (isReply) return { messages: replies, isReply };
		const isSince = (one: AgentMessage) => !one.answers && Number(one.id) > Number(id);
		return { messages: this.inOrder(isSince), isReply };
	}

	/** Returns the messages that surely belong to the question: they are in its thread, or quote it. */
	private replies(): AgentMessage[] {
		return this.inOrder(({ answers }) => answers === this.question.id);
	}

	/** Returns messages, oldest first: their IDs are ascending numbers. */
	private inOrder(isWanted: (message: AgentMessage) => boolean): AgentMessage[] {
		const found = [...this.written.values()].filter(isWanted);
		return found.sort((one, other) => Number(one.id) - Number(other.id) || 0);
	}
}

function noAnswer(isThreadOnly: boolean): UserError {
	const cause = 'temporarily-unavailable';
	const detail = isThreadOnly ? THREAD_ONLY : undefined;
	return new UserError(
		"The agent didn't answer within 'Answer Timeout (Seconds)'",
		"Look for the answer under 'Agent Chat Logs' in the CometChat dashboard. If it is there, increase 'Answer Timeout (Seconds)' under 'Options'. If not, check that the agent is active, and that AI credits remain ('Plan & Billing').",
		{ cause, detail },
	);
}

const NOT_DELETED =
	"Delete the question and its replies in the user's chat, because the node couldn't delete all of them";

const THREAD_ONLY =
	'Ask each question as a different app user. An earlier question in this chat got no complete answer, so only replies to this question count.';
