import type { Turns } from './attaching';
import { attach } from './attaching';
import { readUid } from './change';
import { Complaint } from './complaint';
import { readSwitch } from './switches';
import type { StatusById } from './indexing';
import { untilIndexed } from './indexing';
import type { Session } from './operation';
import type { Setback, Steps } from './steps';
import { mayBeDone, Refused } from './steps';

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

/** What a setback means for the agent, in words. */
export function notAdded(setback: Setback, { isSentToAgent }: Progress): string {
	return isSentToAgent && mayBeDone(setback)
		? 'It is not known whether the agent has it.'
		: 'Not added to the agent.';
}

/** How far the content of an item came. */
export interface Progress {
	statuses: StatusById;
	/** Whether it was tried to attach it: a setback before that says nothing of the agent. */
	isSentToAgent: boolean;
	isAttached: boolean;
}

export function notBegun(): Progress {
	return { statuses: new Map(), isSentToAgent: false, isAttached: false };
}

/**
 * Waits until the content is indexed, then attaches it: CometChat's guide asks for this order.
 *
 * @param progress Is kept up to date.
 * @returns Why it went no further; undefined if all is done.
 */
export async function doAfterwards(
	steps: Steps,
	session: Session,
	turns: Turns,
	{ waitUntilIndexed, uid }: Afterwards,
	{ sourceType, uniqueIds }: { sourceType: string; uniqueIds: string[] },
	progress: Progress,
): Promise<Setback | undefined> {
	const { maxIndexingMs } = session.settings;
	if (waitUntilIndexed) {
		const { statuses } = progress;
		const setback = await untilIndexed(steps, session, uniqueIds, maxIndexingMs, statuses);
		if (setback) return setback;
	}
	if (uid === undefined) return undefined;
	const change = { operation: 'add' as const, uid, sourceType, uniqueIds };
	progress.isSentToAgent = true;
	const attached = await attach(steps, session, turns, change);
	if (attached instanceof Refused) return attached;
	progress.isAttached = true;
	return undefined;
}
