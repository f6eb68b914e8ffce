import { sameName } from '../input/document';
import type { Fields } from '../results/itemResult';
import type { Shown, ShownText, Words } from '../values/shown';
import { joined } from '../values/shown';
import type { Ingestion } from './ingestion';

/** A document that has come, with what was there under its name before. */
export function documentRow(
	ingestion: Ingestion,
	{ name, uniqueId }: { name: Shown; uniqueId: Shown },
	{ action, reason }: { action: Words; reason?: ShownText },
): Fields {
	const { names, openEntries, place, statuses } = ingestion;
	const isOfIt = (one: { name: Shown }) => names.length === 1 || sameName(one.name, name);
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
	{ name, uniqueId }: { name: Shown; uniqueId: Shown },
): Fields {
	const reason: Words =
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
		name: joined(names, ', '),
		action: 'failed',
		...(told.length > 0 && { status: joined(told, ', ') }),
		...(names.length > 1 ? some('uniqueIds', [...uniqueIds]) : { uniqueId: newId }),
		...some('old', oldVersions.rows),
		...unfinished,
	};
}

/** A list, if there is anything in it. */
function some(field: string, entries: Fields[] | Shown[]): Fields {
	return entries.length > 0 ? { [field]: entries } : {};
}
