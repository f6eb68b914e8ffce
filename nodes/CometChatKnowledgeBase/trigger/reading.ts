import type { ApiClient } from '../api/apiClient';
import { readList } from '../api/wholeList';
import { answersFor } from '../inventory/whoHasIt';
import { agentRequest, readAgent } from '../service/agents';
import type { Document } from '../service/documents';
import { askStatuses, documentPages, matches } from '../service/documents';
import { sentences } from '../values/quoting';
import type { State, TriggerEvent } from './difference';
import { dated, difference, endEvent, firstState, oldestMs, toAskFor } from './difference';
import type { EventFilter } from './fields';
import { isWanted } from './fields';

/** What the first poll looks at, and what the editor shows: as many as the lists to pick from show, 1,000 documents. */
const MOST_NEWEST_PAGES = 10;

/** What is shown of an event in the editor. */
const MOST_SHOWN = 3;

/**
 * What has happened since, as far as it is wanted. To the first poll all that is there is known.
 *
 * @param before What the last poll has left.
 */
export async function readChanges(
	client: ApiClient,
	{ account, nowMs }: Pick<State, 'account'> & { nowMs: number },
	before: State | undefined,
	wanted: EventFilter,
): Promise<{ events: TriggerEvent[]; state: State }> {
	const records = await readRecords(client, before?.sinceMs);
	const listed = dated(records);
	const start = before ?? firstState(account, listed, nowMs);
	const there = records.at(-1)?.uniqueId;
	const statuses = await askStatuses(client, toAskFor(start, listed), { there });
	const { events, state } = difference(start, listed, statuses, nowMs);
	return { events: await thoseWanted(client, events, wanted, records), state };
}

/** For whoever sets the trigger up: the newest documents for which there would have been an event. */
export async function readNewest(client: ApiClient, wanted: EventFilter): Promise<TriggerEvent[]> {
	const records = await readRecords(client);
	const all = records.flatMap((record) =>
		wanted.events
			.filter((event) => event === 'documentAdded' || event === endEvent(record.status))
			.map((event) => ({ event, record })),
	);
	const found = await thoseWanted(client, all, wanted, records);
	return wanted.events.flatMap((name) =>
		found.filter(({ event }) => event === name).slice(0, MOST_SHOWN),
	);
}

/** Down to where all are known. @param sinceMs Left out: the newest. */
async function readRecords(client: ApiClient, sinceMs?: number): Promise<Document[]> {
	let pages = 0;
	const isLast = ({ entries }: { entries: Document[] }) => {
		if (sinceMs === undefined) return ++pages >= MOST_NEWEST_PAGES;
		return (oldestMs(entries) ?? Infinity) <= sinceMs;
	};
	return await readList(documentPages(client), { isLast });
}

/** Those whose documents an agent has, if one is named, and those of which CometChat does not tell, which say so. */
async function thoseWanted(
	client: ApiClient,
	events: TriggerEvent[],
	wanted: EventFilter,
	listed: Document[],
): Promise<TriggerEvent[]> {
	const fitting = events.filter(
		({ event, record }) => isWanted(event, wanted) && matches(record, wanted),
	);
	// No agent is asked for where there is nothing to ask for.
	if (wanted.agent === '' || fitting.length === 0) return fitting;
	const agent = await client.call(agentRequest(wanted.agent), readAgent, { about: 'agent' });
	const documents = fitting.map(({ record }) => record);
	const answer = await answersFor(client, agent, documents, listed);
	return fitting
		.filter(({ record }) => answer(record) !== 'has not')
		.map((one) => {
			if (answer(one.record) === 'has') return one;
			return { ...one, reason: sentences(one.reason ?? false, NOT_KNOWN_IF_ATTACHED) };
		});
}

const NOT_KNOWN_IF_ATTACHED = 'CometChat does not tell whether the agent has it.';
