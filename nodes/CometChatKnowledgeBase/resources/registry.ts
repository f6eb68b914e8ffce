import type { INodeProperties } from 'n8n-workflow';

import type { Operation } from '../operations/operation';
import { requestOptionsField } from '../fields/fields';
import { UserError } from '../text/failure';
import { askAgent } from './agent/askAgent';
import { createAgent } from './agent/createAgent';
import { deleteAgent } from './agent/deleteAgent';
import { getAgent } from './agent/getAgent';
import { getManyAgents } from './agent/getManyAgents';
import { updateAgent } from './agent/updateAgent';
import { deleteDocuments } from './document/deleteDocuments';
import { getContent } from './document/getContent';
import { getManyDocuments } from './document/getManyDocuments';
import { getStatus } from './document/getStatus';
import { retryIndexing } from './document/retryIndexing';
import { uploadDocuments } from './document/uploadDocuments';
import { addFiles, removeFiles } from './knowledgeBase/changeFiles';
import { getKnowledge } from './knowledgeBase/getKnowledge';
import { syncFiles } from './knowledgeBase/sync/syncFiles';
import { createText } from './text/createText';
import { getText } from './text/getText';
import { updateText } from './text/updateText';
import { upsertText } from './text/upsertText';
import { crawlWebsite } from './website/crawlWebsite';
import { getPages } from './website/getPages';

/** A resource of the node, and its operations. */
interface Resource {
	/** The value in saved workflows. */
	value: string;
	/** The label in the node's 'Resource' field. */
	name: string;
	/** In the order of the node's 'Operation' field, beginning with the default. */
	operations: [Operation, ...Operation[]];
}

/**
 * The node's resources in the order of n8n's list of actions: first the operations for a file, which most users need.
 * Texts and websites only have operations of their own; `document` has the operations of all documents.
 */
export const resources: Resource[] = [
	{
		value: 'document',
		name: 'Document',
		operations: [
			uploadDocuments,
			...[getManyDocuments, getContent, getStatus, retryIndexing, deleteDocuments],
		],
	},
	{
		value: 'knowledgeBase',
		name: "Agent's Knowledge Base",
		operations: [addFiles, removeFiles, syncFiles, getKnowledge],
	},
	{
		value: 'text',
		name: 'Text Entry',
		operations: [upsertText, createText, getText, updateText],
	},
	{
		value: 'website',
		name: 'Website',
		operations: [crawlWebsite, getPages],
	},
	{
		value: 'agent',
		name: 'Agent',
		operations: [askAgent, createAgent, deleteAgent, getAgent, getManyAgents, updateAgent],
	},
];

/** Returns all fields of the node. */
export function nodeProperties(): INodeProperties[] {
	const resource: INodeProperties = {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map(({ name, value }) => ({ name, value })),
		// The resource that most users need first, in a workflow and in a tool.
		default: 'document',
	};
	return [resource, ...resources.map(operationField), ...operationFields(), requestOptionsField];
}

function operationField({ value: resource, operations }: Resource): INodeProperties {
	const [{ value: initial }] = operations;
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: operations.map(({ name, value, action, description }) => {
			return { name, value, action, description };
		}),
		default: initial,
	};
}

/** Returns the fields of all operations, each shown for its operations. */
function operationFields(): INodeProperties[] {
	return resources.flatMap(({ value, operations }) =>
		fieldsOf(operations).map(({ field: { displayOptions = {}, ...field }, owners }) => {
			const show = { resource: [value], operation: owners, ...displayOptions.show };
			return { ...field, displayOptions: { ...displayOptions, show } };
		}),
	);
}

/** Returns the fields of a resource's operations. Identical fields are merged, if the order of each operation stays. */
function fieldsOf(operations: Operation[]) {
	const all: Array<{ words: string; field: INodeProperties; owners: string[] }> = [];
	for (const { value, fields } of operations) {
		let next = 0;
		for (const field of fields) {
			const words = JSON.stringify(field);
			const index = all.findIndex((one, at) => at >= next && one.words === words);
			if (index === -1) all.splice(next, 0, { words, field, owners: [value] });
			else all[index]?.owners.push(value);
			next = Math.max(index, next) + 1;
		}
	}
	return all;
}

/** Returns the text under the node's name on the canvas; empty for n8n's own operation 'Custom API Call'. */
export function nodeSubtitle(): string {
	const names = Object.fromEntries(
		resources.map(({ value, operations }) => [
			value,
			Object.fromEntries(operations.map((operation) => [operation.value, operation.name])),
		]),
	);
	return `={{ (${JSON.stringify(names)})[$parameter["resource"]]?.[$parameter["operation"]] ?? "" }}`;
}

/** Finds the operation of a saved workflow. */
export function findOperation(resource: unknown, operation: unknown): Operation {
	const found = resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
	if (found !== undefined) return found;
	throw new UserError(
		"This node has no such combination of 'Resource' and 'Operation'",
		"Choose 'Resource' and 'Operation' from the lists.",
	);
}
