import type { ApiClient } from '../api/apiClient';
import { collect, withinPages } from '../api/pagination';
import { Usage } from '../delivery/usage';
import { agentPages, agentRequest, attachedIds, readAgent, readAgents } from '../api/agents';
import type { Document, StatusById } from '../api/documents';
import { knownStatuses, documentPages, matches } from '../api/documents';
import { toResult, isFailure } from '../text/failure';
import { sentences } from '../text/quoting';
import { sourceTypeOf } from '../text/sourceTypes';
import type { Reading, State, TriggerEvent } from './difference';
import { withCreationTime, difference, endEvent, firstState, toAskFor } from './difference';
import type { EventFilter } from './fields';
import { isWanted } from './fields';

/** How much of a list is read where more would help little: 1,000 documents, or 500 agents. */
const MOST_PAGES = 10;

/** What is shown of an event in the editor. */
const MOST_SHOWN = 3;

/** A poll, and its time. */
export interface Poll {
	client: ApiClient;
	/** The base URL of the account. */
	account: string;
	nowMs: number;
	/** Whether the time of the poll is up: what was read until then counts. */
	isOver(): boolean;
}

/**
 * The wanted events since the last poll. To the first poll, all documents are known.
 *
 * @param before The state that the last poll has saved.
 */
export async function readChanges(
	poll: Poll,
	before: State | undefined,
	wanted: EventFilter,
): Promise<{ events: TriggerEvent[]; state: State }> {
	const reading = await readDocuments(poll, before);
	const start = before ?? firstState(poll.account, reading, poll.nowMs);
	const statuses = await inTime(poll, readStatuses(poll, start, reading), new Map());
	// To the first poll, the unread part of the list is known.
	const read = before ? reading : { listed: reading.listed };
	const { events, state } = difference(start, read, statuses, poll.nowMs);
	return { events: await filterEvents(poll, events, wanted), state };
}

/** For whoever sets the trigger up: the newest documents for which there would have been an event. */
export async function readNewest(poll: Poll, wanted: EventFilter): Promise<TriggerEvent[]> {
	const { listed } = await readDocuments(poll);
	const all = listed.flatMap(({ record }) =>
		wanted.events
			.filter((event) => event === 'documentAdded' || event === endEvent(record.status))
			.map((event) => ({ event, record })),
	);
	const found = await filterEvents(poll, all, wanted);
	return wanted.events.flatMap((name) =>
		found.filter(({ event }) => event === name).slice(0, MOST_SHOWN),
	);
}

/** The answer of a question; another value if the time of the poll is up. */
async function inTime<Value>(poll: Poll, asked: Promise<Value>, otherwise: Value): Promise<Value> {
	const answer = await toResult(asked);
	if (!isFailure(answer)) return answer;
	if (!poll.isOver()) throw answer;
	return otherwise;
}

/** Reads the list down to the known documents, or as far as the time lasts: at least a page. */
async function readDocuments(poll: Poll, before?: State): Promise<Reading> {
	const from = before?.from;
	const answer = await toResult(readFrom(poll, from, before?.sinceMs));
	if (!isFailure(answer)) return answer;
	// The place from which an earlier poll wanted to continue may be lost.
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

async function readStatuses(
	{ client }: Poll,
	before: State,
	{ listed }: Reading,
): Promise<StatusById> {
	return await knownStatuses(client, toAskFor(before, listed));
}

/** The wanted events. Where CometChat does not report whether the agent has a document, its event says so. */
async function filterEvents(
	poll: Poll,
	events: TriggerEvent[],
	wanted: EventFilter,
): Promise<TriggerEvent[]> {
	const fitting = events.filter(
		({ event, record }) => isWanted(event, wanted) && matches(record, wanted),
	);
	// No agent is asked for where there is nothing to ask for.
	if (wanted.agent === '' || fitting.length === 0) return fitting;
	const documents = fitting.map(({ record }) => record);
	const asked = findAttached(poll.client, wanted.agent, documents);
	const isAttached = await inTime(poll, asked, undefined);
	const unknown = isAttached ? NOT_REPORTED : NOT_ASKED;
	return fitting.flatMap((one) => {
		const isOwn = isAttached?.(one.record);
		if (isOwn === false) return [];
		if (isOwn) return [one];
		return [{ ...one, reason: sentences(one.reason ?? false, unknown) }];
	});
}

/**
 * Whether an agent has documents; undefined where CometChat does not report it. The newest documents and the agents are
 * read only for documents that the agent's own lists do not name.
 */
async function findAttached(
	client: ApiClient,
	uid: string,
	documents: Document[],
): Promise<(document: Document) => boolean | undefined> {
	const agent = await client.call(agentRequest(uid), readAgent, { about: 'agent' });
	const own = new Set(attachedIds(agent));
	if (documents.every(({ uniqueId }) => own.has(uniqueId))) return () => true;
	const upToMost = () => ({ isLast: withinPages(() => false, MOST_PAGES) });
	const newest = await collect(documentPages(client), upToMost());
	const all = await collect(agentPages(client, readAgents), upToMost());
	const types = new Map(
		[...newest, ...documents].map(({ uniqueId, type }) => [uniqueId, sourceTypeOf(type)]),
	);
	const others = all.filter((other) => other.uid !== agent.uid);
	const usage = new Usage([agent, ...others], (id) => types.get(id));
	return ({ uniqueId, type }) => {
		if (own.has(uniqueId)) return true;
		return usage.unreported(sourceTypeOf(type)).includes(agent) ? undefined : false;
	};
}

const NOT_REPORTED = "CometChat doesn't report whether the agent uses the document.";
const NOT_ASKED =
	'The time of the poll was over before CometChat reported whether the agent uses the document.';
