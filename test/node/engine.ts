import { Container } from '@n8n/di';
import {
	BinaryDataService,
	Cipher,
	Credentials,
	EncryptionKeyProxy,
	ExecutionLifecycleHooks,
	CredentialTestContext,
	ExternalSecretsProxy,
	LoadOptionsContext,
	PollContext,
	WorkflowExecute,
} from 'n8n-core';
import type {
	IBinaryData,
	IBinaryKeyData,
	IConnections,
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
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
	ICredentialsHelper,
	NodeConnectionTypes,
	NodeHelpers,
	UnexpectedError,
	Workflow,
} from 'n8n-workflow';

import { CometChatApi } from '../../credentials/CometChatApi.credentials';
import { CometChatKnowledgeBase } from '../../nodes/CometChatKnowledgeBase/CometChatKnowledgeBase.node';
import { CometChatKnowledgeBaseTrigger } from '../../nodes/CometChatKnowledgeBase/CometChatKnowledgeBaseTrigger.node';

/** What a workflow gave, run in n8n-core's own execution engine. */
export interface Run {
	status: IRun['status'];
	/** Items on the first output. */
	output: INodeExecutionData[];
	/** Items on the error output, with `onError: 'continueErrorOutput'`. */
	errorOutput: INodeExecutionData[];
	/** What stopped the run. */
	error?: NonNullable<ITaskData['error']>;
	hints: NodeExecutionHint[];
	/** All that the engine would store of the execution, as text. */
	stored: string;
	/** The workflow's static data as n8n would store it, unless the run was by hand. */
	staticData: IDataObject;
}

export interface Scenario {
	/** What comes from the node before. */
	items: IDataObject[];
	/** The files of the items, by binary field; `items[0]` has those of `files[0]`. */
	files?: Array<Record<string, TestFile>>;
	/** The node's parameters; those left out have their defaults. */
	parameters: INodeParameters;
	/** The credential as a user fills it in. */
	credential: ICredentialDataDecryptedObject;
	onError?: INode['onError'];
	/** Presses the stop button when it resolves. */
	stop?: Promise<unknown>;
	/** What has started the execution; 'manual' if left out. */
	mode?: WorkflowExecuteMode;
	/** The workflow's, from an earlier run. */
	staticData?: IDataObject;
	/** More of the workflow than the items and the node, how it is connected; these nodes give nothing. */
	around?: { nodes: INode[]; connections: IConnections };
	executeOnce?: boolean;
}

/** A file as a node before ours hands it on. */
export interface TestFile {
	fileName?: string;
	/** 'application/octet-stream' if left out. */
	mimeType?: string;
	bytes: Uint8Array;
	/** Where n8n keeps it: on disk, as it does by default, or in memory. */
	kept?: 'on disk' | 'in memory' | 'deleted';
}

// n8n keeps its data key in the database, wrapped with the key of the instance.
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
const TRIGGER_TYPE = `${NODE_TYPE}Trigger`;
const NODE_NAME = 'CometChat Knowledge Base';

/**
 * Runs the node in a workflow of three: items, the node, and a node behind each of its outputs.
 * The engine, expressions, the encryption of the credential and the HTTP helper are n8n's; only
 * where n8n keeps workflows and credentials (its database) is replaced, by plain objects.
 */
export async function runNode(scenario: Scenario): Promise<Run> {
	const { execution, finished } = await startNode(scenario);
	void scenario.stop?.then(() => execution.cancel());
	return await finished;
}

async function startNode(scenario: Scenario) {
	const { items, files = [], parameters, credential, onError, executeOnce } = scenario;
	const { mode = 'manual', staticData = {}, around } = scenario;
	const { additionalData, node } = await setUp(credential);
	const ready: INode = { ...node, parameters: withDefaults(parameters), onError, executeOnce };
	const itemsNode = plainNode('Items', 'test.items');
	const toOurs = [{ node: NODE_NAME, type: NodeConnectionTypes.Main, index: 0 }];
	const workflow = workflowOf(
		[itemsNode, ready, ...(around?.nodes ?? [])],
		{ Items: { main: [toOurs] }, ...around?.connections },
		staticData,
	);
	const engine = new WorkflowExecute(additionalData, mode);
	const binaries = await Promise.all(files.map(toBinary));
	const pinData = {
		...Object.fromEntries((around?.nodes ?? []).map(({ name }) => [name, []])),
		Items: items.map((json, index) => ({ json, binary: binaries[index] })),
	};
	const execution = engine.run({ workflow, startNode: itemsNode, pinData });
	const stored = () => JSON.parse(JSON.stringify(workflow.staticData));
	return {
		execution,
		finished: execution.then((run) => ({ ...toRun(run), staticData: stored() })),
	};
}

let binaryDataReady: Promise<void> | undefined;

async function toBinary(files: Record<string, TestFile>): Promise<IBinaryKeyData> {
	await (binaryDataReady ??= Container.get(BinaryDataService).init());
	const entries = Object.entries(files).map(async ([field, file]) => {
		const { fileName, mimeType = 'application/octet-stream', bytes, kept = 'on disk' } = file;
		const described: IBinaryData = { fileName, mimeType, data: '' };
		const buffer = Buffer.from(bytes);
		const binary =
			kept === 'in memory'
				? { ...described, data: buffer.toString(BINARY_ENCODING) }
				: await Container.get(BinaryDataService).store(PLACE, buffer, described);
		if (kept === 'deleted' && binary.id !== undefined) {
			await Container.get(BinaryDataService).deleteManyByBinaryDataId([binary.id]);
		}
		return [field, binary] as const;
	});
	return Object.fromEntries(await Promise.all(entries));
}

/** Of this process alone. */
const PLACE = {
	type: 'execution' as const,
	workflowId: 'workflow',
	executionId: crypto.randomUUID(),
};

/** Deletes the files of all runs until now from the disk. */
export async function forgetFiles(): Promise<void> {
	if (binaryDataReady) await Container.get(BinaryDataService).deleteMany([PLACE]);
}

/** What n8n hands to the list behind a parameter; the agent's if none is named. */
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

/** The trigger in a workflow that is polled, with what it remembers between its polls. */
export async function polledNode(
	credential: ICredentialDataDecryptedObject,
	parameters: INodeParameters,
) {
	const { additionalData, node } = await setUp(credential, TRIGGER_TYPE);
	const ready = { ...node, parameters: withDefaults(parameters, ourTrigger) };
	const workflow = workflowOf([ready], {});
	const contextOf = (mode: 'trigger' | 'manual', budgetMs?: number) => {
		const context = new PollContext(workflow, ready, additionalData, mode, 'update');
		if (budgetMs === undefined) return context;
		return Object.assign(context, { getPollBudgetMs: () => budgetMs });
	};
	return {
		/** What it gives, as items; null if it does not start the workflow. */
		poll: async (budgetMs?: number) => {
			const given = await ourTrigger.poll.call(contextOf('trigger', budgetMs));
			return given && (given[0]?.map(({ json }) => json) ?? []);
		},
		/** 'Fetch Test Event' in the editor. */
		fetchTestEvent: async () => {
			const given = await ourTrigger.poll.call(contextOf('manual'));
			return given?.[0]?.map(({ json }) => json);
		},
		/** As n8n would store it. */
		stored: () => JSON.stringify(workflow.getStaticData('node', ready)),
		/** n8n starts anew with what it has stored. */
		restart: (stored: string) => {
			Object.assign(workflow.getStaticData('node', ready), JSON.parse(stored));
		},
		/** What the canvas shows under its name. */
		subtitle: () => {
			const { subtitle = '' } = ourTrigger.description;
			return workflow.expression.getSimpleParameterValue(ready, subtitle, 'manual', {});
		},
	};
}

/** What n8n itself makes of an expression for an item. */
export function evaluated(expression: string, json: IDataObject): unknown {
	const items = plainNode('Items', 'test.items');
	const { expression: n8n } = workflowOf([items], {});
	return n8n.getParameterValue(expression, null, 0, 0, items.name, [{ json }], 'manual', {});
}

/** What n8n hands to a credential test. */
export function credentialTestContext() {
	return new CredentialTestContext(additionalDataWith(undefined));
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

function workflowOf(nodes: INode[], connections: IConnections, kept: IDataObject = {}): Workflow {
	const base = { id: 'workflow', active: false, settings: {}, nodeTypes };
	// A copy: n8n makes what it is given report its changes.
	const staticData: IDataObject = JSON.parse(JSON.stringify(kept));
	return new Workflow({ ...base, nodes, connections, staticData });
}

function toRun(run: IRun): Omit<Run, 'staticData'> {
	const { runData } = run.data.resultData;
	const task = runData[NODE_NAME]?.[0];
	const [output, errorOutput] = task?.data?.main ?? [];
	return {
		status: run.status,
		output: output ?? [],
		errorOutput: errorOutput ?? [],
		error: task?.error ?? run.data.resultData.error,
		hints: task?.hints ?? [],
		stored: JSON.stringify(run.data),
	};
}

function plainNode(name: string, type: string): INode {
	return { id: name, name, type, typeVersion: 1, position: [0, 0], parameters: {} };
}

const ourNode = new CometChatKnowledgeBase();

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

/** Stands for the node before ours; its output is pinned, so it never executes. */
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

const ourTypes: Record<string, INodeType> = { [NODE_TYPE]: ourNode, [TRIGGER_TYPE]: ourTrigger };

const nodeTypes = {
	getByName: (type: string) => ourTypes[type] ?? itemsNodeType,
	getByNameAndVersion: (type: string) => ourTypes[type] ?? itemsNodeType,
	getKnownTypes: () => ({}),
};

/** As n8n's own helper, for one stored credential and credential types without a token to renew. */
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

function additionalDataWith(stored: Credentials | undefined): IWorkflowExecuteAdditionalData {
	const notProvided = () => {
		throw new UnexpectedError('The engine asked for something that this test does not provide');
	};
	const workflowData: IWorkflowBase = {
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
	return {
		credentialsHelper: new OneCredential(stored),
		externalSecretsProxy: new ExternalSecretsProxy(),
		hooks: new ExecutionLifecycleHooks('manual', '1', workflowData),
		executionId: '1',
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
