import { UserError } from './failure';
import { isRecord } from './json';

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

/** Since 1970; fewer digits are a year, or none. */
const NUMBER = /^\d{9,}$/;

/** No time of a file in milliseconds is smaller, and none in seconds is larger. */
const SMALLEST_MS = 100_000_000_000;

/**
 * A point in time as nodes give it: text with a time zone, a number of milliseconds or seconds since 1970,
 * or an object of Luxon or JavaScript. Undefined for nothing, and for a text without a zone, which is any
 * of 26 hours.
 */
export function parseTimestamp(value: unknown, label: string): number | undefined {
	const text = typeof value === 'string' ? value.trim() : value;
	if (text === undefined || text === null || text === '') return undefined;
	const ms = msOf(text);
	if (Number.isNaN(ms)) {
		throw new UserError(
			`${label} is not a time`,
			'Use a field that contains the time of the last change, or leave this field empty.',
		);
	}
	const isLocal = typeof text === 'string' && !NUMBER.test(text) && !WITH_ZONE.test(text);
	return isLocal ? undefined : ms;
}

/**
 * A point in time as `readTime` has it; a text without a zone is one of the workflow's own, as n8n's date
 * picker gives it.
 *
 * @param timeZone As n8n names it.
 */
export function parseDateTime(value: unknown, label: string, timeZone: string): number {
	const ms = parseTimestamp(value, label);
	const local = typeof value === 'string' ? localMs(value.trim(), timeZone) : NaN;
	if (typeof ms === 'number') return ms;
	if (ms === undefined && !Number.isNaN(local)) return local;
	throw new UserError(`${label} is empty or not a time`, 'Choose a date, or remove this field.');
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

function msOf(value: unknown): number {
	if (typeof value === 'string' && !NUMBER.test(value)) return Date.parse(value);
	const isNumber = ['string', 'number'].includes(typeof value);
	const number = isNumber || isRecord(value) ? Number(value) : NaN;
	return inMs(number);
}

/** A time since 1970 in milliseconds, also where it is counted in seconds. */
function inMs(time: number): number {
	return Math.abs(time) < SMALLEST_MS ? time * 1000 : time;
}
