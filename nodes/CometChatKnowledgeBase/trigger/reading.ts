import type { ItemFailure } from '../results/itemFailure';
import { searchable } from '../input/filters';
import { isItemFailure, RequestFailure, StepFailure } from '../results/itemFailure';
import { agentRequest, documentsOf, readAgent } from '../service/agents';
import type { ApiClient } from '../service/apiClient';
import { documentsTold, websitesTold } from '../service/attachedDocuments';
import type { KnowledgeBaseRecord } from '../service/records';
import { recordsThat } from '../service/records';
import type { ListPage } from '../service/wholeList';
import { askStatuses } from '../service/statusQuestions';
import { sourceTypeOf } from '../values/sourceTypes';
import type { TriggerChange, Changes } from './changes';
import {
	changesSince,
	endEvent,
	firstCheckpoint,
	isUnfinished,
	reachesKnown,
	toAskFor,
} from './changes';
import type { Checkpoint } from './checkpoint';
import { areTooManyToCome } from './checkpoint';
import type { Listed } from './creation';
import { creationMs, creationTimes, oldestMs } from './creation';
import type { Wanted } from './fields';
import { isWanted } from './fields';

/** As many as the lists to pick from show: 1,000 documents. */
const MOST_NEWEST_PAGES = 10;

/** What is watched, and that is 10,000 at most, is looked for no further. */
const MOST_PAGES_WATCHED = 100;

/** What is shown of an event in the editor. */
const MOST_SHOWN = 3;

/** The time while a poll lasts. */
export interface PollTime {
	/** By our clock. */
	nowMs(): number;
	/** By CometChat's clock, or ours where that does not show. */
	asOfMs(): number;
	/** Whether what need not be asked for by this poll is left to the next. */
	isLate(): boolean;
}

/** What the first poll leaves: all that is there is known, without an event. */
export async function readFirst(
	client: ApiClient,
	account: string,
	time: PollTime,
): Promise<Checkpoint | ItemFailure> {
	const listed = await readListed(client, time, newestUnfinishedPages());
	if (isItemFailure(listed)) return listed;
	return firstCheckpoint(account, listed, time.nowMs());
}

/** What has happened since, as far as it is wanted. */
export async function readChanges(
	client: ApiClient,
	before: Checkpoint,
	wanted: Wanted,
	time: PollTime,
): Promise<Changes | ItemFailure> {
	const listed = await readListed(client, time, ({ entries }, asOfMs) =>
		reachesKnown(before, entries, asOfMs),
	);
	if (isItemFailure(listed)) return listed;
	const statuses = await askStatuses(client, toAskFor(before, listed.records), {
		there: listed.records.at(-1)?.uniqueId,
		isLate: () => time.isLate(),
	});
	if (statuses instanceof RequestFailure) return statuses;
	const found = changesSince(before, listed, statuses, time.nowMs());
	const changes = await thoseWanted(client, found.changes, wanted, listed.records);
	if (isItemFailure(changes)) return changes;
	return changes ? { ...found, changes } : { changes: [], next: before };
}

/** For whoever sets the trigger up: the newest documents for which there would have been an event. */
export async function readNewest(
	client: ApiClient,
	wanted: Wanted,
): Promise<TriggerChange[] | ItemFailure> {
	const listed = await recordsThat(client, undefined, Infinity, { isLast: newestPages() });
	if (isItemFailure(listed)) return listed;
	const all = listed.flatMap((record) =>
		wanted.events
			.filter((event) => event === 'documentAdded' || event === endEvent(record.status))
			.map((event) => ({ event, record })),
	);
	const changes = (await thoseWanted(client, all, wanted, listed)) ?? [];
	if (isItemFailure(changes)) return changes;
	return wanted.events.flatMap((name) =>
		changes.filter(({ event }) => event === name).slice(0, MOST_SHOWN),
	);
}

/** @returns What says of each page whether it is the last one that is looked at. */
function newestPages(): () => boolean {
	let pages = 0;
	return () => {
		pages += 1;
		return pages >= MOST_NEWEST_PAGES;
	};
}

/** As `newestPages`, and those behind them as long as there are documents on them that are indexed still. */
function newestUnfinishedPages(): (page: ListPage<KnowledgeBaseRecord>) => boolean {
	const isEnough = newestPages();
	let pages = 0;
	return ({ entries }) => {
		pages += 1;
		const isAnyUnfinished = pages < MOST_PAGES_WATCHED && entries.some(isUnfinished);
		return isEnough() && !isAnyUnfinished;
	};
}

async function readListed(
	client: ApiClient,
	time: PollTime,
	isLast: (page: ListPage<KnowledgeBaseRecord>, asOfMs: number) => boolean,
): Promise<Listed | ItemFailure> {
	// The earliest, should its clock go back meanwhile: the list was read down to that.
	let asOfMs = Infinity;
	let isWhole = true;
	const isEnd = (page: ListPage<KnowledgeBaseRecord>) => {
		asOfMs = Math.min(asOfMs, time.asOfMs());
		isWhole = !isLast(page, asOfMs);
		return !isWhole;
	};
	const records = await recordsThat(client, undefined, Infinity, { isLast: isEnd });
	if (isItemFailure(records)) return records;
	const times = creationTimes(records);
	if (times === undefined) return NO_TIMES;
	const listed = { records, times, asOfMs: Math.min(asOfMs, time.asOfMs()), isWhole };
	return areTooManyToCome(listed) ? TIMES_TO_COME : listed;
}

/** @returns Undefined if the first document of the agent is still to come: until then nothing is used up. */
async function thoseWanted(
	client: ApiClient,
	changes: TriggerChange[],
	wanted: Wanted,
	listed: KnowledgeBaseRecord[],
): Promise<TriggerChange[] | ItemFailure | undefined> {
	const { agent } = wanted;
	const fitting = changes.filter(
		({ event, record }) => isWanted(event, wanted) && mayBeWanted(record, wanted),
	);
	// No agent is asked for where there is nothing to ask for.
	if (agent === undefined || fitting.length === 0) {
		return await withNames(client, fitting, wanted, listed);
	}
	const records = fitting.map(({ record }) => record);
	const isOfAgent = await agentsOwn(client, agent, listed, records);
	if (isOfAgent === undefined || isItemFailure(isOfAgent)) return isOfAgent;
	const answers = records.map(isOfAgent);
	if (answers.includes('unknown')) return NOT_TOLD;
	const ofAgent = fitting.filter((_, at) => answers[at] === true);
	return await withNames(client, ofAgent, wanted, listed);
}

/** One that nothing is known of but its ID fits: better one too many than none. */
function mayBeWanted(record: KnowledgeBaseRecord, { sourceTypes, nameContains }: Wanted): boolean {
	if (isUnnamed(record)) return true;
	const { sourceName = record.uniqueId, type } = record;
	return (
		(sourceTypes.length === 0 || sourceTypes.includes(sourceTypeOf(type ?? ''))) &&
		(nameContains === undefined || searchable(sourceName).includes(nameContains))
	);
}

function isUnnamed({ sourceName, type }: KnowledgeBaseRecord): boolean {
	return sourceName === undefined && type === undefined;
}

/**
 * Names those for whose names there was no room, as the list names them, and leaves out what then is not
 * wanted. One that can't be found there keeps its ID for a name: that is no reason to tell of none.
 */
async function withNames(
	client: ApiClient,
	changes: TriggerChange[],
	wanted: Wanted,
	listed: KnowledgeBaseRecord[],
): Promise<TriggerChange[]> {
	const listedIds = new Set<string>(listed.map(({ uniqueId }) => uniqueId));
	const unnamed = changes
		.map(({ record }) => record)
		.filter((record) => isUnnamed(record) && !listedIds.has(record.uniqueId));
	if (unnamed.length === 0) return changes;
	const ids = new Set(unnamed.map(({ uniqueId }) => uniqueId));
	const fromMs = unnamed.reduce((ms, record) => Math.min(ms, creationMs(record) ?? 0), Infinity);
	let pages = 0;
	const isLast = ({ entries }: ListPage<KnowledgeBaseRecord>) => {
		pages += 1;
		return pages >= MOST_PAGES_WATCHED || (oldestMs(entries) ?? Infinity) < fromMs;
	};
	const isMeant = ({ uniqueId }: KnowledgeBaseRecord) => ids.has(uniqueId);
	const found = await recordsThat(client, isMeant, ids.size, { isLast });
	if (isItemFailure(found)) return changes;
	const byId = new Map(found.map((record) => [record.uniqueId, record]));
	return changes
		.map((change) => {
			const { uniqueId, status } = change.record;
			return { ...change, record: { ...(byId.get(uniqueId) ?? change.record), status } };
		})
		.filter(({ record }) => mayBeWanted(record, wanted));
}

/**
 * Whether an agent has a document, as far as its lists tell: nobody knows otherwise which events are wanted.
 * Undefined if its lists are empty, and no other agent's proves that they would not be.
 *
 * @param fitting Those in question.
 */
async function agentsOwn(
	client: ApiClient,
	uid: string,
	listed: KnowledgeBaseRecord[],
	fitting: KnowledgeBaseRecord[],
): Promise<((record: KnowledgeBaseRecord) => boolean | 'unknown') | ItemFailure | undefined> {
	const agent = await client.call(agentRequest(uid), readAgent);
	if (agent instanceof RequestFailure) return agent;
	const known = new Set<string>(listed.map(({ uniqueId }) => uniqueId));
	const there = listed.at(-1)?.uniqueId;
	const asked = async (ids: string[]) => await askStatuses(client, ids, { there });
	const told = await documentsTold(client, agent, known, asked);
	if (isItemFailure(told)) return told;
	const areFilesTold = told !== undefined;
	const areSitesTold =
		fitting.some(isSite) && (await websitesTold(agent, areFilesTold, known, asked));
	if (isItemFailure(areSitesTold)) return areSitesTold;
	const isEmpty = agent.files?.length === 0 && agent.websites?.length === 0;
	const isProven = areFilesTold && (areSitesTold || !fitting.some(isSite));
	if (isEmpty && !isProven) return undefined;
	const own = new Set<string>(documentsOf(agent));
	return (record) => {
		const isTold = isSite(record) ? areSitesTold : areFilesTold;
		return isTold ? own.has(record.uniqueId) : 'unknown';
	};
}

function isSite({ type }: KnowledgeBaseRecord): boolean {
	return type !== undefined && sourceTypeOf(type) === 'website';
}

const NO_TIMES = new StepFailure(
	'CometChat lists documents without the time when they were created',
	'If it stays like this, ask CometChat.',
	{
		said: 'Without it, it cannot be told which of them are new.',
		cause: 'temporarily-unavailable',
	},
);

const TIMES_TO_COME = new StepFailure(
	'CometChat lists more than 2,000 documents as created later than tomorrow',
	'Check the clock of the machine that runs n8n; if it is right, ask CometChat.',
	{
		said: 'Beside so many it cannot be told which documents are new.',
		cause: 'temporarily-unavailable',
	},
);

const NOT_TOLD = new StepFailure(
	'CometChat does not tell which documents the agent has',
	"Take the filter 'Agent' away, and sort the events out by their names instead.",
	{
		said: "The agent's list of documents is none, or names no document that there is, so that the filter would let all through or none.",
		cause: 'configuration-invalid',
	},
);
