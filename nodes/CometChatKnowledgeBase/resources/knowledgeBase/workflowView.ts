import type { IExecuteFunctions, ISourceData } from 'n8n-workflow';

import type { Call, WorkflowView } from './inputView';

/** What n8n tells of how the node has come to be run. */
export function callOf(context: IExecuteFunctions, isDeclaredWhole: boolean): Call {
	const { name: node, type, executeOnce = false } = context.getNode();
	const runIndex = context.evaluateExpression('{{ $runIndex }}', 0);
	return {
		node,
		runIndex: typeof runIndex === 'number' ? runIndex : 0,
		mode: context.getMode(),
		executesOnce: executeOnce,
		isTool: type.endsWith('Tool'),
		isFedByFinishedLoop: isFedByFinishedLoop(context),
		isDeclaredWhole,
	};
}

const LOOP = 'n8n-nodes-base.splitInBatches';

function isFedByFinishedLoop(context: IExecuteFunctions): boolean {
	const { name } = context.getNode();
	const { previousNode, previousNodeOutput = 0 } = sourceOf(context) ?? {};
	const source = context.getParentNodes(name).find((one) => one.name === previousNode);
	if (source?.type !== LOOP) return false;
	// The outputs have changed places.
	return previousNodeOutput === (source.typeVersion >= 3 ? 0 : 1);
}

/** Undefined where n8n does not say, as for a tool of an agent: it throws then. */
function sourceOf(context: IExecuteFunctions): Partial<ISourceData> | undefined {
	try {
		return context.getInputSourceData();
	} catch {
		return undefined;
	}
}

/** The workflow around the node. */
export function viewOf(context: IExecuteFunctions): WorkflowView {
	const { name: own, type } = context.getNode();
	const names = (nodes: Array<{ name: string }>) => nodes.map(({ name }) => name);
	const ancestors = context.getParentNodes(own);
	const types = new Map([[own, type], ...ancestors.map((node) => [node.name, node.type] as const)]);
	// An older n8n does not know the depth, and answers with all of them.
	const tellsDepth = context.getParentNodes(own, { depth: 0 }).length === 0;
	return {
		ancestorsOf: (name) => names(context.getParentNodes(name)),
		parentsOf: (name) =>
			tellsDepth ? names(context.getParentNodes(name, { depth: 1 })) : undefined,
		descendantsOf: (name) => names(context.getChildNodes(name)),
		typeOf: (name) => types.get(name) ?? '',
	};
}
