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

/** More uploads on a slow line would each get too few bytes a minute. */
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

/** The agent of an item, if it names one. @throws The failure of the question for it. */
export async function agentOf(
	{ snapshot }: Batch,
	uid: string | undefined,
): Promise<Agent | undefined> {
	return uid === undefined ? undefined : await snapshot.agents.withUid(uid);
}

/** So many items are planned side by side. */
const PLANNED_TOGETHER = 100;

interface Plans<Task> {
	/** The deliveries of an item. @throws Failure, if nothing is to be delivered for it. */
	toDeliveries(item: Item<Task>, context: ItemContext): Promise<Delivery[]>;
	/** Finds items whose plans conflict. Returns errors by item. */
	conflicts?(deliveries: Delivery[]): ReadonlyMap<number, UserError>;
	rows(task: Task): Rows;
}

/** Plans the deliveries of all items, carries them out, and returns a result for each item. */
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
