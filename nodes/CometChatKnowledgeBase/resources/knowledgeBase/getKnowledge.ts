import { ApiError } from '../../apiErrors/apiError';
import { operation } from '../../execution/buildOperation';
import type { ItemContext } from '../../execution/itemContext';
import { agentPicker, cutWords, limit } from '../../input/fields';
import { Inventory } from '../../inventory/inventory';
import type { Fields } from '../../results/itemResult';
import type { Agent } from '../../service/agents';
import { attachedIds } from '../../service/agents';
import type { StatusById } from '../../service/documents';
import { askStatuses, NOT_LISTED, simplified } from '../../service/documents';
import { UserError, caught, isFailure } from '../../values/failure';

export const getKnowledge = operation({
	value: 'getMany',
	name: 'Get Many',
	action: 'List what an agent knows',
	description:
		'List the files, texts and websites that an agent answers from, with names, status and IDs',
	fields: { uid: agentPicker(), limit },
	output: [
		...(['name', 'status', 'uniqueId', 'sourceType', 'agentName', 'uid', 'reason'] as const),
		...(['createdAt', 'updatedAt'] as const),
	],
	shared: (run) => new Inventory(run),
	run: async ({ uid, limit: most }, item, inventory) => {
		const agent = await inventory.agents.one(item, uid);
		const all = [...new Set(attachedIds(agent))];
		const ids = all.slice(0, most);
		if (all.length > most) item.remark(cutWords(most, true));
		const whyCut = await readUntil(item, inventory, ids);
		const unknown = await unknownOf(item, agent, inventory);
		const entries = [...unknown, ...(await describeAll(item, agent, { ids, whyCut, inventory }))];
		if (entries.length === 0) item.remark('The agent has no documents');
		const { name, uid: own } = agent;
		return entries.map((entry) => ({ ...entry, agentName: name ?? own, uid: own }));
	},
});

/** @returns Why the list was not read as far as these need it: their names are then not known. */
async function readUntil(
	item: ItemContext,
	inventory: Inventory,
	ids: string[],
): Promise<string | undefined> {
	const isEnough = () => ids.every((id) => inventory.record(id));
	const records = await caught(inventory.list.until(item, isEnough));
	if (records instanceof ApiError) throw records;
	return records instanceof UserError ? records.title : undefined;
}

/** What an agent's lists do not tell: an item for each. That others have something is only asked where it has nothing. */
async function unknownOf(item: ItemContext, agent: Agent, inventory: Inventory): Promise<Fields[]> {
	const { uid, files, websites } = agent;
	const reasons: string[] = [];
	if (files === undefined) reasons.push('CometChat does not tell which files and texts it has.');
	if (websites === undefined) reasons.push('CometChat does not tell which websites it has.');
	if (files?.length === 0 && websites?.length === 0 && inventory.list.records.any !== undefined) {
		const found = await caught(inventory.agentFor(item, uid));
		if (isFailure(found) || found.documents === undefined) reasons.push(NOBODY_HAS);
	}
	return reasons.map((reason) => ({ status: 'notTold', reason }));
}

const NOBODY_HAS =
	"CometChat lists no document for it. Whether it has none is not known: no other agent's list proves that it would be told.";

/** What is known of each of the agent's IDs. */
async function describeAll(
	item: ItemContext,
	agent: Agent,
	{ ids, whyCut, inventory }: { ids: string[]; whyCut?: string; inventory: Inventory },
): Promise<Fields[]> {
	const unlisted = ids.filter((id) => inventory.record(id) === undefined);
	const there = ids.find((id) => inventory.record(id) !== undefined);
	const answer = await caught(askStatuses(item, unlisted, { there }));
	const statuses: StatusById = isFailure(answer) ? new Map<string, string>() : answer;
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
