import type { RunContext } from '../execution/operation';
import { readUid } from '../input/identifiers';
import type { Shown } from '../values/shown';
import { readSwitch } from '../values/switches';
import { ValidationIssue } from '../values/validationIssue';
import { ifNameExistsOption } from './ifNameExists';

/** What is to be done with what an item has brought into CometChat. */
export interface Destination {
	waitUntilIndexed: boolean;
	/** The agent to attach it to; undefined for none. */
	uid?: Shown;
}

/** What is replaced is taken from an agent, and deleted if CometChat tells that no other has it. */
const NO_AGENT = new ValidationIssue(
	"'If the Name Is There' is set to Replace, and 'Add to Agent' is off",
	"Switch on 'Add to Agent' and pick the agent, or choose something else than Replace under Options.",
);

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
		if (!adds)
			return run.option(ifNameExistsOption) === 'replace' ? NO_AGENT : { waitUntilIndexed };
		const uid = readUid(uidOf(index));
		return uid instanceof ValidationIssue ? uid : { waitUntilIndexed, uid };
	};
}
