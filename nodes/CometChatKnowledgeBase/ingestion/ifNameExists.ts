import { choiceField } from '../input/field';
import type { DeleteOld } from './replacement';

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

/** What becomes of old versions by that. */
export function deletionBy(choice: IfNameExists): DeleteOld {
	return choice === 'replaceAndDelete' ? 'ifUnused' : 'never';
}
