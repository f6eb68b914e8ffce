import { ItemContext } from '../../../execution/itemContext';
import type { RunResult } from '../../../execution/operation';
import { caught, isItemFailure } from '../../../results/apiError';
import type { Hint } from '../../../results/hints';
import type { ItemResult } from '../../../results/itemResult';
import { executionEnd } from './executionEnd';
import type { AgentFolder, Folder } from './folder';
import { mildest } from './folder';
import {
	disuseHint,
	notRemovedHint,
	otherFolderHint,
	partHint,
	reasonHints,
	unknownHint,
} from './missingHints';
import { itemsAreOption, maxShareOption, runsMissingOption } from './syncFields';
import type { MissingFile } from './removal';
import { missingResult, remove } from './removal';
import { beginExecution, needsProof, noteCall, viewOf } from './removable';
import type { AgentState, ExecutionEnd, LastExecution } from './state';
import { inFolder, uploadsOf } from './state';
import type { SyncRun } from './carryOut';
import { nameKey } from './whatIsThere';
import type { AgentCall } from './whyMissing';
import { tooMany, UNTOLD, warned, whyNotWhole, whyNotYet } from './whyMissing';

type Further = Required<Pick<RunResult, 'furtherResults' | 'hints'>>;

/** What the items bring for an agent, and how it is called. */
interface Brought extends AgentCall {
	sync: SyncRun;
	folder: AgentFolder;
}

/**
 * Notes what this call has brought, and takes from the agents what the folder has no longer, as `removable` has it.
 */
export async function removeMissing(
	sync: SyncRun,
	folder: Folder,
	itemResults: ItemResult[],
): Promise<Further> {
	const { run, state } = sync;
	const hasFailed = itemResults.some(({ kind }) => kind === 'failed');
	const isOver = run.clock.isCancelled() || (hasFailed && run.stopsOnFailure);
	const isEachNamed = folder.items >= run.count;
	const endOf = askedOnce(async (execution) => await executionEnd(run.context, execution));
	const found: Further = { furtherResults: [], hints: [] };
	// Also of agents that no item is for: n8n counts this call for them, too.
	const agents = [...state.knownAgents(), ...folder.agents.map(({ uid }) => state.agentFor(uid))];
	for (const agent of new Set(agents)) {
		const brought = folder.of(agent.uid);
		forgetTakenOver(agent, brought);
		const { context } = run;
		const call = { context, agent, isEachNamed, isDryRun: (brought?.tried ?? 0) > 0 };
		await noteThisCall(call, { folder: brought, isOver, endOf });
		if (isOver) continue;
		const { furtherResults, hints } = brought
			? await removeMissingOf({ ...call, sync, folder: brought })
			: { furtherResults: [], hints: disuseOf(agent) };
		for (const result of furtherResults) found.furtherResults.push(result);
		found.hints.push(...hints);
	}
	return found;
}

type EndOf = (execution: LastExecution) => Promise<ExecutionEnd>;

/** What n8n keeps of an execution may be large, and most agents were brought by the same. */
function askedOnce(ask: EndOf): EndOf {
	const ends = new Map<string, Promise<ExecutionEnd>>();
	return async (execution) => {
		const key = `${execution.id} ${execution.calls}`;
		const end = ends.get(key) ?? ask(execution);
		ends.set(key, end);
		return await end;
	};
}

async function noteThisCall(
	{ agent, context, isEachNamed, isDryRun }: AgentCall,
	{ folder, isOver, endOf }: { folder?: AgentFolder; isOver: boolean; endOf: EndOf },
): Promise<void> {
	const executionId = context.getExecutionId();
	const { execution } = agent;
	const isAsked = execution !== undefined && needsProof(agent, executionId);
	beginExecution(agent, executionId, isAsked ? await endOf(execution) : undefined);
	if (agent.execution && folder?.goneFiles) {
		agent.execution.goneFiles = mildest(folder.goneFiles, agent.execution.goneFiles);
	}
	// Where all are only tried, nothing of it is saved.
	const isPartlyTried = isDryRun && folder !== undefined && folder.tried < folder.items;
	const isRetry = context.getMode() === 'retry';
	noteCall(agent, {
		names: new Set(folder?.counts.keys()),
		isWhole: isEachNamed && !isOver && !isPartlyTried && !isRetry,
	});
}

/** A service may give a freed ID again: what stands for a file of this call now is no other's any more. */
function forgetTakenOver({ files }: AgentState, folder: AgentFolder | undefined): void {
	const taken = new Set(broughtIds(files, folder));
	for (const [name, file] of files) {
		if (folder?.counts.has(name)) continue;
		if (taken.has(file.uniqueId)) files.delete(name);
		else file.old = file.old.filter((id) => !taken.has(id));
	}
}

/** The uploads of this call's files, whatever name CometChat has given them. */
function broughtIds(files: AgentState['files'], folder: AgentFolder | undefined): string[] {
	const names = [...(folder?.counts.keys() ?? [])];
	return names.flatMap((name) => {
		const file = files.get(name);
		return file ? uploadsOf(file) : [];
	});
}

async function removeMissingOf(brought: Brought): Promise<Further> {
	const { agent, sync } = brought;
	const { run } = sync;
	agent.isDisuseTold = false;
	if (goneFilesOf(brought) === 'keep') return { furtherResults: [], hints: [] };
	const itemsAre = run.option(itemsAreOption);
	if (itemsAre === 'all') return await removeOthers(brought);
	const { furtherResults, hints } =
		itemsAre === 'folder'
			? await settle(brought, missingFiles(brought))
			: await removeLongMissing(brought);
	return { furtherResults, hints: [...hints, ...(await hintOfUnknown(brought))] };
}

/** What becomes of what is gone: as the mildest item says, also one of an earlier call of this execution. */
function goneFilesOf({ agent, folder }: Pick<Brought, 'agent' | 'folder'>) {
	const { goneFiles } = agent.execution ?? {};
	return mildest(folder.goneFiles ?? goneFiles ?? 'keep', goneFiles);
}

/** What is known of the agent and not brought by a call that is taken for the whole folder. */
function missingFiles(brought: Brought): MissingFile[] {
	const reason = whyNotWhole(brought);
	return inFolder(brought.agent)
		.filter(([name]) => !brought.folder.counts.has(name))
		.map(([name, file]) => ({ name, uploads: uploadsOf(file), reason }));
}

/** The rule of time: see `removable`. */
async function removeLongMissing(brought: Brought): Promise<Further> {
	const { agent, folder, sync } = brought;
	const { uid } = folder;
	const view = viewOf(agent, sync.run.option(runsMissingOption));
	if (view.kind === 'incomplete') return { furtherResults: [], hints: [] };
	if (view.kind === 'part') {
		return { furtherResults: [], hints: [partHint(uid, view.named, view.known)] };
	}
	const others = view.missing.filter(({ isOfAnotherFolder }) => isOfAnotherFolder);
	const missing = view.missing.filter(({ isOfAnotherFolder }) => !isOfAnotherFolder);
	const further = await settle(
		brought,
		missing.map((one): MissingFile => {
			const file = agent.files.get(one.fileName);
			const uploads = file ? uploadsOf(file) : [];
			return { name: one.fileName, uploads, reason: whyNotYet(brought, one) };
		}),
	);
	const hints = others.length > 0 ? [otherFolderHint(uid, others.length)] : [];
	return { ...further, hints: [...further.hints, ...hints] };
}

/** Whatever upload the agent has and no item brings. */
async function removeOthers(brought: Brought): Promise<Further> {
	const { agent, folder, sync } = brought;
	const reason = whyNotWhole(brought);
	const uploads = await caught(sync.there.uploadsOf(new ItemContext(sync.run), folder.uid));
	if (isItemFailure(uploads)) return notCompared(brought, "CometChat's lists could not be read");
	if (uploads === undefined) return notCompared(brought, UNTOLD);
	const missing = new Map(missingFiles(brought).map((one) => [nameKey(one.name), one]));
	const own = new Set(broughtIds(agent.files, folder));
	const names = new Set([...folder.counts.keys()].map(nameKey));
	for (const [id, key] of uploads.names) {
		if (own.has(id) || names.has(key)) continue;
		const one: MissingFile = missing.get(key) ?? { name: key, uploads: [], reason };
		if (!one.uploads.includes(id)) one.uploads.push(id);
		missing.set(key, one);
	}
	return await settle(brought, [...missing.values()], uploads.names.size);
}

/** Where nobody knows what else the agent has, which is then not as wanted. */
function notCompared({ folder, isDryRun }: Brought, because: string): Further {
	const of = { uid: folder.uid, isTried: isDryRun };
	const others = { name: 'What else the agent has', uploads: [], reason: warned(because) };
	return {
		furtherResults: [missingResult(of, others)],
		hints: [notRemovedHint(folder.uid, because)],
	};
}

/**
 * Removes what has no reason to stay, unless it is too much at once.
 *
 * @param of How many files the agent has; left out: how many were known before.
 */
async function settle(brought: Brought, missing: MissingFile[], of?: number): Promise<Further> {
	const { agent, folder, isDryRun, sync } = brought;
	const { uid } = folder;
	const before = Math.min(of ?? sync.state.sizeBefore(agent), agent.missingOf ?? Infinity);
	const maxShare = sync.run.option(maxShareOption);
	const isTooMuch =
		missing.length > 0 && maxShare < 100 && (missing.length / before) * 100 >= maxShare;
	// For as long as they are missing, also where another reason comes first.
	agent.missingOf = isTooMuch ? before : undefined;
	const tooMuch = tooMany(missing.length, before);
	// They were noted as they came to their end, which differs from run to run.
	const inOrder = missing.sort((one, other) => (one.name < other.name ? -1 : 1));
	const checked = isTooMuch
		? inOrder.map((one) => ({ ...one, reason: one.reason?.isWarned ? one.reason : tooMuch }))
		: inOrder;
	const staying = checked.filter(({ reason }) => reason !== undefined);
	const removable = checked.filter(({ reason }) => reason === undefined);
	const deletes = goneFilesOf(brought) === 'delete';
	const agentName = sync.run.inventory.agents.asked(uid)?.name;
	const rowsOf = { uid, agentName, isTried: isDryRun };
	// All at once, so that they go together.
	const removed = await Promise.all(
		removable.map(async (one) => await remove({ run: sync.run, agent, rowsOf, deletes }, one)),
	);
	return {
		furtherResults: [...removed, ...staying.map((one) => missingResult(rowsOf, one))],
		hints: reasonHints(uid, staying),
	};
}

/** What the agent has, and neither an item brings nor the state knows: no rule removes it. */
async function hintOfUnknown(brought: Brought): Promise<Hint[]> {
	const { agent, folder, sync } = brought;
	if (!isFolderShown(brought)) return [];
	const { run, state, there } = sync;
	const uploads = await there.uploadsAsked(new ItemContext(run), folder.uid);
	const sent = state.uploads();
	const names = new Set([...folder.counts.keys()].map(nameKey));
	const unknown = [...(uploads?.names ?? [])].flatMap(([id, key]) =>
		sent.has(id) || names.has(key) ? [] : [key],
	);
	// In a first run nobody knows yet how many calls there will be: this may be a part of the folder.
	const isDoubtful =
		run.option(itemsAreOption) === 'parts' &&
		agent.lastCalls === 0 &&
		unknown.length >= folder.counts.size;
	return unknown.length === 0 || isDoubtful ? [] : [unknownHint(folder.uid, unknown)];
}

/** Whether this call has the whole folder, as far as can be told before the run has ended. */
function isFolderShown(brought: Brought): boolean {
	const { option } = brought.sync.run;
	if (whyNotWhole(brought) !== undefined) return false;
	if (option(itemsAreOption) !== 'parts') return true;
	return viewOf(brought.agent, option(runsMissingOption)).kind === 'folder';
}

/** Said once: an agent that was changed in the node stays known for ever. */
function disuseOf(agent: AgentState): Hint[] {
	const files = inFolder(agent).map(([name]) => name);
	if (agent.isDisuseTold || files.length === 0) return [];
	agent.isDisuseTold = true;
	return [disuseHint(agent.uid, files)];
}
