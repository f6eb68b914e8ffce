import type { INodeProperties } from 'n8n-workflow';

import type { Reader, Ready } from '../../execution/items';
import { itemByItem } from '../../execution/items';
import type { Operation, RunContext } from '../../execution/operation';
import { NOTHING_CHANGED, ItemContext } from '../../execution/itemContext';
import { Inventory } from '../../ingestion/inventory';
import type { Records } from '../../ingestion/records';
import { agentField, limitFields } from '../../input/fields';
import { readUid } from '../../input/identifiers';
import { cutWords, readLimit } from '../../input/limit';
import type { ItemFailure } from '../../results/apiError';
import { explainedBy, isItemFailure, ApiError } from '../../results/apiError';
import type { Fields, ItemResult } from '../../results/itemResult';
import { explainUnknownAgent } from '../../results/messages';
import type { Agent } from '../../service/agents';
import { documentsOf } from '../../service/agents';
import { tellingOf } from '../../service/attachedDocuments';
import { simplified } from '../../service/records';
import { askStatuses } from '../../service/statusQuestions';
import type { StatusById } from '../../service/statuses';
import { NOT_LISTED } from '../../service/statuses';
import { UserError } from '../../values/userError';

interface KnowledgeTask {
	uid: string;
	/** Infinity for all. */
	limit: number;
}

const knowingAgentField: INodeProperties = {
	...agentField,
	description: 'The agent whose documents are listed',
};

export const getKnowledge: Operation = {
	value: 'getMany',
	name: 'Get Many',
	action: 'List what an agent knows',
	description:
		'List the files, texts and websites that an agent answers from, with names, status and IDs',
	fields: [knowingAgentField, ...limitFields],
	output: [
		...(['name', 'status', 'uniqueId', 'sourceType', 'agentName', 'uid', 'reason'] as const),
		...(['createdAt', 'updatedAt'] as const),
	],
	run: itemByItem(knowledgeReader, (run) => {
		const lookups = { inventory: new Inventory(run), statusesOf: statusesIn(run) };
		return { perform: async (item) => await listKnowledge(item, run, lookups) };
	}),
};

function knowledgeReader(run: RunContext): Reader<KnowledgeTask> {
	const uidOf = run.parameter('uid');
	const returnAll = run.parameter('returnAll');
	const limitOf = run.parameter('limit');
	return (index) => {
		const uid = readUid(uidOf(index));
		const limit = readLimit(returnAll(index), limitOf(index));
		return { kind: 'ready', task: { uid, limit }, requested: { uid } };
	};
}

/** What the items of a run ask for together. */
interface KnowledgeRun {
	inventory: Inventory;
	/** The statuses of documents that the list lacks, as far as CometChat tells. */
	statusesOf(ids: string[], there?: string): Promise<{ statuses: StatusById; steps: ItemContext }>;
}

/** Each ID once: a second item with the same agent would ask for it again. */
function statusesIn(run: RunContext): KnowledgeRun['statusesOf'] {
	const asked = new Map<string, ReturnType<KnowledgeRun['statusesOf']>>();
	const ask = async (ids: string[], there?: string) => {
		const steps = new ItemContext(run);
		const answer = await askStatuses(steps, ids, { there });
		const statuses: StatusById = answer instanceof ApiError ? new Map() : answer;
		return { statuses, steps };
	};
	return async (ids, there) => {
		const notAsked = ids.filter((id) => !asked.has(id));
		const answer = ask(notAsked, there);
		for (const id of notAsked) asked.set(id, answer);
		const steps = new ItemContext(run);
		const statuses = new Map<string, string>();
		for (const shared of new Set(ids.flatMap((id) => asked.get(id) ?? []))) {
			const told = await shared;
			steps.include(told.steps);
			for (const [id, status] of told.statuses) statuses.set(id, status);
		}
		return { statuses, steps };
	};
}

async function listKnowledge(
	{ task: { uid, limit }, requested }: Ready<KnowledgeTask>,
	run: RunContext,
	lookups: KnowledgeRun,
): Promise<ItemResult> {
	const { inventory } = lookups;
	const steps = new ItemContext(run);
	const found = await lookUp(steps, uid, inventory);
	if (isItemFailure(found)) return steps.failed(found, requested, NOTHING_CHANGED);
	const { agent, isTold } = found;
	const all = [...new Set(documentsOf(agent))];
	const ids = all.slice(0, limit);
	if (all.length > limit) steps.remark(cutWords(limit, true));
	const records = await inventory.recordsFor(steps, () => ids.every((id) => inventory.record(id)));
	if (records instanceof ApiError) return steps.failed(records, requested, NOTHING_CHANGED);
	const hasNone = !isItemFailure(records) && records.isWhole && records.count === 0;
	const entries = [
		...untoldOf(agent, isTold || hasNone),
		...(await describeAll(steps, ids, agent, { ...lookups, records })),
	];
	if (entries.length === 0) steps.remark('The agent has no documents');
	const { name, uid: own } = agent;
	return steps.done(
		entries.map(({ uniqueId, ...rest }) => ({
			...rest,
			...(uniqueId === undefined ? {} : { uniqueId }),
			agentName: name ?? own,
			uid: own,
		})),
	);
}

/** The agent, and whether lists of it that are empty are to be believed: only for that are others looked at. */
async function lookUp(
	steps: ItemContext,
	uid: string,
	inventory: Inventory,
): Promise<{ agent: Agent; isTold: boolean } | ItemFailure> {
	const agent = explainedBy(explainUnknownAgent, await inventory.agentAlone(steps, uid));
	if (isItemFailure(agent)) return agent;
	if (documentsOf(agent).length > 0) return { agent, isTold: true };
	const found = await inventory.agentFor(steps, uid);
	return { agent, isTold: !isItemFailure(found) && found.documents !== undefined };
}

/** What an agent's lists do not tell: an item for each. */
function untoldOf({ files, websites }: Agent, isTold: boolean): Fields[] {
	const isEmpty = files?.length === 0 && websites?.length === 0;
	const reasons: string[] = [];
	if (files === undefined) reasons.push('CometChat does not tell which files and texts it has.');
	if (websites === undefined) reasons.push('CometChat does not tell which websites it has.');
	if (isEmpty && !isTold) reasons.push(NOBODY_HAS);
	return reasons.map((reason) => ({ status: 'notTold', reason }));
}

const NOBODY_HAS =
	"CometChat lists no document for it. Whether it has none is not known: no other agent's list proves that it would be told.";

/** What is known of each of the agent's IDs. */
async function describeAll(
	steps: ItemContext,
	ids: string[],
	agent: Agent,
	{ inventory, statusesOf, records }: KnowledgeRun & { records: Records | UserError },
): Promise<Fields[]> {
	const unlisted = ids.filter((id) => inventory.record(id) === undefined);
	const there = ids.find((id) => inventory.record(id) !== undefined);
	const { statuses, steps: shared } = await statusesOf(unlisted, there);
	steps.include(shared);
	const isDocument = (id: string) =>
		inventory.record(id) !== undefined || (statuses.get(id) ?? NOT_LISTED) !== NOT_LISTED;
	const areIds = tellingOf(agent, isDocument) === 'told';
	const websites = new Set(agent.websites);
	return ids.map((uniqueId) => {
		const record = inventory.record(uniqueId);
		if (record) return simplified(record);
		const isWebsite = websites.has(uniqueId);
		const isCut = isItemFailure(records);
		const status = statuses.get(uniqueId) ?? (isCut ? 'unknown' : NOT_LISTED);
		const type = isWebsite ? 'website' : undefined;
		const late = isCut ? records.what : LATE;
		const gone = areIds || isWebsite ? NOT_THERE : NO_IDS;
		const reason = status === NOT_LISTED ? gone : `Its name is not known: ${late}.`;
		return { ...simplified({ uniqueId, status, type }), reason };
	});
}

const LATE = "CometChat's list of documents does not show it yet";
const NOT_THERE = 'The agent has this ID, and CometChat lists no such document.';
const NO_IDS =
	"CometChat lists no such document, nor any other of the agent's list: it may hold something else than IDs.";
