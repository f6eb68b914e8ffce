import type { ItemContext } from '../execution/itemContext';
import type { Fields, ItemResult } from '../results/itemResult';
import { describeProgress } from '../results/progress';
import { FAILED } from '../service/documents';
import type { Delivery, Retired } from './delivery';

/** The fields and texts of an operation for its rows. */
export interface Rows {
	/** The fields of a failed item that name what it asked for. */
	requested?: Fields;
	/** The action of a delivered document. */
	action(delivery: Delivery): string;
	/** Why, where that needs words. */
	reason?(delivery: Delivery): string | undefined;
	/** More fields of a delivered document. */
	more?(delivery: Delivery): Fields;
	/** How to continue after a failure, where running the item again is safe. */
	hint?: string;
}

/** The result of an input item, from its deliveries: it fails if any of them failed. */
export function resultOf(item: ItemContext, deliveries: Delivery[], rows: Rows): ItemResult {
	const failures = deliveries.flatMap(({ failure }) => (failure ? [failure] : []));
	const failure = failures.find(({ more }) => more.isCancelled !== true) ?? failures[0];
	if (failure === undefined) return item.done(deliveries.map((one) => rowOf(one, rows)));
	const shown = { ...rows.requested, ...failedRow(deliveries) };
	return item.failed(failure, shown, stateOf(deliveries, rows.hint));
}

function rowOf(delivery: Delivery, rows: Rows): Fields {
	const { name, status, uniqueId, emptyWarning, leftover } = delivery;
	const old = oldRows(delivery.retired);
	const isReplaced = old.some(({ action }) => action !== 'kept');
	return {
		...targetFields(delivery),
		name,
		action: isReplaced && delivery.plan.action === 'create' ? 'replaced' : rows.action(delivery),
		success: true,
		status,
		uniqueId,
		reason: emptyWarning ?? rows.reason?.(delivery),
		...nonEmpty('old', old),
		...nonEmpty('unfinished', leftover ? [{ ...leftover }] : []),
		...rows.more?.(delivery),
	};
}

/** What a failed item shows beside its error: the IDs and statuses of its documents by then. */
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
			deliveries.flatMap(({ retired }) => oldRows(retired)),
		),
		...nonEmpty(
			'unfinished',
			deliveries.flatMap(({ leftover }) => (leftover ? [{ ...leftover }] : [])),
		),
	};
}

/** How far the documents of a failed item got, in words. */
function stateOf(deliveries: Delivery[], hint?: string) {
	const present = deliveries.filter(({ uniqueId }) => uniqueId !== undefined);
	const missing = deliveries.filter(({ uniqueId }) => uniqueId === undefined);
	const lostFirst = missing.sort((one, other) => Number(isLost(other)) - Number(isLost(one)));
	const lost = deliveries.find((one) => one.lost !== undefined)?.lost;
	const idsOf = (some: Delivery[]) => some.flatMap(({ uniqueId }) => uniqueId ?? []);
	return describeProgress({
		documents: present.map(({ name, uniqueId = '' }) => ({ name, uniqueId })),
		wanted: [...present, ...lostFirst].map(({ name }) => name),
		unreadable: idsOf(
			present.filter(({ status, hasText }) => status === FAILED || hasText === false),
		),
		...(deliveries[0]?.agent && { attached: idsOf(present.filter((one) => one.isAttached)) }),
		old: present.flatMap(({ retired }) => retired.flatMap(openOld)),
		unknown: lost === 'create' ? 'upload' : lost,
		leftovers: deliveries.flatMap(({ leftover }) => leftover ?? []),
		mayHaveLeftover: deliveries.some((one) => one.mayHaveLeftover === true),
		isChange: deliveries.some(({ plan }) => plan.action === 'update'),
		hint,
	});
}

function isLost({ lost }: Delivery): boolean {
	return lost === 'create';
}

function openOld({ uniqueId, state }: Retired) {
	return state === 'attached' || state === 'detached' ? [{ uniqueId, is: state }] : [];
}

/** The result of each old version, as output fields. */
export function oldRows(retired: readonly Retired[]): Fields[] {
	return retired.map(({ uniqueId, name = uniqueId, wasAttached, state, reason }) => {
		const isRemoved = wasAttached === true && state !== 'attached';
		const action = state === 'deleted' ? 'deleted' : isRemoved ? 'removed' : 'kept';
		return { name, action, uniqueId, ...(reason !== undefined && { reason }) };
	});
}

function targetFields({ sourceType, agent }: Delivery): Fields {
	if (agent === undefined) return { sourceType };
	return { sourceType, agentName: agent.name, uid: agent.uid };
}

function nonEmpty(field: string, entries: Array<string | Fields>): Fields {
	return entries.length > 0 ? { [field]: entries } : {};
}
