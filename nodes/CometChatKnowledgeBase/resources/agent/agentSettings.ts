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
		description: `How the agent is called, in up to ${LONGEST_AGENT_NAME} characters`,
	},
	{ longest: LONGEST_AGENT_NAME },
);

/** What an agent may have beside its name; in the order of the alphabet. */
export const agentSettings = {
	isActive: switchField({
		displayName: 'Active',
		name: 'isActive',
		type: 'boolean',
		default: true,
		description: 'Whether users of the app can chat with the agent',
	}),
	description: textField({
		displayName: 'Description',
		name: 'description',
		type: 'string',
		default: '',
		placeholder: 'e.g. Answers questions about orders and returns',
		description: 'What the agent is there for',
	}),
	icon: textField({
		displayName: 'Icon',
		name: 'icon',
		type: 'string',
		default: '',
		description: "The agent's picture, in the form that CometChat takes",
	}),
	instruction: textField(
		{
			displayName: 'Instruction',
			name: 'instruction',
			type: 'string',
			typeOptions: { rows: 6 },
			default: '',
			placeholder: 'e.g. Answer briefly, and only from what you know.',
			description: `What the agent is told before each chat, in up to ${LONGEST_INSTRUCTION} characters`,
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
			'The model that answers; CometChat picks one if none is given. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	}),
};
