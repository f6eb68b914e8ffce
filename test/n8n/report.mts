import Table from 'cli-table3';
import type { Service } from '../service/service.js';
import type { Execution } from './execution.mjs';
import { at, fieldsOf, listAt } from './fields.mjs';

export interface Outcome {
	execution: Execution;
	service: Service;
}

/** @param expected As demo.expected.json: the items per node, and the files per agent. */
export function printTables({ execution, service }: Outcome, expected: unknown): void {
	const sent = service.log.filter(({ kind, method }) => kind !== 'arrived' && method === 'PATCH');
	print(
		'What the node sent',
		['#', 'Operation', 'Agent', 'Source type', 'File IDs', 'Status'],
		sent.map(({ operation, uid, sourceType, uniqueIds, status, kind }, index) =>
			[index + 1, operation, uid, sourceType, uniqueIds?.join(', '), status ?? kind].map(String),
		),
	);
	const nodes = Object.keys(fieldsOf(at(expected, 'items')));
	print(
		'What came back, item by item',
		['Node', 'Success', 'Operation', 'Agent', 'File IDs'],
		nodes.flatMap((node) =>
			execution.items(node).map(({ json }) => {
				const { success, operation, uid, error = success } = json;
				return [node, error, operation, uid, listAt(json, 'uniqueIds').join(', ')].map(String);
			}),
		),
	);
	print(
		'What each knowledge base holds now',
		['Agent', 'File IDs'],
		service.agents().map(({ uid }) => [uid, service.files(uid, 'uploads').join(', ')]),
	);
}

/** What is not as it should be, a sentence each. */
export function differences({ execution, service }: Outcome, expected: unknown): string[] {
	const found: string[] = [];
	if (execution.status !== 'success') {
		found.push(`The execution ended with "${execution.status}": ${execution.error}`);
	}
	for (const [node, count] of Object.entries(fieldsOf(at(expected, 'items')))) {
		const succeeded = execution.items(node).filter(({ json }) => json.success === true).length;
		if (succeeded !== count) {
			found.push(`${node}: ${succeeded} items succeeded, ${String(count)} should have.`);
		}
	}
	for (const uid of Object.keys(fieldsOf(at(expected, 'files')))) {
		const held = service.files(uid, 'uploads').sort().join(', ');
		const wanted = listAt(expected, 'files', uid).sort().join(', ');
		if (held !== wanted) found.push(`${uid} holds ${held}; it should hold ${wanted}.`);
	}
	return found;
}

function print(title: string, head: string[], rows: string[][]): void {
	const table = new Table({
		head,
		style: { head: process.stdout.isTTY ? ['bold'] : [], border: [] },
		chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
	});
	table.push(...rows);
	console.log(`\n${title}\n${table.toString()}`);
}
