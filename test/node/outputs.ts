import type { IDataObject } from 'n8n-workflow';

import { findOperation } from '../../nodes/CometChatKnowledgeBase/resources/registry';
import type { OutputName } from '../../nodes/CometChatKnowledgeBase/output/outputFields';
import { OUTPUT_FIELDS } from '../../nodes/CometChatKnowledgeBase/output/outputFields';

/** Checks the output of every execution: an operation only returns its fields, in the types that n8n's panel shows. */
export function holdOutputs(parameters: IDataObject, rows: IDataObject[]): void {
	const { resource, operation, simple = true, toolOutput } = parameters;
	const found = findOperation(resource, operation);
	if (simple !== true || toolOutput === 'raw') return;
	for (const row of rows) {
		const told = row.error ? OUTPUT_NAMES : found.output;
		const wrong = Object.entries(row).filter(([name, value]) => !fits(told, name, value));
		if (wrong.length === 0) continue;
		const shown = wrong.map(([name, value]) => `${name} = ${JSON.stringify(value)}`).join(', ');
		throw new Error(`${String(resource)}.${operation} does not say that it gives ${shown}`);
	}
}

const isName = (name: string): name is OutputName => Object.hasOwn(OUTPUT_FIELDS, name);
const OUTPUT_NAMES = Object.keys(OUTPUT_FIELDS).filter(isName);

const kindOf = (value: unknown) => (Array.isArray(value) ? 'array' : typeof value);

function fits(output: OutputName[] = [], name: string, value: unknown): boolean {
	if (name === 'error') return true;
	const known = output.find((one) => one === name);
	if (known === undefined) return false;
	return value === null || kindOf(value) === kindOf(OUTPUT_FIELDS[known].example);
}
