import { fieldsParser } from '../../execution/buildOperation';
import { ItemContext } from '../../execution/itemContext';
import type { ItemTask } from '../../execution/items';
import { runItems } from '../../execution/items';
import type { Operation, RunContext, RunResult } from '../../execution/operation';
import type { Outcome } from '../../ingestion/agentChanges';
import { AgentChanges, IDS_PER_REQUEST } from '../../ingestion/agentChanges';
import { Inventory, nameIn } from '../../inventory/inventory';
import { switchField } from '../../input/field';
import { sourceType } from '../../input/fields';
import { fileIds, unlikeIds } from '../../input/ids';
import type { ApiError } from '../../results/apiError';
import type { ItemResult } from '../../results/itemResult';
import { sentences } from '../../results/itemResult';
import { describeEach } from '../../results/progress';
import type { ChangeOperation } from '../../service/agents';
import { itemNumbers, listed, quoted } from '../../values/quoting';
import { agent } from './fields';
import type { CheckedIds } from './idCheck';
import { checkIds, FIND_IDS } from './idCheck';

export const bundlesOption = switchField({
	displayName: 'Send in Bundles',
	name: 'combineItems',
	type: 'boolean',
	default: false,
	description:
		'Whether items of the same agent and source type share requests. Switch it on for hundreds of items: it is faster, and each input item still has its output item.',
});

export const addFiles = changing('add', {
	name: 'Add Files',
	action: 'Give an agent documents that are in CometChat',
	description:
		'Let an agent answer from files, texts or websites that are in CometChat already, by their IDs',
});

export const removeFiles = changing('remove', {
	name: 'Remove Files',
	action: 'Take documents from an agent (they stay in CometChat)',
	description:
		'Let an agent no longer answer from files, texts or websites, which stay in CometChat',
});

function changing(
	value: ChangeOperation,
	words: Pick<Operation, 'name' | 'action' | 'description'>,
): Operation {
	return {
		value,
		...words,
		fields: [agent.property, sourceType.property, ...fileIds.properties],
		options: [bundlesOption, ...(fileIds.options ?? [])],
		output: [
			...(['name', 'action', 'success', 'uniqueIds', 'sourceType', 'uid', 'reason'] as const),
		],
		run: async (run) => await changeFiles(run, value),
	};
}

/** What an item asks for. */
interface Wanted {
	uid: string;
	sourceType: string;
	uniqueIds: string[];
}

async function changeFiles(run: RunContext, operation: ChangeOperation): Promise<RunResult> {
	const inventory = new Inventory(run);
	const most = run.option(bundlesOption) ? IDS_PER_REQUEST : 1;
	const changes = new AgentChanges(run, most);
	const read = fieldsParser<Wanted>(run, { uid: agent, sourceType, uniqueIds: fileIds });
	const itemResults = await runItems(run, read, async (ready) => {
		const asked = ready.map(({ task }) => ({ operation, ...task }));
		const checked = await checkIds(run, inventory, asked);
		const results = new Map<number, ItemResult>();
		for (const one of ready) {
			const issue = checked.whyNot({ operation, ...one.task });
			if (issue) results.set(one.index, new ItemContext(run).failed(issue, one.requested, UNSENT));
		}
		if (results.size > 0 && run.stopsOnFailure) return results;
		const toSend = ready.filter(({ index }) => !results.has(index));
		const shared = { run, operation, changes, checked, inventory };
		// All at once, so that they wait in order for the requests that they share.
		const sent = await Promise.all(toSend.map(async (one) => await changeOne(shared, one)));
		for (const [at, { index }] of toSend.entries()) {
			const result = sent[at];
			if (result) results.set(index, result);
		}
		return results;
	});
	return { itemResults };
}

const UNSENT = { effect: 'not applied' as const, detail: 'Nothing was sent for this item.' };

/** What the items of a run share. */
interface SharedChanges {
	run: RunContext;
	operation: ChangeOperation;
	changes: AgentChanges;
	checked: CheckedIds;
	inventory: Inventory;
}

async function changeOne(
	{ run, operation, changes, checked, inventory }: SharedChanges,
	{ index, task }: ItemTask<Wanted>,
): Promise<ItemResult> {
	const item = new ItemContext(run);
	const outcomes = await changes.outcomes(item, { operation, ...task }, index);
	const ids = task.uniqueIds;
	const nameOf = (id: string) => nameIn(inventory, id);
	const isNamed = ids.some((id) => nameOf(id) !== id);
	const shown = { ...(isNamed && { name: listed(ids.map(nameOf)) }), ...task };
	const done = operation === 'add' ? 'added' : 'removed';
	const cause = causeAmong([...outcomes.values()]);
	if (cause === undefined) {
		const unlike = unlikeIds(ids.filter((id) => !checked.isKnown(id)));
		if (unlike.length > 0) item.warn(notLikeIds(unlike));
		return item.done([{ ...shown, action: done, success: true }]);
	}
	const effects = new Map(
		[...outcomes].map(([id, { failure }]) => [id, failure?.more.effect ?? 'applied'] as const),
	);
	const { outcome, ...state } = describeEach(effects, done, nameOf);
	const detail = sentences(otherItems(cause, index), state.detail);
	return item.failed(cause.failure, { ...shown, outcome }, { ...state, detail });
}

function notLikeIds(ids: string[]): string {
	const them = listed(ids.map(quoted));
	return `CometChat accepted ${them} and did not say whether it has such documents. Its own IDs look otherwise: ${FIND_IDS}`;
}

/** What the item has failed with; one that was not sent because of another item is no cause, if there is any other. */
function causeAmong(outcomes: Outcome[]): (Outcome & { failure: ApiError }) | undefined {
	const failed = outcomes.flatMap(({ failure, ...more }) =>
		failure ? [{ ...more, failure }] : [],
	);
	return failed.find(({ failure }) => failure.more.stopReason !== 'cancelled') ?? failed[0];
}

/** With which other items an item was sent. */
function otherItems({ items }: Outcome, index: number): string {
	if (items.every((other) => other === index)) return '';
	return `The request held the files of ${items.length} items (items ${itemNumbers(items)}), and failed for all of them.`;
}
