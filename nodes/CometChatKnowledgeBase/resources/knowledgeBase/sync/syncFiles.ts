import { operation } from '../../../execution/buildOperation';
import type { RunContext, RunResult } from '../../../execution/operation';
import { NameClaims } from '../../../ingestion/namesakes';
import { maxIndexingOption } from '../../../pipeline/fields';
import { ingestionRun } from '../../../pipeline/ingestionRun';
import type { ItemResult } from '../../../results/itemResult';
import { UserError } from '../../../values/failure';
import type { SyncRun } from './carryOut';
import { syncFile } from './carryOut';
import { shapeOf, summaryHints } from './output';
import { foldersOf } from './plan/missing';
import { removeMissing } from './removal';
import { skippedFile } from './skip';
import { SyncState } from './state/state';
import { WhatAgentsHave } from './state/whatIsThere';
import * as fields from './syncFields';

export const syncFiles = operation({
	value: 'sync',
	name: 'Sync Files',
	action: 'Keep an agent in step with a folder',
	description:
		'For a whole folder: add what is new, replace what has changed, and take out what has left it',
	fields: fields.syncFields,
	options: {
		deleteOld: fields.oldVersionsOption,
		maxIndexing: maxIndexingOption,
		maxShare: fields.maxShareOption,
		runsMissing: fields.runsMissingOption,
		itemsAre: fields.itemsAreOption,
	},
	output: [
		...(['name', 'action', 'success', 'status', 'uniqueId', 'sourceType', 'agentName'] as const),
		...(['uid', 'reason', 'dryRun', 'old', 'leftOut', 'counts', 'names', 'unfinished'] as const),
	],
	shared: syncRun,
	together: (items, sync) => {
		const tasks = items.map(({ task }) => task);
		sync.folders = foldersOf(tasks);
		sync.isEachNamed =
			tasks.filter(({ itemFile }) => itemFile.names.length > 0).length >= sync.run.count;
		return errorsOf(items);
	},
	run: syncFile,
	afterAll,
});

function syncRun(itemRun: RunContext): SyncRun {
	const { account, context } = itemRun;
	const staticData = context.getWorkflowStaticData('node');
	const state = new SyncState(staticData, context.getMode(), account.baseUrl);
	const run = ingestionRun(itemRun, { areChangesShared: true });
	const there = new WhatAgentsHave(run, state);
	return { run, state, there, folders: new Map(), isEachNamed: false };
}

/** Returns why items can't be synced. A file that is only skipped has no error: the folder contains it all the same. */
function errorsOf(
	items: ReadonlyArray<{ index: number; task: fields.SyncTask }>,
): Map<number, UserError> {
	const claims = new NameClaims(({ uid, itemFile: { names } }: fields.SyncTask) => ({
		names,
		uid,
	}));
	const synced = items.filter(({ task }) => skippedFile(task) === undefined);
	const errors = claims.clashes(synced, 'file', GIVE_OWN_NAMES);
	for (const { index, task } of synced) {
		const { file } = task.itemFile;
		if (file instanceof UserError) errors.set(index, file);
	}
	return errors;
}

const GIVE_OWN_NAMES =
	"Sync Files knows a file by its name. Let 'Name in CometChat' put their folders before their names, or sync their folders with different agents.";

async function afterAll(
	itemResults: ItemResult[],
	sync: SyncRun,
): Promise<Omit<RunResult, 'itemResults'>> {
	const { folders, run, state } = sync;
	const { furtherResults, hints } = await removeMissing(sync, itemResults);
	const all = [...folders.values()];
	const areAllTried = all.length > 0 && all.every(({ isAllTried }) => isAllTried);
	state.save(({ uid }) => folders.get(uid)?.isAllTried ?? areAllTried);
	const results = [...itemResults, ...furtherResults];
	const more = summaryHints(results, state, run.option(fields.itemsAreOption));
	return {
		furtherResults,
		hints: [...hints, ...more],
		shape: shapeOf(run.parameter('output')(0), { itemResults, furtherResults }),
		stopHint: NEXT_RUN,
	};
}

/** The items that are not done would not be the whole folder. */
const NEXT_RUN =
	'To go on, run the workflow again with all files of the folder. It does what is left.';
