/**
 * A time of the service, which counts milliseconds, as ISO 8601 in UTC: people and other nodes read that.
 * Anything that is no such number stays as it is.
 */
export function readableTime<T>(value: T): T | string {
	if (typeof value !== 'number') return value;
	const time = new Date(value);
	return Number.isNaN(time.getTime()) ? value : time.toISOString();
}
