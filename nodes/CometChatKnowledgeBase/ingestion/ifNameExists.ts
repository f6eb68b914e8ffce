import type { INodeProperties } from 'n8n-workflow';

import type { RunContext } from '../execution/operation';
import { readChoice } from '../values/switches';
import type { DeleteOld } from './oldVersions';

/** What is to be done with a new document whose name there is already. */
const CHOICES = ['replace', 'replaceAndDelete', 'add', 'skip', 'fail'] as const;
export type IfNameExists = (typeof CHOICES)[number];

export const ifNameExistsField: INodeProperties = {
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
				'The agent answers from the new one alone. The old one is deleted for good, unless another agent has it.',
		},
		{
			name: 'Skip',
			value: 'skip',
			description: 'What is there stays, and the new one is not sent',
		},
	],
	default: 'replace',
	description:
		'What to do if the agent has a document of this name already. If it goes to no agent, those of the account count.',
};

/** Reads the field for each item. */
export function ifNameExistsReader(run: RunContext): (index: number) => IfNameExists {
	const choiceOf = run.parameter(ifNameExistsField.name);
	return (index) => readChoice(choiceOf(index), ifNameExistsField.displayName, CHOICES);
}

/** What becomes of old versions by that. */
export function deletionBy(choice: IfNameExists): DeleteOld {
	return choice === 'replaceAndDelete' ? 'ifUnused' : 'never';
}
