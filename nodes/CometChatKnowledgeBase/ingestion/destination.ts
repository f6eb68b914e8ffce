import type { RunContext } from '../execution/operation';
import { readUid } from '../input/identifiers';

import { readSwitch } from '../values/switches';
import { ValidationIssue } from '../values/validationIssue';

/** What is to be done with what an item has brought into CometChat. */
export interface Destination {
	waitUntilIndexed: boolean;
	/** The agent to attach it to; undefined for none. */
	uid?: string;
}

/** Reads the fields of `addToAgentFields`. */
export function destinationReader(
	run: RunContext,
): (index: number) => Destination | ValidationIssue {
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
