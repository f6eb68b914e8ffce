import { attach } from './attaching';
import { readUid } from '../input/identifiers';
import { Complaint } from '../values/validationIssue';
import { readSwitch } from '../values/switches';
import type { StatusById } from './indexing';
import type { ItemRun } from './items';
import type { Session } from './operation';
import type { Setback } from '../results/itemFailure';
import { mayBeDone, Refused } from '../results/itemFailure';
import type { Steps } from './steps';

/** What is to be done with content that has arrived in the service. */
export interface Afterwards {
	waitUntilIndexed: boolean;
	/** The agent to attach it to; undefined for none. */
	uid?: string;
}

/** Reads the fields of `addToAgentFields`. */
export function afterwardsReader(session: Session): (index: number) => Afterwards | Complaint {
	const waitOf = session.parameter('waitUntilIndexed');
	const addOf = session.parameter('addToAgent');
	const uidOf = session.parameter('uid');
	return (index) => {
		const waitUntilIndexed = readSwitch(waitOf(index), 'Wait Until Indexed');
		if (waitUntilIndexed instanceof Complaint) return waitUntilIndexed;
		const adds = readSwitch(addOf(index), 'Add to Agent');
		if (adds instanceof Complaint) return adds;
		if (!adds) return { waitUntilIndexed };
		const uid = readUid(uidOf(index));
		return uid instanceof Complaint ? uid : { waitUntilIndexed, uid };
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
export function notAdded({ isAttached }: Progress): string {
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
): Promise<Setback | undefined> {
	if (waitUntilIndexed) {
		const setback = await run.indexing.untilIndexed(steps, uniqueIds, progress.statuses);
		if (setback) return setback;
	}
	if (uid === undefined) return undefined;
	const change = { operation: 'add' as const, uid, sourceType, uniqueIds };
	const attached = await attach(steps, run, change);
	if (attached instanceof Refused) {
		progress.isAttached = mayBeDone(attached) ? 'unknown' : false;
		return attached;
	}
	progress.isAttached = true;
	return undefined;
}
