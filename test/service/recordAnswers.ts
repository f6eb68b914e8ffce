import type { Answer } from './answer';
import type { ReceivedRequest } from './log';
import { nextNamed, readCursor, readPageRequest } from './page';
import type { Records, RecordsRequest } from './records';
import { sourceTypeOf } from './records';
import type { Envelope } from './refusal';
import { badRequest, noSuchFile, refuse } from './refusal';

/** What is undocumented about looking at records. */
export interface LookingOptions {
	/**
	 * The list's parameters `start` and `end` are marked required, without a meaning, and left out in
	 * the documentation's own example. 'ignore', if left out: they are neither needed nor looked at;
	 * 'require': 400 without them.
	 */
	startAndEnd?: 'ignore' | 'require';
	/**
	 * What a poll does with an ID that the service does not hold. 'omit', if left out, as documented
	 * for the sister poll of discovered URLs; 'refuse': 404 for the whole poll.
	 */
	unknownInPoll?: 'omit' | 'refuse';
	/** Under which name a page of the list says where the next one begins; `cursor` if left out. */
	recordsNext?: string;
	/** How far behind the list is, in milliseconds; 0 if left out. */
	lagsMs?: { records?: number };
}

export function listRecords(
	{ path }: ReceivedRequest,
	records: Records,
	{ startAndEnd = 'ignore', recordsNext, lagsMs }: LookingOptions,
): Answer {
	const query = new URLSearchParams(path.split('?')[1]);
	if (startAndEnd === 'require' && !(query.has('start') && query.has('end'))) {
		return refuse(badRequest('The query parameters start and end are required.'));
	}
	const page = () => records.page(readRecordsRequest(query), lagsMs?.records);
	const body = () => nextNamed(page(), 'cursor', recordsNext);
	return { status: 200, body, departs: recordsNext !== undefined };
}

/** @param query Of a request that openapi.json has let through. */
function readRecordsRequest(query: URLSearchParams): RecordsRequest {
	const time = (name: string) => (query.has(name) ? Number(query.get(name)) : undefined);
	return {
		...readPageRequest(query),
		startTime: time('startTime'),
		endTime: time('endTime'),
		cursor: readCursor(query),
	};
}

export function pollStatus(
	{ uniqueIds }: ReceivedRequest,
	records: Records,
	{ unknownInPoll = 'omit' }: LookingOptions,
	envelope: Envelope,
): Answer {
	if (uniqueIds === undefined) return refuse(badRequest('uniqueId must be a list of texts.'));
	const unknown = uniqueIds.find((id) => records.get(id) === undefined);
	if (unknown !== undefined && unknownInPoll === 'refuse') {
		return refuse(noSuchFile(unknown, envelope));
	}
	const data = () =>
		Object.fromEntries(
			uniqueIds
				.map((id) => records.get(id))
				.filter((record) => record !== undefined)
				.map(({ uniqueId, status }) => [uniqueId, status]),
		);
	return { status: 200, body: () => ({ success: true, data: data() }) };
}

/** Puts a source into the line again, whatever its status is. One of another kind is unknown (both undocumented). */
export function reindex(
	{ sourceType, uniqueId = '' }: ReceivedRequest,
	records: Records,
	envelope: Envelope,
): Answer {
	const type = records.get(uniqueId)?.type;
	if (type === undefined || sourceTypeOf(type) !== sourceType)
		return refuse(noSuchFile(uniqueId, envelope));
	const body = { success: true };
	return { status: 200, body: () => body, change: () => records.reindex(uniqueId) };
}
