import type { ExecutionEnd, NotedAgent, NotedExecution, Seen } from './syncNote';
import { isKnown } from './syncNote';

/*
 * When a file counts as gone. The shape of a workflow can't tell whether the node sees the whole folder: n8n
 * calls it once for each bundle of items that reaches it. Time can.
 *
 * | The execution before                                  | This one, until now                        | A file that it lacks |
 * | ----------------------------------------------------- | ------------------------------------------ | -------------------- |
 * | counts, and lacked it, as `runsMissing` before it did  | shows the folder, looks complete, is whole | is gone              |
 * | does not count, or had it                             | the same                                   | is missing           |
 * | any                                                   | shows the folder, is not whole             | is missing           |
 * | any                                                   | looks incomplete                           | may be yet to come   |
 * | any                                                   | shows no folder                            | is not spoken of     |
 *
 * An execution shows the folder of a file if it brought more than half of all known files, and more than half
 * of those that came with this one the last time: another trigger's folder on the same node is another cohort.
 * It counts if it did so over all its calls, was whole, and is proven to have ended well.
 * It looks complete once it has called as often as the one before, or all that came last time are here again.
 */

/** A call of the node, as far as one agent is concerned. */
export interface Call {
	/** The files that its items name. */
	names: ReadonlySet<string>;
	/** Whether each item names its file, nothing is only tried, and nothing has stopped the node. */
	isWhole: boolean;
}

/** What is to be made of known files that the present execution has not brought. */
export type View =
	/** Others may be yet to come. */
	| { kind: 'incomplete' }
	/** It is not the folder that was shown. */
	| { kind: 'part'; named: number; known: number }
	| { kind: 'folder'; absent: Absent[] };

export interface Absent {
	fileName: string;
	/** How many executions that count have to go by without it, this one included; 0: it is gone. */
	runsLeft: number;
	/** Whether most of those that came with it are missing, too. */
	isWithCohort: boolean;
}

/** Whether it makes a difference that the noted execution is proven to have ended well. */
export function needsProof({ execution, seen }: NotedAgent, executionId: string): boolean {
	if (execution === undefined || execution.id === executionId || !execution.isWhole) return false;
	const named = namedIn(seen);
	return named < seen.size && isMost(named, seen.size);
}

/**
 * Begins the execution that calls the node now, if it is another than the noted one, which is over then.
 *
 * @param end How the noted one has ended; undefined where that makes no difference.
 */
export function beginExecution(
	agent: NotedAgent,
	executionId: string,
	end: ExecutionEnd | undefined,
): void {
	const { execution, seen } = agent;
	if (execution?.id === executionId) return;
	if (execution !== undefined) close(agent, execution, end === 'well');
	for (const one of seen.values()) one.isNamed = false;
	agent.lastCalls = execution?.calls ?? 0;
	agent.execution = { id: executionId, calls: 0, isWhole: true, before: end };
}

function close(agent: NotedAgent, { isWhole }: NotedExecution, isProven: boolean): void {
	const { seen } = agent;
	const named = namedIn(seen);
	const counts = isWhole && isProven && isMost(named, seen.size);
	const isShown = shownCohorts(seen);
	agent.cohorts += 1;
	for (const one of seen.values()) {
		const belongs = one.isNamed || isShown(one.cohort);
		if (!one.isNamed && belongs && counts) one.missed += 1;
		// Also one that is missing: it stays with those with which it came.
		if (belongs) one.cohort = agent.cohorts;
	}
}

/** Notes a call of the present execution, after its files were brought. */
export function noteCall(agent: NotedAgent, { names, isWhole }: Call): void {
	const { execution, files, seen, cohorts } = agent;
	if (execution === undefined) return;
	execution.calls += 1;
	execution.isWhole &&= isWhole;
	for (const name of [...seen.keys()]) {
		const file = files.get(name);
		if (file === undefined || !isKnown(file)) seen.delete(name);
	}
	for (const name of names) {
		const file = files.get(name);
		if (file === undefined || !isKnown(file)) continue;
		const { cohort = cohorts + 1 } = seen.get(name) ?? {};
		seen.set(name, { isNamed: true, missed: 0, cohort });
	}
}

/** @param runsMissing How many executions must have gone by without a file before the one that takes it out. */
export function viewOf(agent: NotedAgent, runsMissing: number): View {
	const { seen, execution, lastCalls } = agent;
	const all = [...seen.values()];
	const named = namedIn(seen);
	const isCalledAsOften = (execution?.calls ?? 0) >= lastCalls;
	if (!isCalledAsOften && all.some(({ isNamed, missed }) => !isNamed && missed === 0)) {
		return { kind: 'incomplete' };
	}
	if (named < seen.size && !isMost(named, seen.size)) {
		return { kind: 'part', named, known: seen.size };
	}
	const isShown = shownCohorts(seen);
	const absent = [...seen].flatMap(([fileName, { isNamed, missed, cohort }]) => {
		const runsLeft = Math.max(0, runsMissing - missed);
		return isNamed ? [] : [{ fileName, runsLeft, isWithCohort: !isShown(cohort) }];
	});
	return { kind: 'folder', absent };
}

/** Of which cohorts more than half was brought. */
function shownCohorts(seen: ReadonlyMap<string, Seen>): (cohort: number) => boolean {
	const counts = new Map<number, { named: number; all: number }>();
	for (const { isNamed, cohort } of seen.values()) {
		const count = counts.get(cohort) ?? { named: 0, all: 0 };
		counts.set(cohort, { named: count.named + (isNamed ? 1 : 0), all: count.all + 1 });
	}
	return (cohort) => {
		const { named, all } = counts.get(cohort) ?? { named: 0, all: 0 };
		return isMost(named, all);
	};
}

function namedIn(seen: ReadonlyMap<string, Seen>): number {
	return [...seen.values()].filter(({ isNamed }) => isNamed).length;
}

/** Half is not enough: then the rest may as well be the folder. */
function isMost(part: number, all: number): boolean {
	return part > all / 2;
}
