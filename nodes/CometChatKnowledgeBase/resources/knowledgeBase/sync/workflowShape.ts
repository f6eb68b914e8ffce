import type { IExecuteFunctions } from 'n8n-workflow';

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
