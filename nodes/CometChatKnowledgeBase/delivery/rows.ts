import type { ItemLog } from '../operations/itemContext';
import type { Fields, ItemResult } from '../output/itemResult';
import type { Delivery, OldVersion } from './delivery';
import { isStillUsed } from './delivery';
import { failureState } from './failureState';

/** The fields and texts of an operation for its rows. */
export interface Rows {
	/** The item's own values for the row of a failed item. */
	requested?: Fields;
	/** The action of a delivered document. */
	action(delivery: Delivery): string;
	/** The reason, if the action needs an explanation. */
	reason?(delivery: Delivery): string | undefined;
	/** More fields of a delivered document. */
	more?(delivery: Delivery): Fields;
	/** The next step after a failure, if it is safe to run the item again. */
	hint?: string;
}

/** Makes the result of an input item from its deliveries. It fails if one of them failed. */
export function resultOf(item: ItemLog, deliveries: Delivery[], rows: Rows): ItemResult {
	const failures = deliveries.flatMap(({ failure }) => (failure ? [failure] : []));
	const failure = failures.find(({ more }) => more.isCancelled !== true) ?? failures[0];
	if (failure === undefined) return item.done(deliveries.map((one) => rowOf(one, rows)));
	const shown = { ...rows.requested, ...failedRow(deliveries) };
	return item.failed(failure, shown, failureState(deliveries, rows.hint));
}

function rowOf(delivery: Delivery, rows: Rows): Fields {
	const { name, status, uniqueId } = delivery;
	const old = oldRows(delivery.old);
	const isReplaced = old.some(({ action }) => action !== 'kept');
	return {
		...targetFields(delivery),
		name,
		action: isReplaced && delivery.plan.action === 'create' ? 'replaced' : rows.action(delivery),
		success: true,
		status,
		uniqueId,
		reason: reasonOf(delivery, rows),
		...nonEmpty('old', old),
		...rows.more?.(delivery),
	};
}

function reasonOf(delivery: Delivery, rows: Rows): string | undefined {
	const { emptyWarning, nameWarning, isExisting } = delivery;
	const reasons = [emptyWarning, rows.reason?.(delivery), isExisting && EXISTING, nameWarning];
	return reasons.filter(Boolean).join('. ') || undefined;
}

/** Returns the fields of a failed item in addition to its error: the IDs and statuses of its documents. */
function failedRow(deliveries: Delivery[]): Fields {
	const [first] = deliveries;
	const statuses = [...new Set(deliveries.flatMap(({ status }) => status ?? []))];
	const ids = deliveries.flatMap(({ uniqueId, leftover }) => uniqueId ?? leftover?.uniqueId ?? []);
	return {
		...(first && targetFields(first)),
		name: deliveries.map(({ name }) => name).join(', '),
		action: 'failed',
		...(statuses.length > 0 && { status: statuses.join(', ') }),
		...(deliveries.length === 1
			? ids.length > 0 && { uniqueId: ids[0] }
			: nonEmpty('uniqueIds', ids)),
		...nonEmpty(
			'old',
			deliveries.flatMap(({ old }) => oldRows(old)),
		),
		...nonEmpty(
			'unfinished',
			deliveries.flatMap(({ leftover }) => (leftover ? [{ ...leftover }] : [])),
		),
	};
}

/** Returns the result of each old version, as output fields. */
export function oldRows(old: readonly OldVersion[]): Fields[] {
	return old.map((one) => {
		const { uniqueId, name = uniqueId, wasUsed, steps } = one;
		const isRemoved = wasUsed === true && !isStillUsed(one);
		const action = steps.delete === 'applied' ? 'deleted' : isRemoved ? 'removed' : 'kept';
		const reason = one.reason ?? unconfirmed(one);
		return { name, action, uniqueId, ...(reason !== undefined && { reason }) };
	});
}

function unconfirmed({ steps }: OldVersion): string | undefined {
	const step = steps.delete === 'unknown' ? 'deleted' : 'removed from the agent';
	const isUnknown = steps.delete === 'unknown' || steps.remove === 'unknown';
	return isUnknown ? `CometChat didn't confirm that the old version was ${step}` : undefined;
}

function targetFields({ sourceType, agent }: Delivery): Fields {
	if (agent === undefined) return { sourceType };
	return { sourceType, agentName: agent.name, uid: agent.uid };
}

function nonEmpty(field: string, entries: Array<string | Fields>): Fields {
	return entries.length > 0 ? { [field]: entries } : {};
}

const EXISTING =
	'CometChat returned the ID of a document that existed before. The content of this document may have changed for all agents';
