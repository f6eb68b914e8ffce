import { PATIENCE } from '../requests/retryPolicy';
import type { ErrorDetails } from '../values/userError';
import { UserError } from '../values/userError';
import type { ItemFailure } from './apiError';
import { ApiError } from './apiError';
import type { Failed, Fields, Sent } from './itemResult';
import { sentences } from './itemResult';
import type { Explanation, RequestResult } from './messages';
import { againIn } from './messages';
import type { Standing } from './progress';

/** What is known of an item that has failed, beside why. */
export interface Circumstances extends Sent {
	/** What it asked for, and how far that came. */
	requested: Fields;
	standing: Standing;
}

/** The one place that makes the result of an item that has failed: from what was thrown, and how it stands with the item. */
export function failed(
	failure: ItemFailure,
	{ requested, standing, ...sent }: Circumstances,
): Failed {
	const told = failure instanceof UserError ? toldBy(failure) : toldByRequest(failure.result);
	const { what, before, again, remedy, details } = told;
	const { said, status, code, cause, retryAfterMs, fileName } = details;
	const isUnsent = sent.attempts === 0;
	const because = details.because ?? (isUnsent && failure instanceof UserError ? 'input' : 'reply');
	return {
		kind: 'failed',
		what,
		description: sentences(
			before,
			isUnsent ? 'Nothing was sent for this item.' : standing.consequence,
			standing.goOn ?? again,
			remedy,
		),
		effect: standing.effect,
		because,
		requested: { ...(fileName !== undefined && { name: fileName }), ...requested },
		...{ said, status, code, retryAfterMs },
		cause: cause ?? (because === 'input' ? 'configuration-invalid' : undefined),
		...sent,
	};
}

/** An item that was never sent, because what it holds can't be. */
export function unusable(issue: UserError, requested: Fields = {}): Failed {
	return failed(issue, { requested, standing: UNTOUCHED, attempts: 0 });
}

/** An item whose turn had not come when the run ended. */
export function cancelled(requested: Fields = {}): Failed {
	const never = { attempts: 0, effect: 'not applied', stopReason: 'cancelled' } as const;
	return failed(new ApiError(never), { requested, standing: UNTOUCHED, attempts: 0 });
}

const UNTOUCHED: Standing = { effect: 'not applied', consequence: '' };

/** A failure in words for a person. */
interface Told {
	what: string;
	/** What was said and tried, as sentences. */
	before: string;
	/** To run it again, where that may help; wrong advice where there is another way to go on. */
	again: string;
	remedy: string;
	details: ErrorDetails & { retryAfterMs?: number };
}

function toldBy({ what, remedy, more }: UserError): Told {
	return { what, before: more.said ?? '', again: more.again ?? '', remedy, details: more };
}

function toldByRequest(result: RequestResult): Told {
	const { stopReason, attempts, retryAfterMs } = result;
	const isTooLong = stopReason === 'wait too long';
	const isOver = stopReason === 'cancelled';
	const { what, remedy, ...details } = result.explanation ?? (isTooLong ? TOO_LONG : NOT_SENT);
	const before = sentences(
		details.said,
		attempts > 1 && `It was tried ${attempts} times.`,
		isOver && attempts > 0 && 'It was not sent again, because the run stopped.',
		isTooLong && waitWords(retryAfterMs),
	);
	return {
		what,
		before,
		again: result.explanation || isTooLong ? againIn(details.cause) : WITH_THE_OTHERS,
		remedy,
		// One that was not sent again because of another item is no cause of the stop.
		details: { ...details, retryAfterMs, ...(isOver && { because: 'cancelled' }) },
	};
}

const TOO_LONG: Explanation = {
	what: 'CometChat asked for a longer pause than a run should wait',
	remedy: '',
	cause: 'rate-limited',
	said: '',
};

const WITH_THE_OTHERS = 'Run it again with the items that were not sent.';

const NOT_SENT: Explanation = {
	what: 'The run stopped before this item was done',
	remedy: '',
	said: '',
};

function waitWords(namedWaitMs = 0): string {
	const seconds = Math.ceil(namedWaitMs / 1000);
	return `CometChat asked to wait ${seconds} s; this node waits ${PATIENCE.maxWaitMs / 1000} at most.`;
}
