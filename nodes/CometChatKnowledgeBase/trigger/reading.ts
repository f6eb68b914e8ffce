import type { ApiClient } from '../api/apiClient';
import { listFor } from '../delivery/usage';
import { agentRequest, readAgent } from '../api/agents';
import type { Document, StatusById } from '../api/documents';
import { knownStatuses, documentPages, matches } from '../api/documents';
import { toResult, isFailure, UserError } from '../text/failure';
import { sourceTypeOf } from '../text/sourceTypes';
import type { Reading, State, TriggerEvent } from './difference';
import {
	withCreationTime,
	difference,
	endEvent,
	firstState,
	isStuckSince,
	toAskFor,
} from './difference';
import type { EventFilter } from './fields';

/** The pages that the first poll reads: 1,000 documents. */
const MOST_PAGES = 10;

/** The documents for each event in a test in the editor. */
const MOST_SHOWN = 3;

/** A poll, and its time. */
export interface Poll {
	client: ApiClient;
	/** The base URL of the account. */
	account: string;
	nowMs: number;
	/** Whether the time of the poll is over. The part of the list that was read until then counts. */
	isOver(): boolean;
}

/** Reads the wanted events since the last poll, which saved `before`. For the first poll, all documents are known. */
export async function readChanges(
	poll: Poll,
	before: State | undefined,
	wanted: EventFilter,
): Promise<{ events: TriggerEvent[]; state: State }> {
	const reading = await readDocuments(poll, before);
	const start = before ?? firstState(poll.account, reading, poll.nowMs);
	const statuses = await readStatuses(poll, start, reading);
	// For the first poll, the unread part of the list is known.
	const read = before ? reading : { listed: reading.listed };
	const { events, state } = difference(start, read, statuses, poll.nowMs);
	return { events: await filterEvents(poll, events, wanted), state };
}

/** Reads the newest documents with an event, for a test in the editor. */
export async function readNewest(poll: Poll, wanted: EventFilter): Promise<TriggerEvent[]> {
	const { listed } = await readDocuments(poll);
	const all = listed.flatMap(({ record, createdMs }): TriggerEvent[] => {
		const end = endEvent(record.status);
		const isStuck = isStuckSince(createdMs, record.status, poll.nowMs);
		return [
			{ event: 'documentAdded', record },
			...(end === undefined ? [] : [{ event: end, record }]),
			...(isStuck ? [{ event: 'stuck' as const, record }] : []),
		];
	});
	const found = await filterEvents(poll, all, wanted);
	return wanted.events.flatMap((name) =>
		found.filter(({ event }) => event === name).slice(0, MOST_SHOWN),
	);
}

/** Reads the list down to the known documents, or until the time is over, but at least one page. */
async function readDocuments(poll: Poll, before?: State): Promise<Reading> {
	const from = before?.from;
	const answer = await toResult(readFrom(poll, from, before?.sinceMs));
	if (!isFailure(answer)) return answer;
	// The place from which an earlier poll wanted to continue may have become invalid.
	if (from === undefined || poll.isOver()) throw answer;
	return await readFrom(poll, undefined, before?.sinceMs);
}

async function readFrom(
	poll: Poll,
	from: string | undefined,
	sinceMs: number | undefined,
): Promise<Reading> {
	const records: Document[] = [];
	let next: string | undefined;
	let pages = 0;
	const read = async () => {
		for await (const page of documentPages(poll.client, { from })) {
			records.push(...page.entries);
			next = page.next;
			pages += 1;
			if (sinceMs === undefined && pages >= MOST_PAGES) return;
			const [oldest] = withCreationTime(page.entries.slice(-1));
			if (sinceMs === undefined || oldest === undefined || oldest.createdMs > sinceMs) continue;
			next = undefined;
			return;
		}
	};
	const failure = await toResult(read());
	if (isFailure(failure) && !(poll.isOver() && typeof next === 'string')) throw failure;
	return { listed: withCreationTime(records), from: typeof next === 'string' ? next : undefined };
}

/** Reads the statuses of the watched documents; none if the time of the poll is over. */
async function readStatuses(poll: Poll, before: State, { listed }: Reading): Promise<StatusById> {
	const statuses = await toResult(knownStatuses(poll.client, toAskFor(before, listed)));
	if (!isFailure(statuses)) return statuses;
	if (!poll.isOver()) throw statuses;
	return new Map();
}

/** Returns the wanted events. Without the agent's lists, the poll fails: no event is left out. */
async function filterEvents(
	{ client }: Poll,
	events: TriggerEvent[],
	wanted: EventFilter,
): Promise<TriggerEvent[]> {
	const fitting = events.filter(
		({ event, record }) => wanted.events.includes(event) && matches(record, wanted),
	);
	// Without events, no request for the agent is needed.
	if (wanted.agent === '' || fitting.length === 0) return fitting;
	const agent = await client.call(agentRequest(wanted.agent), readAgent, { about: 'agent' });
	return fitting.filter(({ record: { uniqueId, type } }) => {
		const ids = listFor(agent, sourceTypeOf(type));
		if (ids === undefined) throw NOT_REPORTED;
		return ids.includes(uniqueId);
	});
}

const NOT_REPORTED = new UserError(
	"CometChat doesn't report the documents of the agent in the filter 'Agent'",
	"Remove the filter 'Agent', or contact CometChat support.",
	{ cause: 'temporarily-unavailable' },
);
