import type { RunContext } from '../execution/operation';
import { readUid } from '../input/identifiers';
import { readSwitch } from '../values/switches';

/** What is to be done with what an item has brought into CometChat. */
export interface Destination {
	waitUntilIndexed: boolean;
	/** The agent to attach it to; undefined for none. */
	uid?: string;
}

/** Reads the fields of `addToAgentFields`. */
export function destinationReader(run: RunContext): (index: number) => Destination {
	const waitOf = run.parameter('waitUntilIndexed');
	const addOf = run.parameter('addToAgent');
	const uidOf = run.parameter('uid');
	return (index) => {
		const waitUntilIndexed = readSwitch(waitOf(index), 'Wait Until Indexed');
		const adds = readSwitch(addOf(index), 'Add to Agent');
		if (!adds) return { waitUntilIndexed };
		const uid = readUid(uidOf(index));
		return { waitUntilIndexed, uid };
	};
}
