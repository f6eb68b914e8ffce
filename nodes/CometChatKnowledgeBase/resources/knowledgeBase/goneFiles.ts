import type { ItemRun } from '../../execution/items';
import type { RunResult } from '../../execution/operation';
import { Steps } from '../../execution/steps';
import type { Hint } from '../../results/hints';
import type { ItemFailure } from '../../results/itemFailure';
import { isItemFailure, mayBeDone } from '../../results/itemFailure';
import type { Fields, ItemResult } from '../../results/itemResult';
import { deleteOne, isUnknownFile } from '../../service/deletion';
import { quoted } from '../../values/quoting';
import { composed } from '../../input/document';
import type { ExecutionEnd } from './executionEnd';
import { endOf } from './executionEnd';
import type { AgentFolder, Folder } from './folder';
import type { Absent } from './goneRule';
import { beginExecution, needsProof, noteCall, viewOf } from './goneRule';
import type { Inventory } from './inventory';
import { changeOf, MOST_NAMED, SOURCE_TYPE, whyToKeep } from './newVersion';
import type { NotedAgent, NotedUpload, SyncNote } from './syncNote';
import { isKnown, newFile, uploadsOf } from './syncNote';

/** What taking files out has to do with. */
interface Sync {
	run: ItemRun;
	inventory: Inventory;
	note: SyncNote;
	folder: Folder;
	itemResults: ItemResult[];
}

type Further = Required<Pick<RunResult, 'furtherResults' | 'hints'>>;

/** A file that no item brings. */
interface Gone {
	fileName: string;
	/** Those that the agent may have. */
	uploads: NotedUpload[];
	/** Undefined if it is taken out. */
	stays?: Stays;
}

/** Why a file stays with the agent. */
interface Stays {
	/** A clause. */
	because: string;
	/** Whether it needs somebody who does something, so that it also stands above the output. */
	isWarned?: boolean;
}

/**
 * Takes from the agents what the folder has no longer, as `goneRule` has it, and notes what this call has brought.
 */
export async function takeGoneOut(sync: Sync): Promise<Further> {
	const { run, note, folder, itemResults } = sync;
	const hasFailed = itemResults.some(({ kind }) => kind === 'failed');
	const isOver = run.clock.isCancelled() || (hasFailed && run.stopsOnFailure);
	const found: Further = { furtherResults: [], hints: [] };
	// Also of agents that no item is for: n8n counts this call for them, too.
	const agents = new Set([
		...note.notedAgents(),
		...folder.agents.map(({ uid }) => note.agentFor(uid)),
	]);
	for (const agent of agents) {
		const further = await new AgentGone(sync, agent, isOver).end();
		for (const result of further.furtherResults) found.furtherResults.push(result);
		found.hints.push(...further.hints);
	}
	return found;
}

/** What an agent has of files that no item brings. */
class AgentGone {
	private readonly agentFolder?: AgentFolder;

	/** Whether each item of the call names its file. */
	private readonly isEachNamed: boolean;

	constructor(
		private readonly sync: Sync,
		private readonly agent: NotedAgent,
		private readonly isOver: boolean,
	) {
		const { folder, run } = sync;
		this.agentFolder = folder.of(agent.uid);
		this.isEachNamed = folder.items >= run.count;
	}

	async end(): Promise<Further> {
		const { agent, agentFolder, isOver, sync } = this;
		const { run } = sync;
		const { isWholeFolder, isOnlyThisFolder } = run.options;
		const end = await this.noteThisCall();
		await this.forgetDeleted();
		if (agentFolder === undefined) return { furtherResults: [], hints: this.absenceHint() };
		agent.isAbsenceTold = false;
		const { goneFiles = 'keep', uid } = agentFolder;
		if (goneFiles === 'keep' || isOver) return { furtherResults: [], hints: [] };
		if (isOnlyThisFolder) return await this.takeOthersOut(agentFolder);
		if (isWholeFolder) return await this.takeOut(uid, this.notBrought(this.whyNotWhole()));
		return await this.takeLongGoneOut(agentFolder, end);
	}

	/** @returns How the execution before has ended, where that was to be known. */
	private async noteThisCall(): Promise<ExecutionEnd | undefined> {
		const { agent, agentFolder, isOver, isEachNamed, sync } = this;
		const { context } = sync.run;
		const executionId = context.getExecutionId();
		const { execution } = agent;
		const isAsked = execution !== undefined && needsProof(agent, executionId);
		const end = isAsked ? await endOf(context, execution) : undefined;
		beginExecution(agent, executionId, end === 'well');
		const isTried = (agentFolder?.tried ?? 0) > 0;
		noteCall(agent, {
			names: new Set(agentFolder?.counts.keys()),
			isWhole: isEachNamed && !isOver && !(isTried && !this.isOnlyTried) && !this.isRepeated,
		});
		return end;
	}

	/** What was taken out is forgotten once CometChat has it no longer. */
	private async forgetDeleted(): Promise<void> {
		const { agent, agentFolder, isOver, sync } = this;
		const isOut = [...agent.files.values()].some((file) => !isKnown(file));
		if (!isOut || isOver || agentFolder === undefined) return;
		const records = await sync.inventory.recordsFor(new Steps(sync.run));
		if (isItemFailure(records)) return;
		for (const [fileName, file] of agent.files) {
			const isThere = file.out.some(({ uniqueId }) => records.withId(uniqueId) !== undefined);
			if (!isKnown(file) && file.unreadable === undefined && !isThere) agent.files.delete(fileName);
		}
	}

	/** Whether all items for the agent are only tried: what is noted here is not saved then. */
	private get isOnlyTried(): boolean {
		const { items = 0, tried = 0 } = this.agentFolder ?? {};
		return tried > 0 && tried === items;
	}

	/** Whether taking out is only tried: one item that asks for it is enough. */
	private get isDryRun(): boolean {
		return (this.agentFolder?.tried ?? 0) > 0;
	}

	/** The items of a retry are those of an earlier time. */
	private get isRepeated(): boolean {
		return this.sync.run.context.getMode() === 'retry';
	}

	/** What is known of the agent and not brought by this call. */
	private notBrought(because?: string): Gone[] {
		const { agent, sync } = this;
		const stays = because === undefined ? undefined : { because, isWarned: true };
		return [...agent.seen.keys()]
			.filter((fileName) => sync.folder.count(agent.uid, fileName) === 0)
			.map((fileName) => ({ fileName, uploads: this.notedUploads(fileName), stays }));
	}

	private notedUploads(fileName: string): NotedUpload[] {
		return uploadsOf(this.agent.files.get(fileName) ?? newFile());
	}

	/** Why a call can't have the whole folder, whatever the user says. */
	private whyNotWhole(): string | undefined {
		const { type, executeOnce = false } = this.sync.run.context.getNode();
		if (type.endsWith('Tool')) return 'the node is run as a tool, for one item at a time';
		if (executeOnce) return "'Execute Once' is on in the node's settings";
		return this.isEachNamed ? undefined : UNNAMED;
	}

	/** The rule of time: see `goneRule`. */
	private async takeLongGoneOut(
		{ uid }: AgentFolder,
		end: ExecutionEnd | undefined,
	): Promise<Further> {
		const view = viewOf(this.agent, this.sync.run.options.runsMissing);
		if (view.kind === 'incomplete') return { furtherResults: [], hints: [] };
		if (view.kind === 'part') {
			return { furtherResults: [], hints: [partHint(uid, view.named, view.known)] };
		}
		const others = view.absent.filter(({ isWithCohort }) => isWithCohort);
		const absent = view.absent.filter(({ isWithCohort }) => !isWithCohort);
		const further = await this.takeOut(
			uid,
			absent.map((one) => ({
				fileName: one.fileName,
				uploads: this.notedUploads(one.fileName),
				stays: this.whyNotYet(one, end),
			})),
		);
		return others.length === 0
			? further
			: { ...further, hints: [...further.hints, cohortHint(uid, others)] };
	}

	/** Why a file is not taken out by this execution. */
	private whyNotYet({ runsLeft }: Absent, end: ExecutionEnd | undefined): Stays | undefined {
		const mode = this.sync.run.context.getMode();
		if (this.isRepeated) return { because: REPEATED };
		if (this.agent.execution?.isWhole !== true) return { because: UNNAMED, isWarned: true };
		if (runsLeft === 0)
			return mode === 'manual' && !this.isDryRun ? { because: BY_HAND } : undefined;
		if (end === 'not kept') return { because: NOT_KEPT, isWarned: true };
		if (end === 'not well') return { because: NOT_WELL };
		if (runsLeft === 1) return { because: 'the next run takes it out if it is still missing' };
		return { because: `it is taken out once ${runsLeft} more runs have come without it` };
	}

	/** Whatever upload the agent has and no item brings. */
	private async takeOthersOut({ uid }: AgentFolder): Promise<Further> {
		const { sync, agent } = this;
		const steps = new Steps(sync.run);
		const records = await sync.inventory.recordsFor(steps);
		const found = await sync.inventory.agentFor(steps, uid);
		if (isItemFailure(records) || isItemFailure(found)) {
			return { furtherResults: [], hints: [leftHint(uid, UNREAD)] };
		}
		const { documents } = found;
		if (documents === undefined) return { furtherResults: [], hints: [leftHint(uid, UNTOLD)] };
		const because = this.whyNotWhole() ?? this.whySeveralCalls();
		const stays = because === undefined ? undefined : { because, isWarned: true };
		const gone = new Map(this.notBrought(because).map((one) => [one.fileName, one]));
		const own = new Set(
			[...agent.files.values()]
				.flatMap((file) => [...uploadsOf(file), ...file.out])
				.flatMap(({ uniqueId, isOwn }) => (isOwn ? [uniqueId] : [])),
		);
		let held = 0;
		for (const uniqueId of documents) {
			const record = records.withId(uniqueId);
			if (record?.type !== SOURCE_TYPE) continue;
			held += 1;
			const fileName = composed(record.sourceName ?? uniqueId);
			if (sync.folder.count(uid, fileName) > 0) continue;
			const one = gone.get(fileName) ?? { fileName, uploads: [], stays };
			if (!one.uploads.some((upload) => upload.uniqueId === uniqueId)) {
				one.uploads.push({ uniqueId, isOwn: own.has(uniqueId) });
			}
			gone.set(fileName, one);
		}
		return await this.takeOut(uid, [...gone.values()], held);
	}

	/** What one call lacks, another may bring. */
	private whySeveralCalls(): string | undefined {
		const { context, options } = this.sync.run;
		if (options.isWholeFolder) return undefined;
		const runIndex = context.evaluateExpression('{{ $runIndex }}', 0);
		const isAnother = typeof runIndex === 'number' && runIndex > 0;
		return isAnother || this.agent.lastCalls > 1 ? SEVERAL_CALLS : undefined;
	}

	/** @param of How many files the agent has; left out: how many were known before. */
	private async takeOut(uid: string, absent: Gone[], of?: number): Promise<Further> {
		const { agent, sync } = this;
		const before = Math.min(of ?? sync.note.sizeBefore(uid), agent.missingOf ?? Infinity);
		const isTooMuch = absent.length > 0 && this.isTooMuch(absent.length, before);
		// For as long as they are missing, also where another reason comes first.
		agent.missingOf = isTooMuch ? before : undefined;
		const tooMuch = { because: tooMany(absent.length, before), isWarned: true };
		const checked = isTooMuch
			? absent.map((one) => ({ ...one, stays: one.stays?.isWarned ? one.stays : tooMuch }))
			: absent;
		const missing = checked.filter(({ stays }) => stays !== undefined);
		const gone = checked.filter(({ stays }) => stays === undefined);
		// All at once, so that they go together.
		const removed = await Promise.all(gone.map(async (one) => await this.remove(uid, one)));
		return {
			furtherResults: [...removed, ...missing.map((one) => missingResult(uid, one, this.isDryRun))],
			hints: warningsOf(uid, missing),
		};
	}

	private isTooMuch(missing: number, of: number): boolean {
		const { maxShareToRemove } = this.sync.run.options;
		return maxShareToRemove < 100 && (missing / of) * 100 >= maxShareToRemove;
	}

	private async remove(uid: string, one: Gone): Promise<ItemResult> {
		const { sync, agent, agentFolder, isDryRun } = this;
		const { run, inventory } = sync;
		const { fileName, uploads } = one;
		const ids = uploads.map(({ uniqueId }) => uniqueId);
		const shown = {
			action: 'removed',
			fileName,
			uniqueId: ids[0],
			reason: 'No longer in the folder',
		};
		const steps = new Steps(run);
		if (isDryRun) return steps.done([{ success: true, ...shown, uid, dryRun: true }]);
		// Whatever the lists say: they may be late, and only an answer to this proves that it is out.
		const taken = await run.agentChanges.send(steps, changeOf('remove', uid, ...ids));
		if (isItemFailure(taken)) return notRemoved(steps, taken, { uid, ...shown }, TAKEN);
		for (const id of ids) inventory.noteAttached(uid, id, false);
		const deletion =
			agentFolder?.goneFiles === 'delete'
				? await this.deleteUnused(steps, uid, uploads)
				: { deleted: [] };
		if (isItemFailure(deletion)) return notRemoved(steps, deletion, { uid, ...shown }, DELETED);
		const { deleted, notDeleted } = deletion;
		agent.seen.delete(fileName);
		noteOut(agent, one, deleted);
		return steps.done([{ success: true, ...shown, ...(notDeleted && { notDeleted }), uid }]);
	}

	/** Deletes for good what this node has uploaded and no agent has any more. */
	private async deleteUnused(
		steps: Steps,
		uid: string,
		uploads: NotedUpload[],
	): Promise<{ deleted: string[]; notDeleted?: string } | ItemFailure> {
		const { inventory, run } = this.sync;
		const found = await run.permits.run(async () => await inventory.agentFor(steps, uid));
		const isTold = !isItemFailure(found) && found.documents !== undefined;
		const deleted: string[] = [];
		let notDeleted: string | undefined;
		for (const { uniqueId: id, isOwn } of uploads) {
			const answer = await run.permits.run(async () => {
				if (!isOwn) return FOREIGN;
				if (!isTold) return UNTOLD;
				const why = await whyToKeep(steps, inventory, id, { uid }, 'the file');
				return why ?? (await deleteOne(steps, SOURCE_TYPE, id));
			});
			if (typeof answer === 'string') {
				notDeleted ??= answer;
				continue;
			}
			if (isItemFailure(answer) && !isUnknownFile(answer)) return answer;
			inventory.noteDeleted(id);
			deleted.push(id);
		}
		return { deleted, notDeleted };
	}

	/** Said once: an agent that was changed in the node stays noted for ever. */
	private absenceHint(): Hint[] {
		const { agent, isOver } = this;
		if (isOver || agent.isAbsenceTold || agent.seen.size === 0) return [];
		agent.isAbsenceTold = true;
		return [leftHint(agent.uid, 'no item is for this agent', this.notBrought(undefined))];
	}
}

/**
 * What was taken out is remembered for as long as CometChat has it: by its name alone it would pass for the
 * agent's where the lists do not tell.
 */
function noteOut({ files }: NotedAgent, { fileName, uploads }: Gone, deleted: string[]): void {
	const { current, pending, out } = files.get(fileName) ?? newFile();
	const contentOf = (id: string) =>
		[current, pending].find((one) => one?.uniqueId === id)?.sha256 ?? '';
	const left = uploads
		.filter(({ uniqueId }) => !deleted.includes(uniqueId))
		.map(({ uniqueId, isOwn }) => ({ uniqueId, isOwn, sha256: contentOf(uniqueId) }))
		.reverse();
	const all = [...out, ...left];
	if (all.length === 0) files.delete(fileName);
	else files.set(fileName, { old: [], out: all });
}

const UNNAMED = 'not every item names its file, so that one of them may stand in its place';

const REPEATED =
	'a retry brings the files of an earlier time: it takes nothing out, and does not count';

const BY_HAND = 'a run by hand takes nothing out: the next run of the published workflow does';

const NOT_KEPT =
	"n8n has not kept the run before, so that nobody knows whether it saw the whole folder: let n8n save successful executions in the workflow's settings";

const NOT_WELL = 'the run before was broken off, or had not ended: it does not count';

const UNREAD = "CometChat's lists could not be read";

const UNTOLD = "CometChat's list of agents does not tell which documents they have";

const FOREIGN = 'It is not known to be an upload of this node';

const SEVERAL_CALLS =
	"n8n calls the node several times in a run; if each call brings the whole folder, switch 'Each Call Has the Whole Folder' on";

function tooMany(gone: number, before: number): string {
	return `${gone} of ${Math.max(gone, before)} are missing at once, which 'Max Share to Remove (Percent)' under Options does not allow`;
}

function partHint(uid: string, named: number, known: number): Hint {
	return {
		type: 'info',
		message: `This run brought ${named} of ${known} known files of the agent ${quoted(uid)}. Only a run that brings more than half shows the folder: until one does, files that have left it stay with the agent.`,
	};
}

function cohortHint(uid: string, others: Absent[]): Hint {
	return {
		type: 'info',
		message: `${files(others.length)} of the agent ${quoted(uid)} last came in another run, and most of those that came with them are not here: they count as another folder's, and stay.`,
	};
}

/** One for each reason that needs somebody who does something. */
function warningsOf(uid: string, missing: Gone[]): Hint[] {
	const reasons = new Set(missing.flatMap(({ stays }) => (stays?.isWarned ? [stays.because] : [])));
	return [...reasons].map((because) =>
		leftHint(
			uid,
			because,
			missing.filter(({ stays }) => stays?.because === because),
		),
	);
}

function leftHint(uid: string, because: string, absent: Gone[] = []): Hint {
	const names = absent.slice(0, MOST_NAMED).map(({ fileName }) => quoted(fileName));
	const more = absent.length > MOST_NAMED ? `, and ${absent.length - MOST_NAMED} more` : '';
	const named = names.length > 0 ? `: ${names.join(', ')}${more}` : '';
	const what = absent.length > 0 ? `${files(absent.length)} not` : 'What is not';
	return {
		type: 'warning',
		message: `${what} among the items stayed with the agent ${quoted(uid)}, because ${because}${named}.`,
	};
}

function files(count: number): string {
	return count === 1 ? '1 file' : `${count} files`;
}

function missingResult(
	uid: string,
	{ fileName, uploads, stays }: Gone,
	isTried: boolean,
): ItemResult {
	const uniqueId = uploads[0]?.uniqueId;
	const reason = `Not among the files of this run: ${stays?.because}`;
	const json = { success: true, action: 'missing', fileName, uniqueId, reason, uid };
	return {
		kind: 'succeeded',
		json: [{ ...json, ...(isTried && { dryRun: true }) }],
		attempts: 0,
		isRepeated: false,
	};
}

/** What was to be done with a file that is gone, and was not; its note stays, so that the next run tries again. */
const TAKEN = 'taken from the agent';
const DELETED = 'deleted';

function notRemoved(
	steps: Steps,
	failure: ItemFailure,
	requested: Fields & { fileName: string },
	step: string,
): ItemResult {
	const isUnknown = mayBeDone(failure);
	const file = quoted(requested.fileName);
	const consequence = isUnknown
		? `It is not known whether ${file}, which is no longer in the folder, was ${step}.`
		: `${file}, which is no longer in the folder, was not ${step}.`;
	const effect = step === DELETED ? 'partly applied' : isUnknown ? 'unknown' : 'not applied';
	return steps.failed(failure, effect, consequence, requested, 'The next run tries it again.');
}
