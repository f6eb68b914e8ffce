import { ItemContext } from '../../../execution/itemContext';
import type { RunResult } from '../../../execution/operation';
import type { OldVersion } from '../../../ingestion/replacement';
import { deleteOld, detachOld, oldRows, oldVersions } from '../../../ingestion/replacement';
import type { Records } from '../../../inventory/records';
import type { Fields, ItemResult, ItemState } from '../../../results/itemResult';
import type { Hint } from '../../../results/report';
import type { Failure } from '../../../values/failure';
import { caught, isFailure, mayBeDone, reasonOf } from '../../../values/failure';
import { quoted } from '../../../values/quoting';
import { UPLOADS } from '../../../values/sourceTypes';
import type { SyncRun } from './carryOut';
import { fileRow } from './output';
import type { AgentFolder, FolderCall, MissingFile } from './plan/missing';
import { disuseHint, listsUnread, mildest, missingFrom } from './plan/missing';
import { beginExecution, recordCall } from './plan/removable';
import { endsIn, nodeCall } from './state/executions';
import type { AgentState } from './state/state';
import { attachedUploads, inFolder, ownUploadsOf, sentFile } from './state/state';
import { itemsAreOption, maxShareOption, runsMissingOption } from './syncFields';

/** An agent whose folder a call of the node has brought, or a part of it. */
interface AgentCall {
	sync: SyncRun;
	agent: AgentState;
	folder: AgentFolder;
}

/**
 * Notes what this call has brought, and takes from the agents what `missing` says.
 */
export async function removeMissing(
	sync: SyncRun,
	itemResults: ItemResult[],
): Promise<Required<Pick<RunResult, 'furtherResults' | 'hints'>>> {
	const { folders, run, state } = sync;
	const hasFailed = itemResults.some(({ kind }) => kind === 'failed');
	const isOver = run.clock.isCancelled() || (hasFailed && run.stopsOnFailure);
	const endOf = endsIn(run.context);
	const executionId = run.context.getExecutionId();
	const furtherResults: ItemResult[] = [];
	const hints: Hint[] = [];
	// Also of agents that no item is for: n8n counts this call for them, too.
	const named = [...folders.values()].map(({ uid }) => state.agentFor(uid));
	for (const agent of new Set([...state.knownAgents(), ...named])) {
		const folder = folders.get(agent.uid);
		const disuse = folder ? undefined : disuseHint(agent, executionId);
		await beginExecution(agent, executionId, endOf);
		recordThisCall(sync, agent, { folder, isOver });
		if (isOver) continue;
		if (disuse) hints.push(disuse);
		if (!folder || agent.execution?.goneFiles === 'keep') continue;
		const call = { sync, agent, folder };
		const missing = missingFrom(await shownBy(call));
		agent.missingOf = missing.missingOf;
		hints.push(...missing.hints);
		for (const one of await removed(call, missing.files)) furtherResults.push(one);
	}
	return { furtherResults, hints };
}

function recordThisCall(
	{ isEachNamed, run: { context } }: SyncRun,
	agent: AgentState,
	{ folder, isOver }: { folder?: AgentFolder; isOver: boolean },
): void {
	if (agent.execution && folder) {
		agent.execution.goneFiles = mildest(folder.goneFiles, agent.execution.goneFiles);
	}
	// Where all are only tried, nothing of it is saved.
	const isPartlyTried = folder?.isTried === true && !folder.isAllTried;
	const isRetry = context.getMode() === 'retry';
	const isWhole = isEachNamed && !isOver && !isPartlyTried && !isRetry;
	recordCall(agent, folder?.names ?? new Set(), isWhole);
}

async function shownBy({ sync, agent, folder }: AgentCall): Promise<FolderCall> {
	const { isEachNamed, run, state, there } = sync;
	const itemsAre = run.option(itemsAreOption);
	// Whether the agent uses an upload that was not attached, only the agent's list shows.
	const mayBeUnused = inFolder(agent).some(
		([name, file]) => !folder.names.has(name) && attachedUploads(file).length === 0,
	);
	const mayAsk = itemsAre === 'all' || mayBeUnused;
	const uploads = await caught(there.uploadsOf(new ItemContext(run), folder.uid, { mayAsk }));
	return {
		...{ agent, folder, isEachNamed, itemsAre },
		node: nodeCall(run.context),
		sizeBefore: state.sizeBefore(agent),
		maxShare: run.option(maxShareOption),
		runsMissing: run.option(runsMissingOption),
		uploads: isFailure(uploads) ? listsUnread(uploads) : uploads,
		sent: state.uploads(),
	};
}

/** All at once, so that they go together. Those that stay come last. */
async function removed(call: AgentCall, files: MissingFile[]): Promise<ItemResult[]> {
	const removable = files.filter(({ reason }) => reason === undefined);
	const remaining = files.filter(({ reason }) => reason !== undefined);
	const toRemove = call.folder.isTried ? [] : removable;
	const untouched = call.folder.isTried ? [...removable, ...remaining] : remaining;
	const results = await Promise.all(toRemove.map(async (one) => await remove(call, one)));
	return [...results, ...untouched.map((one) => resultOf(call, one))];
}

/** Of a file that stays, or whose removal is only tried. */
function resultOf(call: AgentCall, file: MissingFile): ItemResult {
	return { kind: 'succeeded', json: [fileRow(rowOf(call, file), call.folder.isTried)] };
}

function rowOf({ folder: { uid }, sync }: AgentCall, file: MissingFile) {
	const { name, uploads, isUnused = false, reason } = file;
	const agentName = sync.run.inventory.agents.asked(uid)?.name;
	const row = { sourceType: UPLOADS, agentName, uid, name, uniqueId: uploads[0] };
	if (!reason && isUnused) {
		return { ...row, action: 'skipped' as const, success: true, reason: NEVER_USED };
	}
	if (!reason) {
		return { ...row, action: 'removed' as const, success: true, reason: 'No longer in the folder' };
	}
	const success = reason.isWarned !== true;
	const said = `Not among the files of this run: ${reason.clause}`;
	return { ...row, action: 'missing' as const, success, reason: said };
}

/** Takes a file from an agent. */
async function remove(call: AgentCall, file: MissingFile): Promise<ItemResult> {
	const { agent, sync } = call;
	const { name, uploads } = file;
	const item = new ItemContext(sync.run);
	const row = rowOf(call, file);
	const known = agent.files.get(name);
	const own = known ? ownUploadsOf(known) : [];
	const old = oldVersions(
		uploads.map((uniqueId) => ({ uniqueId, sourceName: name, isOwn: own.includes(uniqueId) })),
	);
	const failure = await caught(detach(call, item, old));
	if (isFailure(failure)) {
		const isOut = old.every(({ is }) => is !== 'attached');
		const reason = reasonOf(failure.title, failure.more);
		const requested: Fields = { ...row, action: 'failed', success: false, reason };
		return item.failed(failure, requested, stateAfter(failure, name, isOut));
	}
	if (file.isUnused) for (const one of old) one.wasAttached = false;
	recordRemoved(agent, name, old);
	return item.done([{ ...row, old: oldRows(old) }]);
}

/** Takes the uploads from the agent, and deletes this node's own ones if the user wants that and no agent uses them. */
async function detach(
	{ agent, folder: { uid }, sync: { run } }: AgentCall,
	item: ItemContext,
	old: OldVersion[],
): Promise<void> {
	const agentContext = { run, item, sourceType: UPLOADS, uid };
	const own = old.filter(({ isOwn }) => isOwn === true);
	const areListed = (read: Records) => own.every((one) => read.withId(one.uniqueId) !== undefined);
	await run.permits.run(async () => {
		// Whatever the lists say: they may be late, and only an answer to this proves that it is out.
		await detachOld(agentContext, old);
		if (agent.execution?.goneFiles !== 'delete') return;
		// Only of what is listed it can be told who has it.
		if (own.length > 0) await caught(run.inventory.list.until(item, areListed));
		await deleteOld(agentContext, old, 'own');
	});
}

/** What was removed is remembered for as long as CometChat has it: it may come back to the folder. */
function recordRemoved({ files }: AgentState, name: string, old: OldVersion[]): void {
	const file = files.get(name);
	files.delete(name);
	const isDeleted = (id: string) =>
		old.some(({ uniqueId, is }) => uniqueId === id && is === 'deleted');
	if (file === undefined || isDeleted(file.uniqueId)) return;
	const remaining = file.old.filter((id) => !isDeleted(id));
	const { foreign, sha256, uniqueId } = file;
	files.set(name, { ...sentFile(uniqueId, sha256, 'removed'), old: remaining, foreign });
}

/** The state stays, so that the next run tries again. */
function stateAfter(failure: Failure, name: string, isOut: boolean): ItemState {
	const isUnknown = mayBeDone(failure);
	const file = `${quoted(name)}, which is no longer in the folder,`;
	const done = isOut ? 'deleted' : 'taken from the agent';
	return {
		effect: isOut ? 'partly applied' : isUnknown ? 'unknown' : 'not applied',
		detail: isUnknown ? `It is not known whether ${file} was ${done}.` : `${file} was not ${done}.`,
		hint: 'The next run tries it again.',
	};
}

const NEVER_USED = 'No longer in the folder. The agent did not use it';
