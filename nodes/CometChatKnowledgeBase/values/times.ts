/**
 * A time of the service, which counts milliseconds, as ISO 8601 in UTC: people and other nodes read that.
 * Anything that is no such number stays as it is.
 */
export function readableTime<T>(value: T): T | string {
	if (typeof value !== 'number') return value;
	const time = new Date(value);
	return Number.isNaN(time.getTime()) ? value : time.toISOString();
}

/**
 * The same for a person who picks from a list, in a time zone that is named: `21 Nov 2026, 14:03 CET`.
 * Undefined for anything that is no time.
 *
 * @param timeZone As n8n names it; a workflow may hold one that does not exist, and then it is UTC.
 */
export function shownTime(value: unknown, timeZone: string): string | undefined {
	if (typeof value !== 'number' || Number.isNaN(new Date(value).getTime())) return undefined;
	return formatIn(timeZone).format(value);
}

function formatIn(timeZone: string): Intl.DateTimeFormat {
	const style = {
		day: 'numeric',
		month: 'short',
		year: 'numeric',
		hour: '2-digit',
		minute: '2-digit',
		timeZoneName: 'short',
	} as const;
	try {
		return new Intl.DateTimeFormat('en-GB', { ...style, timeZone });
	} catch {
		return new Intl.DateTimeFormat('en-GB', { ...style, timeZone: 'UTC' });
	}
}
