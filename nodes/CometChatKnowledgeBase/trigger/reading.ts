import { searchable } from '../input/filters';
import type { ItemFailure } from '../results/apiError';
import { ApiError, caught, isItemFailure } from '../results/apiError';
import { agentRequest, documentsOf, readAgent } from '../service/agents';
import type { ApiClient } from '../service/apiClient';
import { documentsTold, websitesTold } from '../service/attachedDocuments';
import type { KnowledgeBaseRecord } from '../service/records';
import { recordsThat } from '../service/records';
import { askStatuses } from '../service/statusQuestions';
import type { ListPage } from '../service/wholeList';
import { sourceTypeOf } from '../values/sourceTypes';
import { dated, oldestMs } from './creation';
import type { Difference, TriggerEvent } from './difference';
import { difference, endEvent, toAskFor } from './difference';
import type { Wanted } from './fields';
import { isWanted } from './fields';
import type { State } from './state';
import { DAY_MS, firstState } from './state';
import { UserError } from '../values/userError';
import { attempt } from '../service/apiClient';

/** What the first poll looks at, and what the editor shows: as many as the lists to pick from show, 1,000 documents. */
const MOST_NEWEST_PAGES = 10;

/** What is shown of an event in the editor. */
const MOST_SHOWN = 3;

/** The time while a poll lasts. */
export interface PollTime {
	/** By CometChat's clock, or ours where that does not show. */
	nowMs(): number;
	/** Whether what need not be asked for by this poll is left to the next. */
	isLate(): boolean;
}

type Page = ListPage<KnowledgeBaseRecord>;

/** What has happened since, as far as it is wanted. To the first poll all that is there is known. */
export async function readChanges(
	client: ApiClient,
	{ account, before }: { account: string; before: State | undefined },
	wanted: Wanted,
	time: PollTime,
): Promise<Difference | ItemFailure> {
	const isLast = before === undefined ? newestPages() : pagesSince(before);
	const records = await caught(recordsThat(client, undefined, Infinity, { isLast }));
	if (isItemFailure(records)) return records;
	const listed = dated(records);
	if (listed === undefined) return NO_TIMES;
	const start = before ?? firstState(account, listed, time.nowMs());
	const statuses = await caught(
		askStatuses(client, toAskFor(start, listed), {
			there: records.at(-1)?.uniqueId,
			isLate: () => time.isLate(),
		}),
	);
	if (isItemFailure(statuses)) return statuses;
	const found = difference(start, listed, statuses, time.nowMs());
	// What comes would count as known.
	if (found.state.sinceMs > time.nowMs() + DAY_MS) return TIMES_TO_COME;
	const events = await thoseWanted(client, found.events, wanted, records);
	if (isItemFailure(events)) return events;
	return events === undefined ? { events: [], state: start } : { ...found, events };
}

/** For whoever sets the trigger up: the newest documents for which there would have been an event. */
export async function readNewest(
	client: ApiClient,
	wanted: Wanted,
): Promise<TriggerEvent[] | ItemFailure> {
	const records = await caught(recordsThat(client, undefined, Infinity, { isLast: newestPages() }));
	if (isItemFailure(records)) return records;
	const all = records.flatMap((record) =>
		wanted.events
			.filter((event) => event === 'documentAdded' || event === endEvent(record.status))
			.map((event) => ({ event, record })),
	);
	const found = (await thoseWanted(client, all, wanted, records)) ?? [];
	if (isItemFailure(found)) return found;
	return wanted.events.flatMap((name) =>
		found.filter(({ event }) => event === name).slice(0, MOST_SHOWN),
	);
}

/** @returns What says of each page whether it is the last one that is looked at. */
function newestPages(): () => boolean {
	let pages = 0;
	return () => ++pages >= MOST_NEWEST_PAGES;
}

/** Down to where all are known. */
function pagesSince({ sinceMs }: State): (page: Page) => boolean {
	return ({ entries }) => (oldestMs(entries) ?? Infinity) <= sinceMs;
}

/** @returns Undefined if the first document of the agent is still to come: until then nothing is used up. */
async function thoseWanted(
	client: ApiClient,
	events: TriggerEvent[],
	wanted: Wanted,
	listed: KnowledgeBaseRecord[],
): Promise<TriggerEvent[] | ItemFailure | undefined> {
	const fitting = events.filter(
		({ event, record }) => isWanted(event, wanted) && fits(record, wanted),
	);
	// No agent is asked for where there is nothing to ask for.
	if (wanted.agent === undefined || fitting.length === 0) return fitting;
	return await thoseOfAgent(client, wanted.agent, fitting, listed);
}

function fits(record: KnowledgeBaseRecord, { sourceTypes, nameContains }: Wanted): boolean {
	const { uniqueId, sourceName = uniqueId, type = '' } = record;
	return (
		(sourceTypes.length === 0 || sourceTypes.includes(sourceTypeOf(type))) &&
		(nameContains === undefined || searchable(sourceName).includes(nameContains))
	);
}

/**
 * Those whose documents an agent has: an error where its lists do not tell, since nobody knows then which
 * events are wanted. Undefined if they are empty, and no other agent's proves that they would not be.
 */
async function thoseOfAgent(
	client: ApiClient,
	uid: string,
	events: TriggerEvent[],
	listed: KnowledgeBaseRecord[],
): Promise<TriggerEvent[] | ItemFailure | undefined> {
	const agent = await attempt(client, agentRequest(uid), readAgent);
	if (agent instanceof ApiError) return agent;
	const known = new Set<string>(listed.map(({ uniqueId }) => uniqueId));
	const there = listed.at(-1)?.uniqueId;
	const asked = async (ids: string[]) => await caught(askStatuses(client, ids, { there }));
	const told = await documentsTold(client, agent, known, asked);
	if (isItemFailure(told)) return told;
	const areFilesTold = told !== undefined;
	const areSitesTold =
		events.some(isOfSite) && (await websitesTold(agent, areFilesTold, known, asked));
	if (isItemFailure(areSitesTold)) return areSitesTold;
	if (events.every((event) => (isOfSite(event) ? areSitesTold : areFilesTold))) {
		const own = new Set<string>(documentsOf(agent));
		return events.filter(({ record }) => own.has(record.uniqueId));
	}
	const isEmpty = agent.files?.length === 0 && agent.websites?.length === 0;
	return isEmpty ? undefined : NOT_TOLD;
}

function isOfSite({ record: { type = '' } }: TriggerEvent): boolean {
	return sourceTypeOf(type) === 'website';
}

const NO_TIMES = new UserError(
	'CometChat lists documents without the time when they were created',
	'If it stays like this, ask CometChat.',
	{
		said: 'Without it, it cannot be told which of them are new.',
		cause: 'temporarily-unavailable',
	},
);

const TIMES_TO_COME = new UserError(
	'CometChat lists more than 500 documents as created later than tomorrow',
	'Check the clock of the machine that runs n8n; if it is right, ask CometChat.',
	{
		said: 'Beside so many it cannot be told which documents are new.',
		cause: 'temporarily-unavailable',
	},
);

const NOT_TOLD = new UserError(
	'CometChat does not tell which documents the agent has',
	"Take the filter 'Agent' away, and sort the events out by their names instead.",
	{
		said: "The agent's list of documents is none, or names no document that there is, so that the filter would let all through or none.",
		cause: 'configuration-invalid',
	},
);
