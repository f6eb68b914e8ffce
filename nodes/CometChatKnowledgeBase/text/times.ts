import { UserError } from './failure';
import { isRecord } from './json';
import { quoted } from './quoting';

/** A time of the service in milliseconds, which its pages count, also where it counts seconds; undefined for what is none. */
export function timeMs(value: unknown): number | undefined {
	const ms = typeof value === 'number' ? inMs(value) : NaN;
	return Number.isNaN(new Date(ms).getTime()) ? undefined : ms;
}

/**
 * A time of the service as ISO 8601 in UTC: people and other nodes read that. Anything that is no time stays as it is.
 */
export function readableTime<T>(value: T): T | string {
	const ms = timeMs(value);
	return ms === undefined ? value : new Date(ms).toISOString();
}

/**
 * A time for a person who picks from a list, in a time zone that is named: `21 Nov 2026, 14:03 CET`.
 * Undefined for anything that is no time.
 *
 * @param timeZone As n8n names it; a workflow may hold one that does not exist, and then it is UTC.
 */
export function shownTime(
	value: unknown,
	timeZone: string,
	precision: 'minute' | 'second' = 'minute',
): string | undefined {
	const ms = timeMs(value);
	if (ms === undefined) return undefined;
	const format = new Intl.DateTimeFormat('en-GB', {
		day: 'numeric',
		month: 'short',
		year: 'numeric',
		hour: '2-digit',
		minute: '2-digit',
		second: precision === 'second' ? '2-digit' : undefined,
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

/** A time with its zone, as storages write it: `2026-11-21T14:03:00Z`, `Sat, 21 Nov 2026 14:03:00 GMT`. */
const WITH_ZONE = /(?:Z|GMT|UTC|[+-]\d\d:?\d\d)$/i;

/** Only digits: seconds or milliseconds since 1970. */
const NUMBER = /^[-+]?\d+(?:\.\d+)?$/;

/** No document is older: an earlier number is a date of a spreadsheet, and an earlier text means no time. */
export const EARLIEST_MS = Date.UTC(1990, 0);

/** No time of a file in milliseconds is smaller, and none in seconds is larger. */
const SMALLEST_MS = 100_000_000_000;

/**
 * A point in time as nodes give it: text, a number of milliseconds or seconds since 1970, or an object of Luxon or
 * JavaScript. A text without a zone is in the workflow's zone, as n8n's date picker gives it. Undefined for nothing.
 *
 * @param timeZone As n8n names it.
 */
export function parseTime(value: unknown, label: string, timeZone: string): number | undefined {
	const text = typeof value === 'string' ? value.trim() : value;
	if (text === undefined || text === null || text === '') return undefined;
	const ms = msOf(text, timeZone);
	if (!Number.isNaN(ms)) return ms;
	const shown = isRecord(text) ? '' : `: ${quoted(String(text))}`;
	throw new UserError(
		`${label} is not a time${shown}`,
		'Use a field that contains a time, such as 2026-11-21T14:03:00Z, or leave this field empty.',
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
	// Once more, since the clocks may have been changed between the two.
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

/** A time since 1970 in milliseconds, also where it is counted in seconds. */
function inMs(time: number): number {
	return Math.abs(time) < SMALLEST_MS ? time * 1000 : time;
}
