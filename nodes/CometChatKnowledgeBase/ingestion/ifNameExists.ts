import { choiceOption } from '../input/options';

/** A new document whose name there is already. */
export const ifNameExistsOption = choiceOption({
	displayName: 'If the Name Is There',
	name: 'ifNameExists',
	type: 'options',
	options: [
		{
			name: 'Add Another',
			value: 'add',
			description: 'Both are there then, and a warning names the older one',
		},
		{
			name: 'Fail',
			value: 'fail',
			description: 'The item fails before anything is sent for it',
		},
		{
			name: 'Replace',
			value: 'replace',
			description:
				'The agent gets the new one once it is indexed. Then the old one is taken from the agent, and deleted if no other agent has it.',
		},
		{
			name: 'Skip',
			value: 'skip',
			description: 'What is there stays as it is, and the new one is not sent',
		},
	],
	default: 'add',
	description:
		'Change it if the same name comes again. What to do if the agent already has a document of this name. If it goes to no agent, those of the account count.',
});

export type IfNameExists = typeof ifNameExistsOption.ifNotSet;
