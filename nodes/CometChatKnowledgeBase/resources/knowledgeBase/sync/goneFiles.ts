import type { RunResult } from '../../../execution/operation';
import { ItemContext } from '../../../execution/itemContext';
import { isTool } from '../../../input/binary';
import { composed } from '../../../input/document';
import type { Hint } from '../../../results/hints';
import { caught, isItemFailure } from '../../../results/apiError';
import type { ItemResult } from '../../../results/itemResult';
import { SOURCE_TYPE } from '../oldUploads';
import type { AbsentFile, Stays } from './absentFiles';
import {
	BRANCHES,
	BY_HAND,
	EXECUTES_ONCE,
	IN_LOOP,
	IS_TOOL,
	leftHint,
	missingResult,
	EXECUTION_NOT_KEPT,
	NOT_WELL,
	notYet,
	otherFolderHint,
	partHint,
	REPEATED,
	SEVERAL_CALLS,
	tooMany,
	UNNAMED,
	unnotedHint,
	warningsOf,
} from './absentFiles';
import { executionEnd } from './executionEnd';
import { FileRows } from './fileRow';
import type { AgentFolder, Folder, GoneFiles } from './folder';
import { mildest } from './folder';
import { maxShareOption, runsMissingOption, itemsAreOption } from './goneOptions';
import type { Absent } from './goneRule';
import { beginExecution, needsProof, noteCall, viewOf } from './goneRule';
import type { Holding, SyncRun } from './notedHoldings';
import { nameKey } from './notedHoldings';
import type { ExecutionEnd, NotedAgent, NotedExecution, NotedUpload } from './syncNote';
import { isKnown, newFile, uploadsOf } from './syncNote';
import { takeOut, UNTOLD } from './takingOut';
import { callsByShape } from './workflowShape';

/** What taking files out has to do with. */
interface Sync extends SyncRun {
	folder: Folder;
	itemResults: ItemResult[];
	/** How earlier executions have ended, as far as it was asked. */
	ends: Map<string, Promise<ExecutionEnd>>;
}

type Further = Required<Pick<RunResult, 'furtherResults' | 'hints'>>;

/**
 * Takes from the agents what the folder has no longer, as `goneRule` has it, and notes what this call has brought.
 */
export async function takeGoneOut(asked: Omit<Sync, 'ends'>): Promise<Further> {
	const sync = { ...asked, ends: new Map<string, Promise<ExecutionEnd>>() };
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
		const further = await new AgentAbsences(sync, agent, isOver).end();
		for (const result of further.furtherResults) found.furtherResults.push(result);
		found.hints.push(...further.hints);
	}
	return found;
}

/** What an agent has of files that no item brings. */
class AgentAbsences {
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
		this.forgetTakenOver();
		await this.noteThisCall();
		await this.forgetDeleted();
		if (agentFolder === undefined) return { furtherResults: [], hints: this.absenceHint() };
		agent.isAbsenceTold = false;
		const { uid } = agentFolder;
		if (this.goneFiles === 'keep' || isOver) return { furtherResults: [], hints: [] };
		const itemsAre = run.option(itemsAreOption);
		if (itemsAre === 'all') return await this.takeOthersOut(agentFolder);
		const { furtherResults, hints } =
			itemsAre === 'folder'
				? await this.settle(uid, this.notBrought(this.whyPart()))
				: await this.takeLongGoneOut(agentFolder);
		return { furtherResults, hints: [...hints, ...(await this.unnotedHint(agentFolder))] };
	}

	/** A service may give a freed ID again: what stands for a file of this call now is no other's any more. */
	private forgetTakenOver(): void {
		const { files } = this.agent;
		const brought = this.broughtIds();
		const isLeft = ({ uniqueId }: NotedUpload) => !brought.has(uniqueId);
		for (const [fileName, file] of files) {
			const { current, pending, old, out, unreadable } = file;
			if (this.isBrought(fileName) || [...uploadsOf(file), ...out].every(isLeft)) continue;
			files.set(fileName, {
				...(current && isLeft(current) && { current }),
				...(pending && isLeft(pending) && { pending }),
				old: old.filter(isLeft),
				out: out.filter(isLeft),
				unreadable,
			});
		}
	}

	private isBrought(fileName: string): boolean {
		return this.sync.folder.count(this.agent.uid, fileName) > 0;
	}

	/** The uploads of this call's files, whatever name CometChat has given them. */
	private broughtIds(): ReadonlySet<string> {
		const brought = [...this.agent.files].filter(([fileName]) => this.isBrought(fileName));
		return new Set(brought.flatMap(([, file]) => uploadsOf(file).map(({ uniqueId }) => uniqueId)));
	}

	private async noteThisCall(): Promise<void> {
		const { agent, agentFolder, isOver, isEachNamed, sync } = this;
		const { context } = sync.run;
		const executionId = context.getExecutionId();
		const { execution } = agent;
		const isAsked = execution !== undefined && needsProof(agent, executionId);
		const end = isAsked ? await this.endOf(execution) : undefined;
		beginExecution(agent, executionId, end);
		if (agent.execution && agentFolder?.goneFiles) agent.execution.goneFiles = this.goneFiles;
		const { items = 0, tried = 0 } = agentFolder ?? {};
		// Where all are only tried, nothing of it is saved.
		const isPartlyTried = tried > 0 && tried < items;
		noteCall(agent, {
			names: new Set(agentFolder?.counts.keys()),
			isWhole: isEachNamed && !isOver && !isPartlyTried && !this.isRepeated,
		});
	}

	/** What n8n keeps of an execution may be large, and most agents were brought by the same. */
	private async endOf(execution: NotedExecution): Promise<ExecutionEnd> {
		const { ends, run } = this.sync;
		const key = `${execution.id} ${execution.calls}`;
		const end = ends.get(key) ?? executionEnd(run.context, execution);
		ends.set(key, end);
		return await end;
	}

	/** What was taken out is forgotten once CometChat has it no longer; nobody waits for that. */
	private async forgetDeleted(): Promise<void> {
		const { agent, agentFolder, isOver, sync } = this;
		const isOut = [...agent.files.values()].some((file) => !isKnown(file));
		const { inventory } = sync.run;
		if (!isOut || isOver || agentFolder === undefined || !inventory.isComplete) return;
		const records = await caught(inventory.recordsFor(new ItemContext(sync.run)));
		if (isItemFailure(records)) return;
		for (const [fileName, file] of agent.files) {
			const isThere = file.out.some(({ uniqueId }) => records.withId(uniqueId) !== undefined);
			if (!isKnown(file) && file.unreadable === undefined && !isThere) agent.files.delete(fileName);
		}
	}

	/** What becomes of what is gone: as the mildest item says, also one of an earlier call of this execution. */
	private get goneFiles(): GoneFiles {
		const { goneFiles } = this.agent.execution ?? {};
		return mildest(this.agentFolder?.goneFiles ?? goneFiles ?? 'keep', goneFiles);
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
	private notBrought(stays?: Stays): AbsentFile[] {
		return [...this.agent.seen.keys()]
			.filter((fileName) => !this.isBrought(fileName))
			.map((fileName) => ({ fileName, uploads: this.notedUploads(fileName), stays }));
	}

	private notedUploads(fileName: string): NotedUpload[] {
		return uploadsOf(this.agent.files.get(fileName) ?? newFile());
	}

	/** Why a call may not have the folder as it is now, or only a part of it. */
	private whyPart(): Stays | undefined {
		const { agent, sync } = this;
		const { context } = sync.run;
		const { executeOnce = false } = context.getNode();
		if (this.isRepeated) return REPEATED;
		if (isTool(context)) return IS_TOOL;
		if (executeOnce) return EXECUTES_ONCE;
		if (!this.isEachNamed) return UNNAMED;
		const shape = callsByShape(context);
		if (shape !== undefined) return shape === 'loop' ? IN_LOOP : BRANCHES;
		const runIndex = context.evaluateExpression('{{ $runIndex }}', 0);
		const isAnother = typeof runIndex === 'number' && runIndex > 0;
		const calls = Math.max(agent.execution?.calls ?? 0, agent.lastCalls);
		return isAnother || calls > 1 ? SEVERAL_CALLS : undefined;
	}

	/** The rule of time: see `goneRule`. */
	private async takeLongGoneOut({ uid }: AgentFolder): Promise<Further> {
		const view = viewOf(this.agent, this.sync.run.option(runsMissingOption));
		if (view.kind === 'incomplete') return { furtherResults: [], hints: [] };
		if (view.kind === 'part') {
			return { furtherResults: [], hints: [partHint(uid, view.named, view.known)] };
		}
		const others = view.absent.filter(({ isWithCohort }) => isWithCohort);
		const absent = view.absent.filter(({ isWithCohort }) => !isWithCohort);
		const further = await this.settle(
			uid,
			absent.map((one) => ({
				fileName: one.fileName,
				uploads: this.notedUploads(one.fileName),
				stays: this.whyNotYet(one),
			})),
		);
		return others.length === 0
			? further
			: { ...further, hints: [...further.hints, otherFolderHint(uid, others.length)] };
	}

	/** Why a file is not taken out by this execution. */
	private whyNotYet({ runsLeft }: Absent): Stays | undefined {
		const { execution } = this.agent;
		const mode = this.sync.run.context.getMode();
		if (this.isRepeated) return REPEATED;
		if (execution?.isWhole !== true) return UNNAMED;
		if (runsLeft === 0) return mode === 'manual' && !this.isDryRun ? BY_HAND : undefined;
		if (execution.before === 'not kept') return EXECUTION_NOT_KEPT;
		return execution.before === 'not well' ? NOT_WELL : notYet(runsLeft);
	}

	/** What the agent has, and neither an item brings nor this node has noted: no rule takes it out. */
	private async unnotedHint({ uid, counts }: AgentFolder): Promise<Hint[]> {
		const { agent, sync } = this;
		if (!this.isFolderShown()) return [];
		const brought = new Set([...counts.keys()].map(nameKey));
		const held = await sync.holdings.unnoted(new ItemContext(sync.run), uid);
		const names = held.filter((name) => !brought.has(name));
		// In a first run nobody knows yet how many calls there will be: this may be a part of the folder.
		const isDoubtful =
			sync.run.option(itemsAreOption) === 'parts' &&
			agent.lastCalls === 0 &&
			names.length >= counts.size;
		return names.length === 0 || isDoubtful ? [] : [unnotedHint(uid, names)];
	}

	/** Whether this call has the whole folder, as far as can be told before the run has ended. */
	private isFolderShown(): boolean {
		const { option } = this.sync.run;
		if (this.whyPart() !== undefined) return false;
		if (option(itemsAreOption) !== 'parts') return true;
		return viewOf(this.agent, option(runsMissingOption)).kind === 'folder';
	}

	/** Whatever upload the agent has and no item brings. */
	private async takeOthersOut({ uid }: AgentFolder): Promise<Further> {
		const { sync, agent } = this;
		const steps = new ItemContext(sync.run);
		const stays = this.whyPart();
		const holding = await sync.holdings.of(steps, uid);
		if (holding && this.isAllBrought(holding)) {
			return await this.settle(uid, this.notBrought(stays), holding.uploads.size);
		}
		const records = await caught(sync.run.inventory.recordsFor(steps));
		const found = await caught(sync.run.inventory.agentFor(steps, uid));
		if (isItemFailure(records) || isItemFailure(found)) {
			return this.notCompared(uid, "CometChat's lists could not be read");
		}
		const { documents } = found;
		if (documents === undefined) return this.notCompared(uid, UNTOLD);
		const gone = new Map(this.notBrought(stays).map((one) => [one.fileName, one]));
		const own = new Set(
			[...agent.files.values()]
				.flatMap((file) => [...uploadsOf(file), ...file.out])
				.flatMap(({ uniqueId, isOwn }) => (isOwn ? [uniqueId] : [])),
		);
		const brought = this.broughtIds();
		let held = 0;
		for (const uniqueId of documents) {
			const record = records.withId(uniqueId);
			if (record?.type !== SOURCE_TYPE) continue;
			held += 1;
			const fileName = composed(record.sourceName ?? uniqueId);
			if (brought.has(uniqueId) || this.isBrought(fileName)) continue;
			const one: AbsentFile = gone.get(fileName) ?? { fileName, uploads: [], stays };
			if (!one.uploads.some((upload) => upload.uniqueId === uniqueId)) {
				one.uploads.push({ uniqueId, isOwn: own.has(uniqueId) });
			}
			gone.set(fileName, one);
		}
		return await this.settle(uid, [...gone.values()], held);
	}

	/** Where nobody knows what else the agent has, which is then not as wanted. */
	private notCompared(uid: string, because: string): Further {
		const rows = new FileRows(uid, this.isDryRun, this.sync.run.inventory);
		const stays = { because, isWarned: true };
		const others = { fileName: 'What else the agent has', uploads: [], stays };
		return { furtherResults: [missingResult(rows, others)], hints: [leftHint(uid, because)] };
	}

	private isAllBrought({ uploads }: Holding): boolean {
		const brought = this.broughtIds();
		return [...uploads].every((id) => brought.has(id));
	}

	/**
	 * Takes out what does not stay, unless it is too much at once.
	 *
	 * @param of How many files the agent has; left out: how many were known before.
	 */
	private async settle(uid: string, absent: AbsentFile[], of?: number): Promise<Further> {
		const { agent, isDryRun, sync } = this;
		const { run, note } = sync;
		const before = Math.min(of ?? note.sizeBefore(uid), agent.missingOf ?? Infinity);
		const isTooMuch = absent.length > 0 && this.isTooMuch(absent.length, before);
		// For as long as they are missing, also where another reason comes first.
		agent.missingOf = isTooMuch ? before : undefined;
		const tooMuch = tooMany(absent.length, before);
		// They were noted as they came to their end, which differs from run to run.
		const inOrder = absent.sort((one, other) => (one.fileName < other.fileName ? -1 : 1));
		const checked = isTooMuch
			? inOrder.map((one) => ({ ...one, stays: one.stays?.isWarned ? one.stays : tooMuch }))
			: inOrder;
		const missing = checked.filter(({ stays }) => stays !== undefined);
		const gone = checked.filter(({ stays }) => stays === undefined);
		const deletes = this.goneFiles === 'delete';
		const from = { run, agent, uid, deletes, isDryRun };
		const rows = new FileRows(uid, isDryRun, run.inventory);
		// All at once, so that they go together.
		const removed = await Promise.all(gone.map(async (one) => await takeOut(from, one)));
		return {
			furtherResults: [...removed, ...missing.map((one) => missingResult(rows, one))],
			hints: warningsOf(uid, missing),
		};
	}

	private isTooMuch(missing: number, of: number): boolean {
		const maxShareToRemove = this.sync.run.option(maxShareOption);
		return maxShareToRemove < 100 && (missing / of) * 100 >= maxShareToRemove;
	}

	/** Said once: an agent that was changed in the node stays noted for ever. */
	private absenceHint(): Hint[] {
		const { agent, isOver } = this;
		if (isOver || agent.isAbsenceTold || agent.seen.size === 0) return [];
		agent.isAbsenceTold = true;
		return [leftHint(agent.uid, 'no item is for this agent', this.notBrought())];
	}
}
