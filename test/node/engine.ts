import { Container } from '@n8n/di';
import {
	BinaryDataService,
	Cipher,
	Credentials,
	EncryptionKeyProxy,
	ExecuteContext,
	ExecutionLifecycleHooks,
	ExternalSecretsProxy,
	LoadOptionsContext,
	PollContext,
	RoutingNode,
	WorkflowExecute,
} from 'n8n-core';
import type {
	IBinaryData,
	IBinaryKeyData,
	IConnections,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	IDataObject,
	INode,
	INodeCredentialTestResult,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	IRun,
	ITaskData,
	IWorkflowBase,
	IWorkflowExecuteAdditionalData,
	NodeExecutionHint,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import {
	BINARY_ENCODING,
	createRunExecutionData,
	ICredentialsHelper,
	NodeConnectionTypes,
	NodeHelpers,
	OperationalError,
	UnexpectedError,
	Workflow,
} from 'n8n-workflow';

import { CometChatApi } from '../../credentials/CometChatApi.credentials';
import { CometChatKnowledgeBase } from '../../nodes/CometChatKnowledgeBase/CometChatKnowledgeBase.node';
import { CometChatKnowledgeBaseTrigger } from '../../nodes/CometChatKnowledgeBase/CometChatKnowledgeBaseTrigger.node';
import { holdOutputs } from './outputs';

export interface CallRun {
	output: INodeExecutionData[];
	/** The items on the error output, with `onError: 'continueErrorOutput'`. */
	errorOutput: INodeExecutionData[];
	error?: NonNullable<ITaskData['error']>;
	hints: NodeExecutionHint[];
}

/** The result of a workflow in n8n-core's own execution engine; for several calls, the results of all. */
export interface Run extends CallRun {
	status: IRun['status'];
	/** The calls in order, until the execution stopped. */
	calls: CallRun[];
	/** Everything that the engine would store of the execution, as text. */
	stored: string;
	/** The workflow's static data as n8n would store it: not after manual executions or the stop button. */
	staticData: IDataObject;
}

/** The output of a previous node, for which n8n calls our node once. */
export interface Call {
	items: IDataObject[];
	/** The files of the items, by binary field; `items[0]` has those of `files[0]`. */
	files?: Array<Record<string, TestFile>>;
}

export interface Scenario extends Call {
	/** Several calls in one execution instead of the call with `items`. With 'fails', another node fails and ends it. */
	calls?: Array<Call | 'fails'>;
	/** The node's parameters; the others have their defaults. */
	parameters: INodeParameters;
	credential: ICredentialDataDecryptedObject;
	onError?: INode['onError'];
	/** Presses the stop button when it resolves. */
	stop?: Promise<unknown>;
	/** The start of the execution; 'manual' if left out. */
	mode?: WorkflowExecuteMode;
	/** The workflow's static data, from an earlier execution. */
	staticData?: IDataObject;
	/** n8n's ID; if left out, a new one. */
	executionId?: string;
	/** Whether n8n calls the node again if it fails: three times in all. */
	retryOnFail?: boolean;
	/** Whether it is the tool that n8n makes of the node for AI agents, with another type. */
	isTool?: boolean;
}

export interface TestFile {
	fileName?: string;
	/** 'application/octet-stream' if left out. */
	mimeType?: string;
	bytes: Uint8Array;
	/** The place where n8n keeps the file: on disk, the default, or in memory. */
	kept?: 'on disk' | 'in memory' | 'deleted';
}

// n8n keeps its data key in the database, encrypted with the key of the instance.
const key = {
	id: 'test',
	value: Container.get(Cipher).encryptDEKWithInstanceKey('ab'.repeat(32)),
	algorithm: 'aes-256-gcm',
	format: 'prefixed' as const,
};
Container.get(EncryptionKeyProxy).setProvider({
	getActiveKey: async () => key,
	getKeyById: async () => key,
	getLegacyKey: async () => key,
});

const NODE_TYPE = 'n8n-nodes-cometchat.cometChatKnowledgeBase';
const TOOL_TYPE = `${NODE_TYPE}Tool`;
const TRIGGER_TYPE = `${NODE_TYPE}Trigger`;
const FAILING_TYPE = 'test.failing';
const NODE_NAME = 'CometChat Knowledge Base';

/** Runs the node in a workflow, as the last node, in n8n's own engine. Only n8n's database is replaced, by objects. */
export async function runNode(scenario: Scenario): Promise<Run> {
	const { execution, finished, node } = await startNode(scenario);
	void scenario.stop?.then(() => execution.cancel());
	const run = await finished;
	holdOutputs(
		node.parameters,
		run.output.map(({ json }) => json),
	);
	return run;
}

async function startNode(scenario: Scenario) {
	const { parameters, credential, onError, retryOnFail, isTool } = scenario;
	const { mode = 'manual', staticData = {} } = scenario;
	const { additionalData, node } = await setUp(credential, isTool ? TOOL_TYPE : NODE_TYPE);
	// With the defaults of a node in a workflow.
	const ready: INode = { ...node, parameters, onError, retryOnFail };
	await forgetFiles();
	const place = newPlace();
	const before = await callsBefore(scenario.calls ?? [scenario], place);
	const workflow = workflowOf([START, ...before.nodes, ready], before.connections, staticData);
	const stored = storing(scenario);
	const engine = new WorkflowExecute({ ...additionalData, ...stored.data }, mode);
	const execution = engine.run({ workflow, startNode: START, pinData: before.pinData });
	const finished = execution.then((run) => {
		ended.push(place);
		return { ...toRun(run), staticData: stored.staticData() ?? staticData };
	});
	return { execution, finished, node: ready };
}

/** Makes the previous nodes, one for each call, and the start. */
async function callsBefore(calls: Array<Call | 'fails'>, place: Place) {
	const nodes = calls.map((call, index): INode => {
		const name = calls.length === 1 ? 'Items' : `Items ${index + 1}`;
		// n8n runs nodes from top to bottom.
		const position: INode['position'] = [0, 100 * index];
		return { ...plainNode(name, call === 'fails' ? FAILING_TYPE : 'test.items'), position };
	});
	const pinned = calls.map(async (call, index) => {
		if (call === 'fails') return [];
		const binaries = await Promise.all(
			(call.files ?? []).map(async (files) => await toBinary(files, place)),
		);
		const items = call.items.map((json, item) => ({ json, binary: binaries[item] }));
		return [[nodes[index]?.name ?? '', items] as const];
	});
	const to = (name: string) => ({ node: name, type: NodeConnectionTypes.Main, index: 0 });
	const connections: IConnections = {
		[START.name]: { main: [nodes.map(({ name }) => to(name))] },
		...Object.fromEntries(nodes.map(({ name }) => [name, { main: [[to(NODE_NAME)]] }])),
	};
	const start = [START.name, [{ json: {} }]] as const;
	const pinData = Object.fromEntries([start, ...(await Promise.all(pinned)).flat()]);
	return { nodes, connections, pinData };
}

let executionCount = 0;

/** Catches the static data that n8n stores at the end of an execution. */
function storing({ executionId = String(++executionCount), mode }: Scenario) {
	const hooks = new ExecutionLifecycleHooks(mode ?? 'manual', executionId, WORKFLOW_DATA);
	let staticData: IDataObject | undefined;
	hooks.addHandler('workflowExecuteAfter', (_, newStaticData: IDataObject | undefined) => {
		staticData = newStaticData && copyOf(newStaticData);
	});
	return { data: { executionId, hooks }, staticData: () => staticData };
}

/** Returns a copy as from a database. */
function copyOf<T>(value: T): T {
	return JSON.parse(JSON.stringify(value));
}

let binaryDataReady: Promise<void> | undefined;

async function toBinary(files: Record<string, TestFile>, place: Place): Promise<IBinaryKeyData> {
	await (binaryDataReady ??= Container.get(BinaryDataService).init());
	const entries = Object.entries(files).map(async ([field, file]) => {
		const { fileName, mimeType = 'application/octet-stream', bytes, kept = 'on disk' } = file;
		const described: IBinaryData = { fileName, mimeType, data: '' };
		const buffer = Buffer.from(bytes);
		const binary =
			kept === 'in memory'
				? { ...described, data: buffer.toString(BINARY_ENCODING) }
				: await Container.get(BinaryDataService).store(place, buffer, described);
		if (kept === 'deleted' && binary.id !== undefined) {
			await Container.get(BinaryDataService).deleteManyByBinaryDataId([binary.id]);
		}
		return [field, binary] as const;
	});
	return Object.fromEntries(await Promise.all(entries));
}

type Place = ReturnType<typeof newPlace>;

function newPlace() {
	const executionId = crypto.randomUUID();
	return { type: 'execution' as const, workflowId: 'workflow', executionId };
}

/** The places of ended executions whose files are still on the disk. */
const ended: Place[] = [];

/** Deletes files later than an execution ends, because a stopped execution would only stop for missing files. */
async function forgetFiles(): Promise<void> {
	const places = ended.splice(0);
	if (binaryDataReady) await Container.get(BinaryDataService).deleteMany(places);
}

export interface OpenedFile {
	closed: boolean;
}

/** Returns the files that n8n's own service opens during a test. @param before Runs before a file is returned. */
export function openedFiles(before: () => Promise<unknown> = async () => {}): OpenedFile[] {
	const opened: OpenedFile[] = [];
	const binaryData = Container.get(BinaryDataService);
	const getAsStream = binaryData.getAsStream.bind(binaryData);
	jest.spyOn(binaryData, 'getAsStream').mockImplementation(async (...given) => {
		const stream = await getAsStream(...given);
		opened.push(stream);
		await before();
		return stream;
	});
	return opened;
}

/** Returns n8n's context for the list of a parameter; of the agent if none is named. */
export async function listContext(
	credential: ICredentialDataDecryptedObject,
	path = 'uid',
	parameters: INodeParameters = {},
) {
	const { additionalData, node } = await setUp(credential);
	const currentNodeParameters = withDefaults(parameters);
	const data = { ...additionalData, currentNodeParameters };
	return new LoadOptionsContext(workflowOf([node], {}), node, data, path);
}

/** Whether n8n stores the state of a poll, from its output and the number of polls before. */
export type IsStored = (given: INodeExecutionData[][] | null, at: number) => boolean;

let polledWorkflows = 0;

/**
 * Returns the trigger in a published workflow, with the data that n8n stores between its polls.
 *
 * @param isStored For n8n's durable scheduler, which begins each poll with the stored data. Left out: n8n keeps the
 *   state in memory.
 */
export async function polledNode(
	credential: ICredentialDataDecryptedObject,
	parameters: INodeParameters,
	isStored?: IsStored,
) {
	const { additionalData, node } = await setUp(credential, TRIGGER_TYPE);
	const ready = { ...node, parameters: withDefaults(parameters, ourTrigger) };
	const id = `polled ${++polledWorkflows}`;
	const workflow = workflowOf([ready], {}, {}, id);
	const warnings: string[] = [];
	const contextOf = (mode: 'trigger' | 'manual', budgetMs?: number, polled = workflow) => {
		const context = new PollContext(polled, ready, additionalData, mode, 'update');
		context.logger.warn = (text) => void warnings.push(text);
		if (budgetMs === undefined) return context;
		return Object.assign(context, { getPollBudgetMs: () => budgetMs });
	};
	const kept = (from = workflow) => from.getStaticData('node', ready);
	let polls = 0;
	return {
		/** Returns the items of a poll; null if it does not start the workflow. */
		poll: async (budgetMs?: number) => {
			const polled = isStored ? workflowOf([ready], {}, workflow.staticData, id) : workflow;
			const given = await ourTrigger.poll.call(contextOf('trigger', budgetMs, polled));
			if (isStored?.(given, polls)) Object.assign(kept(), kept(polled));
			polls += 1;
			return given && (given[0]?.map(({ json }) => json) ?? []);
		},
		/** 'Fetch Test Event' in the editor. */
		fetchTestEvent: async () => {
			const given = await ourTrigger.poll.call(contextOf('manual'));
			return given?.[0]?.map(({ json }) => json);
		},
		stored: () => JSON.stringify(kept()),
		restart: (stored: string) => {
			Object.assign(kept(), JSON.parse(stored));
		},
		subtitle: () => {
			const { subtitle = '' } = ourTrigger.description;
			return workflow.expression.getSimpleParameterValue(ready, subtitle, 'manual', {});
		},
		warnings,
	};
}

export function evaluated(expression: string, json: IDataObject): unknown {
	const items = plainNode('Items', 'test.items');
	const { expression: n8n } = workflowOf([items], {});
	return n8n.getParameterValue(expression, null, 0, 0, items.name, [{ json }], 'manual', {});
}

/** Returns n8n's result of a credential test, as its `credentials-tester.service.js` makes it from `test`. */
export async function testCredential(
	data: ICredentialDataDecryptedObject,
): Promise<INodeCredentialTestResult> {
	const { test } = new CometChatApi();
	try {
		const json = await answerToTest(test.request, data);
		for (const { type, properties } of test.rules ?? []) {
			if (type !== 'responseSuccessBody') throw new UnexpectedError('A rule not foreseen here');
			const parts = properties.key.split('.');
			const found = parts.reduce<unknown>((it, part) => Object(it)[part], json);
			if (found === properties.value) {
				return { status: 'Error', message: properties.message };
			}
		}
	} catch (error) {
		const { message, cause } = Object(error);
		return { status: 'Error', message: String(cause?.code ?? message) };
	}
	return { status: 'OK', message: 'Connection successful!' };
}

/** Returns the body of the response; the first entry of a list, as n8n does. */
async function answerToTest(
	request: ICredentialTestRequest['request'],
	data: ICredentialDataDecryptedObject,
): Promise<unknown> {
	const credential = { name: 'cometChatApi', required: true };
	const temp = { displayName: 'Temp', name: 'temp', type: 'string', default: '' } as const;
	const properties = [{ ...temp, routing: { request } }];
	const { description } = itemsNodeType;
	const type = { description: { ...description, credentials: [credential], properties } };
	const { node, additionalData } = await setUp(data, 'test.items');
	const ours = { ...nodeTypes, getByNameAndVersion: () => type };
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes: ours });
	const executed = createRunExecutionData();
	const call = [workflow, node, additionalData, 'internal', executed, 0] as const;
	const source = { node, data: {}, source: null };
	const context = new ExecuteContext(...call, [], { main: [[{ json: {} }]] }, source, []);
	const sent = new RoutingNode(context, type, { id: '1', name: '', type: 'cometChatApi', data });
	return (await sent.runNode())?.[0]?.[0]?.json;
}

async function setUp(credential: ICredentialDataDecryptedObject, type = NODE_TYPE) {
	const details = { id: '1', name: 'CometChat account' };
	const stored = new Credentials(details, 'cometChatApi');
	await stored.setData(credential);
	const node: INode = {
		...plainNode(NODE_NAME, type),
		credentials: { cometChatApi: details },
	};
	return { node, additionalData: additionalDataWith(stored) };
}

function workflowOf(
	nodes: INode[],
	connections: IConnections,
	kept: IDataObject = {},
	id = 'workflow',
): Workflow {
	// The setting of new workflows: a node's output is passed on before the next node runs.
	const settings = { executionOrder: 'v1' } as const;
	const base = { id, active: false, settings, nodeTypes };
	// A copy, because n8n makes the object report its changes.
	return new Workflow({ ...base, nodes, connections, staticData: copyOf(kept) });
}

/** Splits a box into its notes, which are its lines. */
function notesIn({ message, ...box }: NodeExecutionHint): NodeExecutionHint[] {
	return message.split('<br>').map((note) => ({ message: note, ...box }));
}

function toRun(run: IRun): Omit<Run, 'staticData'> {
	const { runData, error } = run.data.resultData;
	const calls = (runData[NODE_NAME] ?? []).map((task): CallRun => {
		const [output, errorOutput] = task.data?.main ?? [];
		return {
			output: output ?? [],
			errorOutput: errorOutput ?? [],
			error: task.error,
			hints: (task.hints ?? []).flatMap(notesIn),
		};
	});
	return {
		status: run.status,
		output: calls.flatMap(({ output }) => output),
		errorOutput: calls.flatMap(({ errorOutput }) => errorOutput),
		error: calls.find((call) => call.error)?.error ?? error,
		hints: calls.flatMap(({ hints }) => hints),
		calls,
		stored: JSON.stringify(run.data),
	};
}

function plainNode(name: string, type: string): INode {
	return { id: name, name, type, typeVersion: 1, position: [0, 0], parameters: {} };
}

const START = plainNode('Start', 'test.items');

const ourNode = new CometChatKnowledgeBase();

/** n8n makes a tool from a node, with another name. */
const ourTool = new CometChatKnowledgeBase();
ourTool.description = { ...ourTool.description, name: `${ourTool.description.name}Tool` };

const ourTrigger = new CometChatKnowledgeBaseTrigger();

function withDefaults(
	parameters: INodeParameters,
	{ description }: Pick<INodeType, 'description'> = ourNode,
): INodeParameters {
	const { properties } = description;
	const filled = NodeHelpers.getNodeParameters(
		properties,
		parameters,
		true,
		false,
		null,
		description,
	);
	return filled ?? parameters;
}

/** The type of a previous node, whose output is pinned, so it never runs. */
const itemsNodeType: INodeType = {
	description: {
		displayName: 'Items',
		name: 'items',
		group: ['transform'],
		version: 1,
		description: 'Pinned items',
		defaults: { name: 'Items' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	},
};

const failingNodeType: INodeType = {
	description: { ...itemsNodeType.description, inputs: [NodeConnectionTypes.Main] },
	execute: async () => {
		throw new OperationalError('Another node has failed');
	},
};

const types: Record<string, INodeType> = {
	[NODE_TYPE]: ourNode,
	[TOOL_TYPE]: ourTool,
	[TRIGGER_TYPE]: ourTrigger,
	[FAILING_TYPE]: failingNodeType,
};

const nodeTypes = {
	getByName: (type: string) => types[type] ?? itemsNodeType,
	getByNameAndVersion: (type: string) => types[type] ?? itemsNodeType,
	getKnownTypes: () => ({}),
};

/** n8n's own helper, for one stored credential, and for credential types without a token to renew. */
class OneCredential extends ICredentialsHelper {
	private readonly type = new CometChatApi();

	constructor(private readonly stored: Credentials | undefined) {
		super();
	}

	async getDecrypted(): Promise<ICredentialDataDecryptedObject> {
		return await (await this.getCredentials()).getData();
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		_typeName: string,
		requestOptions: Parameters<ICredentialsHelper['authenticate']>[2],
	) {
		const { authenticate } = this.type;
		if (typeof authenticate !== 'function' || !('url' in requestOptions)) {
			throw new UnexpectedError('The credential type authenticates in a way not foreseen here');
		}
		return await authenticate(credentials, { ...requestOptions, url: requestOptions.url ?? '' });
	}

	getParentTypes(): string[] {
		return [];
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	async preAuthentication(): Promise<undefined> {
		return undefined;
	}

	async runPreAuthentication(): Promise<undefined> {
		return undefined;
	}

	async getCredentials(): Promise<Credentials> {
		if (this.stored === undefined) throw new UnexpectedError('No credential is stored');
		return this.stored;
	}

	async updateCredentials(): Promise<void> {
		throw new UnexpectedError('A run never writes a credential');
	}

	async updateCredentialsOauthTokenData(): Promise<void> {
		throw new UnexpectedError('A run never writes a credential');
	}

	getCredentialsProperties() {
		return this.type.properties;
	}
}

const WORKFLOW_DATA: IWorkflowBase = {
	id: 'workflow',
	name: 'Workflow',
	active: false,
	isArchived: false,
	createdAt: new Date(0),
	updatedAt: new Date(0),
	nodes: [],
	connections: {},
	activeVersionId: null,
};

function additionalDataWith(stored: Credentials | undefined): IWorkflowExecuteAdditionalData {
	const notProvided = () => {
		throw new UnexpectedError('The engine asked for something that this test does not provide');
	};
	return {
		credentialsHelper: new OneCredential(stored),
		externalSecretsProxy: new ExternalSecretsProxy(),
		hooks: new ExecutionLifecycleHooks('manual', '0', WORKFLOW_DATA),
		executionId: '0',
		currentNodeExecutionIndex: 0,
		variables: {},
		restApiUrl: 'http://localhost',
		instanceBaseUrl: 'http://localhost',
		formBaseUrl: 'http://localhost',
		formWaitingBaseUrl: 'http://localhost',
		formTestBaseUrl: 'http://localhost',
		webhookBaseUrl: 'http://localhost',
		webhookWaitingBaseUrl: 'http://localhost',
		webhookTestBaseUrl: 'http://localhost',
		mcpBaseUrl: 'http://localhost',
		mcpTestBaseUrl: 'http://localhost',
		logAiEvent: () => {},
		setExecutionStatus: () => {},
		executeWorkflow: notProvided,
		getRunExecutionData: notProvided,
		getRuntimeCredential: notProvided,
		startRunnerTask: notProvided,
	};
}
