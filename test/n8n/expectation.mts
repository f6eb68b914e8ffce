import assert from 'node:assert/strict';
import type { Service } from '../service/service.js';
import type { Execution } from './execution.mjs';
import { at, fieldsOf, listAt, type Fields } from './fields.mjs';

/**
 * Compares an execution with the `.expected.json` next to its workflow, which contains all or some of:
 *
 * - `status`: the execution's, 'success' if left out; `error`: a part of its error
 * - `sent`: for each agent, in order, 'add uploads a,b'; an agent that is left out got no document
 * - `files`: for each agent and source type, the sorted IDs of its documents
 * - `texts`: the content of each text entry of the account, by its title; of several, the newest
 * - `output`: for each node and each of its outputs, the JSON of its items
 *
 * `{ "contains": ["…"] }` means any text that contains all of these.
 */
export function assertAsExpected(execution: Execution, service: Service, written: unknown): void {
	const expected: Fields = { status: 'success', error: '', ...fieldsOf(written) };
	const { error, description } = execution;
	const all: Fields = {
		status: execution.status,
		error: error === '' ? '' : `${error}. ${description}`,
		sent: sentByAgent(service),
		texts: textsByTitle(service),
		files: mapFields(expected.files, (sources, uid) =>
			mapFields(sources, (_, sourceType) => service.files(uid, sourceType).sort()),
		),
		output: mapFields(expected.output, (outputs, node) =>
			listAt({ outputs }, 'outputs').map((_, index) => jsonOf(execution, node, index)),
		),
	};
	const found = mapFields(expected, (_, name) => all[name]);
	assert.deepEqual(found, fitted(expected, found));
}

export function assertSucceeded({ status, error, description }: Execution): void {
	assert.equal(status, 'success', `${status}: ${error}. ${description}`);
}

/** Returns the changes of each agent, in order, as 'add uploads a,b'. */
export function sentByAgent(service: Service): Record<string, string[]> {
	const sent: Record<string, string[]> = {};
	for (const { uid = '?', operation, sourceType, uniqueIds } of service.requests()) {
		(sent[uid] ??= []).push(`${operation} ${sourceType} ${uniqueIds?.join()}`);
	}
	return sent;
}

/** Returns the expectation, with the found text in place of each accepted `contains`. */
function fitted(expected: unknown, found: unknown): unknown {
	if (Array.isArray(expected)) {
		return expected.map((entry, index) => fitted(entry, listAt({ found }, 'found')[index]));
	}
	if (typeof expected !== 'object' || expected === null) return expected;
	const parts = listAt(expected, 'contains');
	const isFitting =
		typeof found === 'string' && parts.every((part) => found.includes(String(part)));
	if (parts.length > 0) return isFitting ? found : expected;
	return mapFields(expected, (value, name) => fitted(value, at(found, name)));
}

function jsonOf(execution: Execution, node: string, output: number): Fields[] {
	return execution.items(node, output).map(({ json }) => json);
}

function textsByTitle(service: Service): Fields {
	// Newest first.
	const records = service.records().reverse();
	const texts = records.flatMap(({ sourceName = '?', uniqueId }) => {
		const text = service.text(uniqueId);
		return text === undefined ? [] : [[sourceName, text] as const];
	});
	return Object.fromEntries(texts);
}

function mapFields(fields: unknown, map: (value: unknown, name: string) => unknown): Fields {
	const entries = Object.entries(fieldsOf(fields));
	return Object.fromEntries(entries.map(([name, value]) => [name, map(value, name)]));
}
