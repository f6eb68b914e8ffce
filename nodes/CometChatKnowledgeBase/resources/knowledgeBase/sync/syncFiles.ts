import { operation } from '../../../execution/buildOperation';
import type { RunContext, RunResult } from '../../../execution/operation';
import { IDS_PER_REQUEST } from '../../../ingestion/agentChanges';
import { maxIndexingOption } from '../../../ingestion/fields';
import { ingestionRun } from '../../../ingestion/ingestionRun';
import { UnsendableFile } from '../../../input/document';
import type { ItemResult } from '../../../results/itemResult';
import { quoted } from '../../../values/quoting';
import { UserError } from '../../../values/userError';
import { agent, deleteOldOption } from '../fields';
import type { SyncRun } from './carryOut';
import { syncFile } from './carryOut';
import type { AgentFolder, BroughtFile } from './folder';
import { foldersOf } from './folder';
import { shapeOf, summaryHints } from './output';
import { removeMissing } from './removal';
import { SyncState } from './state';
import * as fields from './syncFields';
import { WhatAgentsHave } from './whatIsThere';

export const syncFiles = operation({
	value: 'sync',
	name: 'Sync Files',
	action: 'Keep an agent in step with a folder',
	description:
		'For a whole folder: add what is new, replace what has changed, and take out what has left it',
	fields: {
		uid: agent,
		brought: fields.broughtFile,
		modifiedMs: fields.modified,
		goneFiles: fields.goneFiles,
		isDryRun: fields.dryRun,
		output: fields.output,
	},
	options: {
		deleteOld: deleteOldOption,
		maxIndexing: maxIndexingOption,
		maxShare: fields.maxShareOption,
		runsMissing: fields.runsMissingOption,
		itemsAre: fields.itemsAreOption,
	},
	output: [
		...(['name', 'action', 'success', 'status', 'uniqueId', 'sourceType', 'agentName'] as const),
		...(['uid', 'reason', 'dryRun', 'old', 'counts', 'names', 'unfinished'] as const),
	],
	shared: syncRun,
	together: (items, sync) => {
		const tasks = items.map(({ task }) => task);
		sync.folders = foldersOf(tasks);
		sync.isEachNamed =
			tasks.filter(({ brought }) => brought.names.length > 0).length >= sync.run.count;
		const issues = items.flatMap(({ index, task: { uid, brought } }) => {
			const issue = issueWith(brought, sync.folders.get(uid.toLowerCase()));
			return issue ? [[index, issue] as const] : [];
		});
		return new Map(issues);
	},
	run: syncFile,
	afterAll,
});

function syncRun(itemRun: RunContext): SyncRun {
	const { account, context } = itemRun;
	const staticData = context.getWorkflowStaticData('node');
	const state = new SyncState(staticData, context.getMode(), account.baseUrl);
	const maxFileIdsPerRequest = IDS_PER_REQUEST;
	const run = ingestionRun(itemRun, { maxFileIdsPerRequest, noted: state.uploads() });
	const there = new WhatAgentsHave(run, state);
	return { run, state, there, folders: new Map(), isEachNamed: false };
}

/** What CometChat does not take is skipped: it is in the folder all the same, and the others are brought. */
function issueWith({ file, names }: BroughtFile, folder?: AgentFolder): UserError | undefined {
	if (file instanceof UnsendableFile && names.length > 0) return undefined;
	if (file instanceof UserError) return file;
	const isTwice = names.some((name) => (folder?.counts.get(name) ?? 0) > 1);
	return isTwice ? namedTwice(file.fileName) : undefined;
}

function namedTwice(fileName: string): UserError {
	return new UserError(
		`Several items bring a file named ${quoted(fileName)} for the same agent`,
		"Sync Files knows a file by its name. Let 'Name in CometChat' put their folders before their names, or sync their folders with different agents.",
		{ fileName },
	);
}

async function afterAll(
	itemResults: ItemResult[],
	sync: SyncRun,
): Promise<Omit<RunResult, 'itemResults'>> {
	const { folders, run, state } = sync;
	const { furtherResults, hints } = await removeMissing(sync, itemResults);
	const all = [...folders.values()];
	const isAllTried = all.length > 0 && all.every((folder) => folder.isAllTried);
	state.save(({ uid }) => folders.get(uid)?.isAllTried ?? isAllTried);
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
