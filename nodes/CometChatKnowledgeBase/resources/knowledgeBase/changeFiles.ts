import { apart, bundled, orderKeyOf } from '../../bundling/batches';
import { sendBatch } from '../../bundling/sendBatch';
import type { ItemOfFiles } from '../../bundling/splitResult';
import { itemResultOf, partsOfItems } from '../../bundling/splitResult';
import { mapInKeyOrder, Semaphore } from '../../concurrency/turns';
import { nameIn } from '../../ingestion/lookUp';
import type { Reader, Ready } from '../../execution/items';
import { MOST_AT_ONCE, runItems } from '../../execution/items';
import type { Operation, RunContext, RunResult } from '../../execution/operation';
import { Inventory } from '../../ingestion/inventory';
import { attachedFiles } from '../../input/binary';
import { agentField, filesFields, ownFilesFields, sourceTypeField } from '../../input/fields';
import { ifNoFileIdsOption, filesReader, readFileIdsOrSkip, unlikeIds } from '../../input/fileIds';
import { readSourceType, readUid } from '../../input/identifiers';
import { switchOption } from '../../input/options';
import type { ItemResult } from '../../results/itemResult';
import { unusable } from '../../results/failure';
import type { OutputName } from '../../results/outputFields';
import { AgentLookups } from '../../service/agentLookups';
import type { ChangeOperation } from '../../service/attachments';
import { checkIds } from './idCheck';

export const bundlesOption = switchOption({
	displayName: 'Send in Bundles',
	name: 'combineItems',
	type: 'boolean',
	default: false,
	description:
		'Whether items of the same agent and source type share requests. Switch it on for hundreds of items: it is faster, and each input item still has its output item.',
});

const CHANGED: OutputName[] = [
	...(['name', 'action', 'success', 'uniqueIds', 'sourceType', 'uid', 'reason'] as const),
];

export const addFiles: Operation = {
	value: 'add',
	name: 'Add Files',
	action: 'Give an agent documents that are in CometChat',
	description:
		'Let an agent answer from files, texts or websites that are in CometChat already, by their IDs',
	fields: [agentField, sourceTypeField, ...filesFields],
	options: [bundlesOption, ifNoFileIdsOption],
	output: CHANGED,
	run: async (run) => await changeFiles(run, 'add'),
};

export const removeFiles: Operation = {
	value: 'remove',
	name: 'Remove Files',
	action: 'Take documents from an agent (they stay in CometChat)',
	description:
		'Let an agent no longer answer from files, texts or websites, which stay in CometChat',
	fields: [agentField, sourceTypeField, ...ownFilesFields],
	options: [bundlesOption, ifNoFileIdsOption],
	output: CHANGED,
	run: async (run) => await changeFiles(run, 'remove'),
};

async function changeFiles(run: RunContext, operation: ChangeOperation): Promise<RunResult> {
	const inventory = new Inventory(run);
	const itemResults = await runItems(run, changeReader(run, operation), async (ready) => {
		const { toSend, held } = await checked(run, inventory, ready);
		if (held.size > 0 && run.stopsOnFailure) return held;
		const sent = await send(run, inventory, toSend);
		return new Map([...held, ...sent]);
	});
	return { itemResults };
}

function changeReader(run: RunContext, operation: ChangeOperation): Reader<ItemOfFiles> {
	const uidOf = run.parameter('uid');
	const sourceTypeOf = run.parameter('sourceType');
	const fileIdsOf = filesReader(run.parameter);
	const ifNoFileIds = run.option(ifNoFileIdsOption);
	return (index) => {
		const uid = readUid(uidOf(index));
		const sourceType = readSourceType(sourceTypeOf(index));
		const asked = { uid, sourceType };
		const attached = attachedFiles(run.context, index);
		const fileIds = readFileIdsOrSkip(fileIdsOf(index), ifNoFileIds, asked, attached);
		if ('kind' in fileIds) return fileIds;
		const { ids: uniqueIds } = fileIds;
		const change = { operation, ...asked, uniqueIds };
		const task = { change, unlike: [], attached };
		return { kind: 'ready', task, requested: { ...asked, uniqueIds } };
	};
}

/** Which items are sent, and the results of those that are held back, by their index. */
async function checked(
	run: RunContext,
	inventory: Inventory,
	ready: Array<Ready<ItemOfFiles>>,
): Promise<{ toSend: Array<Ready<ItemOfFiles>>; held: Map<number, ItemResult> }> {
	const held = new Map<number, ItemResult>();
	if (ready.length === 0) return { toSend: [], held };
	const changes = ready.map(({ task: { change } }) => change);
	const { isKnown, whyNot } = await checkIds(run, inventory, changes);
	const toSend = ready.flatMap((item) => {
		const { change } = item.task;
		const issue = whyNot(change);
		if (issue) held.set(item.index, unusable(issue, item.requested));
		const unlike = unlikeIds(change.uniqueIds.filter((id) => !isKnown(id)));
		return issue ? [] : [{ ...item, task: { ...item.task, unlike } }];
	});
	return { toSend, held };
}

async function send(run: RunContext, inventory: Inventory, ready: Array<Ready<ItemOfFiles>>) {
	const changes = ready.map(({ index, task: { change } }) => ({ index, change }));
	const areBundled = run.option(bundlesOption);
	const batches = areBundled ? bundled(changes) : apart(changes);
	const agents = new AgentLookups(run);
	const batchResults = await mapInKeyOrder(
		batches,
		({ change }) => orderKeyOf(change),
		new Semaphore(MOST_AT_ONCE),
		async (batch) =>
			await sendBatch(batch, { ...run, agents, splitsRefused: areBundled }, () => {
				if (run.stopsOnFailure) run.cancel();
			}),
	);
	const parts = partsOfItems(batchResults.flat());
	const itemResults = new Map<number, ItemResult>();
	for (const { index, task } of ready) {
		const [first, ...more] = parts.get(index) ?? [];
		if (first === undefined) continue;
		itemResults.set(
			index,
			itemResultOf(index, [first, ...more], task, (id) => nameIn(inventory, id)),
		);
	}
	return itemResults;
}
