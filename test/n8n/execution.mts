import { parse } from 'flatted';
import { at, fieldsOf, listAt, textAt, type Fields } from './fields.mjs';

export interface Execution {
	id: string;
	/** `success`, `error`, `canceled`, `running`, … */
	status: string;
	/** The message of the error that ended it; empty without an error. */
	error: string;
	description: string;
	/** Returns the output of a node: at its regular output (0), or at another, such as its error output (1). */
	items(node: string, output?: number): Item[];
}

export interface Item {
	json: Fields;
	pairedItem: unknown;
}

/** Reads n8n's response to GET /rest/executions/:id, whose `data` is a flatted text. */
export function readExecution(answer: unknown): Execution {
	const text = textAt(answer, 'data');
	const result: unknown = text === '' ? {} : at(parse(text), 'resultData');
	const runs = (node: string) => listAt(result, 'runData', node);
	return {
		id: String(at(answer, 'id')),
		status: textAt(answer, 'status'),
		error: textAt(result, 'error', 'message'),
		description: textAt(result, 'error', 'description'),
		items: (node, output = 0) =>
			runs(node).flatMap((run) => {
				const items = listAt(run, 'data', 'main')[output];
				return Array.isArray(items) ? items.map(readItem) : [];
			}),
	};
}

function readItem(item: unknown): Item {
	return { json: fieldsOf(at(item, 'json')), pairedItem: at(item, 'pairedItem') };
}
