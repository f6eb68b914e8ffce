import type { INodeProperties } from 'n8n-workflow';

import type { Operation, Resource } from '../execution/operation';
import { optionsField } from '../input/field';
import { requestOptionsField } from '../input/fields';
import { UserError } from '../values/userError';
import { agent } from './agent';
import { document } from './document';
import { knowledgeBase } from './knowledgeBase';
import { text } from './text';
import { website } from './website';

/** What the node can do, in the order of n8n's list of actions: someone with a file finds the way first. */
export const resources: Resource[] = [document, knowledgeBase, text, website, agent].map((one) => {
	return { ...one, operations: one.operations.map(withOptions) };
});

function withOptions(operation: Operation): Operation {
	const { fields, options } = operation;
	return options ? { ...operation, fields: [...fields, optionsField(options)] } : operation;
}

/** All fields of the node, each shown for the operations that it belongs to. */
export function nodeProperties(): INodeProperties[] {
	// What most begin with, by hand or as a tool. A name of its own: n8n's lint takes a member for a
	// missing default.
	const { value: defaultResource } = document;
	const resource: INodeProperties = {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map(({ name, value }) => ({ name, value })),
		default: defaultResource,
	};
	return [
		resource,
		...resources.map(operationField),
		...resources.flatMap(resourceFields),
		requestOptionsField,
	];
}

function operationField({ value: resource, operations, initial }: Resource): INodeProperties {
	const { value: defaultOperation } = initial;
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: operations.map(({ name, value, action, description }) => {
			return { name, value, action, description };
		}),
		default: defaultOperation,
	};
}

/** The fields of a resource, each once. */
function resourceFields({ value: resource, operations }: Resource): INodeProperties[] {
	return inOrder(operations).map((field) => {
		const { displayOptions = {} } = field;
		const owners = operations.filter(({ fields }) => fields.includes(field));
		const show = {
			resource: [resource],
			operation: owners.map(({ value }) => value),
			...displayOptions.show,
		};
		return { ...field, displayOptions: { ...displayOptions, show } };
	});
}

/** All fields once, each behind those that any operation puts before it. */
function inOrder(operations: Operation[]): INodeProperties[] {
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

/** Under the node's name on the canvas; n8n adds an operation of its own, 'Custom API Call'. */
export function nodeSubtitle(): string {
	const names = Object.fromEntries(
		resources.map(({ value, operations }) => [
			value,
			Object.fromEntries(operations.map((operation) => [operation.value, operation.name])),
		]),
	);
	return `={{ (${JSON.stringify(names)})[$parameter["resource"]]?.[$parameter["operation"]] ?? "" }}`;
}

/** Finds what a saved workflow names. */
export function findOperation(resource: unknown, operation: unknown): Operation {
	const found = resources.find(({ value }) => value === resource);
	if (found === undefined) {
		throw new UserError("'Resource' is not one that this node has", 'Pick one of the list.');
	}
	const wanted = found.operations.find(({ value }) => value === operation);
	if (wanted === undefined) {
		throw new UserError("'Operation' is not one that this node has", 'Pick one of the list.');
	}
	return wanted;
}
