import { AgentLookups } from '../../service/agentLookups';
import { orderKeysOf, toBatches } from '../../bundling/batches';
import type { ChangeOperation } from '../../service/attachments';
import { readSourceType, readUid } from '../../input/identifiers';
import { ValidationIssue } from '../../values/validationIssue';
import { sendBatch } from '../../bundling/sendBatch';
import {
	agentField,
	bundlingOptions,
	checkIdsOption,
	filesFields,
	ifNoFileIdsOption,
	optionsField,
	ownFilesFields,
	sourceTypeField,
} from '../../input/fields';
import { attachedFiles } from '../../input/binary';
import { filesReader, readFileIdsOrSkip, unlikeIds } from '../../input/fileIds';
import type { Reader, Ready } from '../../execution/items';
import { runItems } from '../../execution/items';
import { mapInKeyOrder } from '../../concurrency/keyedQueue';
import { Semaphore } from '../../concurrency/semaphore';
import type { Operation, RunResult, RunContext } from '../../execution/operation';
import type { ItemResult } from '../../results/itemResult';
import type { ItemOfFiles } from '../../bundling/splitResult';
import { partsOfItems, itemResultOf } from '../../bundling/splitResult';
import { itemsNotToSend } from './idCheck';

const changeOptions = optionsField(checkIdsOption, ifNoFileIdsOption, ...bundlingOptions);

export const addFiles: Operation = {
	value: 'add',
	name: 'Add Files',
	action: 'Add already uploaded files to an agent',
	description: 'Let an agent answer from files that are in CometChat already, by their IDs',
	fields: [agentField, sourceTypeField, ...filesFields, changeOptions],
	run: async (run) => await changeFiles(run, 'add'),
};

export const removeFiles: Operation = {
	value: 'remove',
	name: 'Remove Files',
	action: 'Remove files from an agent',
	description: 'Let an agent no longer answer from files. The files themselves stay in CometChat.',
	fields: [agentField, sourceTypeField, ...ownFilesFields, changeOptions],
	run: async (run) => await changeFiles(run, 'remove'),
};

async function changeFiles(run: RunContext, operation: ChangeOperation): Promise<RunResult> {
	let bundling = { requests: 0, split: 0 };
	const itemResults = await runItems(run, changeReader(run, operation), async (ready) => {
		const held = await itemsNotToSend(run, ready);
		if (held.size > 0 && run.stopsOnFailure) return held;
		const toSend = ready.filter(({ index }) => !held.has(index));
		const sent = await send(run, toSend);
		bundling = sent.bundling;
		return new Map([...held, ...sent.itemResults]);
	});
	return { itemResults, bundling };
}

function changeReader(run: RunContext, operation: ChangeOperation): Reader<ItemOfFiles> {
	const uidOf = run.parameter('uid');
	const sourceTypeOf = run.parameter('sourceType');
	const filesByOf = run.parameter('filesBy');
	const fileIdsOf = filesReader(run.parameter);
	return (index) => {
		const uid = readUid(uidOf(index));
		if (uid instanceof ValidationIssue) return uid;
		const sourceType = readSourceType(sourceTypeOf(index));
		if (sourceType instanceof ValidationIssue) return sourceType;
		const requested = { operation, uid, sourceType };
		const attached = attachedFiles(run.context, index);
		const fileIds = readFileIdsOrSkip(fileIdsOf(index), run.options, requested, attached);
		if (fileIds instanceof ValidationIssue || 'kind' in fileIds) return fileIds;
		const { ids: uniqueIds, repeated } = fileIds;
		const change = { ...requested, uniqueIds };
		// What CometChat lists is its own, and what it is asked for need not be guessed at.
		const isSure = filesByOf(index) === 'list' || run.options.checkIds;
		const unlike = isSure ? [] : unlikeIds(uniqueIds);
		return { kind: 'ready', task: { change, repeated, unlike, attached }, requested: change };
	};
}

async function send(run: RunContext, ready: Array<Ready<ItemOfFiles>>) {
	const { options } = run;
	const changes = ready.map(({ index, task: { change } }) => ({ index, change }));
	const batches = toBatches(changes, options);
	const agents = new AgentLookups(run);
	const splitsRefused = options.combineItems && options.splitRefused;
	const batchResults = await mapInKeyOrder(
		batches,
		({ change }) => orderKeysOf(change, options),
		new Semaphore(options.parallelRequests),
		async (batch) =>
			await sendBatch(batch, { ...run, agents, splitsRefused }, () => {
				if (run.stopsOnFailure) run.cancel();
			}),
	);
	const parts = partsOfItems(batchResults.flat());
	const itemResults = new Map<number, ItemResult>();
	for (const { index, task } of ready) {
		const [first, ...more] = parts.get(index) ?? [];
		if (first === undefined) continue;
		itemResults.set(index, itemResultOf(index, [first, ...more], task, options));
	}
	const split = batchResults.filter(({ length }) => length > 1).length;
	return { itemResults, bundling: { requests: batches.length, split } };
}
