import { Semaphore } from '../operations/concurrency';
import { ItemContext } from '../operations/itemContext';
import type { BatchResult } from '../operations/batchOperation';
import type { Item } from '../operations/readItems';
import type { RunContext } from '../operations/operation';
import type { ItemResult } from '../output/itemResult';
import { NOTHING_CHANGED } from '../output/itemResult';
import type { Agent } from '../api/agents';
import type { UserError } from '../text/failure';
import { toResult, isFailure } from '../text/failure';
import { chunk } from '../text/groups';
import { deliver } from './deliver';
import type { Batch, Delivery } from './delivery';
import type { Rows } from './rows';
import { resultOf } from './rows';
import { Snapshot } from './snapshot';

/** With more uploads on a slow connection, each would send too few bytes per minute. */
const UPLOADS_AT_A_TIME = 20;

export function newBatch(run: RunContext): Batch {
	const uploads = new Semaphore(UPLOADS_AT_A_TIME);
	return {
		...run,
		snapshot: new Snapshot(run),
		createdIds: new Set(),
		uploads,
	};
}

/** Reads the agent of an item; undefined without one. @throws Failure of the request for the agent. */
export async function agentOf(
	{ snapshot }: Batch,
	uid: string | undefined,
): Promise<Agent | undefined> {
	return uid === undefined ? undefined : await snapshot.agents.withUid(uid);
}

/** The number of items that are planned at the same time. */
const PLANNED_TOGETHER = 100;

interface Plans<Task> {
	/** Plans the deliveries of an item. @throws Failure if nothing is to be delivered */
	toDeliveries(item: Item<Task>, context: ItemContext): Promise<Delivery[]>;
	/** Finds items with conflicting plans. Returns the errors by item. */
	conflicts?(deliveries: Delivery[]): ReadonlyMap<number, UserError>;
	rows(task: Task): Rows;
}

/** Plans and runs the deliveries of all items, and returns a result for each item. */
export async function deliverItems<Task>(
	run: Batch,
	items: ReadonlyArray<Item<Task>>,
	{ toDeliveries, conflicts, rows }: Plans<Task>,
): Promise<BatchResult> {
	const planItem = async (item: Item<Task>) => {
		const context = new ItemContext(run.starting);
		return { item, context, deliveries: await toResult(toDeliveries(item, context)) };
	};
	const planned: Array<Awaited<ReturnType<typeof planItem>>> = [];
	for (const part of chunk([...items], PLANNED_TOGETHER)) {
		planned.push(...(await Promise.all(part.map(planItem))));
	}
	const all = planned.flatMap(({ deliveries }) => (isFailure(deliveries) ? [] : deliveries));
	const refused = conflicts?.(all) ?? new Map<number, UserError>();
	const hasFailed = refused.size > 0 || planned.some(({ deliveries }) => isFailure(deliveries));
	if (hasFailed && run.stopsOnFailure) run.cancel();
	await deliver(
		run,
		all.filter(({ index }) => !refused.has(index)),
	);
	const results = new Map<number, ItemResult>();
	for (const { item, context, ...one } of planned) {
		const { index, task, requested } = item;
		const deliveries = refused.get(index) ?? one.deliveries;
		const result = isFailure(deliveries)
			? context.failed(deliveries, { ...requested, action: 'failed' }, NOTHING_CHANGED)
			: resultOf(context, deliveries, { requested, ...rows(task) });
		results.set(index, result);
	}
	return { results };
}
