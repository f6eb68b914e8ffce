import type { INodeProperties } from 'n8n-workflow';

import type { OutputName } from '../output/outputFields';
import type { Fields } from '../output/itemResult';
import { UserError } from '../text/failure';
import type { FieldGroup } from './field';
import { choiceField, switchField } from './field';

/** Reduces an object of CometChat to the fields that the user chose. */
export type RowShape = <Row extends Fields>(row: Row, simplified: (row: Row) => Fields) => Fields;

const simplify = switchField({
	displayName: 'Simplify',
	name: 'simple',
	type: 'boolean',
	default: true,
	displayOptions: { hide: { '@tool': [true] } },
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

/** A tool has this field instead of 'Simplify', because each field costs the agent tokens. */
const output = choiceField({
	displayName: 'Output',
	name: 'toolOutput',
	type: 'options',
	displayOptions: { show: { '@tool': [true] } },
	options: [
		{
			name: 'Simplified',
			value: 'simplified',
			description: 'The most important fields of the response',
		},
		{ name: 'Raw', value: 'raw', description: 'All fields of the response' },
		{
			name: 'Selected Fields',
			value: 'selected',
			description: "Only the fields in 'Fields', to save tokens",
		},
	],
	default: 'simplified',
	description: 'The amount of data to return to the AI agent',
});

/** @param names The fields of the simplified response, from which the user of a tool selects. */
export function rowShape(names: OutputName[]): FieldGroup<RowShape> {
	const selected: INodeProperties = {
		displayName: 'Fields',
		name: 'toolFields',
		type: 'multiOptions',
		displayOptions: { show: { '@tool': [true], toolOutput: ['selected'] } },
		options: names.map((name) => ({ name, value: name })),
		default: [],
		description: 'The fields to return to the AI agent',
	};
	return {
		properties: [simplify.property, output.property, selected],
		read: (item) => {
			const choice = output.read(item.value('toolOutput'));
			if (choice === 'selected') return selectFields(item.value('toolFields'), names);
			const isSimple = simplify.read(item.value('simple'));
			return (row, simplified) => (isSimple && choice !== 'raw' ? simplified(row) : row);
		},
	};
}

function selectFields(chosen: unknown, names: OutputName[]): RowShape {
	const kept = names.filter((name) => Array.isArray(chosen) && chosen.includes(name));
	if (kept.length === 0)
		throw new UserError("'Fields' is empty", "Choose at least one field in 'Fields'.");
	return (row, simplified) => {
		const fields = Object.entries(simplified(row));
		return Object.fromEntries(fields.filter(([name]) => kept.some((one) => one === name)));
	};
}
