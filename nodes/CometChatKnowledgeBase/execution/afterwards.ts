import { changeAgent } from './agentChanges';
import { readUid } from '../input/identifiers';
import { ValidationIssue } from '../values/validationIssue';
import { readSwitch } from '../values/switches';
import type { StatusById } from '../service/statuses';
import type { ItemRun } from './items';
import type { RunContext } from './operation';
import type { ItemFailure } from '../results/itemFailure';
import { mayBeDone, RequestFailure } from '../results/itemFailure';
import type { Shown, Words } from '../values/shown';
import type { Steps } from './steps';

/** What is to be done with content that has arrived in the service. */
export interface Afterwards {
	waitUntilIndexed: boolean;
	/** The agent to attach it to; undefined for none. */
	uid?: Shown;
}

/** Reads the fields of `addToAgentFields`. */
export function afterwardsReader(run: RunContext): (index: number) => Afterwards | ValidationIssue {
	const waitOf = run.parameter('waitUntilIndexed');
	const addOf = run.parameter('addToAgent');
	const uidOf = run.parameter('uid');
	return (index) => {
		const waitUntilIndexed = readSwitch(waitOf(index), 'Wait Until Indexed');
		if (waitUntilIndexed instanceof ValidationIssue) return waitUntilIndexed;
		const adds = readSwitch(addOf(index), 'Add to Agent');
		if (adds instanceof ValidationIssue) return adds;
		if (!adds) return { waitUntilIndexed };
		const uid = readUid(uidOf(index));
		return uid instanceof ValidationIssue ? uid : { waitUntilIndexed, uid };
	};
}

/** How far the content of an item came. */
export interface Progress {
	statuses: StatusById;
	/** Whether the agent has it; 'unknown' if the answer to that was lost. */
	isAttached: boolean | 'unknown';
}

export function notBegun(): Progress {
	return { statuses: new Map(), isAttached: false };
}

/** What it means for the agent that not all was done, in words; empty if the agent has the content. */
export function notAdded({ isAttached }: Progress): Words {
	if (isAttached === true) return '';
	return isAttached === 'unknown'
		? 'It is not known whether the agent has it.'
		: 'Not added to the agent.';
}

/**
 * Waits until the content is indexed, then attaches it: CometChat's guide asks for this order.
 *
 * @param progress Is kept up to date.
 * @returns Why it went no further; undefined if all is done.
 */
export async function doAfterwards(
	steps: Steps,
	run: ItemRun,
	{ waitUntilIndexed, uid }: Afterwards,
	{ sourceType, uniqueIds }: { sourceType: string; uniqueIds: string[] },
	progress: Progress,
): Promise<ItemFailure | undefined> {
	if (waitUntilIndexed) {
		const failure = await run.indexing.untilIndexed(steps, uniqueIds, progress.statuses);
		if (failure) return failure;
	}
	if (uid === undefined) return undefined;
	const change = { operation: 'add' as const, uid, sourceType, uniqueIds };
	const attached = await changeAgent(steps, run, change);
	if (attached instanceof RequestFailure) {
		progress.isAttached = mayBeDone(attached) ? 'unknown' : false;
		return attached;
	}
	progress.isAttached = true;
	return undefined;
}
