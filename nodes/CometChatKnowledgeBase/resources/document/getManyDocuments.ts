import { operation } from '../../execution/buildOperation';
import type { ItemContext } from '../../execution/itemContext';
import { LIST_BROKEN_OFF } from '../../execution/itemContext';
import { Inventory } from '../../ingestion/inventory';
import type { Records } from '../../ingestion/records';
import { switchField } from '../../input/field';
import { simplify, cutWords, limit } from '../../input/fields';
import { isItemFailure } from '../../results/apiError';
import type { Fields } from '../../results/itemResult';
import type { Document } from '../../service/documents';
import { documentPages, simplified } from '../../service/documents';
import { readWholeList } from '../../service/wholeList';
import type { DocumentFilters } from './documentFilters';
import { documentFilters, fits, isFiltered } from './documentFilters';
import { ownersFor } from './owners';

/** What an item asks for. */
interface Wanted {
	limit: number;
	/** Whether an item has what a person looks for only. */
	simple: boolean;
	filters: DocumentFilters;
	showAgents: boolean;
}

export const getManyDocuments = operation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Find documents (also those no agent uses)',
	description:
		'List or find files, texts and websites of the account, with status, IDs and, if wanted, agents',
	fields: { limit, simple: simplify, filters: documentFilters },
	options: {
		showAgents: switchField({
			displayName: 'Show Agents',
			name: 'showAgents',
			type: 'boolean',
			default: false,
			description:
				'Whether to name the agents that have each document, and to say where CometChat does not tell',
		}),
	},
	output: [
		...(['name', 'status', 'uniqueId', 'sourceType', 'reason', 'agents', 'agentIds'] as const),
		...(['createdAt', 'updatedAt'] as const),
	],
	shared: (run) => new Inventory(run),
	run: async (wanted, item, inventory) => {
		item.state = LIST_BROKEN_OFF;
		const asksForAgents = wanted.showAgents || wanted.filters.attachedTo !== undefined;
		return asksForAgents ? await withAgents(wanted, item, inventory) : await alone(wanted, item);
	},
});

async function alone(
	{ limit: most, simple, filters }: Wanted,
	item: ItemContext,
): Promise<Fields[]> {
	const { afterMs, beforeMs } = filters;
	const isAny = !isFiltered(filters);
	const pages = documentPages(item, {
		limit: isAny ? most : undefined,
		// At this moment, too: of what exactly CometChat means, the node is the judge.
		within: {
			...(afterMs === undefined ? {} : { startTime: afterMs - 1 }),
			...(beforeMs === undefined ? {} : { endTime: beforeMs }),
		},
	});
	const found = await readWholeList(pages, {
		limit: most,
		fits: isAny ? undefined : (record) => fits(record, filters),
		onCut: (isSure) => item.remark(cutWords(most, isSure)),
	});
	return simple ? found.map(simplified) : found;
}

/** Two lists, whatever the number of agents: that of the agents, and that of the account. */
async function withAgents(
	{ limit: most, simple, filters, showAgents }: Wanted,
	item: ItemContext,
	inventory: Inventory,
): Promise<Fields[]> {
	const owners = await ownersFor(item, inventory, filters);
	const isMeant = (record: Document) => fits(record, filters) && owners.isMeant(record) === 'yes';
	const isUnknown = (record: Document) =>
		fits(record, filters) && owners.isMeant(record) === 'unknown';
	const isEnough = (read: Records) =>
		owners.areRead(read) || read.all().filter(isMeant).length >= most;
	const read = await inventory.list.until(item, isEnough);
	const meant = read.all().filter(isMeant);
	const found = meant.slice(0, most);
	const unknown = read.all().filter(isUnknown);
	const leftOut = unknown.length > 0 ? owners.leftOut(unknown) : '';
	if (isItemFailure(leftOut)) throw leftOut;
	if (leftOut !== '') item.warn(leftOut);
	const mayGoOn = meant.length === most && !inventory.list.isWhole && !owners.areRead(read);
	if (meant.length > most || mayGoOn) item.remark(cutWords(most, meant.length > most));
	return found.map((record) => {
		const { uniqueId, ...rest } = simple ? simplified(record) : record;
		if (!showAgents) return { ...rest, uniqueId };
		const { agentIds, ...shown } = owners.shownFor(record);
		return { ...rest, ...shown, uniqueId, agentIds };
	});
}
