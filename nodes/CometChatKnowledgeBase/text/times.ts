import { UserError } from './failure';
import { isRecord } from './json';
import { quoted } from './quoting';

/** Returns a time of CometChat in milliseconds, also if CometChat counts seconds; undefined for other values. */
export function timeMs(value: unknown): number | undefined {
	const ms = typeof value === 'number' ? inMs(value) : NaN;
	return Number.isNaN(new Date(ms).getTime()) ? undefined : ms;
}

/** Returns a time of CometChat as ISO 8601 in UTC, which other nodes can read. Other values stay unchanged. */
export function readableTime<T>(value: T): T | string {
	const ms = timeMs(value);
	return ms === undefined ? value : new Date(ms).toISOString();
}

/** Returns a time such as `21 Nov 2026, 14:03 CET`; undefined for other values. An unknown zone means UTC. */
export function shownTime(value: unknown, timeZone: string): string | undefined {
	const ms = timeMs(value);
	if (ms === undefined) return undefined;
	const format = new Intl.DateTimeFormat('en-GB', {
		day: 'numeric',
		month: 'short',
		year: 'numeric',
		hour: '2-digit',
		minute: '2-digit',
		timeZone: knownZone(timeZone),
		timeZoneName: 'short',
	});
	return format.format(ms);
}

function knownZone(timeZone: string): string {
	try {
		return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
	} catch {
		return 'UTC';
	}
}

/** A time with its zone in the form of storage services: `2026-11-21T14:03:00Z`, `Sat, 21 Nov 2026 14:03:00 GMT`. */
const WITH_ZONE = /(?:Z|GMT|UTC|[+-]\d\d:?\d\d)$/i;

/** Digits only: seconds or milliseconds since 1970. */
const NUMBER = /^[-+]?\d+(?:\.\d+)?$/;

/** The earliest time of a document: an earlier number is a spreadsheet's date, and an earlier text means no time. */
export const EARLIEST_MS = Date.UTC(1990, 0);

/** The smallest number of milliseconds, and the largest number of seconds, that is the time of a file. */
const SMALLEST_MS = 100_000_000_000;

/**
 * Reads a time from another node: text, milliseconds or seconds since 1970, or an object of Luxon or JavaScript. A text
 * without a zone is in the workflow's zone, like the times of n8n's date picker. Undefined for an empty value.
 */
export function parseTime(value: unknown, label: string, timeZone: string): number | undefined {
	const text = typeof value === 'string' ? value.trim() : value;
	if (text === undefined || text === null || text === '') return undefined;
	const ms = msOf(text, timeZone);
	if (!Number.isNaN(ms)) return ms;
	const shown = isRecord(text) ? '' : `: ${quoted(String(text))}`;
	throw new UserError(
		`${label} is not a time${shown}`,
		'Use a field that contains a time, such as 2026-11-21T14:03:00Z.',
	);
}

function localMs(text: string, timeZone: string): number {
	const asUtc = [`${text}Z`, `${text} UTC`].map((one) => Date.parse(one));
	const ms = asUtc.find((one) => !Number.isNaN(one)) ?? NaN;
	if (Number.isNaN(ms)) return NaN;
	const format = new Intl.DateTimeFormat('sv-SE', {
		timeZone: knownZone(timeZone),
		dateStyle: 'short',
		timeStyle: 'medium',
	});
	const aheadMs = (at: number) =>
		Date.parse(`${format.format(at).replace(' ', 'T')}Z`) - (at - (at % 1000));
	// The second time, because the clocks may change between both times.
	return ms - aheadMs(ms - aheadMs(ms));
}

function msOf(value: unknown, timeZone: string): number {
	if (isRecord(value)) return Number(value);
	if (typeof value === 'string' && !NUMBER.test(value)) {
		return WITH_ZONE.test(value) ? Date.parse(value) : localMs(value, timeZone);
	}
	const isNumber = typeof value === 'string' || typeof value === 'number';
	const ms = isNumber ? inMs(Number(value)) : NaN;
	return ms < EARLIEST_MS ? NaN : ms;
}

/** Returns a time since 1970 in milliseconds, also if it is in seconds. */
function inMs(time: number): number {
	return Math.abs(time) < SMALLEST_MS ? time * 1000 : time;
}
