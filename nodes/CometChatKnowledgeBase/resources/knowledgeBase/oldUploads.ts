import type { INodeProperties } from 'n8n-workflow';

import type { Words } from '../../values/shown';

/** The kind of document that a file becomes. */
export const SOURCE_TYPE: Words = 'uploads';

export const deleteOldField: INodeProperties = {
	displayName: 'Delete Old Version',
	name: 'deleteOldVersion',
	type: 'options',
	options: [
		{
			name: 'Always',
			value: 'always',
			description: 'Delete it for good, also from every other agent that has it',
		},
		{
			name: 'If No Other Agent Has It',
			value: 'ifUnused',
			description:
				"Look at the agents' lists first, and keep it if another agent has it or the lists do not tell",
		},
		{
			name: 'Never',
			value: 'never',
			description: 'Only take it from this agent. Two uploads then have the name.',
		},
	],
	default: 'ifUnused',
	description:
		'Whether to delete the old version from CometChat once the new one is in its place and the old one is taken from this agent',
};
