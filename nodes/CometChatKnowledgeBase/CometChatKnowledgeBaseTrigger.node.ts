import type { INodeType, INodeTypeDescription, IPollFunctions } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { agentSearch } from './editor/pickers';
import { poll } from './poll';
import { triggerFields, triggerSubtitle } from './trigger/fields';

/** Polls, because CometChat has no webhook for its knowledge base. */
export class CometChatKnowledgeBaseTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'CometChat Knowledge Base Trigger',
		name: 'cometChatKnowledgeBaseTrigger',
		icon: {
			light: 'file:cometChatKnowledgeBase.svg',
			dark: 'file:cometChatKnowledgeBase.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: triggerSubtitle(),
		// n8n's nodes panel has one entry for both nodes, with this text.
		description:
			'Manage the documents of CometChat AI agents, or start a workflow when a document is added, indexed or fails',
		defaults: { name: 'CometChat Knowledge Base Trigger' },
		polling: true,
		builderHint: {
			searchHint:
				"Starts a workflow when a document is added to CometChat, is indexed, or can't be indexed. Returns one item for each event, with the name, status and uniqueId of the document.",
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-cometchat.cometChatKnowledgeBase',
					relationHint: 'Uses the uniqueId to work with the document',
				},
			],
		},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'cometChatApi', required: true }],
		properties: triggerFields,
	};

	methods = { listSearch: agentSearch };

	async poll(this: IPollFunctions) {
		return await poll(this);
	}
}
