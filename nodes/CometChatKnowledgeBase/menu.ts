import type { INodeProperties } from 'n8n-workflow';

import { Complaint } from './complaint';
import type { Operation } from './operation';
import { addFiles, removeFiles } from './operations/changeFiles';

/** What the node can do, in the order of the menu. */
const menu: Operation[] = [addFiles, removeFiles];

/** All fields of the node, each shown for the operations that it belongs to. */
export function fieldsOfMenu(): INodeProperties[] {
	const options = menu.map(({ name, value, action, description }) => {
		return { name, value, action, description };
	});
	const operation: INodeProperties = {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		options,
		default: 'add',
	};
	const fields = new Set(menu.flatMap((each) => each.fields));
	return [operation, ...[...fields].map(shownWhereItBelongs)];
}

function shownWhereItBelongs(field: INodeProperties): INodeProperties {
	const { displayOptions = {} } = field;
	const owners = menu.filter(({ fields }) => fields.includes(field));
	const operation = owners.map(({ value }) => value);
	return {
		...field,
		displayOptions: { ...displayOptions, show: { operation, ...displayOptions.show } },
	};
}

/** Under the node's name on the canvas; n8n adds an operation of its own, 'Custom API Call'. */
export function subtitleOfMenu(): string {
	const names = Object.fromEntries(menu.map(({ value, name }) => [value, name]));
	return `={{ (${JSON.stringify(names)})[$parameter["operation"]] ?? "" }}`;
}

/** Finds what a saved workflow names. */
export function operationNamed(value: unknown): Operation | Complaint {
	const found = menu.find((operation) => operation.value === value);
	return (
		found ?? new Complaint("'Operation' is not one that this node has", 'Pick one of the list.')
	);
}
