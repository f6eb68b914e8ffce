/** A workflow as a node of it sees it. Names are those of nodes. */
export interface WorkflowView {
	/** All nodes that data comes from, also by way of others. */
	ancestorsOf(name: string): string[];
	/** Those that are connected to it; undefined where this n8n does not tell. */
	parentsOf(name: string): string[] | undefined;
	/** All nodes that data goes to. */
	descendantsOf(name: string): string[];
	/** n8n's name of the node's type. */
	typeOf(name: string): string;
}

/** How a node has come to be run. */
export interface Call {
	node: string;
	/** How often it has run before in this execution. */
	runIndex: number;
	/** n8n's word for what has started the execution. */
	mode: string;
	/** Whether it is set to look at its first item only. */
	executesOnce: boolean;
	/** Whether it is a tool of an AI agent. */
	isTool: boolean;
	/** Whether its items are all that a loop has gone through. */
	isFedByFinishedLoop: boolean;
	/** Whether the user says that each call has all of the items. */
	isDeclaredWhole: boolean;
}

/** These wait for all of their inputs. */
const JOINING = ['n8n-nodes-base.merge', 'n8n-nodes-base.compareDatasets'];

/**
 * Why the node may see only a part of what the workflow brings, as a clause; undefined if it sees all.
 * n8n runs a node once for each bundle of items that reaches it.
 */
export function whyPartial(call: Call, view: WorkflowView): string | undefined {
	const { node } = call;
	if (call.isTool) return 'the node is run as a tool, for one item at a time';
	if (call.executesOnce) return "'Execute Once' is on in the node's settings";
	if (call.isDeclaredWhole) return undefined;
	if (call.runIndex > 0) return 'the node has run before in this execution';
	if (call.mode === 'integrated') return 'the workflow was called by another one';
	const ancestors = view.ancestorsOf(node);
	const isInLoop = (name: string) => {
		const after = new Set(view.descendantsOf(name));
		return view.ancestorsOf(name).some((one) => after.has(one));
	};
	if (isInLoop(node)) return 'the node is part of a loop';
	if (!call.isFedByFinishedLoop && ancestors.some(isInLoop)) return 'a loop comes before the node';
	for (const name of [node, ...ancestors]) {
		const parents = view.parentsOf(name);
		if (parents === undefined) return 'this version of n8n does not tell how nodes are connected';
		if (JOINING.includes(view.typeOf(name))) continue;
		const after = new Set(view.descendantsOf(name));
		const isJoin = haveCommonStart(
			parents.filter((parent) => !after.has(parent)),
			view,
		);
		if (isJoin) return `several branches lead to the node '${name}' without a Merge node`;
	}
	return undefined;
}

/** Of nodes that begin with different triggers, only one is reached in an execution. */
function haveCommonStart(names: string[], view: WorkflowView): boolean {
	const seen = new Set<string>();
	for (const name of names) {
		const before = [name, ...view.ancestorsOf(name)];
		if (before.some((one) => seen.has(one))) return true;
		for (const one of before) seen.add(one);
	}
	return false;
}
