import { isRecord } from './json';

/** The effect of a request or of an unsuccessful step on the documents: done, not done, or unknown. */
export type Effect = 'applied' | 'not applied' | 'unknown';

/** The category of a failure in n8n (`failure.cause` of n8n's errors). */
export type Cause =
	| 'rate-limited'
	| 'quota-exhausted'
	| 'temporarily-unavailable'
	| 'credential-invalid'
	| 'configuration-invalid';

/** More facts about a failure. */
export interface ErrorDetails {
	/** The file that the failure is about, if there is one. */
	fileName?: string;
	/** The messages of CometChat, of the network and of CometChat's lists, and the attempts, as sentences. */
	detail?: string;
	/** CometChat's own message, as a sentence. */
	said?: string;
	/** HTTP status. */
	status?: number;
	/** CometChat's own code. */
	code?: string;
	cause?: Cause;
	/** The last wait that CometChat asked for. */
	retryAfterMs?: number;
	/** Whether the only reason is the end of the execution. */
	isCancelled?: boolean;
	/** The effect of the last attempt; left out: 'not applied'. */
	effect?: Effect;
	/** The advice to run the item again, if that may help and does no harm, and there is no other way to continue. */
	retryHint?: string;
}

/** The reason for a failure, in words for users. Caught once for each item (`operations/buildOperation`). */
export class Failure<Details extends ErrorDetails = ErrorDetails> extends Error {
	/**
	 * @param title One clause that names the field by its label, or the file by its name, and the problem.
	 * @param hint One or two sentences: the next step.
	 */
	constructor(
		readonly title: string,
		readonly hint: string,
		readonly more: Details,
	) {
		super(title);
	}

	/** Returns the same failure with another title or hint, or with other details. */
	with({ title = this.title, hint = this.hint, ...more }: Changes<Details>): this {
		const changed: this = Object.create(this);
		return Object.assign(changed, { title, hint, message: title, more: { ...this.more, ...more } });
	}
}

type Changes<Details> = Partial<Pick<Failure, 'title' | 'hint'>> & Partial<Details>;

/** Returns the title and CometChat's own message, as a clause for a row or a summary. */
export function reasonOf(title: string, { said }: Pick<ErrorDetails, 'said'>): string {
	return said === undefined ? title : `${title}: ${said.replace(/\.$/, '')}`;
}

export function isFailure(value: unknown): value is Failure {
	return value instanceof Failure;
}

/** A failure that the user can correct: an input value, or an unexpected state. */
export class UserError extends Failure {
	constructor(title: string, hint: string, more: ErrorDetails = {}) {
		super(title, hint, more);
	}
}

/** n8n's own error, such as an expression that cannot be evaluated or a credential that was deleted. */
export function toUserError(thrown: unknown): UserError {
	if (thrown instanceof UserError) return thrown;
	const message = thrown instanceof Error ? thrown.message : String(thrown);
	const more = isRecord(thrown) && typeof thrown.description === 'string' ? thrown.description : '';
	return new UserError(message, more);
}

/** Returns the value or the failure. After an unexpected exception, the effect is unknown. */
export async function toResult<Value>(work: Promise<Value>): Promise<Value | Failure> {
	return await work.catch((thrown: unknown) => {
		return isFailure(thrown) ? thrown : toUserError(thrown).with({ effect: 'unknown' });
	});
}

/** Returns the effect of a change, from its response. */
export function effectOfAnswer(answer: unknown): Effect {
	return isFailure(answer) ? (answer.more.effect ?? 'not applied') : 'applied';
}

/** Whether an unsuccessful step may have had an effect. */
export function mayHaveSucceeded({ more }: Failure): boolean {
	return more.effect === 'unknown';
}

/** Whether a question got no answer. A refusal is an answer. */
export function isUnanswered(failure: Failure): boolean {
	const { cause } = failure.more;
	const isLater = cause === 'temporarily-unavailable' || cause === 'rate-limited';
	return isLater || mayHaveSucceeded(failure);
}

/** Returns the value or the error, for callers that continue after an error. */
export function toResultSync<Value>(read: () => Value): Value | UserError {
	try {
		return read();
	} catch (thrown) {
		return toUserError(thrown);
	}
}
