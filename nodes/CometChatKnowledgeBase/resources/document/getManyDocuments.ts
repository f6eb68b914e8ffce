import type { ItemRun, Performer, Reader, Ready } from '../../execution/items';
import { itemByItem } from '../../execution/items';
import type { Operation, RunContext } from '../../execution/operation';
import type { Standing } from '../../execution/itemContext';
import { ItemContext } from '../../execution/itemContext';
import { Inventory } from '../../ingestion/inventory';
import type { Records } from '../../ingestion/records';
import { limitFields, simplifyField } from '../../input/fields';
import type { Listing } from '../../input/limit';
import { cutWords, listingReader } from '../../input/limit';
import { switchOption } from '../../input/options';
import type { ItemFailure } from '../../results/apiError';
import { caught, isItemFailure } from '../../results/apiError';
import type { Fields, ItemResult } from '../../results/itemResult';
import type { KnowledgeBaseRecord } from '../../service/records';
import { recordsThat, simplified } from '../../service/records';
import type { DocumentFilters } from './documentFilters';
import { filtersField, fits, isFiltered, readFilters } from './documentFilters';
import { ownersFor } from './owners';

const showAgentsOption = switchOption({
	displayName: 'Show Agents',
	name: 'showAgents',
	type: 'boolean',
	default: false,
	description:
		'Whether to name the agents that have each document, and to say where CometChat does not tell',
});

export const getManyDocuments: Operation = {
	value: 'getMany',
	name: 'Get Many',
	action: 'Find documents (also those no agent uses)',
	description:
		'List or find files, texts and websites of the account, with status, IDs and, if wanted, agents',
	fields: [...limitFields, simplifyField, filtersField],
	options: [showAgentsOption],
	output: [
		...(['name', 'status', 'uniqueId', 'sourceType', 'reason', 'agents', 'agentIds'] as const),
		...(['createdAt', 'updatedAt'] as const),
	],
	run: itemByItem(getManyReader, manyDocuments),
};

interface GetManyTask extends Listing {
	filters: DocumentFilters;
}

/** The documents of the account that an item's filters let through. */
function manyDocuments(run: ItemRun): Performer<GetManyTask> {
	const inventory = new Inventory(run);
	return { perform: async (item) => await getAll(item, run, inventory) };
}

/** Reads `limitFields`, `simplifyField` and `filtersField`. */
function getManyReader(run: RunContext): Reader<GetManyTask> {
	const listingOf = listingReader(run.parameter);
	return (index) => {
		const listing = listingOf(index);
		// Not by `parameter`, which reads a field, and these are several in one.
		const given = run.context.getNodeParameter('filters', index, {});
		const filters = readFilters(given, run.context.getTimezone());
		return { kind: 'ready', task: { ...listing, filters }, requested: {} };
	};
}

const BROKEN_OFF: Standing = {
	effect: 'not applied',
	consequence: 'The list could not be read to its end.',
};

async function getAll(
	{ task }: Ready<GetManyTask>,
	run: RunContext,
	inventory: Inventory,
): Promise<ItemResult> {
	const { limit, simple, filters } = task;
	const steps = new ItemContext(run);
	const showAgents = run.option(showAgentsOption);
	if (showAgents || filters.attachedTo !== undefined) {
		const found = await caught(withAgents(steps, task, inventory, showAgents));
		return isItemFailure(found) ? steps.failed(found, {}, BROKEN_OFF) : steps.done(found);
	}
	const { afterMs, beforeMs } = filters;
	const reading = recordsThat(
		steps,
		isFiltered(filters) ? (record) => fits(record, filters) : undefined,
		limit,
		{
			// At this moment, too: of what exactly CometChat means, the node is the judge.
			within: {
				...(afterMs === undefined ? {} : { startTime: afterMs - 1 }),
				...(beforeMs === undefined ? {} : { endTime: beforeMs }),
			},
			onCut: (isSure) => steps.remark(cutWords(limit, isSure)),
		},
	);
	const found = await caught(reading);
	return isItemFailure(found)
		? steps.failed(found, {}, BROKEN_OFF)
		: steps.done(simple ? found.map(simplified) : found);
}

/** Two lists, whatever the number of agents: that of the agents, and that of the account. */
async function withAgents(
	steps: ItemContext,
	{ limit, simple, filters }: GetManyTask,
	inventory: Inventory,
	showAgents: boolean,
): Promise<Fields[] | ItemFailure> {
	const owners = await ownersFor(steps, inventory, filters);
	if (isItemFailure(owners)) return owners;
	const isMeant = (record: KnowledgeBaseRecord) =>
		fits(record, filters) && owners.isMeant(record) === 'yes';
	const isUnknown = (record: KnowledgeBaseRecord) =>
		fits(record, filters) && owners.isMeant(record) === 'unknown';
	const isEnough = (read: Records) =>
		owners.areRead(read) || read.all().filter(isMeant).length >= limit;
	const read = await caught(inventory.recordsFor(steps, isEnough));
	if (isItemFailure(read)) return read;
	const meant = read.all().filter(isMeant);
	const found = meant.slice(0, limit);
	const unknown = read.all().filter(isUnknown);
	const leftOut = unknown.length > 0 ? owners.leftOut(unknown) : '';
	if (isItemFailure(leftOut)) return leftOut;
	if (leftOut !== '') steps.warn(leftOut);
	const mayGoOn = meant.length === limit && !read.isWhole && !owners.areRead(read);
	if (meant.length > limit || mayGoOn) steps.remark(cutWords(limit, meant.length > limit));
	return found.map((record) => {
		const { uniqueId, ...rest } = simple ? simplified(record) : record;
		if (!showAgents) return { ...rest, uniqueId };
		const { agentIds, ...shown } = owners.shownFor(record);
		return { ...rest, ...shown, uniqueId, agentIds };
	});
}
