import type { IExecuteFunctions } from 'n8n-workflow';

import { isTool } from '../../../input/binary';
import type { Hint } from '../../../results/report';
import type { AgentFolder } from './folder';
import type { AgentState } from './state';
import type { SyncRun } from './carryOut';

/** Why a missing file is not removed. */
export interface Reason {
	/** A clause. */
	because: string;
	/** Whether it needs somebody who does something, so that it also stands above the output. */
	isWarned?: boolean;
}

/** A call of the node, as far as one agent is concerned. */
export interface AgentCall {
	sync: SyncRun;
	agent: AgentState;
	folder: AgentFolder;
	/** What is to stand under the output. */
	hints: Hint[];
}

/** Where the user says that a call is whole: why it may not have the folder as it is now, or only a part of it. */
export function whyNotWhole({ agent, sync }: AgentCall): Reason | undefined {
	const { context } = sync.run;
	if (context.getMode() === 'retry') return RETRY;
	if (isTool(context)) return warned('the node is run as a tool, for one item at a time');
	if (context.getNode().executeOnce === true) {
		return warned("'Execute Once' is on in the node's settings");
	}
	if (!sync.isEachNamed) return UNNAMED;
	const shape = callsByShape(context);
	if (shape === 'loop') return perhapsPart('the node stands in a loop');
	if (shape === 'branches') return perhapsPart('several nodes lead into this one');
	const runIndex = context.evaluateExpression('{{ $runIndex }}', 0);
	const isAnother = typeof runIndex === 'number' && runIndex > 0;
	const calls = Math.max(agent.execution?.calls ?? 0, agent.lastCalls);
	return isAnother || calls > 1
		? perhapsPart('n8n calls the node several times in a run')
		: undefined;
}

/** By the rule of time: why a file is not removed by this execution. */
export function whyNotYet(
	{ agent, folder, sync }: AgentCall,
	runsLeft: number,
): Reason | undefined {
	const { before, isWhole = false } = agent.execution ?? {};
	const mode = sync.run.context.getMode();
	if (mode === 'retry') return RETRY;
	if (!isWhole) return UNNAMED;
	if (runsLeft === 0) return mode === 'manual' && !folder.isAnyTried ? BY_HAND : undefined;
	if (before === 'not kept') return NOT_KEPT;
	return before === 'not well' ? NOT_WELL : notYet(runsLeft);
}

export function tooMany(missing: number, of: number): Reason {
	return warned(
		`${missing} of ${Math.max(missing, of)} files are missing at once, and the folder may not have been read to its end; to allow it, raise 'Too Many to Remove at Once (Percent)' under Options`,
	);
}

export function warned(because: string): Reason {
	return { because, isWarned: true };
}

function notYet(runsLeft: number): Reason {
	const because =
		runsLeft === 1
			? 'the next run takes it out if it is still missing'
			: `it is taken out once ${runsLeft} more runs have come without it`;
	return { because };
}

function perhapsPart(why: string): Reason {
	return warned(
		`${why}, so it may have got a part of the folder only; let it get all files at once, or set 'What Each Run Brings' to The Folder, Perhaps in Parts`,
	);
}

const UNNAMED = warned('some items come without a file name, and one of them may be the file');

const RETRY: Reason = {
	because: 'a retry brings the files of an earlier time, so it takes nothing out',
};

const BY_HAND: Reason = {
	because: 'a run by hand takes nothing out; the next run of the published workflow does',
};

const NOT_KEPT = warned(
	"n8n has not kept the run before, so nobody knows whether it saw the whole folder (in the workflow's settings, let n8n save successful executions, for longer than until the next run)",
);

const NOT_WELL: Reason = {
	because: 'the run before was broken off, or had not ended, so it does not count',
};

export const UNTOLD = "CometChat's list of agents does not tell which documents they have";

type Around = Pick<IExecuteFunctions, 'getNode' | 'getParentNodes' | 'getChildNodes'>;

/** Why n8n may call the node several times in an execution, as far as the workflow's shape tells. */
export function callsByShape(context: Around): 'loop' | 'branches' | undefined {
	const { name } = context.getNode();
	const before = context.getParentNodes(name);
	const behind = new Set(context.getChildNodes(name).map((node) => node.name));
	if (before.some((node) => behind.has(node.name))) return 'loop';
	return nodesInto(context, before.length) > 1 ? 'branches' : undefined;
}

/**
 * How many nodes lead straight into this one. n8n 1.85 takes no depth and names all that come before it: then
 * those behind which no other of them stands.
 */
function nodesInto(context: Around, before: number): number {
	const direct = context.getParentNodes(context.getNode().name, { depth: 1 });
	if (direct.length < before) return direct.length;
	const names = new Set(direct.map((node) => node.name));
	return direct.filter(({ name }) => {
		return !context.getChildNodes(name).some((node) => names.has(node.name));
	}).length;
}
