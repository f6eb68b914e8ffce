import type { INodeProperties } from 'n8n-workflow';

import type { Field, FieldGroup } from '../fields/field';
import { choiceField, numberField, readSwitch } from '../fields/field';
import { agentPicker } from '../fields/fields';

/** For operations that bring content, which no agent knows by itself. */
export const addToAgent: INodeProperties = {
	displayName: 'Add to Agent',
	name: 'addToAgent',
	type: 'boolean',
	default: true,
	description:
		"Whether to add it to an agent's knowledge base. If off, no agent answers from it. If on, everyone who can chat with the agent can get its content.",
};

export const agent = agentPicker();

/** The agent that gets them; undefined for none. */
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
			'Whether to wait until CometChat has read the content, so that an agent can answer from it. If CometChat cannot read it, the item fails.',
	},
	read: (value) => readSwitch(value, 'Wait Until Indexed'),
};

/** Ours: CometChat's pages name no time; its dashboard shows files as Indexing for minutes. */
export const maxIndexingOption = numberField(
	{
		displayName: 'Max Indexing Time (Minutes)',
		name: 'maxIndexingMinutes',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 120 },
		default: 10,
		description:
			'Raise it for very long files. How long to wait at most until CometChat has read the content of an item.',
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
				'The agent uses both files. For different files with the same name, such as scan.pdf.',
		},
		{
			name: 'Fail',
			value: 'fail',
			description: 'Nothing is sent, and the item fails',
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
				"The agent uses only the new file. The old file is deleted permanently, unless another agent uses it or CometChat doesn't report which agents do. If 'Add to Agent' is off, files with this name that no agent uses are deleted.",
		},
		{
			name: 'Skip',
			value: 'skip',
			description: 'The existing file stays, and the new one is not sent',
		},
	],
	default: 'replace',
	description:
		"What to do if the agent already uses an uploaded file with this name. If 'Add to Agent' is off, all uploaded files in CometChat count.",
});

/** Which old versions are deleted if no agent uses them: those that this node uploaded are its own. */
export type DeleteOld = 'never' | 'own' | 'ifUnused';

/** Returns which old versions a choice deletes. */
export function deletionBy(choice: IfNameExists): DeleteOld {
	return choice === 'replaceAndDelete' ? 'ifUnused' : 'never';
}
