import { switchField, textField } from '../../fields/field';

/** In characters (https://www.cometchat.com/docs/rest-api/ai-agents-apis/properties-and-constraints). */
const LONGEST_AGENT_NAME = 100;
const LONGEST_INSTRUCTION = 32_000;

export const agentName = textField(
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		placeholder: 'e.g. Support',
		description: `The agent's name (up to ${LONGEST_AGENT_NAME} characters)`,
	},
	{ longest: LONGEST_AGENT_NAME },
);

/** The settings of an agent in addition to its name, in alphabetical order. */
export const agentSettings = {
	isActive: switchField({
		displayName: 'Active',
		name: 'isActive',
		type: 'boolean',
		default: true,
		description: 'Whether app users can chat with the agent',
	}),
	description: textField({
		displayName: 'Description',
		name: 'description',
		type: 'string',
		default: '',
		placeholder: 'e.g. Answers questions about orders and returns',
		description: 'The purpose of the agent',
	}),
	icon: textField({
		displayName: 'Icon',
		name: 'icon',
		type: 'string',
		default: '',
		description: "The agent's picture, in a format that CometChat accepts",
	}),
	instruction: textField(
		{
			displayName: 'Instructions',
			name: 'instruction',
			type: 'string',
			typeOptions: { rows: 6 },
			default: '',
			placeholder: 'e.g. Answer briefly, and only from the documents.',
			description: `The rules that the agent follows in every chat (up to ${LONGEST_INSTRUCTION} characters)`,
		},
		{ longest: LONGEST_INSTRUCTION },
	),
	model: textField({
		displayName: 'Model Name or ID',
		name: 'model',
		type: 'options',
		typeOptions: { loadOptionsMethod: 'getModels' },
		default: '',
		description:
			'The model that writes the answers. Without this field, CometChat decides. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	}),
};
