import { searchable } from '../input/filters';
import { sentences } from '../results/itemResult';
import { answersFor } from '../service/agentDocuments';
import { agentRequest, readAgent } from '../service/agents';
import type { ApiClient } from '../service/apiClient';
import type { Document } from '../service/documents';
import { documentPages } from '../service/documents';
import { askStatuses } from '../service/statusQuestions';
import type { ListPage } from '../service/wholeList';
import { readWholeList } from '../service/wholeList';
import { sourceTypeOf } from '../values/sourceTypes';
import { UserError } from '../values/userError';
import { dated, oldestMs } from './creation';
import type { Difference, TriggerEvent } from './difference';
import { difference, endEvent, toAskFor } from './difference';
import type { Wanted } from './fields';
import { isWanted } from './fields';
import type { State } from './state';
import { DAY_MS, firstState } from './state';

/** What the first poll looks at, and what the editor shows: as many as the lists to pick from show, 1,000 documents. */
const MOST_NEWEST_PAGES = 10;

/** What is shown of an event in the editor. */
const MOST_SHOWN = 3;

/** Asks CometChat while a poll lasts. */
export interface PollClient extends ApiClient {
	/** By CometChat's clock, or ours where that does not show. */
	nowMs(): number;
	/** Whether what need not be asked for by this poll is left to the next. */
	isLate(): boolean;
}

type Page = ListPage<Document>;

/**
 * What has happened since, as far as it is wanted. To the first poll all that is there is known.
 *
 * @param account The base URL.
 * @param before What the last poll has left.
 */
export async function readChanges(
	client: PollClient,
	account: string,
	before: State | undefined,
	wanted: Wanted,
): Promise<Difference> {
	const isLast = before === undefined ? newestPages() : pagesSince(before);
	const records = await readWholeList(documentPages(client), { isLast });
	const listed = dated(records);
	const start = before ?? firstState(account, listed, client.nowMs());
	const statuses = await askStatuses(client, toAskFor(start, listed), {
		there: records.at(-1)?.uniqueId,
		isLate: () => client.isLate(),
	});
	const found = difference(start, listed, statuses, client.nowMs());
	// What comes would count as known.
	if (found.state.sinceMs > client.nowMs() + DAY_MS) throw TIMES_TO_COME;
	const events = await thoseWanted(client, found.events, wanted, records);
	return events === undefined ? { events: [], state: start } : { ...found, events };
}

/** For whoever sets the trigger up: the newest documents for which there would have been an event. */
export async function readNewest(client: ApiClient, wanted: Wanted): Promise<TriggerEvent[]> {
	const records = await readWholeList(documentPages(client), { isLast: newestPages() });
	const all = records.flatMap((record) =>
		wanted.events
			.filter((event) => event === 'documentAdded' || event === endEvent(record.status))
			.map((event) => ({ event, record })),
	);
	const found = (await thoseWanted(client, all, wanted, records)) ?? [];
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
	listed: Document[],
): Promise<TriggerEvent[] | undefined> {
	const fitting = events.filter(
		({ event, record }) => isWanted(event, wanted) && fits(record, wanted),
	);
	// No agent is asked for where there is nothing to ask for.
	if (wanted.agent === '' || fitting.length === 0) return fitting;
	return await thoseOfAgent(client, wanted.agent, fitting, listed);
}

function fits(record: Document, { sourceTypes, nameContains }: Wanted): boolean {
	const { uniqueId, sourceName = uniqueId, type = '' } = record;
	return (
		(sourceTypes.length === 0 || sourceTypes.includes(sourceTypeOf(type))) &&
		searchable(sourceName).includes(nameContains)
	);
}

/**
 * Those whose documents an agent has, and those of which CometChat does not tell, which say so. Undefined if that is
 * because it has none yet, and no other agent proves that the lists would tell.
 */
async function thoseOfAgent(
	client: ApiClient,
	uid: string,
	events: TriggerEvent[],
	listed: Document[],
): Promise<TriggerEvent[] | undefined> {
	const agent = await client.call(agentRequest(uid), readAgent, { about: 'agent' });
	const there = listed.at(-1)?.uniqueId;
	const documents = events.map(({ record }) => record);
	const answer = await answersFor(client, agent, documents, {
		records: listed,
		statusesOf: async (ids) => await askStatuses(client, ids, { there }),
	});
	const hasNone = agent.files?.length === 0 && agent.websites?.length === 0;
	if (hasNone && documents.some((one) => answer(one) === 'unknown')) return undefined;
	return events
		.filter(({ record }) => answer(record) !== 'has not')
		.map((one) => {
			if (answer(one.record) === 'has') return one;
			return { ...one, reason: sentences(one.reason ?? false, NOT_TOLD) };
		});
}

const NOT_TOLD = 'CometChat does not tell whether the agent has it.';

const TIMES_TO_COME = new UserError(
	'CometChat lists more than 500 documents as created later than tomorrow',
	'Check the clock of the machine that runs n8n; if it is right, ask CometChat.',
	{
		detail: 'Beside so many it cannot be told which documents are new.',
		cause: 'temporarily-unavailable',
	},
);
