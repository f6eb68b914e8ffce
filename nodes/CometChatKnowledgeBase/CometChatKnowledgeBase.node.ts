import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { agentSearch, documentSearches, getFiles, getModels, searchUsers } from './editor/pickers';
import { nodeProperties, nodeSubtitle } from './resources/registry';
import { run } from './run';

/**
 * Programmatic, because the work goes across items: the items of an agent run in order, only the failed item is
 * repeated, and a pause stops all requests. n8n's declarative nodes start the requests of all items at once.
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
				"What a CometChat AI agent answers from. Files of the previous node: Document: Upload. A text of any length, such as an article: Document: Upload with Content From set to Text. A folder or a table that the agent uses at all times: Agent's Knowledge Base: Sync Folder or Table. A short text that people edit in CometChat: Text Entry: Create or Update. A website: Website: Crawl. To check an answer: Agent: Ask Question.",
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
					relationHint: 'Makes one file of all rows, before it is uploaded',
				},
			],
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'cometChatApi', required: true }],
		properties: nodeProperties(),
	};

	methods = {
		loadOptions: { getFiles, getModels },
		listSearch: { ...agentSearch, ...documentSearches, searchUsers },
	};

	async execute(this: IExecuteFunctions) {
		return [await run(this, this.continueOnFail())];
	}
}
