import type { INodeProperties } from 'n8n-workflow';

import type { Field, FieldGroup } from '../fields/field';
import { choiceField, numberField, readSwitch } from '../fields/field';
import { agentPicker } from '../fields/fields';

/** For operations that add content, which no agent uses by itself. */
export const addToAgent: INodeProperties = {
	displayName: 'Add to Agent',
	name: 'addToAgent',
	type: 'boolean',
	default: true,
	description:
		'Whether to add the document to an agent. If on, everyone who can chat with the agent can learn the content. If off, no agent can answer from the document.',
};

export const agent = agentPicker();

/** The agent that gets the documents; undefined for no agent. */
export function toAgent(adds = addToAgent): FieldGroup<string | undefined> {
	const property = { ...agent.property, displayOptions: { show: { addToAgent: [true] } } };
	return {
		properties: [adds, property],
		read: ({ value }) =>
			readSwitch(value(adds.name), adds.displayName) ? agent.read(value('uid')) : undefined,
		asked: (uid) => (uid === undefined ? {} : { uid }),
	};
}

export const waitUntilIndexed: Field<boolean> = {
	property: {
		displayName: 'Wait Until Indexed',
		name: 'waitUntilIndexed',
		type: 'boolean',
		default: true,
		description:
			"Whether to wait until CometChat has indexed the document, so that an agent can answer from it. If CometChat can't index the document, the item fails.",
	},
	read: (value) => readSwitch(value, 'Wait Until Indexed'),
};

/** Ours: CometChat's pages name no time; its dashboard shows files as Indexing for minutes. */
export const maxIndexingOption = numberField(
	{
		displayName: 'Indexing Timeout (Minutes)',
		name: 'maxIndexingMinutes',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 120 },
		default: 10,
		description:
			'How long to wait until CometChat has indexed the documents of an item. Increase the time for very long files.',
	},
	{ scale: 60_000 },
);

/** What happens with a new document whose name already exists. */
export type IfNameExists = 'add' | 'fail' | 'replace' | 'replaceAndDelete' | 'skip';

export const ifNameExistsField = choiceField<IfNameExists>({
	displayName: 'If Name Already Exists',
	name: 'ifNameExists',
	type: 'options',
	options: [
		{
			name: 'Add Another',
			value: 'add',
			description:
				'The agent uses both files. Use this for different files with the same name, such as scan.pdf.',
		},
		{
			name: 'Fail',
			value: 'fail',
			description: 'Nothing is uploaded, and the item fails',
		},
		{
			name: 'Replace',
			value: 'replace',
			description: 'The agent uses only the new file. The old file stays in CometChat.',
		},
		{
			name: 'Replace and Delete',
			value: 'replaceAndDelete',
			description:
				"Delete the old file permanently, unless another agent uses it or CometChat doesn't report which agents use it. The agent uses only the new file. If 'Add to Agent' is off, all files with this name that no agent uses are deleted.",
		},
		{
			name: 'Skip',
			value: 'skip',
			description: 'Keep the existing file and upload nothing',
		},
	],
	default: 'replace',
	description:
		"What to do if the agent already uses an uploaded file with this name. If 'Add to Agent' is off, all uploaded files in CometChat are checked.",
});

/** Which old versions are deleted if no agent uses them: those that this node uploaded are its own. */
export type DeleteOld = 'never' | 'own' | 'ifUnused';

/** Returns which old versions a choice deletes. */
export function deletionBy(choice: IfNameExists): DeleteOld {
	return choice === 'replaceAndDelete' ? 'ifUnused' : 'never';
}
