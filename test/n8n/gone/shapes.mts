import type { Files } from '../engine/files.mjs';
import { fieldsOf, listAt, requiredText, textAt, type Fields } from '../fields.mjs';
import { nightlyWorkflow, nodeOf, SYNC_FILES } from '../nights/workflow.mjs';

const LIST = 'Documents of the Folder';
const DOWNLOAD = 'Download';

/** What the example of a folder's nights becomes; a node by its name, with the nodes that each of its outputs leads to. */
export interface Shape {
	nodes?: Array<ReturnType<typeof nodeOf> & Fields>;
	/** Of a node that is not named here, the outputs stay as they are; `Merge#1` is its second input. */
	wires?: Record<string, string[][]>;
	/** What is changed in nodes of the example. */
	changes?: Record<string, Fields>;
	settings?: Fields;
	/** Of Sync Files. */
	options?: Fields;
}

export function shapedWorkflow(files: Files, path: string, shape: Shape): Fields {
	const { nodes = [], wires = {}, changes = {}, settings = {}, options = {} } = shape;
	const workflow = nightlyWorkflow(files, path, options);
	const old = listAt(workflow, 'nodes').map((each) => {
		const node = fieldsOf(each);
		return { ...node, ...changes[requiredText(node, 'name')] };
	});
	const connections = Object.entries(wires).map(([name, outputs]) => [
		name,
		{ main: outputs.map((targets) => targets.map(inputOf)) },
	]);
	return {
		...workflow,
		nodes: [...old, ...nodes],
		connections: { ...fieldsOf(workflow.connections), ...Object.fromEntries(connections) },
		settings: { ...fieldsOf(workflow.settings), ...settings },
	};
}

function inputOf(target: string) {
	const [node = '', index = '0'] = target.split('#');
	return { node, type: 'main', index: Number(index) };
}

const loop = nodeOf('One at a Time', 'n8n-nodes-base.splitInBatches', 3, { options: {} });
/** One file a call: round the loop, the download, the node, and what else is to be there. */
export function looped(...further: Array<ReturnType<typeof nodeOf>>): Shape {
	const round = [DOWNLOAD, SYNC_FILES, ...further.map(({ name }) => name), loop.name];
	const steps = round.slice(0, -1).map((name, index) => [name, [[round[index + 1] ?? '']]]);
	return {
		nodes: [loop, ...further],
		wires: {
			[LIST]: [[loop.name]],
			[loop.name]: [[], [DOWNLOAD]],
			...Object.fromEntries(steps),
		},
	};
}

/** The first four files take one way, the others another. */
export const branch = nodeOf('First Four', 'n8n-nodes-base.if', 2.2, {
	conditions: {
		options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
		combinator: 'and',
		conditions: [
			{
				id: 'first-four',
				leftValue: '={{ $binary.data.fileName < "e" }}',
				rightValue: '',
				operator: { type: 'boolean', operation: 'true', singleValue: true },
			},
		],
	},
	options: {},
});

export function pause(seconds: number) {
	const parameters = { amount: seconds, unit: 'seconds' };
	return { ...nodeOf('Pause', 'n8n-nodes-base.wait', 1.1, parameters), webhookId: 'pause' };
}

/** Waits until it is called, with its execution put away. */
export const callBack = {
	...nodeOf('Until It Is Called', 'n8n-nodes-base.wait', 1.1, { resume: 'webhook', options: {} }),
	webhookId: 'until-it-is-called',
};

export const nothing = nodeOf('Nothing', 'n8n-nodes-base.noOp', 1, {});
export const { name: LOOP } = loop;
export { DOWNLOAD, LIST, textAt };
