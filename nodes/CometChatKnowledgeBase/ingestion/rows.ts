import { sameName } from '../input/document';
import type { CreatedRecord, Fields } from '../results/itemResult';

import type { Delivered } from './ingestionLog';
import { oldRows } from './replacement';

/** A document that has come, with what was there under its name before. */
export function documentRow(
	ingestion: Delivered,
	{ name, uniqueId }: CreatedRecord,
	{ action, reason }: { action: string; reason?: string },
): Fields {
	const { log, target } = ingestion;
	const isOfIt = (one: { name: string }) => target.names.length === 1 || sameName(one.name, name);
	const old = oldRows(ingestion.old).filter(isOfIt);
	return {
		...ingestion.place,
		name,
		action: old.some((one) => one.action !== 'kept') ? 'replaced' : action,
		success: true,
		status: log.statuses.get(uniqueId),
		uniqueId,
		reason,
		...some('old', old),
		...some(
			'unfinished',
			log.leftovers.filter(isOfIt).map((entry) => ({ ...entry })),
		),
	};
}

/** One that was not sent, since its name is there. */
export function skippedRow(ingestion: Delivered, { name, uniqueId }: CreatedRecord): Fields {
	const who = ingestion.target.uid === undefined ? 'CometChat' : 'The agent';
	const reason = `${who} has this name already, and 'If the Name Is There' is Skip`;
	return { ...ingestion.place, name, action: 'skipped', success: true, uniqueId, reason };
}

/** The documents of an item that went no further. */
export function failedRow({ log, old, place, target: { names } }: Delivered): Fields {
	const statuses = [...new Set(log.statuses.values())];
	const ids = log.documents.map(({ uniqueId }) => uniqueId);
	// Of several entries, the bytes went to the last: the others were refused.
	const uniqueId = ids[0] ?? log.leftovers.at(-1)?.uniqueId;
	return {
		...place,
		name: names.join(', '),
		action: 'failed',
		...(statuses.length > 0 && { status: statuses.join(', ') }),
		...(names.length > 1 ? some('uniqueIds', ids) : uniqueId !== undefined && { uniqueId }),
		...some('old', oldRows(old)),
		...some(
			'unfinished',
			log.leftovers.map((entry) => ({ ...entry })),
		),
	};
}

/** A list, if there is anything in it. */
function some(field: string, entries: Fields[] | string[]): Fields {
	return entries.length > 0 ? { [field]: entries } : {};
}
