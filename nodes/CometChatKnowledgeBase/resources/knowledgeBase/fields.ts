import type { DeleteOld } from '../../ingestion/fields';
import { choiceField } from '../../input/field';
import { agentPicker } from '../../input/fields';

export const agent = agentPicker('The agent whose knowledge base is changed');

export const deleteOldOption = choiceField<DeleteOld>({
	displayName: 'Delete Old Version',
	name: 'deleteOldVersion',
	type: 'options',
	options: [
		{
			name: 'Always',
			value: 'always',
			description: 'The old one is deleted for good, and every other agent that has it loses it',
		},
		{
			name: 'If No Other Agent Has It',
			value: 'ifUnused',
			description:
				'The old one is deleted for good, unless another agent has it or CometChat does not tell',
		},
		{
			name: 'Never',
			value: 'never',
			description: 'The old one is taken from this agent and stays in CometChat',
		},
	],
	default: 'ifUnused',
	description: 'What becomes of the old version once the agent has the new one in its place',
});
