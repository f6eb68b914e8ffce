import { join } from 'node:path';
import type { Fields } from '../test/n8n/fields.mjs';
import type { BenchCase } from './cases.mjs';

/** The measured node: our node, or n8n's HTTP Request node. */
export type Contestant = 'ours' | 'httpRequest';

/** The name of the node whose time or items are measured. */
export const MEASURED = 'Measured';
/** The name of the node that reads the files from disk, with the same work for each contestant. */
export const SOURCE = 'Files';

/** The host of a workflow's requests, and the IDs of its credentials. */
export interface Place {
	/** The service, such as `http://127.0.0.1:PORT/v3`. */
	baseUrl: string;
	cometChatApi: string;
	httpHeaderAuth: string;
}

interface WorkflowNode extends Fields {
	name: string;
}

/** A connection from an output of a node to an input of another; both are 0 if left out. */
interface Link {
	from: string;
	output?: number;
	to: string;
	input?: number;
}

/** More items need several expressions, because each expression in n8n has its own limited memory. */
const ITEMS_PER_EXPRESSION = 1000;

/** Makes a workflow with items such as `{ agent, files }`, without a Code node, which would start its task runner. */
export function addWorkflow(contestant: Contestant, task: BenchCase, place: Place): Fields {
	const { items, agents, idsField = 'files', options = {} } = task;
	const first = `$json.first + i`;
	const entry = `{
		agent: 'agent-' + String((${first}) % ${agents} + 1).padStart(3, '0'),
		'${idsField}': ['id-' + String(${first}).padStart(6, '0')],
	}`;
	const count = `Math.min(${ITEMS_PER_EXPRESSION}, ${items} - $json.first)`;
	const groups = Math.ceil(items / ITEMS_PER_EXPRESSION);
	// As n8n's editor writes a dragged field.
	const ids = /^\w+$/.test(idsField) ? `$json.${idsField}` : `$json['${idsField}']`;
	const path = '/ai-agents/agent-builder/agents/{{ $json.agent }}/knowledge-base/uploads/add';
	const uid = { __rl: true, mode: 'id', value: '={{ $json.agent }}' };
	const adding = {
		resource: 'knowledgeBase',
		operation: 'add',
		uid,
		sourceType: 'uploads',
		fileIds: `={{ ${ids} }}`,
		options,
	};
	const measured =
		contestant === 'ours'
			? ourNode(adding, place)
			: httpRequest(MEASURED, 'PATCH', path, `{ uniqueIds: ${ids} }`, place);
	return inARow([
		start(),
		...listOf('Groups', `${groups}`, `{ first: i * ${ITEMS_PER_EXPRESSION} }`),
		...listOf('Entries', count, entry),
		{ ...measured, onError: 'continueRegularOutput' },
	]);
}

/** Makes Edit Fields and Split Out nodes, which return an item of `entry` for each `i` below `count`. */
function listOf(name: string, count: string, entry: string): WorkflowNode[] {
	const list = `Array.from({ length: ${count} }, (_, i) => (${entry}))`;
	const toSplit = { fieldToSplitOut: 'entries', options: {} };
	return [
		setField(name, 'entries', list),
		node(`One of ${name}`, 'n8n-nodes-base.splitOut', 1, toSplit),
	];
}

/** The options of an upload without anything else. */
const ALONE = { addToAgent: false, ifNameExists: 'add' };

export function uploadWorkflow(contestant: Contestant, folder: string, place: Place): Fields {
	const before = [start(), reading(folder)];
	if (contestant === 'httpRequest') return uploadByRequest(before, place);
	const task = { resource: 'document', operation: 'upload', ...ALONE };
	return inARow([...before, ourNode(task, place)]);
}

/**
 * Makes a workflow that syncs the first agent with a folder, started by a request to `path`, because n8n doesn't save a
 * node's static data of manual executions.
 */
export function syncWorkflow(folder: string, path: string, place: Place): Fields {
	const task = {
		resource: 'knowledgeBase',
		operation: 'sync',
		uid: { __rl: true, mode: 'id', value: 'agent-001' },
	};
	const call = node('Start', 'n8n-nodes-base.webhook', 2, {
		httpMethod: 'POST',
		path,
		options: {},
	});
	return inARow([{ ...call, webhookId: path }, reading(folder), ourNode(task, place)]);
}

/**
 * Makes a workflow as a careful user builds it with n8n's own nodes. Where there are two ways, it is the faster one:
 * no request waits for another, one status request is for all files, and it is repeated each second. It has no
 * time-out, repeats no failed request, and obeys no rate limit.
 */
function uploadByRequest(before: WorkflowNode[], place: Place): Fields {
	const path = '/ai-agents/agent-builder/knowledge-base';
	const file =
		'{ fileName: $json.fileName, mimeType: $json.mimeType, fileSize: $binary.data.bytes }';
	const ids = `$('Initiate').all().map(({ json }) => json.uploads[0].uploadId)`;
	const statuses = 'Object.values($json.data)';
	const isFailed = `${statuses}.includes('failed')`;
	const isReady = `${statuses}.every((status) => ['indexed', 'inSync'].includes(status))`;
	return workflowOf(
		[
			...before,
			httpRequest('Initiate', 'POST', `${path}/uploads/initiate`, `{ files: [${file}] }`, place),
			// The response contains the URL, and the file's item contains the bytes.
			node('Address and File', 'n8n-nodes-base.merge', 3.2, {
				mode: 'combine',
				combineBy: 'combineByPosition',
				options: {},
			}),
			node(MEASURED, 'n8n-nodes-base.httpRequest', 4.5, {
				method: 'PUT',
				url: '={{ $json.uploads[0].presignedUrl }}',
				sendBody: true,
				contentType: 'binaryData',
				inputDataFieldName: 'data',
				options: {},
			}),
			{ ...setField('IDs', 'ids', ids), executeOnce: true },
			node('Wait', 'n8n-nodes-base.wait', 1.1, { amount: 1 }),
			httpRequest(
				'Poll',
				'POST',
				`${path}/status/poll`,
				`{ uniqueId: $('IDs').first().json.ids }`,
				place,
			),
			node('Which', 'n8n-nodes-base.switch', 3.2, {
				mode: 'expression',
				numberOutputs: 3,
				output: `={{ ${isFailed} ? 0 : ${isReady} ? 1 : 2 }}`,
			}),
			node('Not Indexed', 'n8n-nodes-base.stopAndError', 1, {
				errorMessage: 'A file could not be indexed.',
			}),
			node('All Indexed', 'n8n-nodes-base.noOp', 1, {}),
		],
		[
			...links(['Start', SOURCE, 'Initiate', 'Address and File', MEASURED, 'IDs', 'Wait', 'Poll']),
			{ from: SOURCE, to: 'Address and File', input: 1 },
			{ from: 'Poll', to: 'Which' },
			{ from: 'Which', output: 0, to: 'Not Indexed' },
			{ from: 'Which', output: 1, to: 'All Indexed' },
			{ from: 'Which', output: 2, to: 'Wait' },
		],
	);
}

function inARow(nodes: WorkflowNode[]): Fields {
	return workflowOf(nodes, links(nodes.map(({ name }) => name)));
}

function links(names: string[]): Link[] {
	return names.slice(1).map((to, index) => ({ from: names[index] ?? '', to }));
}

function workflowOf(nodes: WorkflowNode[], all: Link[]): Fields {
	const connections: Record<string, { main: Fields[][] }> = {};
	for (const { from, output = 0, to, input = 0 } of all) {
		const { main } = (connections[from] ??= { main: [] });
		while (main.length <= output) main.push([]);
		main[output]?.push({ node: to, type: 'main', index: input });
	}
	const placed = nodes.map((each, index) => ({ ...each, position: [index * 224, 0] }));
	return { name: 'Bench', nodes: placed, connections, settings: { executionOrder: 'v1' } };
}

function node(name: string, type: string, typeVersion: number, parameters: Fields): WorkflowNode {
	return { id: name, name, type, typeVersion, parameters };
}

function start(): WorkflowNode {
	return node('Start', 'n8n-nodes-base.manualTrigger', 1, {});
}

function reading(folder: string): WorkflowNode {
	const parameters = { operation: 'read', fileSelector: join(folder, '*.pdf'), options: {} };
	return node(SOURCE, 'n8n-nodes-base.readWriteFile', 1.1, parameters);
}

function setField(name: string, field: string, list: string): WorkflowNode {
	const assignments = [{ id: name, name: field, type: 'array', value: `={{ ${list} }}` }];
	return node(name, 'n8n-nodes-base.set', 3.4, { assignments: { assignments }, options: {} });
}

function ourNode(parameters: Fields, { cometChatApi: id }: Place): WorkflowNode {
	const credentials = { cometChatApi: { id, name: 'CometChat account' } };
	const type = 'n8n-nodes-cometchat.cometChatKnowledgeBase';
	return { ...node(MEASURED, type, 1, parameters), credentials };
}

function httpRequest(
	name: string,
	method: string,
	path: string,
	body: string,
	{ baseUrl, httpHeaderAuth: id }: Place,
): WorkflowNode {
	const authentication = 'genericCredentialType';
	return {
		...node(name, 'n8n-nodes-base.httpRequest', 4.5, {
			...{ method, url: `=${baseUrl}${path}`, authentication, genericAuthType: 'httpHeaderAuth' },
			...{ sendBody: true, specifyBody: 'json', jsonBody: `={{ ${body} }}`, options: {} },
		}),
		credentials: { httpHeaderAuth: { id, name: 'Header Auth account' } },
	};
}
