import type { Document, Files } from '../engine/files.mjs';
import { fieldsOf, listAt, requiredText, type Fields } from '../fields.mjs';
import { nightlyWorkflow, nodeOf, SYNC_FILES } from '../nights/workflow.mjs';

const LIST = 'Documents of the Folder';
const DOWNLOAD = 'Download';
const CALL = 'At a Call';

/** What the workflow of a folder's nights becomes; a node by its name, with the nodes that each of its outputs leads to. */
export interface Shape {
	nodes?: Array<ReturnType<typeof nodeOf> & Fields>;
	/** Of a node that is not named here, the outputs stay as they are; `Merge#1` is its second input. */
	wires?: Record<string, string[][]>;
	/** What is changed in its nodes. */
	changes?: Record<string, Fields>;
	settings?: Fields;
	/** Of the webhook, beside its path. */
	call?: Fields;
	/** An AI model for this node. */
	modelFor?: string;
}

export function shapedWorkflow(files: Files, path: string, shape: Shape): Fields {
	const { nodes = [], wires = {}, changes = {}, settings = {}, call = {}, modelFor } = shape;
	const workflow = nightlyWorkflow(files, path);
	const old = listAt(workflow, 'nodes').map((each) => {
		const node = fieldsOf(each);
		const name = requiredText(node, 'name');
		const parameters = { ...fieldsOf(node.parameters), ...(name === CALL && call) };
		return { ...node, parameters, ...changes[name] };
	});
	const connections = Object.entries(wires).map(([name, outputs]) => [
		name,
		{ main: outputs.map((targets) => targets.map(inputOf)) },
	]);
	return {
		...workflow,
		nodes: [...old, ...nodes],
		connections: {
			...fieldsOf(workflow.connections),
			...Object.fromEntries(connections),
			...(modelFor !== undefined && { [model.name]: modelOf(modelFor) }),
		},
		settings: { ...fieldsOf(workflow.settings), ...settings },
	};
}

function inputOf(target: string) {
	const [node = '', index = '0'] = target.split('#');
	return { node, type: 'main', index: Number(index) };
}

const loop = nodeOf('One at a Time', 'n8n-nodes-base.splitInBatches', 3, { options: {} });
/** One file a call: round the loop, the download, the node, and what else is to be there. */
function looped(...further: Array<ReturnType<typeof nodeOf>>): Shape {
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
const branch = nodeOf('First Four', 'n8n-nodes-base.if', 2.2, {
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

const both = nodeOf('Both', 'n8n-nodes-base.merge', 3.2, {});
const nothing = nodeOf('Nothing', 'n8n-nodes-base.noOp', 1, {});
const failing = {
	// Nobody listens at the port that is for discarding.
	...nodeOf('Tell', 'n8n-nodes-base.httpRequest', 4.2, { url: 'http://127.0.0.1:9/', options: {} }),
	onError: 'continueErrorOutput',
};
const aWhile = {
	...nodeOf('A While', 'n8n-nodes-base.wait', 1.1, { amount: 1, unit: 'seconds' }),
	webhookId: 'a-while',
};
/** Waits with its execution put aside. */
const untilCalled = {
	...nodeOf('Until It Is Called', 'n8n-nodes-base.wait', 1.1, { resume: 'webhook', options: {} }),
	webhookId: 'until-it-is-called',
};
const speaker = {
	...nodeOf('Speaker', '@n8n/n8n-nodes-langchain.agent', 3.1, {
		promptType: 'define',
		text: 'Say that it is done.',
		options: {},
	}),
	executeOnce: true,
};
const model = {
	...nodeOf('Model', '@n8n/n8n-nodes-langchain.lmChatOpenAi', 1.3, {
		model: { __rl: true, mode: 'id', value: 'stand-in-model' },
		responsesApiEnabled: false,
		options: {},
	}),
	credentials: { openAiApi: { id: null, name: 'OpenAI account' } },
};

function modelOf(node: string) {
	return { ai_languageModel: [[{ node, type: 'ai_languageModel', index: 0 }]] };
}

/** A shape whose executions end well. */
interface Well {
	promise: string;
	shape: Shape;
}

const branched: Shape = {
	nodes: [branch],
	wires: { [DOWNLOAD]: [[branch.name]], [branch.name]: [[SYNC_FILES], [SYNC_FILES]] },
};

export const WELL: Well[] = [
	{ promise: 'A loop with one file a call', shape: looped() },
	{ promise: 'Both outputs of an If, with four files and two', shape: branched },
	{
		promise: 'A Merge of both, and a disabled node',
		shape: {
			nodes: [branch, both, { ...nothing, disabled: true }],
			wires: {
				[DOWNLOAD]: [[branch.name]],
				[branch.name]: [[both.name], [`${both.name}#1`]],
				[both.name]: [[nothing.name]],
				[nothing.name]: [[SYNC_FILES]],
			},
		},
	},
	{
		promise: 'Two branches into one input of a Merge',
		shape: {
			nodes: [branch, both],
			wires: {
				[DOWNLOAD]: [[branch.name]],
				[branch.name]: [[both.name], [both.name]],
				[both.name]: [[SYNC_FILES]],
			},
		},
	},
	{
		promise: 'A short Wait before the node, and a node after it that fails and goes on',
		shape: {
			nodes: [aWhile, failing, nothing],
			wires: {
				[DOWNLOAD]: [[aWhile.name]],
				[aWhile.name]: [[SYNC_FILES]],
				[SYNC_FILES]: [[failing.name]],
				[failing.name]: [[], [nothing.name]],
			},
		},
	},
	{
		promise: 'An AI Agent with its model as the last node',
		shape: {
			nodes: [speaker, model],
			wires: { [SYNC_FILES]: [[speaker.name]] },
			modelFor: speaker.name,
		},
	},
	{
		promise: 'The order of executions of before n8n 1, and its progress saved',
		shape: { ...looped(), settings: { executionOrder: 'v0', saveExecutionProgress: true } },
	},
];

/** A shape whose executions can't be trusted. */
export interface BadEnd {
	promise: string;
	shape: Shape;
	/** What lies in the folder in all nights but the first, beside those that stay. */
	laid?: Record<string, Partial<Document>>;
	/** Whether somebody stops it once a download hangs. */
	isStopped?: boolean;
	/** As n8n files it. */
	status: string;
}

export const BAD_ENDS: BadEnd[] = [
	{
		promise: 'A download in a loop fails night by night and stops the workflow',
		shape: looped(),
		laid: { 'e.md': { fault: 'refused' } },
		status: 'error',
	},
	{
		promise: 'Each night is stopped by hand while a download in a loop hangs',
		shape: looped(),
		laid: { 'e.md': { fault: 'hangs' } },
		isStopped: true,
		status: 'canceled',
	},
	{
		promise: 'Each night meets its time limit while a download in a loop hangs',
		shape: { ...looped(), settings: { executionTimeout: 20 } },
		laid: { 'e.md': { fault: 'hangs' } },
		status: 'canceled',
	},
	{
		promise: 'Each night is put aside by a Wait, and not taken up again',
		shape: { nodes: [untilCalled], wires: { [SYNC_FILES]: [[untilCalled.name]] } },
		status: 'waiting',
	},
];
