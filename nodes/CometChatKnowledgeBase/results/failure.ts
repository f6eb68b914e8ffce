import { PATIENCE } from '../requests/retryPolicy';
import type { ErrorDetails } from '../values/userError';
import { UserError } from '../values/userError';
import type { ItemFailure } from './apiError';
import { ApiError } from './apiError';
import type { Failed, Fields, Sent } from './itemResult';
import { sentences } from './itemResult';
import type { Explanation, RequestResult } from './messages';
import { againIn } from './messages';
import type { ItemState } from './progress';

/** What is known of an item that has failed, beside why. */
export interface Circumstances extends Sent {
	/** What it asked for, and how far that came. */
	requested: Fields;
	state: ItemState;
}

/** The one place that makes the result of an item that has failed: from what was thrown, and how it stands with the item. */
export function failed(failure: ItemFailure, { requested, state, ...sent }: Circumstances): Failed {
	const told = failure instanceof UserError ? toldBy(failure) : toldByRequest(failure.result);
	const { title, before, retryHint, hint, details } = told;
	const { detail, status, code, cause, retryAfterMs, fileName } = details;
	const isUnsent = sent.attempts === 0;
	const because = details.because ?? (isUnsent && failure instanceof UserError ? 'input' : 'reply');
	return {
		kind: 'failed',
		title,
		description: sentences(
			before,
			isUnsent ? 'Nothing was sent for this item.' : state.detail,
			state.hint ?? retryHint,
			hint,
		),
		effect: state.effect,
		because,
		requested: { ...(fileName !== undefined && { name: fileName }), ...requested },
		...{ detail, status, code, retryAfterMs },
		cause: cause ?? (because === 'input' ? 'configuration-invalid' : undefined),
		...sent,
	};
}

/** An item that was never sent, because what it holds can't be. */
export function unusable(issue: UserError, requested: Fields = {}): Failed {
	return failed(issue, { requested, state: UNTOUCHED, attempts: 0 });
}

/** An item whose turn had not come when the run ended. */
export function cancelled(requested: Fields = {}): Failed {
	const never = { attempts: 0, effect: 'not applied', stopReason: 'cancelled' } as const;
	return failed(new ApiError(never), { requested, state: UNTOUCHED, attempts: 0 });
}

const UNTOUCHED: ItemState = { effect: 'not applied', detail: '' };

/** A failure in words for a person. */
interface Told {
	title: string;
	/** What was said and tried, as sentences. */
	before: string;
	/** To run it again, where that may help; wrong advice where there is another way to go on. */
	retryHint: string;
	hint: string;
	details: ErrorDetails & { retryAfterMs?: number };
}

function toldBy({ title, hint, more }: UserError): Told {
	return { title, before: more.detail ?? '', retryHint: more.retryHint ?? '', hint, details: more };
}

function toldByRequest(result: RequestResult): Told {
	const { stopReason, attempts, retryAfterMs } = result;
	const isTooLong = stopReason === 'wait too long';
	const isOver = stopReason === 'cancelled';
	const { title, hint, ...details } = result.explanation ?? (isTooLong ? TOO_LONG : NOT_SENT);
	const before = sentences(
		details.detail,
		attempts > 1 && `It was tried ${attempts} times.`,
		isOver && attempts > 0 && 'It was not sent again, because the run stopped.',
		isTooLong && waitWords(retryAfterMs),
	);
	return {
		title,
		before,
		retryHint: result.explanation || isTooLong ? againIn(details.cause) : WITH_THE_OTHERS,
		hint,
		// One that was not sent again because of another item is no cause of the stop.
		details: { ...details, retryAfterMs, ...(isOver && { because: 'cancelled' }) },
	};
}

const TOO_LONG: Explanation = {
	title: 'CometChat asked for a longer pause than a run should wait',
	hint: '',
	cause: 'rate-limited',
	detail: '',
};

const WITH_THE_OTHERS = 'Run it again with the items that were not sent.';

const NOT_SENT: Explanation = {
	title: 'The run stopped before this item was done',
	hint: '',
	detail: '',
};

function waitWords(namedWaitMs = 0): string {
	const seconds = Math.ceil(namedWaitMs / 1000);
	return `CometChat asked to wait ${seconds} s; this node waits ${PATIENCE.maxWaitMs / 1000} at most.`;
}
