import type { INodeProperties } from 'n8n-workflow';

import type { Field, FieldGroup } from '../input/field';
import { choiceField, numberField, readSwitch } from '../input/field';
import { toAgentFields, waitUntilIndexedField } from '../input/fields';
import { readUid } from '../input/ids';

/** The agent that gets them; undefined for none. @param properties In the place of those that most have. */
export function toAgent(properties: INodeProperties[] = toAgentFields) {
	const group: FieldGroup<string | undefined> = {
		properties,
		read: (item) => {
			const adds = readSwitch(item.value('addToAgent'), 'Add to Agent');
			return adds ? readUid(item.value('uid')) : undefined;
		},
		asked: (uid) => (uid === undefined ? {} : { uid }),
	};
	return group;
}

export const waitUntilIndexed: Field<boolean> = {
	property: waitUntilIndexedField,
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

/** What is to be done with a new document whose name is there already. */
export type IfNameExists = 'add' | 'fail' | 'replace' | 'replaceAndDelete' | 'skip';

/** @param description Of what it is for. */
export function ifNameExistsField(description: string) {
	return choiceField<IfNameExists>({
		displayName: 'If the Name Is There',
		name: 'ifNameExists',
		type: 'options',
		options: [
			{
				name: 'Add Another',
				value: 'add',
				description:
					'The agent answers from both. For different documents under one name, such as scan.pdf.',
			},
			{
				name: 'Fail',
				value: 'fail',
				description: 'Nothing is sent, and the item fails',
			},
			{
				name: 'Replace',
				value: 'replace',
				description: 'The agent answers from the new one alone. The old one stays in CometChat.',
			},
			{
				name: 'Replace and Delete',
				value: 'replaceAndDelete',
				description:
					'The agent answers from the new one alone. The old one is deleted for good, unless another agent has it. So is what no agent has of that name.',
			},
			{
				name: 'Skip',
				value: 'skip',
				description:
					'What is there stays, and the new one is not sent. What no agent has of that name, such as what a run has left that broke off, is added.',
			},
		],
		default: 'replace',
		description,
	});
}

/** When old versions are deleted. */
export type DeleteOld = 'ifUnused' | 'always' | 'never';

/** What becomes of old versions by that. */
export function deletionBy(choice: IfNameExists): DeleteOld {
	return choice === 'replaceAndDelete' ? 'ifUnused' : 'never';
}
