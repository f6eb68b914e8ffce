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
		// n8n's panel has one entry for this and the node of that name, with this text and not the node's.
		description:
			'Give CometChat AI agents files, or start a workflow when a document is added or cannot be read',
		defaults: { name: 'CometChat Knowledge Base Trigger' },
		polling: true,
		builderHint: {
			searchHint:
				'Starts a workflow when a document has come into CometChat, is indexed or cannot be read. An item for each, with its name, status and uniqueId.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-cometchat.cometChatKnowledgeBase',
					relationHint: 'Does something about the document, by its uniqueId',
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
