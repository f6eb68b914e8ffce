import type { INodeProperties } from 'n8n-workflow';

import type { Reader, Ready } from '../../execution/items';
import { itemByItem } from '../../execution/items';
import type { Operation, RunContext } from '../../execution/operation';
import { ItemContext } from '../../execution/itemContext';
import { Inventory } from '../../ingestion/inventory';
import { agentField, limitFields } from '../../input/fields';
import { readUid } from '../../input/identifiers';
import { cutWords, readLimit } from '../../input/limit';
import { ApiError, caught, isItemFailure } from '../../results/apiError';
import type { Fields, ItemResult } from '../../results/itemResult';
import type { Agent } from '../../service/agents';
import { documentsOf } from '../../service/agents';
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
		const statuses = new Map<string, Promise<StatusById>>();
		const shared = { inventory: new Inventory(run), statuses };
		return { perform: async (item) => await listKnowledge(item, run, shared) };
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
	/** Statuses, by the IDs that were asked for: a second item with the same agent would ask for them again. */
	statuses: Map<string, Promise<StatusById>>;
}

async function listKnowledge(
	{ task: { uid, limit } }: Ready<KnowledgeTask>,
	run: RunContext,
	shared: KnowledgeRun,
): Promise<ItemResult> {
	const { inventory } = shared;
	const item = new ItemContext(run);
	const agent = await inventory.agentAlone(item, uid);
	const all = [...new Set(documentsOf(agent))];
	const ids = all.slice(0, limit);
	if (all.length > limit) item.remark(cutWords(limit, true));
	const whyCut = await readUntil(item, inventory, ids);
	const untold = await untoldOf(item, agent, inventory);
	const entries = [...untold, ...(await describeAll(item, agent, { ids, whyCut, shared }))];
	if (entries.length === 0) item.remark('The agent has no documents');
	const { name, uid: own } = agent;
	return item.done(
		entries.map(({ uniqueId, ...rest }) => ({
			...rest,
			...(uniqueId === undefined ? {} : { uniqueId }),
			agentName: name ?? own,
			uid: own,
		})),
	);
}

/** @returns Why the list was not read as far as these need it: their names are then not known. */
async function readUntil(
	item: ItemContext,
	inventory: Inventory,
	ids: string[],
): Promise<string | undefined> {
	const isEnough = () => ids.every((id) => inventory.record(id));
	const records = await caught(inventory.recordsFor(item, isEnough));
	if (records instanceof ApiError) throw records;
	return records instanceof UserError ? records.what : undefined;
}

/** What an agent's lists do not tell: an item for each. That others have something is only asked where it has nothing. */
async function untoldOf(item: ItemContext, agent: Agent, inventory: Inventory): Promise<Fields[]> {
	const { uid, files, websites } = agent;
	const reasons: string[] = [];
	if (files === undefined) reasons.push('CometChat does not tell which files and texts it has.');
	if (websites === undefined) reasons.push('CometChat does not tell which websites it has.');
	if (files?.length === 0 && websites?.length === 0 && inventory.any !== undefined) {
		const found = await caught(inventory.agentFor(item, uid));
		if (isItemFailure(found) || found.documents === undefined) reasons.push(NOBODY_HAS);
	}
	return reasons.map((reason) => ({ status: 'notTold', reason }));
}

const NOBODY_HAS =
	"CometChat lists no document for it. Whether it has none is not known: no other agent's list proves that it would be told.";

interface Wanted {
	ids: string[];
	whyCut?: string;
	shared: KnowledgeRun;
}

/** What is known of each of the agent's IDs. */
async function describeAll(
	item: ItemContext,
	agent: Agent,
	{ ids, whyCut, shared: { inventory, statuses: asked } }: Wanted,
): Promise<Fields[]> {
	const unlisted = ids.filter((id) => inventory.record(id) === undefined);
	const there = ids.find((id) => inventory.record(id) !== undefined);
	const key = unlisted.join();
	const asking = asked.get(key) ?? askStatuses(item, unlisted, { there });
	asked.set(key, asking);
	const statuses: StatusById = await asking.catch(() => new Map<string, string>());
	const isDocument = (id: string) =>
		inventory.record(id) !== undefined || (statuses.get(id) ?? NOT_LISTED) !== NOT_LISTED;
	const areIds = agent.files?.some(isDocument);
	const websites = new Set(agent.websites);
	return ids.map((uniqueId) => {
		const record = inventory.record(uniqueId);
		if (record) return simplified(record);
		const type = websites.has(uniqueId) ? 'website' : undefined;
		const status = statuses.get(uniqueId) ?? (whyCut === undefined ? NOT_LISTED : 'unknown');
		const gone = areIds || type === 'website' ? NOT_THERE : NO_IDS;
		const reason = status === NOT_LISTED ? gone : `Its name is not known: ${whyCut ?? LATE}.`;
		return { ...simplified({ uniqueId, status, type }), reason };
	});
}

const LATE = "CometChat's list of documents does not show it yet";
const NOT_THERE = 'The agent has this ID, and CometChat lists no such document.';
const NO_IDS =
	"CometChat lists no such document, nor any other of the agent's list: it may hold something else than IDs.";
