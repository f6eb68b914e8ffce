import { readList } from '../../api/wholeList';
import { operation } from '../../execution/buildOperation';
import type { ItemContext } from '../../execution/itemContext';
import { LIST_BROKEN_OFF } from '../../execution/itemContext';
import type { ValuesOf } from '../../input/field';
import { switchField } from '../../input/field';
import { simplify, cutWords, limit } from '../../input/fields';
import { Inventory } from '../../inventory/inventory';
import type { Records } from '../../inventory/records';
import type { WhoHasIt } from '../../inventory/whoHasIt';
import type { Fields } from '../../results/itemResult';
import type { Agent } from '../../service/agents';
import { attachedIds } from '../../service/agents';
import type { Document } from '../../service/documents';
import { documentPages, simplified } from '../../service/documents';
import { UserError } from '../../values/failure';
import { listed, quoted, sentences } from '../../values/quoting';
import { ALL_SOURCE_TYPES, sourceTypeOf } from '../../values/sourceTypes';
import type { DocumentFilters } from './documentFilters';
import { documentFilters, fitsFilters } from './documentFilters';

const fields = { limit, simple: simplify, filters: documentFilters };

/** What an item asks for. */
type ListTask = ValuesOf<typeof fields> & { showAgents: boolean };

export const getManyDocuments = operation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Find documents (also those no agent uses)',
	description:
		'List or find files, texts and websites of the account, with status, IDs and, if wanted, agents',
	fields,
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
	{ limit: most, simple, filters }: ListTask,
	item: ItemContext,
): Promise<Fields[]> {
	const { afterMs, beforeMs } = filters;
	const isAny = Object.values(filters).every((filter) => filter === undefined);
	const pages = documentPages(item, {
		limit: isAny ? most : undefined,
		// At this moment, too: of what exactly CometChat means, the node is the judge.
		within: {
			...(afterMs === undefined ? {} : { startTime: afterMs - 1 }),
			...(beforeMs === undefined ? {} : { endTime: beforeMs }),
		},
	});
	const found = await readList(pages, {
		limit: most,
		fits: isAny ? undefined : (document) => fitsFilters(document, filters),
		onCut: (isSure) => item.remark(cutWords(most, isSure)),
	});
	return simple ? found.map(simplified) : found;
}

/** Two lists, whatever the number of agents: that of the agents, and that of the account. */
async function withAgents(
	{ limit: most, simple, filters, showAgents }: ListTask,
	item: ItemContext,
	inventory: Inventory,
): Promise<Fields[]> {
	const attached = await attachedTo(item, inventory, filters);
	const isMeant = (one: Document) => attached.isMeant(one) === 'yes';
	const isEnough = (read: Records) =>
		attached.areRead(read) || read.all().filter(isMeant).length >= most;
	const read = await inventory.list.until(item, isEnough);
	const meant = read.all().filter(isMeant);
	const unknown = read.all().filter((one) => attached.isMeant(one) === 'unknown');
	if (unknown.length > 0) item.warn(attached.leftOut(unknown));
	const mayBeMore = meant.length === most && !inventory.list.isWhole && !attached.areRead(read);
	if (meant.length > most || mayBeMore) item.remark(cutWords(most, meant.length > most));
	return meant.slice(0, most).map((document) => ({
		...(simple ? simplified(document) : document),
		...(showAgents && shownOwners(attached.who, document)),
	}));
}

/** What the filters come to where it matters who has what. */
async function attachedTo(item: ItemContext, inventory: Inventory, filters: DocumentFilters) {
	const { attachedTo: wanted, sourceTypes: types = [] } = filters;
	const isOne = typeof wanted === 'object';
	const agent = isOne ? await inventory.agents.one(item, wanted.uid) : undefined;
	const sourceTypes = types.length > 0 ? types : ALL_SOURCE_TYPES;
	const who = await inventory.whoHas(item, sourceTypes, agent);
	const isAsked = ({ uid }: Agent) => agent === undefined || uid === agent.uid;
	return {
		who,
		isMeant: (document: Document): 'yes' | 'no' | 'unknown' => {
			if (!fitsFilters(document, filters)) return 'no';
			if (wanted === undefined) return 'yes';
			const { has, unknown } = who.of(document);
			const isAttached = has.some(isAsked);
			if (!isAttached && unknown.some(isAsked)) return 'unknown';
			return isAttached === (wanted !== 'none') ? 'yes' : 'no';
		},
		/** Whether no document behind these can be meant: all are read that the agent of the filter has. */
		areRead: (read: Records) =>
			agent !== undefined &&
			sourceTypes.some((type) => !who.unknownFor(type).some(isAsked)) &&
			attachedIds(agent).every((id) => read.withId(id)),
		/** @throws UserError where nothing is known of what the filter is for. */
		leftOut: (unknown: Document[]): string => {
			const isNamed = ({ type }: Document) => who.isNamed(sourceTypeOf(type));
			const isUsable = sourceTypes.some((type) => who.isNamed(type)) && !unknown.some(isNamed);
			if (!isUsable) throw notKnown(whyUnknown(who, unknown));
			const names = listed(
				unknown.map(({ sourceName, uniqueId }) => quoted(sourceName ?? uniqueId)),
			);
			return `Left out: ${names}. ${whyUnknown(who, unknown)} 'Show Agents' without the filter lists them, too`;
		},
	};
}

function notKnown(why: string): UserError {
	return new UserError(
		'CometChat does not tell which documents these agents have',
		"Add the filter 'Source Type' for what it does tell of. Or take the filter 'Attached To' away, and switch on 'Show Agents' under Options: it says for each document what is known.",
		{
			detail: sentences(why, 'The filter would let through too much or too little.'),
			cause: 'configuration-invalid',
		},
	);
}

/** Which agents have a document, as output fields. */
function shownOwners(who: WhoHasIt, record: Document): Fields {
	const { has, unknown } = who.of(record);
	const isKnown = has.length > 0 || unknown.length === 0;
	return {
		// That it is not known is not none.
		agents: isKnown ? has.map(({ name, uid }) => name ?? uid) : null,
		...(unknown.length > 0 && { reason: whyUnknown(who, [record]) }),
		agentIds: has.map(({ uid }) => uid),
	};
}

/** Why CometChat's lists do not tell who has some documents, in sentences. */
export function whyUnknown(who: WhoHasIt, records: Array<{ type?: string }>): string {
	const types = new Set(records.map(({ type }) => sourceTypeOf(type)));
	const unnamed = [...types].filter((type) => !who.isNamed(type));
	const why = unnamed.map((type): string => {
		const noun: string = type === 'text' ? 'text' : type === 'website' ? 'website' : 'file';
		return `CometChat lists no ${noun} for any agent. That proves nothing until it lists one for some agent.`;
	});
	if (why.length > 0) return sentences(...why);
	const unknown = new Set([...types].flatMap((type) => who.unknownFor(type)));
	const names = listed([...unknown].map(({ name, uid }) => quoted(name ?? uid)));
	return `CometChat does not tell which documents these agents have: ${names}.`;
}
