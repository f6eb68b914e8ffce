import type { AgentState, ExecutionEnd, FileState, LastExecution, NamedFile } from '../state/state';
import { inFolder } from '../state/state';

/*
 * When a file that is missing may be removed. The shape of a workflow can't tell whether the node sees the whole
 * folder: n8n calls it once for each bundle of items that reaches it. Time can.
 *
 * | The execution before                                  | This one, until now                        | A file that it lacks  |
 * | ----------------------------------------------------- | ------------------------------------------ | --------------------- |
 * | counts, and lacked it, as `runsMissing` before it did  | shows the folder, looks complete, is whole | is removable          |
 * | does not count, or had it                             | the same                                   | is missing            |
 * | any                                                   | shows the folder, is not whole             | is missing            |
 * | any                                                   | looks incomplete                           | may be yet to come    |
 * | any                                                   | shows no folder                            | is not spoken of      |
 *
 * An execution shows the folder of a file if it brought more than half of all known files, and more than half
 * of those that came with this one the last time: another trigger's folder on the same node is another cohort.
 * It counts if it did so over all its calls, was whole, and is proven to have ended well.
 * It looks complete once it has called as often as the one before, or all that came last time are here again.
 */

/** What is to be made of known files that the present execution has not brought. */
export type View =
	/** Others may be yet to come. */
	| { kind: 'incomplete' }
	/** It is not the folder that was shown. */
	| { kind: 'part'; named: number; known: number }
	/** Those that are missing; apart from them those of which most that came with them are missing, too. */
	| { kind: 'folder'; missing: NamedFile[]; ofAnotherFolder: NamedFile[] };

/**
 * Begins the execution that calls the node now, if it is another than the last one, which is over then.
 *
 * @param endOf How one has ended; asked only where that makes a difference.
 */
export async function beginExecution(
	agent: AgentState,
	executionId: string,
	endOf: (execution: LastExecution) => Promise<ExecutionEnd>,
): Promise<void> {
	const { execution, files } = agent;
	if (execution?.id === executionId) return;
	const end = execution && mayCount(agent, execution) ? await endOf(execution) : undefined;
	if (execution !== undefined) close(agent, end === 'well');
	for (const file of files.values()) file.isMissing = true;
	agent.lastCalls = execution?.calls ?? 0;
	agent.execution = { id: executionId, calls: 0, isWhole: true, before: end };
}

/** Whether it counts for a file that it lacks, if it is proven to have ended well. */
function mayCount(agent: AgentState, { isWhole }: LastExecution): boolean {
	const { named, known } = countsOf(agent);
	return isWhole && named < known && isMost(named, known);
}

/** @param counts Whether it counts for what it has lacked. */
function close(agent: AgentState, counts: boolean): void {
	const isShown = shownCohorts(agent);
	agent.cohorts += 1;
	for (const [, file] of inFolder(agent)) {
		const belongs = !file.isMissing || isShown(file.cohort);
		if (file.isMissing && belongs && counts) file.missed += 1;
		// Also one that is missing: it stays with those with which it came.
		if (belongs) file.cohort = agent.cohorts;
	}
}

/**
 * Notes a call of the present execution, after its files were brought.
 *
 * @param names The files that its items name.
 * @param isWhole Whether each item names its file, nothing is only tried, and nothing has stopped the node.
 */
export function recordCall(agent: AgentState, names: ReadonlySet<string>, isWhole: boolean): void {
	const { execution, cohorts } = agent;
	if (execution === undefined) return;
	execution.calls += 1;
	execution.isWhole &&= isWhole;
	for (const [name, file] of inFolder(agent)) {
		if (!names.has(name)) continue;
		const cohort = file.cohort || cohorts + 1;
		Object.assign(file, { isMissing: false, missed: 0, cohort } satisfies Partial<FileState>);
	}
}

export function viewOf(agent: AgentState): View {
	const { execution, lastCalls } = agent;
	const missing = inFolder(agent).filter(([, { isMissing }]) => isMissing);
	const { named, known } = countsOf(agent);
	const isCalledAsOften = (execution?.calls ?? 0) >= lastCalls;
	if (!isCalledAsOften && missing.some(([, { missed }]) => missed === 0)) {
		return { kind: 'incomplete' };
	}
	if (named < known && !isMost(named, known)) return { kind: 'part', named, known };
	const isShown = shownCohorts(agent);
	return {
		kind: 'folder',
		missing: missing.filter(([, { cohort }]) => isShown(cohort)),
		ofAnotherFolder: missing.filter(([, { cohort }]) => !isShown(cohort)),
	};
}

/** Of which cohorts more than half was brought. */
function shownCohorts(agent: AgentState): (cohort: number) => boolean {
	const counts = new Map<number, { named: number; all: number }>();
	for (const [, { isMissing, cohort }] of inFolder(agent)) {
		const count = counts.get(cohort) ?? { named: 0, all: 0 };
		counts.set(cohort, { named: count.named + (isMissing ? 0 : 1), all: count.all + 1 });
	}
	return (cohort) => {
		const { named, all } = counts.get(cohort) ?? { named: 0, all: 0 };
		return isMost(named, all);
	};
}

function countsOf(agent: AgentState): { named: number; known: number } {
	const files = inFolder(agent);
	return { named: files.filter(([, { isMissing }]) => !isMissing).length, known: files.length };
}

/** Half is not enough: then the rest may as well be the folder. */
function isMost(part: number, all: number): boolean {
	return part > all / 2;
}
