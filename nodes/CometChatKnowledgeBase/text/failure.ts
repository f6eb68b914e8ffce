/** What a request, or a step that did not succeed, means for the documents: done, not done, or nobody knows. */
export type Effect = 'applied' | 'not applied' | 'unknown';

/** Why something did not succeed, as n8n files it (`failure.cause` of its errors). */
export type Cause =
	| 'rate-limited'
	| 'quota-exhausted'
	| 'temporarily-unavailable'
	| 'credential-invalid'
	| 'configuration-invalid';

/** What else is known of a failure. */
export interface ErrorDetails {
	/** The file that it is about, where it is about one. */
	fileName?: string;
	/** What the service, the network or its lists said, and what was tried, as sentences. */
	detail?: string;
	/** The service's own message, as a sentence. */
	said?: string;
	/** HTTP status. */
	status?: number;
	/** The service's own code. */
	code?: string;
	cause?: Cause;
	/** The wait that the service asked for last. */
	retryAfterMs?: number;
	/** Whether it is only that the run has ended. */
	isCancelled?: boolean;
	/** Whether what was last tried has been done; 'not applied' if left out. */
	effect?: Effect;
	/** To run it again, where that may help and is no harm: wrong advice where there is another way to go on. */
	retryHint?: string;
}

/** Why something can't go on, in words for a person. Thrown where it is found, and caught once an item (`operations/buildOperation`). */
export class Failure<Details extends ErrorDetails = ErrorDetails> extends Error {
	/**
	 * @param title One clause that names the field by its label, or the file by its name, and says what was found.
	 * @param hint One or two sentences: what to do next.
	 */
	constructor(
		readonly title: string,
		readonly hint: string,
		readonly more: Details,
	) {
		super(title);
	}

	/** The same failure with another title or hint, or with other details. */
	with({ title = this.title, hint = this.hint, ...more }: Changes<Details>): this {
		const changed: this = Object.create(this);
		return Object.assign(changed, { title, hint, message: title, more: { ...this.more, ...more } });
	}
}

type Changes<Details> = Partial<Pick<Failure, 'title' | 'hint'>> & Partial<Details>;

/** What happened, with the service's own message, as a clause for a row or a summary. */
export function reasonOf(title: string, { said }: Pick<ErrorDetails, 'said'>): string {
	return said === undefined ? title : `${title}: ${said.replace(/\.$/, '')}`;
}

export function isFailure(value: unknown): value is Failure {
	return value instanceof Failure;
}

/** Something that a person can mend: what they filled in, or what was found on the way. */
export class UserError extends Failure {
	constructor(title: string, hint: string, more: ErrorDetails = {}) {
		super(title, hint, more);
	}
}

/** The value, or why there is none, for whoever goes on all the same. */
export async function toResult<Value>(work: Promise<Value>): Promise<Value | Failure> {
	return await work.catch((thrown: unknown) => {
		if (isFailure(thrown)) return thrown;
		throw thrown;
	});
}

/** The value; if there is none, what is to be done before the failure goes on. */
export async function tapFailure<Value>(
	work: Promise<Value>,
	act: (failure: Failure) => void | Promise<void>,
): Promise<Value> {
	const value = await toResult(work);
	if (!isFailure(value)) return value;
	await act(value);
	throw value;
}

/** The effect of a change, from its answer. */
export function effectOfAnswer(answer: unknown): Effect {
	return isFailure(answer) ? (answer.more.effect ?? 'not applied') : 'applied';
}

/** Whether the step that did not succeed may have been carried out. */
export function mayHaveSucceeded({ more }: Failure): boolean {
	return more.effect === 'unknown';
}

/** Whether a question got no answer: a refusal is one. */
export function isUnanswered(failure: Failure): boolean {
	const { cause } = failure.more;
	const isLater = cause === 'temporarily-unavailable' || cause === 'rate-limited';
	return isLater || mayHaveSucceeded(failure);
}

/** The value, or what is wrong with it, for whoever goes on all the same. */
export function toResultSync<Value>(read: () => Value): Value | UserError {
	const outcome = outcomeOf(read);
	if (!('thrown' in outcome)) return outcome.value;
	if (outcome.thrown instanceof UserError) return outcome.thrown;
	throw outcome.thrown;
}

/** n8n's lint wants its own errors to be thrown where one is caught: here they are not yet what somebody sees. */
function outcomeOf<Value>(read: () => Value): { value: Value } | { thrown: unknown } {
	try {
		return { value: read() };
	} catch (thrown) {
		return { thrown };
	}
}
