import { deliver } from '../../../delivery/deliver';
import { newBatch } from '../../../delivery/deliverItems';
import type { Delivery } from '../../../delivery/delivery';
import { isStillUsed } from '../../../delivery/delivery';
import { resultOf } from '../../../delivery/rows';
import type { BatchResult } from '../../../operations/batchOperation';
import { batchOperation } from '../../../operations/batchOperation';
import { ItemContext } from '../../../operations/itemContext';
import type { RunContext } from '../../../operations/operation';
import type { Item } from '../../../operations/readItems';
import { conflicts } from '../../../fields/conflicts';
import { withNotes } from '../../../fields/neverAccepted';
import type { ItemResult } from '../../../output/itemResult';
import { failed, NOTHING_CHANGED, UNKNOWN, unusable } from '../../../output/itemResult';
import type { Failure } from '../../../text/failure';
import { isFailure, toResult, UserError } from '../../../text/failure';
import { normalizeName } from '../../../text/names';
import type { Folder, SyncRun } from './folder';
import { openFolders } from './folder';
import { countHints, fileRow, recordHints, shapeOf } from './output';
import { SyncRecord } from './record';
import { removeMissing } from './removal';
import { skip, skippedFile } from './skip';
import type { FileSync, OpenFile } from './syncFile';
import { explainUnusable, planFiles, recordFile } from './syncFile';
import type { SyncTask } from './syncFields';
import { syncFields, syncOptions } from './syncFields';

type Items = ReadonlyArray<Item<SyncTask>>;

export const syncFiles = batchOperation({
	value: 'sync',
	name: 'Sync Folder or Table',
	action: 'Sync folder or table to agent',
	description:
		"Add, replace and remove an agent's documents so that they match a folder or a table",
	fields: syncFields,
	options: syncOptions,
	output: [
		...(['name', 'action', 'success', 'status', 'uniqueId', 'sourceType', 'agentName'] as const),
		...(['uid', 'reason', 'dryRun', 'hasRecord', 'old', 'leftOut'] as const),
		...(['counts', 'names', 'unfinished'] as const),
	],
	// Without the finished files, the input would not be the whole folder.
	needsAllItems: true,
	conflicts: errorsOf,
	runAll: syncAll,
	summarize: (result, run) => {
		const { itemResults, furtherResults = [], hints = [] } = result;
		return {
			...result,
			hints: [...countHints([...itemResults, ...furtherResults]), ...hints],
			shape: shapeOf(run.parameter('output').read(0), result),
			stopHint: ALL_AGAIN,
		};
	},
});

/** Returns the errors of items that can't be synced. A skipped file has no error. */
function errorsOf(items: Items): Map<number, UserError> {
	const sent = items.filter(({ task }) => skippedFile(task) === undefined);
	const claims = sent.flatMap(({ index, task: { uid, itemFile } }) => {
		const { file, names } = itemFile;
		const content = file instanceof UserError ? undefined : file.sha256;
		return names.map((name) => ({ index, name, uid, content }));
	});
	const settings = items.flatMap(({ index, task: { uid, ...task } }) => [
		{ index, uid, name: syncFields.onMissing.property.displayName, value: task.onMissing },
		{ index, uid, name: syncFields.isDryRun.property.displayName, value: task.isDryRun },
	]);
	const areAllEmpty = items.length > 1 && items.every(({ task }) => task.itemFile.isEmptyText);
	return new Map([
		...(areAllEmpty ? items.map(({ index }) => [index, ALL_EMPTY] as const) : []),
		...conflicts(claims, 'have documents with the same name', OWN_NAMES),
		...conflicts(settings, 'have different values', ONE_VALUE),
	]);
}

const ALL_EMPTY = new UserError(
	"'Text' is empty in all items",
	"Check the output of the previous node, and the expression in 'Text'. No missing document was removed.",
);

const ONE_VALUE = 'Set one value for all items with this agent.';

async function syncAll(items: Items, context: RunContext, refused: Items): Promise<BatchResult> {
	const { context: n8n, account } = context;
	const record = new SyncRecord(n8n.getWorkflowStaticData('node'), n8n.getMode(), account.baseUrl);
	const sync: SyncRun = { batch: newBatch(context), record, folders: new Map() };
	const tasks = [...items, ...refused].map(({ task }) => task);
	await openFolders(sync, tasks);
	const files = await planFiles(
		sync,
		items.flatMap((input) => toFile(sync, input)),
	);
	// Thousands of unchanged files need no request, so n8n can do other work here and after the next steps.
	await context.finishing.clock.delay(0);
	const real = files.filter(({ folder }) => !folder.isDry);
	await deliver(
		sync.batch,
		real.flatMap(({ delivery }) => (isFailure(delivery) ? [] : delivery)),
	);
	await context.finishing.clock.delay(0);
	for (const one of real) recordFile(one);
	const results = resultsOf(sync, items, files);
	const hasFailed = [...results.values()].some(({ kind }) => kind === 'failed');
	record.save();
	await context.finishing.clock.delay(0);
	const removing = removeMissing(sync, {
		isEachNamed: tasks.filter(({ itemFile }) => itemFile.names.length > 0).length >= context.count,
		isOver: context.finishing.clock.isCancelled() || (hasFailed && context.stopsOnFailure),
	});
	const removed = await toResult(removing);
	record.save();
	const { furtherResults, hints } = isFailure(removed) ? afterException(removed) : removed;
	const isAllDry = files.length > 0 && real.length === 0;
	const isUnrecorded = real.some((one) => one.isUnrecorded);
	return {
		...{ results, furtherResults },
		hints: [...hints, ...(isAllDry ? [] : recordHints(record, isUnrecorded))],
	};
}

/** The row of files that may or may not be removed. */
function afterException(failure: Failure) {
	const requested = { action: 'failed', reason: failure.title };
	return {
		furtherResults: [failed(failure, { requested, state: UNKNOWN, attempts: 1 })],
		hints: [],
	};
}

/** Returns the file of an item; none if it can't be sent. */
function toFile({ batch, folders }: SyncRun, input: Item<SyncTask>): OpenFile[] {
	const { file } = input.task.itemFile;
	const folder = folders.get(input.task.uid);
	if (file instanceof UserError || folder === undefined) return [];
	const name = normalizeName(file.fileName);
	const before = folder.known.files.get(name);
	return [
		{
			...{ input, item: new ItemContext(batch.starting), folder, file, name, before },
			facts: {},
			reason: '',
		},
	];
}

function resultsOf(sync: SyncRun, items: Items, files: FileSync[]): Map<number, ItemResult> {
	const results = new Map(files.map((one) => [one.input.index, resultOfFile(sync, one)]));
	for (const input of items) {
		const { file } = input.task.itemFile;
		const folder = sync.folders.get(input.task.uid);
		if (!(file instanceof UserError) || folder === undefined) continue;
		const skipped = skippedFile(input.task);
		const result = skipped ? skip(skipped, input, folder) : unusable(file, input.requested);
		results.set(input.index, result);
	}
	return results;
}

function resultOfFile({ record }: SyncRun, one: FileSync): ItemResult {
	const { delivery, item, folder, file } = one;
	explainUnusable(one);
	const failure = isFailure(delivery) ? delivery : delivery.failure;
	const said = failure instanceof UserError && { reason: `${failure.title}. ${failure.hint}` };
	const requested = { ...one.input.requested, ...said };
	if (isFailure(delivery)) {
		return item.failed(delivery, { ...requested, action: 'failed' }, NOTHING_CHANGED);
	}
	const action = actionOf(delivery, folder);
	return resultOf(item, [delivery], {
		requested,
		action: () => action,
		reason: ({ emptyWarning }) => (emptyWarning === undefined ? one.reason : undefined),
		more: () => {
			const row = fileRow({ action }, folder.isDry);
			const planned = folder.isDry ? { ...plannedFields(delivery), old: undefined } : {};
			return withNotes({ ...row, ...planned }, file, item);
		},
		hint: record.isPersisted ? CONTINUES : undefined,
	});
}

function actionOf({ plan, old }: Delivery, { isDry }: Folder): 'replaced' | 'unchanged' | 'added' {
	const isReplaced = old.some((one) =>
		isDry ? one.wasUsed !== false : one.wasUsed === true && !isStillUsed(one),
	);
	if (isReplaced) return 'replaced';
	return plan.action === 'use' && plan.found.isAttached === true ? 'unchanged' : 'added';
}

/** Returns the fields of the upload that a dry run would use. */
function plannedFields({ plan }: Delivery) {
	if (plan.action !== 'use' && plan.action !== 'update') return {};
	return { uniqueId: plan.found.uniqueId, status: plan.found.status };
}

const OWN_NAMES =
	"Change 'Document Name', or add the folder with 'Name in CometChat' under Options. Documents are identified by their names.";

const CONTINUES = 'The next execution tries this document again.';

/** The advice to run all items again, because the documents of others would count as missing. */
const ALL_AGAIN = 'Then run the workflow again with all items, also with the items that are done.';
