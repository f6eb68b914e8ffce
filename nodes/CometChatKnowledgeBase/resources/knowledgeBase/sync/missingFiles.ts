import { ItemContext } from '../../../execution/itemContext';
import type { RunResult } from '../../../execution/operation';
import { caught, isItemFailure } from '../../../results/apiError';
import type { Hint } from '../../../results/report';
import type { ItemResult } from '../../../results/itemResult';
import { listed, quoted } from '../../../values/quoting';
import type { SyncRun } from './carryOut';
import { endsIn } from './executionEnd';
import type { AgentFolder } from './folder';
import { mildest } from './folder';
import { beginExecution, needsProof, noteCall, viewOf } from './removable';
import type { MissingFile } from './removal';
import { missingResult, remove } from './removal';
import type { AgentState, ExecutionEnd } from './state';
import { inFolder, uploadsOf } from './state';
import { itemsAreOption, maxShareOption, runsMissingOption } from './syncFields';
import type { AgentCall } from './whyMissing';
import { tooMany, UNTOLD, warned, whyNotWhole, whyNotYet } from './whyMissing';

/**
 * Notes what this call has brought, and takes from the agents what the folder has no longer, as `removable` has it.
 */
export async function removeMissing(
	sync: SyncRun,
	itemResults: ItemResult[],
): Promise<Required<Pick<RunResult, 'furtherResults' | 'hints'>>> {
	const { folders, run, state } = sync;
	const hasFailed = itemResults.some(({ kind }) => kind === 'failed');
	const isOver = run.clock.isCancelled() || (hasFailed && run.stopsOnFailure);
	const endOf = endsIn(run.context);
	const furtherResults: ItemResult[] = [];
	const hints: Hint[] = [];
	// Also of agents that no item is for: n8n counts this call for them, too.
	const named = [...folders.values()].map(({ uid }) => state.agentFor(uid));
	for (const agent of new Set([...state.knownAgents(), ...named])) {
		const folder = folders.get(agent.uid);
		const { execution } = agent;
		const isAsked = execution !== undefined && needsProof(agent, run.context.getExecutionId());
		const end = isAsked ? await endOf(execution) : undefined;
		noteThisCall(sync, agent, { folder, isOver, end });
		if (isOver) continue;
		if (!folder) hints.push(...disuseOf(agent));
		else
			for (const one of await removeMissingOf({ sync, agent, folder, hints }))
				furtherResults.push(one);
	}
	return { furtherResults, hints };
}

function noteThisCall(
	{ isEachNamed, run: { context } }: SyncRun,
	agent: AgentState,
	{ folder, isOver, end }: { folder?: AgentFolder; isOver: boolean; end?: ExecutionEnd },
): void {
	beginExecution(agent, context.getExecutionId(), end);
	if (agent.execution && folder) {
		agent.execution.goneFiles = mildest(folder.goneFiles, agent.execution.goneFiles);
	}
	// Where all are only tried, nothing of it is saved.
	const isPartlyTried = folder?.isAnyTried === true && !folder.isAllTried;
	const isRetry = context.getMode() === 'retry';
	noteCall(agent, {
		names: new Set(folder?.counts.keys()),
		isWhole: isEachNamed && !isOver && !isPartlyTried && !isRetry,
	});
}

async function removeMissingOf(call: AgentCall): Promise<ItemResult[]> {
	const { agent, hints, sync } = call;
	agent.isDisuseTold = false;
	if (goneFilesOf(call) === 'keep') return [];
	const itemsAre = sync.run.option(itemsAreOption);
	if (itemsAre === 'all') return await removeOthers(call);
	const missing = itemsAre === 'folder' ? missingFiles(call) : longMissing(call);
	const results = missing ? await settle(call, missing) : [];
	hints.push(...(await hintOfUnknown(call)));
	return results;
}

/** What becomes of what is gone: as the mildest item says, also one of an earlier call of this execution. */
function goneFilesOf({ agent, folder }: AgentCall) {
	return mildest(folder.goneFiles, agent.execution?.goneFiles);
}

/** What is known of the agent and not brought by a call that is taken for the whole folder. */
function missingFiles(call: AgentCall): MissingFile[] {
	const reason = whyNotWhole(call);
	return inFolder(call.agent)
		.filter(([name]) => !call.folder.counts.has(name))
		.map(([name, file]) => ({ name, uploads: uploadsOf(file), reason }));
}

/** By the rule of time: see `removable`. Undefined where others may be yet to come, or the folder was not shown. */
function longMissing(call: AgentCall): MissingFile[] | undefined {
	const { agent, folder, hints, sync } = call;
	const who = `the agent ${quoted(folder.uid)}`;
	const view = viewOf(agent, sync.run.option(runsMissingOption));
	if (view.kind === 'incomplete') return undefined;
	if (view.kind === 'part') {
		const message = `This run brought ${view.named} of ${view.known} known files of ${who}. A file counts as gone only once a run has brought more than half of them without it, so none was taken out.`;
		hints.push({ type: 'info', message });
		return undefined;
	}
	const own = view.missing.filter(({ isOfAnotherFolder }) => !isOfAnotherFolder);
	const others = view.missing.length - own.length;
	if (others > 0) {
		const message = `${filesWords(others)} of ${who} last came in another run, and most files of that run are missing here, too. They seem to be of another folder, and stay.`;
		hints.push({ type: 'info', message });
	}
	return own.flatMap(({ fileName: name, runsLeft }) => {
		const file = agent.files.get(name);
		return file ? [{ name, uploads: uploadsOf(file), reason: whyNotYet(call, runsLeft) }] : [];
	});
}

/** Whatever upload the agent has and no item brings. */
async function removeOthers(call: AgentCall): Promise<ItemResult[]> {
	const { agent, folder, sync } = call;
	const reason = whyNotWhole(call);
	const uploads = await caught(sync.there.uploadsOf(new ItemContext(sync.run), folder.uid));
	if (isItemFailure(uploads)) return notCompared(call, "CometChat's lists could not be read");
	if (uploads === undefined) return notCompared(call, UNTOLD);
	const names = [...folder.counts.keys()];
	const missing = new Map(missingFiles(call).map((one) => [one.name, one]));
	const known = names.flatMap((name) => agent.files.get(name) ?? []);
	const own = new Set(known.flatMap(uploadsOf));
	for (const [id, name] of uploads.names) {
		if (own.has(id) || folder.counts.has(name)) continue;
		const one: MissingFile = missing.get(name) ?? { name, uploads: [], reason };
		if (!one.uploads.includes(id)) one.uploads.push(id);
		missing.set(name, one);
	}
	return await settle(call, [...missing.values()], uploads.names.size);
}

/** Where nobody knows what else the agent has, which is then not as wanted. */
function notCompared(call: AgentCall, because: string): ItemResult[] {
	call.hints.push(stayedHint(call.folder.uid, because));
	return [
		missingResult(call, { name: 'What else the agent has', uploads: [], reason: warned(because) }),
	];
}

/**
 * Removes what has no reason to stay, unless it is too much at once.
 *
 * @param of How many files the agent has; left out: how many were known before.
 */
async function settle(call: AgentCall, missing: MissingFile[], of?: number): Promise<ItemResult[]> {
	const { agent, folder, hints, sync } = call;
	const before = Math.min(of ?? sync.state.sizeBefore(agent), agent.missingOf ?? Infinity);
	const maxShare = sync.run.option(maxShareOption);
	const isTooMuch =
		missing.length > 0 && maxShare < 100 && (missing.length / before) * 100 >= maxShare;
	// For as long as they are missing, also where another reason comes first.
	agent.missingOf = isTooMuch ? before : undefined;
	const tooMuch = isTooMuch ? tooMany(missing.length, before) : undefined;
	// They were noted as they came to their end, which differs from run to run.
	const checked = missing
		.sort((one, other) => (one.name < other.name ? -1 : 1))
		.map((one) => ({
			...one,
			reason: one.reason?.isWarned ? one.reason : (tooMuch ?? one.reason),
		}));
	const staying = checked.filter(({ reason }) => reason !== undefined);
	const removable = checked.filter(({ reason }) => reason === undefined);
	const deletes = goneFilesOf(call) === 'delete';
	hints.push(...stayedHints(folder.uid, staying));
	// All at once, so that they go together.
	const removed = await Promise.all(removable.map(async (one) => await remove(call, one, deletes)));
	return [...removed, ...staying.map((one) => missingResult(call, one))];
}

/** One for each reason that needs somebody who does something. */
function stayedHints(uid: string, staying: MissingFile[]): Hint[] {
	const warnings = staying.flatMap(({ reason }) => (reason?.isWarned ? [reason.because] : []));
	return [...new Set(warnings)].map((because) => {
		const those = staying.filter(({ reason }) => reason?.because === because);
		return stayedHint(
			uid,
			because,
			those.map(({ name }) => name),
		);
	});
}

/** @param names Left out where it is not known which they are. */
function stayedHint(uid: string, because: string, names: string[] = []): Hint {
	const named = names.length > 0 ? `: ${listed(names.map(quoted))}` : '';
	const what = names.length > 0 ? `${filesWords(names.length)} not` : 'What is not';
	return {
		type: 'warning',
		message: `${what} among the files of this run stayed with the agent ${quoted(uid)}, because ${because}${named}.`,
	};
}

/** Said once: an agent that was changed in the node stays known for ever. */
function disuseOf(agent: AgentState): Hint[] {
	const files = inFolder(agent).map(([name]) => name);
	if (agent.isDisuseTold || files.length === 0) return [];
	agent.isDisuseTold = true;
	return [stayedHint(agent.uid, 'no item is for this agent', files)];
}

/** What the agent has, and neither an item brings nor the state knows: no rule removes it. */
async function hintOfUnknown(call: AgentCall): Promise<Hint[]> {
	const { agent, folder, sync } = call;
	if (!isFolderShown(call)) return [];
	const { run, state, there } = sync;
	const uploads = await there.uploadsAsked(new ItemContext(run), folder.uid);
	const sent = state.uploads();
	const unknown = [...(uploads?.names ?? [])].flatMap(([id, name]) =>
		sent.has(id) || folder.counts.has(name) ? [] : [name],
	);
	// In a first run nobody knows yet how many calls there will be: this may be a part of the folder.
	const isDoubtful =
		run.option(itemsAreOption) === 'parts' &&
		agent.lastCalls === 0 &&
		unknown.length >= folder.counts.size;
	if (unknown.length === 0 || isDoubtful) return [];
	const them = unknown.length === 1 ? 'it' : 'them';
	const message = `The agent ${quoted(folder.uid)} also has ${filesWords(unknown.length)} beside those of this folder, perhaps from elsewhere: ${listed(unknown.map(quoted))}. To take ${them} out, use Remove Files. Or set 'What Each Run Brings' under Options to All the Agent Should Know, which takes out every uploaded file that is not in the folder; try that with 'Dry Run' first.`;
	return [{ type: 'warning', message }];
}

/** Whether this call has the whole folder, as far as can be told before the run has ended. */
function isFolderShown(call: AgentCall): boolean {
	const { option } = call.sync.run;
	if (whyNotWhole(call) !== undefined) return false;
	if (option(itemsAreOption) !== 'parts') return true;
	return viewOf(call.agent, option(runsMissingOption)).kind === 'folder';
}

function filesWords(count: number): string {
	return count === 1 ? '1 file' : `${count} files`;
}
