import type { INodeProperties } from 'n8n-workflow';

import type { FieldGroup } from '../fields/field';
import { numberField, readSwitch, switchField } from '../fields/field';
import { agentPicker } from '../fields/fields';

/** The field of operations that add content, which no agent uses by itself. */
export const addToAgent: INodeProperties = {
	displayName: 'Add to Agent',
	name: 'addToAgent',
	type: 'boolean',
	default: true,
	description:
		'Whether to add the document to an agent. If on, everyone who can chat with the agent can learn its content. If off, only agents that already use it can answer from it.',
};

export const agent = agentPicker('The AI agent whose documents you manage');

/** The agent to add documents to; undefined for none. */
export function toAgent(adds = addToAgent): FieldGroup<string | undefined> {
	const description = 'The AI agent that should use the document';
	const displayOptions = { show: { addToAgent: [true] } };
	const property = { ...agent.property, description, displayOptions };
	return {
		properties: [adds, property],
		read: ({ value }) =>
			readSwitch(value(adds.name), adds.displayName) ? agent.read(value('uid')) : undefined,
		asked: (uid) => (uid === undefined ? {} : { uid }),
	};
}

export const waitUntilIndexed = switchField({
	displayName: 'Wait Until Indexed',
	name: 'waitUntilIndexed',
	type: 'boolean',
	default: true,
	description:
		"Whether to wait until CometChat has indexed the document. If off, the item succeeds even if CometChat can't index the document later. The node always waits before it removes an old version.",
});

/** Our choice: CometChat's pages name no time. Its dashboard shows files as Indexing for minutes. */
export const maxIndexingOption = numberField(
	{
		displayName: 'Indexing Timeout (Minutes)',
		name: 'maxIndexingMinutes',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 120 },
		default: 10,
		description:
			'How long to wait until CometChat has indexed a document. Increase the time for large files.',
	},
	{ scale: 60_000 },
);
