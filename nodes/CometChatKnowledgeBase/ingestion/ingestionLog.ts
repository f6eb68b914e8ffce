import { sameName } from '../input/document';
import type { CreatedRecord, Fields, ItemState } from '../results/itemResult';
import type { Progress } from '../results/progress';
import { describeProgress } from '../results/progress';
import type { StatusById } from '../service/statuses';
import { FAILED } from '../service/statuses';
import type { Inventory } from './inventory';
import type { OldVersion } from './replacement';
import { oldRows } from './replacement';

/** What an item brings, and where. */
export interface Target {
	/** As CometChat calls the kind. */
	sourceType: string;
	/** How a person calls the documents, in the order of the item. */
	names: readonly string[];
	/** The agent; left out for none. */
	uid?: string;
	/** Whether it is changed where it is. */
	isChange?: boolean;
	/** How a new run goes on with what is there; left out: it would bring it a second time. */
	hint?: string;
}

/** How far the documents of an item have come. */
export interface IngestionLog {
	/** Those that are in CometChat: the first so many of the names. */
	documents: CreatedRecord[];
	/** What has become of the indexing of each, as far as it was asked for. */
	statuses: StatusById;
	/** The IDs of those that the agent has. */
	attached: string[];
	/** Entries that CometChat has made, and that have no content as far as is known. */
	leftovers: CreatedRecord[];
	/** Whether there may be one of which CometChat has not told. */
	mayHaveLeftover: boolean;
	/** The request whose answer was lost. */
	unknown?: Progress['unknown'];
}

/** Documents on their way, to be told of. */
interface Ingested {
	readonly run: { inventory: Inventory };
	readonly target: Target;
	readonly log: IngestionLog;
	readonly old: readonly OldVersion[];
}

/** What an error says of how far the documents of an item have come. */
export function stateOf({ log, old, target }: Ingested): ItemState {
	const { documents: arrived, attached, statuses, ...rest } = log;
	const { names: wanted, uid, isChange, hint } = target;
	const isUnreadable = ({ uniqueId }: CreatedRecord) => statuses.get(uniqueId) === FAILED;
	return describeProgress({
		...{ wanted, arrived, isChange, hint },
		unreadable: arrived.filter(isUnreadable).map(({ uniqueId }) => uniqueId),
		...(uid !== undefined && { agent: { attached } }),
		old: old.flatMap(({ uniqueId, is }) =>
			is === 'attached' || is === 'detached' ? [{ uniqueId, is }] : [],
		),
		...rest,
	});
}

/** A document that has come, with what was there under its name before. */
export function documentRow(
	ingestion: Ingested,
	{ name, uniqueId }: CreatedRecord,
	{ action, reason }: { action: string; reason?: string },
): Fields {
	const { log, target } = ingestion;
	const isOfIt = (one: { name: string }) => target.names.length === 1 || sameName(one.name, name);
	const old = oldRows(ingestion.old).filter(isOfIt);
	return {
		...whereTo(ingestion),
		name,
		action: old.some((one) => one.action !== 'kept') ? 'replaced' : action,
		success: true,
		status: log.statuses.get(uniqueId),
		uniqueId,
		reason,
		...some('old', old),
		...some('unfinished', log.leftovers.filter(isOfIt)),
	};
}

/** One that was not sent, since its name is there. */
export function skippedRow(ingestion: Ingested, { name, uniqueId }: CreatedRecord): Fields {
	const who = ingestion.target.uid === undefined ? 'CometChat' : 'The agent';
	const reason = `${who} has this name already, and 'If the Name Is There' is Skip`;
	return { ...whereTo(ingestion), name, action: 'skipped', success: true, uniqueId, reason };
}

/** The documents of an item that went no further. */
export function failedRow(ingestion: Ingested): Fields {
	const { log, old, target } = ingestion;
	const statuses = [...new Set(log.statuses.values())];
	const ids = log.documents.map(({ uniqueId }) => uniqueId);
	// Of several entries, the bytes went to the last: the others were refused.
	const uniqueId = ids[0] ?? log.leftovers.at(-1)?.uniqueId;
	const isOne = target.names.length <= 1;
	return {
		...whereTo(ingestion),
		name: target.names.join(', '),
		action: 'failed',
		...(statuses.length > 0 && { status: statuses.join(', ') }),
		...(isOne ? uniqueId !== undefined && { uniqueId } : some('uniqueIds', ids)),
		...some('old', oldRows(old)),
		...some('unfinished', log.leftovers),
	};
}

/** What they are and where they go. */
function whereTo({ run, target: { sourceType, uid } }: Ingested): Fields {
	if (uid === undefined) return { sourceType };
	return { sourceType, agentName: run.inventory.agents.asked(uid)?.name, uid };
}

/** A list, if there is anything in it. */
function some(field: string, entries: string[] | Array<Fields | CreatedRecord>): Fields {
	const copies = entries.map((one) => (typeof one === 'string' ? one : { ...one }));
	return copies.length > 0 ? { [field]: copies } : {};
}
