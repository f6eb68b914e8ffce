import type { Document } from '../service/documents';
import { inMs } from '../values/times';
import { UserError } from '../values/userError';

/** No document is older: CometChat has its knowledge base since 2025. What lies before is no time of one. */
const EARLIEST_MS = Date.UTC(2020, 0);

/** A document of the list, and when it was created. */
export interface Listed {
	record: Document;
	createdMs: number;
}

/**
 * The list is newest first, so that one without a time is no older than the one behind it, and has its
 * time: a new one is found like that. At the end of the list nobody knows: it counts as long ago.
 *
 * @throws If none of them has a time.
 */
export function dated(records: Document[]): Listed[] {
	if (records.length > 0 && oldestMs(records) === undefined) {
		throw new UserError(
			'CometChat lists documents without the time when they were created',
			'If it stays like this, ask CometChat.',
			{
				detail: 'Without it, it cannot be told which of them are new.',
				cause: 'temporarily-unavailable',
			},
		);
	}
	let createdMs = 0;
	const fromOldest = [...records].reverse().map((record) => {
		createdMs = creationMs(record) ?? createdMs;
		return { record, createdMs };
	});
	return fromOldest.reverse();
}

/** When the last of these was created that says so. */
export function oldestMs(records: Document[]): number | undefined {
	const times = records.map(creationMs);
	return times.filter((ms) => ms !== undefined).at(-1);
}

/** One that is counted in seconds would be of 1970, and known for ever before it came. */
function creationMs({ createdAt }: Document): number | undefined {
	if (typeof createdAt !== 'number') return undefined;
	const ms = inMs(createdAt);
	return ms < EARLIEST_MS ? undefined : ms;
}
