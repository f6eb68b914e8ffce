import type {
	IExecuteFunctions,
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { credentialTests } from './methods/credentialTest';
import { listFiles } from './methods/listFiles';
import { listModels } from './methods/listModels';
import { nodeProperties, nodeSubtitle } from './resources/registry';
import { run } from './run';
import { agentSearch } from './methods/searchAgents';
import { searchTexts } from './methods/searchTexts';
import { searchDocuments, searchUploads } from './methods/searchUploads';
import { searchUsers } from './methods/searchUsers';
import { searchWebsites } from './methods/searchWebsites';

/**
 * Programmatic, because the work goes across items: those of one agent in order, retries of the
 * item concerned only, a pause that all requests obey. n8n's declarative nodes start every item's
 * request at once and have none of these.
 */
export class CometChatKnowledgeBase implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'CometChat Knowledge Base',
		name: 'cometChatKnowledgeBase',
		icon: {
			light: 'file:cometChatKnowledgeBase.svg',
			dark: 'file:cometChatKnowledgeBase.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: nodeSubtitle(),
		description:
			'Manage the knowledge base of a CometChat AI agent: upload, add, replace, remove and sync files',
		defaults: { name: 'CometChat Knowledge Base' },
		usableAsTool: true,
		builderHint: {
			searchHint:
				"What a CometChat AI agent answers from. Files of the step before: Document: Upload. A folder that the agent is to have at all times: Agent's Knowledge Base: Sync Files. A text that changes: Text: Create or Update. A website: Website: Crawl. To check an answer: Agent: Ask.",
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-cometchat.cometChatKnowledgeBaseTrigger',
					relationHint: 'Starts a workflow when a document is added, indexed or cannot be read',
				},
				{
					nodeType: 'n8n-nodes-base.formTrigger',
					relationHint: 'Gives the files that somebody sends, for Document: Upload',
				},
				{
					nodeType: 'n8n-nodes-base.convertToFile',
					relationHint: 'Makes a file of rows or of a long text, before it is uploaded',
				},
			],
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'cometChatApi', required: true, testedBy: 'cometChatApiTest' }],
		properties: nodeProperties(),
	};

	methods = {
		loadOptions: {
			async getFiles(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
				return await listFiles(this);
			},
			async getModels(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
				return await listModels(this);
			},
		},
		listSearch: {
			...agentSearch,
			async searchTexts(
				this: ILoadOptionsFunctions,
				filter?: string,
			): Promise<INodeListSearchResult> {
				return await searchTexts(this, filter);
			},
			async searchUploads(
				this: ILoadOptionsFunctions,
				filter?: string,
				paginationToken?: string,
			): Promise<INodeListSearchResult> {
				return await searchUploads(this, filter, paginationToken);
			},
			async searchDocuments(
				this: ILoadOptionsFunctions,
				filter?: string,
				paginationToken?: string,
			): Promise<INodeListSearchResult> {
				return await searchDocuments(this, filter, paginationToken);
			},
			async searchUsers(
				this: ILoadOptionsFunctions,
				filter?: string,
				paginationToken?: string,
			): Promise<INodeListSearchResult> {
				return await searchUsers(this, filter, paginationToken);
			},
			async searchWebsites(
				this: ILoadOptionsFunctions,
				filter?: string,
				paginationToken?: string,
			): Promise<INodeListSearchResult> {
				return await searchWebsites(this, filter, paginationToken);
			},
		},
		credentialTest: credentialTests,
	};

	async execute(this: IExecuteFunctions) {
		return [await run(this, this.continueOnFail())];
	}
}
