import { isDeepStrictEqual } from 'node:util';
import type { Service } from '../service/service.js';
import type { Execution } from './execution.mjs';
import { at, fieldsOf, listAt, type Fields } from './fields.mjs';
import { assertHolds } from './prove.mjs';

/** What one run has left behind. */
export interface Seen {
	execution: Execution;
	service: Service;
}

/**
 * Compares a run with the `.expected.json` beside its workflow, which says all or some of:
 *
 * - `status`: the execution's, 'success' if left out; `error`: what its error says
 * - `sent`: for each agent, in order, 'add uploads a,b'; an agent that is left out got nothing
 * - `files`: for each agent, for each source type, the IDs that it holds, sorted
 * - `texts`: what each text of the account says, by its title
 * - `output`: for each node, for each of its outputs, the JSON of its items
 *
 * `{ "contains": ["…"] }` stands for any text that holds all of these.
 */
export function assertAsExpected({ execution, service }: Seen, expected: unknown): void {
	const { status = 'success', error, sent, files, texts, output } = fieldsOf(expected);
	const found = [
		...differences(execution.status, status, 'The execution'),
		...(error === undefined
			? differences(execution.error, '', 'Its error')
			: differences(`${execution.error}. ${execution.description}`, error, 'Its error')),
		...(sent === undefined ? [] : differences(sentByAgent(service), sent, 'What was sent')),
		...(texts === undefined ? [] : differences(textsByTitle(service), texts, 'The texts')),
	];
	for (const [uid, sources] of Object.entries(fieldsOf(files))) {
		for (const sourceType of Object.keys(fieldsOf(sources))) {
			const held = service.files(uid, sourceType).sort();
			found.push(...differences(held, at(sources, sourceType), `${sourceType} of ${uid}`));
		}
	}
	for (const [node, outputs] of Object.entries(fieldsOf(output))) {
		listAt(output, node).forEach((items, index) => {
			const putOut = execution.items(node, index).map(({ json }) => json);
			found.push(...differences(putOut, items, `Output ${index} of ${node}`));
		});
		if (!Array.isArray(outputs)) found.push(`${node}: its outputs must be a list.`);
	}
	assertHolds(found.length === 0, found.join('\n'));
}

export function assertSucceeded({ status, error, description }: Execution): void {
	assertHolds(status === 'success', `${status}: ${error}. ${description}`);
}

/** For each agent, in order, 'add uploads a,b'. */
export function sentByAgent(service: Service): Record<string, string[]> {
	const sent: Record<string, string[]> = {};
	for (const { uid = '?', operation, sourceType, uniqueIds } of service.requests()) {
		(sent[uid] ??= []).push(`${operation} ${sourceType} ${uniqueIds?.join()}`);
	}
	return sent;
}

function textsByTitle(service: Service): Fields {
	const texts = service.records().flatMap(({ sourceName = '?', uniqueId }) => {
		const text = service.text(uniqueId);
		return text === undefined ? [] : [[sourceName, text] as const];
	});
	return Object.fromEntries(texts);
}

function differences(value: unknown, expected: unknown, where: string): string[] {
	if (Array.isArray(value) && Array.isArray(expected) && value.length === expected.length) {
		return value.flatMap((entry, index) =>
			differences(entry, listAt({ expected }, 'expected')[index], `${where}[${index}]`),
		);
	}
	if (isObject(value) && isObject(expected)) {
		const parts = listAt(expected, 'contains');
		if (parts.length > 0) return [`${where} is no text: ${JSON.stringify(value)}`];
		const names = new Set([...Object.keys(value), ...Object.keys(expected)]);
		return [...names].flatMap((name) =>
			differences(at(value, name), at(expected, name), `${where}.${name}`),
		);
	}
	if (typeof value === 'string' && isObject(expected)) {
		const missing = listAt(expected, 'contains').filter((part) => !value.includes(String(part)));
		return missing.length === 0 && listAt(expected, 'contains').length > 0
			? []
			: [`${where} lacks ${JSON.stringify(missing)}: ${value}`];
	}
	if (isDeepStrictEqual(value, expected)) return [];
	return [`${where} is ${JSON.stringify(value)}; it should be ${JSON.stringify(expected)}`];
}

function isObject(value: unknown): value is object {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
