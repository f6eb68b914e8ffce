import { batchOperation } from '../../operations/batchOperation';
import { eachItem } from '../../operations/eachItem';
import type { ItemContext } from '../../operations/itemContext';
import { Snapshot } from '../../delivery/snapshot';
import { agentPicker, cutWords, limit } from '../../fields/fields';
import type { Fields } from '../../output/itemResult';
import type { Agent } from '../../api/agents';
import { attachedIds } from '../../api/agents';
import { knownStatuses, NOT_LISTED, simplified } from '../../api/documents';
import { UserError, isFailure, toResult } from '../../text/failure';
import { UPLOADS, WEBSITE } from '../../text/sourceTypes';

export const getKnowledge = batchOperation({
	value: 'getMany',
	name: 'Get Many',
	action: "Get many documents of agent's knowledge base",
	description:
		'Get a list of the files, text entries and websites that an agent uses, with status and IDs',
	fields: { uid: agentPicker('The AI agent whose documents you want to list'), limit },
	output: [
		...(['name', 'status', 'uniqueId', 'sourceType', 'agentName', 'uid', 'reason'] as const),
		...(['createdAt', 'updatedAt'] as const),
	],
	runAll: async (items, run) => {
		const snapshot = new Snapshot(run);
		const uids = [...new Set(items.map(({ task }) => task.uid))];
		const agents = await Promise.all(
			uids.map(async (uid) => toResult(snapshot.agents.withUid(uid))),
		);
		const ids = agents.flatMap((agent) => (isFailure(agent) ? [] : attachedIds(agent)));
		if (ids.length > 0) await snapshot.readDocuments(ids);
		return await eachItem(run, items, async ({ task }, item) => {
			const agent = await snapshot.agents.withUid(task.uid);
			if (snapshot.listFailure) throw snapshot.listFailure;
			return await rowsOf(item, agent, snapshot, task.limit);
		});
	},
});

async function rowsOf(
	item: ItemContext,
	agent: Agent,
	snapshot: Snapshot,
	most: number,
): Promise<Fields[]> {
	const { name, uid, files, websites } = agent;
	// The requests for the lists are shared.
	item.count({ attempts: 1 });
	if (files === undefined && websites === undefined) throw NOT_REPORTED;
	if (files === undefined)
		item.warn("CometChat doesn't report the files and text entries of the agent");
	if (websites === undefined) item.warn("CometChat doesn't report the websites of the agent");
	const ids = [...new Set(attachedIds(agent))];
	if (ids.length === 0) item.remark('CometChat lists no documents for the agent');
	if (ids.length > most) item.remark(cutWords(most));
	const rows = await describeAll(item, ids.slice(0, most), snapshot);
	const isWebsite = (id: unknown) => websites?.some((one) => one === id) ?? false;
	return rows.map(({ sourceType, ...row }) => ({
		...row,
		sourceType: sourceType ?? (isWebsite(row.uniqueId) ? WEBSITE : UPLOADS),
		agentName: name ?? uid,
		uid,
	}));
}

/** Returns the known facts about each ID. The status of an unlisted ID is requested. */
async function describeAll(
	item: ItemContext,
	ids: string[],
	{ documents }: Snapshot,
): Promise<Fields[]> {
	const unlisted = ids.filter((id) => documents.withId(id) === undefined);
	const statuses = await knownStatuses(item, unlisted);
	return ids.map((uniqueId) => {
		const record = documents.withId(uniqueId);
		if (record) return simplified(record);
		const status = statuses.get(uniqueId) ?? NOT_LISTED;
		const reason = status === NOT_LISTED ? NOT_THERE : NOT_LISTED_YET;
		return { name: uniqueId, status, uniqueId, reason };
	});
}

const NOT_THERE = "The agent uses this ID, but CometChat's list contains no such document.";

const NOT_LISTED_YET =
	"The name of the document is unknown: CometChat's list doesn't contain the document yet.";

const NOT_REPORTED = new UserError(
	"CometChat doesn't report which documents the agent uses",
	'Check the documents of the agent in the CometChat dashboard.',
);
