import type { INodeProperties } from 'n8n-workflow';

import { readNeededWords, readWords } from '../../input/words';
import type { AgentSettings } from '../../service/agents';
import { readSwitch } from '../../values/switches';
import { UserError, isRecord } from '../../values/userError';

/** In characters (https://www.cometchat.com/docs/rest-api/ai-agents-apis/properties-and-constraints). */
const LONGEST_AGENT_NAME = 100;
const LONGEST_INSTRUCTION = 32_000;

export const nameField: INodeProperties = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	placeholder: 'e.g. Support',
	description: `How the agent is called, in up to ${LONGEST_AGENT_NAME} characters`,
};

/** What an agent may have beside its name; in the order of the alphabet. */
export const settingFields: INodeProperties[] = [
	{
		displayName: 'Active',
		name: 'isActive',
		type: 'boolean',
		default: true,
		description: 'Whether users of the app can chat with the agent',
	},
	{
		displayName: 'Description',
		name: 'description',
		type: 'string',
		default: '',
		placeholder: 'e.g. Answers questions about orders and returns',
		description: 'What the agent is there for',
	},
	{
		displayName: 'Icon',
		name: 'icon',
		type: 'string',
		default: '',
		description: "The agent's picture, in the form that CometChat takes",
	},
	{
		displayName: 'Instruction',
		name: 'instruction',
		type: 'string',
		typeOptions: { rows: 6 },
		default: '',
		placeholder: 'e.g. Answer briefly, and only from what you know.',
		description: `What the agent is told before each chat, in up to ${LONGEST_INSTRUCTION} characters`,
	},
	{
		displayName: 'Model Name or ID',
		name: 'model',
		type: 'options',
		typeOptions: { loadOptionsMethod: 'getModels' },
		default: '',
		description:
			'The model that answers; CometChat picks one if none is given. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
];

const LONGEST_TEXTS = [
	{ name: 'name', label: "'Name'", longest: LONGEST_AGENT_NAME },
	{ name: 'description', label: "'Description'", longest: Infinity },
	{ name: 'icon', label: "'Icon'", longest: Infinity },
	{ name: 'instruction', label: "'Instruction'", longest: LONGEST_INSTRUCTION },
	{ name: 'model', label: "'Model Name or ID'", longest: Infinity },
] as const;

/**
 * Reads a collection of the fields above: what is not in it is undefined.
 *
 * @param ifEmpty Of a text without content: it counts as not given, or it is an issue.
 */
export function readAgentSettings(
	collection: unknown,
	ifEmpty: 'leave out' | 'refuse',
): AgentSettings {
	const fields = isRecord(collection) ? collection : {};
	const settings: AgentSettings = {};
	for (const { name, label, longest } of LONGEST_TEXTS) {
		if (!(name in fields)) continue;
		const text = readWords(label, fields[name], longest);
		if (text !== '') settings[name] = text;
		else if (ifEmpty === 'refuse') throw emptied(label);
	}
	if (!('isActive' in fields)) return settings;
	const { isActive } = fields;
	if (isActive === '' || isActive === undefined || isActive === null) {
		if (ifEmpty === 'refuse') throw emptied("'Active'");
		return settings;
	}
	const active = readSwitch(isActive, 'Active');
	return { ...settings, isActive: active };
}

function emptied(label: string): UserError {
	return new UserError(
		`${label} is empty`,
		'Give what it is to be, or remove the field: what is not there stays as it is.',
	);
}

/** The name of a new agent, which it has to have. */
export function readName(value: unknown): string {
	return readNeededWords("'Name'", value, LONGEST_AGENT_NAME);
}
