import type { ItemContext } from '../../execution/itemContext';
import type { Inventory } from '../../ingestion/inventory';
import type { Records } from '../../ingestion/records';
import type { Fields } from '../../results/itemResult';
import { sentences } from '../../results/itemResult';
import type { Agent } from '../../service/agents';
import { attachedIds } from '../../service/agents';
import type { Document } from '../../service/documents';
import type { WhoHasIt } from '../../service/whoHasIt';
import { listed, quoted } from '../../values/quoting';
import { ALL_SOURCE_TYPES, sourceTypeOf } from '../../values/sourceTypes';
import type { DocumentFilters } from './documentFilters';
import { UserError } from '../../values/userError';

/** What the filter 'Attached To' and the option 'Show Agents' need to know. */
export interface Owners {
	/** Whether the filter is for it. */
	isMeant(record: Document): 'yes' | 'no' | 'unknown';
	/** Whether no record behind these can be meant: all are read that the agent of the filter has. */
	areRead(records: Records): boolean;
	/** What 'Show Agents' shows of it. */
	shownFor(record: Document): Fields;
	/**
	 * What is to be said of documents of which it cannot be told: a clause where agents' lists name none of their
	 * type, and others all the same; otherwise why the filter cannot be applied.
	 */
	leftOut(records: Document[]): string | UserError;
}

export async function ownersFor(
	steps: ItemContext,
	inventory: Inventory,
	{ attachedTo, sourceTypes: wanted }: DocumentFilters,
): Promise<Owners> {
	const isOne = typeof attachedTo === 'object';
	const one = isOne ? await inventory.agentFor(steps, attachedTo.uid) : undefined;
	const sourceTypes = wanted.length > 0 ? wanted : ALL_SOURCE_TYPES;
	const who = await inventory.whoHas(steps, sourceTypes, one?.agent);
	const isAsked = ({ uid }: Agent) => one === undefined || uid === one.agent.uid;
	return {
		isMeant: (record) => {
			if (attachedTo === undefined) return 'yes';
			const { has, unknown } = who.of(record);
			if (has.some(isAsked)) return attachedTo === 'none' ? 'no' : 'yes';
			if (unknown.some(isAsked)) return 'unknown';
			return attachedTo === 'none' ? 'yes' : 'no';
		},
		areRead: (records) =>
			one !== undefined &&
			sourceTypes.some((type) => !who.unknownFor(type).some(isAsked)) &&
			attachedIds(one.agent).every((id) => records.withId(id)),
		shownFor: (record) => shownOwners(who, record),
		leftOut: (records) => {
			const isNamed = ({ type }: Document) => who.isNamed(sourceTypeOf(type ?? 'uploads'));
			const isUsable = sourceTypes.some((type) => who.isNamed(type)) && !records.some(isNamed);
			return isUsable ? leftOut(who, records) : notTold(who, records);
		},
	};
}

/** Which agents have a document, as output fields. */
export function shownOwners(who: WhoHasIt, record: Document): Fields {
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
	const types = new Set(records.map(({ type = 'uploads' }) => sourceTypeOf(type)));
	const unnamed = [...types].filter((type) => !who.isNamed(type));
	const why = unnamed.map((type): string => {
		const noun: string = type === 'text' ? 'text' : type === 'website' ? 'website' : 'file';
		return `CometChat lists no ${noun} for any agent. That proves nothing until it lists one for some agent.`;
	});
	if (why.length > 0) return sentences(...why);
	const untold = new Set([...types].flatMap((type) => who.unknownFor(type)));
	const names = listed([...untold].map(({ name, uid }) => quoted(name ?? uid)));
	return `CometChat does not tell which documents these agents have: ${names}.`;
}

function notTold(who: WhoHasIt, records: Document[]): UserError {
	return new UserError(
		'CometChat does not tell which documents these agents have',
		"Add the filter 'Source Type' for what it does tell of. Or take the filter 'Attached To' away, and switch on 'Show Agents' under Options: it says for each document what is known.",
		{
			detail: sentences(whyUnknown(who, records), TOO_MUCH),
			cause: 'configuration-invalid',
		},
	);
}

function leftOut(who: WhoHasIt, records: Document[]): string {
	const names = listed(records.map(({ sourceName, uniqueId }) => quoted(sourceName ?? uniqueId)));
	return `Left out: ${names}. ${whyUnknown(who, records)} 'Show Agents' without the filter lists them, too`;
}

const TOO_MUCH = 'The filter would let through too much or too little.';
