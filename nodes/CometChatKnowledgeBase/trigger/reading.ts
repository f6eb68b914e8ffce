import type { ItemFailure } from '../results/itemFailure';
import { isItemFailure, RequestFailure, StepFailure } from '../results/itemFailure';
import { agentRequest, readAgent } from '../service/agents';
import type { ApiClient } from '../service/apiClient';
import { documentsTold } from '../service/attachedDocuments';
import type { KnowledgeBaseRecord } from '../service/records';
import { recordsThat } from '../service/records';
import type { StatusById } from '../service/statuses';
import { NOT_LISTED, statusesOf } from '../service/statuses';
import type { ListPage } from '../service/wholeList';
import { sourceTypeOf } from '../values/sourceTypes';
import type { Change, Changes } from './changes';
import { changesSince, creationTimes, endOf, firstCheckpoint, oldestMs, toAskFor } from './changes';
import type { Checkpoint } from './checkpoint';
import type { Wanted } from './fields';
import { searchable } from './fields';

/** As many as the lists to pick from show: 1,000 documents. */
const MOST_PAGES = 10;

/** What is shown of an event in the editor. */
const MOST_SHOWN = 3;

interface Listed {
	records: KnowledgeBaseRecord[];
	/** When each of them was created. */
	times: number[];
}

/** What the first poll leaves: all that is there is known, without an event. */
export async function readFirst(
	client: ApiClient,
	account: string,
	nowMs: number,
): Promise<Checkpoint | ItemFailure> {
	const listed = await readListed(client, newestPages());
	if (isItemFailure(listed)) return listed;
	return firstCheckpoint(account, listed.records, listed.times, nowMs);
}

/** What has happened since, as far as it is wanted. */
export async function readChanges(
	client: ApiClient,
	before: Checkpoint,
	wanted: Wanted,
	nowMs: number,
): Promise<Changes | ItemFailure> {
	const listed = await readListed(client, (page) => {
		const lastMs = oldestMs(page.entries);
		return lastMs !== undefined && lastMs <= before.floorMs;
	});
	if (isItemFailure(listed)) return listed;
	const { records, times } = listed;
	const statuses = await statusesOrUnknown(client, toAskFor(before, records));
	if (statuses instanceof RequestFailure) return statuses;
	const found = changesSince(before, records, times, statuses, nowMs);
	const changes = await thoseWanted(client, found.changes, wanted, records);
	return isItemFailure(changes) ? changes : { ...found, changes };
}

/** For whoever sets the trigger up: the newest documents for which there would have been an event. */
export async function readNewest(
	client: ApiClient,
	wanted: Wanted,
): Promise<Change[] | ItemFailure> {
	const listed = await recordsThat(client, undefined, Infinity, newestPages());
	if (isItemFailure(listed)) return listed;
	const all = listed.flatMap((record) =>
		wanted.events
			.filter((event) => event === 'documentAdded' || event === endOf(record.status))
			.map((event) => ({ event, record })),
	);
	const changes = await thoseWanted(client, all, wanted, listed);
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
		return pages >= MOST_PAGES;
	};
}

async function readListed(
	client: ApiClient,
	isLast: (page: ListPage<KnowledgeBaseRecord>) => boolean,
): Promise<Listed | ItemFailure> {
	const records = await recordsThat(client, undefined, Infinity, isLast);
	if (isItemFailure(records)) return records;
	const times = creationTimes(records);
	return times === undefined ? NO_TIMES : { records, times };
}

/** The status of each ID. A service may refuse the question for one that it does not know: that one is found, and the others asked for without it. */
async function statusesOrUnknown(
	client: ApiClient,
	ids: string[],
): Promise<StatusById | RequestFailure> {
	const answer = await statusesOf(client, ids);
	if (!(answer instanceof RequestFailure)) return answer;
	const { concernsOneFile, status } = answer.result.explanation ?? {};
	if (!concernsOneFile || status !== 404) return answer;
	if (ids.length === 1) return new Map(ids.map((id) => [id, NOT_LISTED]));
	const found: StatusById = new Map();
	const middle = Math.ceil(ids.length / 2);
	for (const half of [ids.slice(0, middle), ids.slice(middle)]) {
		const statuses = await statusesOrUnknown(client, half);
		if (statuses instanceof RequestFailure) return statuses;
		for (const [id, one] of statuses) found.set(id, one);
	}
	return found;
}

async function thoseWanted(
	client: ApiClient,
	changes: Change[],
	{ events, sourceTypes, nameContains, agent }: Wanted,
	listed: KnowledgeBaseRecord[],
): Promise<Change[] | ItemFailure> {
	const fitting = changes.filter(({ event, record }) => {
		const { sourceName = record.uniqueId, type } = record;
		return (
			events.includes(event) &&
			(sourceTypes.length === 0 || sourceTypes.includes(sourceTypeOf(type ?? ''))) &&
			(nameContains === undefined || searchable(sourceName).includes(nameContains))
		);
	});
	// No agent is asked for where there is nothing to ask for.
	if (agent === undefined || fitting.length === 0) return fitting;
	const documents = await documentsOfAgent(client, agent, listed);
	if (isItemFailure(documents)) return documents;
	return fitting.filter(({ record }) => documents.has(record.uniqueId));
}

/** What an agent has; why it can't be told, if it can not: nobody knows then which events are wanted. */
async function documentsOfAgent(
	client: ApiClient,
	uid: string,
	listed: KnowledgeBaseRecord[],
): Promise<ReadonlySet<string> | ItemFailure> {
	const agent = await client.call(agentRequest(uid), readAgent);
	if (agent instanceof RequestFailure) return agent;
	const known = new Set(listed.map(({ uniqueId }) => uniqueId));
	const asked = async (ids: string[]) => await statusesOrUnknown(client, ids);
	return (await documentsTold(client, agent, known, asked)) ?? NOT_TOLD;
}

const NO_TIMES = new StepFailure(
	'CometChat lists documents without the time when they were created',
	'If it stays like this, ask CometChat.',
	{
		said: 'Without it, it can not be told which of them are new.',
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
