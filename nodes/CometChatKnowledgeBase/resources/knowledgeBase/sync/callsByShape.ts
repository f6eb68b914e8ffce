import type { IExecuteFunctions } from 'n8n-workflow';

type Around = Pick<IExecuteFunctions, 'getNode' | 'getParentNodes' | 'getChildNodes'>;

/** Why n8n may call the node several times in an execution, as far as the workflow's connections show. */
export function callsByShape(context: Around): 'loop' | 'branches' | undefined {
	const { name } = context.getNode();
	const after = new Set(context.getChildNodes(name).map((node) => node.name));
	if (context.getParentNodes(name).some((node) => after.has(node.name))) return 'loop';
	return context.getParentNodes(name, { depth: 1 }).length > 1 ? 'branches' : undefined;
}
