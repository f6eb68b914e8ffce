import type { Files } from '../engine/files.mjs';
import { fieldsOf, listAt, requiredText, textAt, type Fields } from '../fields.mjs';
import { until } from '../until.mjs';
import { readExample, WORKFLOWS } from '../workflows.mjs';

export const AGENT = 'support-bot';
export const SYNC_FILES = 'Sync Files';

const FOLDER = 'nightly-folder';
const LIST = 'Documents of the Folder';
const DOWNLOAD = 'Download';
const SCHEDULE = 'n8n-nodes-base.scheduleTrigger';

/**
 * A folder's workflow, which a call can begin as well as its schedule: that can't be fired at will, and
 * n8n keeps what a node has noted only of executions that nobody has started by hand.
 *
 * @param path Where the call goes to.
 * @param options Of Sync Files.
 */
export function nightlyWorkflow(files: Files, path: string, options: Fields = {}): Fields {
	const workflow = folderWorkflow(files);
	const nodes = listAt(workflow, 'nodes').map((node) => withOptions(fieldsOf(node), options));
	const schedule = nodes.find((node) => textAt(node, 'type') === SCHEDULE);
	const connections = fieldsOf(workflow.connections);
	const call = webhook(path);
	return {
		...workflow,
		nodes: [...nodes, call],
		connections: { ...connections, [call.name]: connections[requiredText(schedule, 'name')] },
	};
}

/** Its list has the names and times of the files, and it downloads each over HTTP. */
function folderWorkflow({ origin }: Files): Fields {
	return readExample(FOLDER, [AGENT], { 'https://files.example.com': origin }, WORKFLOWS);
}

function webhook(path: string) {
	const parameters = { httpMethod: 'POST', path, responseMode: 'lastNode', options: {} };
	return { ...nodeOf('At a Call', 'n8n-nodes-base.webhook', 2, parameters), webhookId: path };
}

export function nodeOf(name: string, type: string, typeVersion: number, parameters: Fields) {
	return { name, id: name, type, typeVersion, position: [0, 0], parameters };
}

/** The same workflow as a part of another. */
export function calledWorkflow(files: Files): Fields {
	const workflow = folderWorkflow(files);
	const nodes = listAt(workflow, 'nodes').map((each) => {
		const node = fieldsOf(each);
		const name = requiredText(node, 'name');
		if (textAt(node, 'type') === SCHEDULE) {
			const parameters = { inputSource: 'passthrough' };
			return nodeOf(name, 'n8n-nodes-base.executeWorkflowTrigger', 1.1, parameters);
		}
		return node;
	});
	return { ...workflow, nodes };
}

function withOptions(node: Fields, options: Fields): Fields {
	const { name, parameters } = node;
	return name === SYNC_FILES ? { ...node, parameters: { ...fieldsOf(parameters), options } } : node;
}

/** The same workflow with a loop that downloads one file at a time; what it has gone through goes on to the node. */
export function loopedWorkflow(files: Files, path: string): Fields {
	const workflow = nightlyWorkflow(files, path);
	const nodes = listAt(workflow, 'nodes');
	const loop = nodeOf('One at a Time', 'n8n-nodes-base.splitInBatches', 3, { options: {} });
	const to = (name: string) => [{ node: name, type: 'main', index: 0 }];
	return {
		...workflow,
		nodes: [...nodes, loop],
		connections: {
			...fieldsOf(workflow.connections),
			[LIST]: { main: [to(loop.name)] },
			[loop.name]: { main: [to(SYNC_FILES), to(DOWNLOAD)] },
			[DOWNLOAD]: { main: [to(loop.name)] },
		},
	};
}

/** @param workflow The ID of the one that it calls. */
export function callingWorkflow(path: string, workflow: string): Fields {
	const call = webhook(path);
	const execute = nodeOf('Call', 'n8n-nodes-base.executeWorkflow', 1.2, {
		workflowId: { __rl: true, mode: 'id', value: workflow },
		mode: 'once',
		options: { waitForSubWorkflow: true },
	});
	return {
		name: `Calls ${workflow}`,
		nodes: [call, execute],
		connections: { [call.name]: { main: [[{ node: execute.name, type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	};
}

/** Begins a night, or another workflow at a call, and resolves with what n8n answers at its end. */
export async function fireNight(
	baseUrl: string,
	path: string,
	sent: Fields = {},
): Promise<{ status: number; body: string }> {
	let status = 404;
	let body = '';
	// Its address is there some time after n8n has started.
	await until('the night can begin', 30_000, async () => {
		const answer = await fetch(`${baseUrl}/webhook/${path}`, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json' },
			body: JSON.stringify(sent),
		});
		body = await answer.text();
		status = answer.status;
		return status !== 404;
	});
	return { status, body };
}
