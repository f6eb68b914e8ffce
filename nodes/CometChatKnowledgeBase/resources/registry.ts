import type { INodeProperties } from 'n8n-workflow';

import { ValidationIssue } from '../values/validationIssue';
import type { Operation } from '../execution/operation';
import { addText } from './file/addText';
import { addFiles, removeFiles } from './knowledgeBase/changeFiles';
import { deleteFiles } from './file/deleteFiles';
import { getManyFiles } from './file/getManyFiles';
import { getStatus } from './file/getStatus';
import { replaceFile } from './knowledgeBase/replaceFile';
import { uploadFiles } from './file/uploadFiles';

/** What the node can do, in the order of the menu. */
export const operations: Operation[] = [
	addFiles,
	removeFiles,
	replaceFile,
	addText,
	deleteFiles,
	getManyFiles,
	getStatus,
	uploadFiles,
];

/** The first is what a workflow means that was saved before there were others. */
const resources = [
	{ name: "Agent's Knowledge Base", value: 'knowledgeBase' },
	{ name: 'File', value: 'file' },
];

/** All fields of the node, each shown for the operations that it belongs to. */
export function nodeProperties(): INodeProperties[] {
	const resource: INodeProperties = {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: [...resources],
		default: 'knowledgeBase',
	};
	const operations = [
		operationField('knowledgeBase', addFiles.value),
		operationField('file', uploadFiles.value),
	];
	return [resource, ...operations, ...inOrder().map(shownWhereItBelongs)];
}

/** All fields once, each behind those that any operation puts before it. */
function inOrder(): INodeProperties[] {
	const placed: INodeProperties[] = [];
	const left = new Set(operations.flatMap(({ fields }) => fields));
	const isNext = (field: INodeProperties) =>
		operations.every(({ fields }) => {
			const before = fields.includes(field) ? fields.slice(0, fields.indexOf(field)) : [];
			return before.every((other) => placed.includes(other));
		});
	while (left.size > 0) {
		const next = [...left].find(isNext) ?? [...left][0];
		if (next === undefined) break;
		placed.push(next);
		left.delete(next);
	}
	return placed;
}

function operationField(resource: Operation['resource'], first: string): INodeProperties {
	const lines = operations.filter((operation) => operation.resource === resource);
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: lines.map(({ name, value, action, description }) => {
			return { name, value, action, description };
		}),
		default: first,
	};
}

function shownWhereItBelongs(field: INodeProperties): INodeProperties {
	const { displayOptions = {} } = field;
	const owners = operations.filter(({ fields }) => fields.includes(field));
	const show = {
		resource: [...new Set(owners.map(({ resource }) => resource))],
		operation: owners.map(({ value }) => value),
		...displayOptions.show,
	};
	return { ...field, displayOptions: { ...displayOptions, show } };
}

/** Under the node's name on the canvas; n8n adds an operation of its own, 'Custom API Call'. */
export function nodeSubtitle(): string {
	const names = Object.fromEntries(operations.map(({ value, name }) => [value, name]));
	return `={{ (${JSON.stringify(names)})[$parameter["operation"]] ?? "" }}`;
}

/** Finds what a saved workflow names. */
export function findOperation(value: unknown): Operation | ValidationIssue {
	const found = operations.find((operation) => operation.value === value);
	return (
		found ??
		new ValidationIssue("'Operation' is not one that this node has", 'Pick one of the list.')
	);
}
