import { Complaint, isRecord } from './complaint';

/** 'Options', as they hold for a whole run of the node. */
export interface Settings {
	ifNoFileIds: 'fail' | 'skip';
	/** One after another for each agent; if false, up to `parallelRequests` of any kind at once. */
	keepOrder: boolean;
	/** How often one item's request is sent at most, the first time included. */
	maxAttempts: number;
	/** The longest single wait before a request is sent again. */
	maxWaitMs: number;
	parallelRequests: number;
	/** How long one attempt may take. */
	timeoutMs: number;
}

interface Range {
	label: string;
	min: number;
	max: number;
	/** What someone gets who never opens Options. */
	default: number;
}

/**
 * Five attempts with the waits of retry.ts cover a service that restarts, and, when it limits the
 * rate without saying for how long, a whole minute, which is how CometChat counts its limits
 * (https://www.cometchat.com/docs/rest-api/rate-limits).
 */
export const MAX_ATTEMPTS: Range = { label: 'Max Attempts', min: 1, max: 10, default: 5 };

/** Twice the minute that CometChat counts its limits by. */
export const MAX_WAIT: Range = { label: 'Max Wait (Seconds)', min: 0, max: 3600, default: 120 };

/** Ten agents side by side hide the service's latency; more gain little and meet limits sooner. */
export const PARALLEL_REQUESTS: Range = {
	label: 'Parallel Requests',
	min: 1,
	max: 50,
	default: 10,
};

export const TIMEOUT: Range = { label: 'Timeout (Seconds)', min: 1, max: 300, default: 60 };

/** Reads the node's `options` collection; what was not set has its default. */
export function readSettings(options: unknown): Settings | Complaint {
	const given = isRecord(options) ? options : {};
	const { ifNoFileIds = 'fail', keepOrder = true } = given;
	if (ifNoFileIds !== 'fail' && ifNoFileIds !== 'skip') {
		return new Complaint(
			"'If No File IDs' is not one of its choices",
			'Pick Fail or Skip the Item.',
		);
	}
	if (typeof keepOrder !== 'boolean') {
		return new Complaint(
			"'Keep Each Agent's Changes in Order' is neither true nor false",
			'Switch it on or off, or let its expression give true or false.',
		);
	}
	const maxAttempts = readNumber(given.maxAttempts, MAX_ATTEMPTS);
	if (maxAttempts instanceof Complaint) return maxAttempts;
	const maxWaitSeconds = readNumber(given.maxWaitSeconds, MAX_WAIT);
	if (maxWaitSeconds instanceof Complaint) return maxWaitSeconds;
	const parallelRequests = readNumber(given.parallelRequests, PARALLEL_REQUESTS);
	if (parallelRequests instanceof Complaint) return parallelRequests;
	const timeoutSeconds = readNumber(given.timeoutSeconds, TIMEOUT);
	if (timeoutSeconds instanceof Complaint) return timeoutSeconds;

	return {
		ifNoFileIds,
		keepOrder,
		maxAttempts,
		maxWaitMs: maxWaitSeconds * 1000,
		parallelRequests,
		timeoutMs: timeoutSeconds * 1000,
	};
}

function readNumber(value: unknown, range: Range): number | Complaint {
	if (value === undefined) return range.default;
	if (
		typeof value === 'number' &&
		Number.isInteger(value) &&
		value >= range.min &&
		value <= range.max
	) {
		return value;
	}
	return new Complaint(
		`'${range.label}' is not a whole number from ${range.min} to ${range.max}`,
		`Change it under Options; the default is ${range.default}.`,
	);
}
