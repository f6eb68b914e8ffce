import { sameName } from '../input/document';
import type { Fields } from '../results/itemResult';
import type { Ingestion } from './ingestion';

/** A document that has come, with what was there under its name before. */
export function documentRow(
	ingestion: Ingestion,
	{ name, uniqueId }: { name: string; uniqueId: string },
	{ action, reason }: { action: string; reason?: string },
): Fields {
	const { names, openEntries, place, statuses } = ingestion;
	const isOfIt = (one: { name: string }) => names.length === 1 || sameName(one.name, name);
	const old = ingestion.oldVersions.rows.filter(isOfIt);
	return {
		...place,
		name,
		action: old.some((one) => one.action !== 'kept') ? 'replaced' : action,
		success: true,
		status: statuses.get(uniqueId),
		uniqueId,
		reason,
		...some('old', old),
		...some('unfinished', openEntries.filter(isOfIt)),
	};
}

/** One that was not sent, since its name is there. */
export function skippedRow(
	{ place }: Ingestion,
	{ name, uniqueId }: { name: string; uniqueId: string },
): Fields {
	const reason: string =
		place.uid === undefined
			? "CometChat has this name already, and 'If the Name Is There' is Skip"
			: "The agent has this name already, and 'If the Name Is There' is Skip";
	return { ...place, name, action: 'skipped', success: true, uniqueId, reason };
}

/** The documents of an item that went no further. */
export function failedRow({
	names,
	newId,
	oldVersions,
	place,
	statuses,
	unfinished,
	uniqueIds,
}: Ingestion): Fields {
	const told = [...new Set(statuses.values())];
	return {
		...place,
		name: names.join(', '),
		action: 'failed',
		...(told.length > 0 && { status: told.join(', ') }),
		...(names.length > 1 ? some('uniqueIds', [...uniqueIds]) : { uniqueId: newId }),
		...some('old', oldVersions.rows),
		...unfinished,
	};
}

/** A list, if there is anything in it. */
function some(field: string, entries: Fields[] | string[]): Fields {
	return entries.length > 0 ? { [field]: entries } : {};
}
