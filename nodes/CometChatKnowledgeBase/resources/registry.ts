import type { INodeProperties } from 'n8n-workflow';

import type { Operation } from '../execution/operation';
import { requestOptionsField } from '../input/fields';
import { UserError } from '../values/failure';
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
import { replaceFile } from './knowledgeBase/replaceFile';
import { syncFiles } from './knowledgeBase/sync/syncFiles';
import { createText } from './text/createText';
import { getText } from './text/getText';
import { updateText } from './text/updateText';
import { upsertText } from './text/upsertText';
import { crawlWebsite } from './website/crawlWebsite';
import { getPages } from './website/getPages';
import { retryPages } from './website/retryPages';

/** What the node can work on, and its operations. */
interface Resource {
	/** How saved workflows name it. */
	value: string;
	/** In the node's 'Resource' field. */
	name: string;
	/** In the order of the node's 'Operation' field. */
	operations: Operation[];
	/** The one that is set when the user picks the resource. */
	initial: Operation;
}

/**
 * What the node can do, in the order of n8n's list of actions, and not by the alphabet: someone with a file finds the
 * way first. Texts and websites have what they alone have; the rest of their life is that of any document.
 */
export const resources: Resource[] = [
	{
		value: 'document',
		name: 'Document',
		operations: [
			...[uploadDocuments, getManyDocuments, getContent, getStatus],
			...[retryIndexing, deleteDocuments],
		],
		initial: uploadDocuments,
	},
	{
		value: 'knowledgeBase',
		name: "Agent's Knowledge Base",
		operations: [addFiles, removeFiles, replaceFile, syncFiles, getKnowledge],
		initial: addFiles,
	},
	{
		value: 'text',
		name: 'Text',
		operations: [upsertText, createText, getText, updateText],
		initial: upsertText,
	},
	{
		value: 'website',
		name: 'Website',
		operations: [crawlWebsite, getPages, retryPages],
		initial: crawlWebsite,
	},
	{
		value: 'agent',
		name: 'Agent',
		operations: [askAgent, createAgent, deleteAgent, getAgent, getManyAgents, updateAgent],
		initial: getAgent,
	},
];

/** All fields of the node, each shown for the operations that it belongs to. */
export function nodeProperties(): INodeProperties[] {
	const resource: INodeProperties = {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map(({ name, value }) => ({ name, value })),
		// What most begin with, by hand or as a tool.
		default: 'document',
	};
	return [resource, ...resources.map(operationField), ...operationFields(), requestOptionsField];
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

/** An operation, and the resource that it is of. */
interface Owner {
	resource: string;
	operation: string;
	fields: INodeProperties[];
}

/** The fields of all operations. Those that are alike in every word are one, whatever they belong to. */
function operationFields(): INodeProperties[] {
	const known = new Map<string, INodeProperties>();
	const oneOf = (field: INodeProperties) => {
		const words = JSON.stringify(field);
		const same = known.get(words) ?? field;
		known.set(words, same);
		return same;
	};
	const all = resources.flatMap(({ value: resource, operations }) =>
		operations.map(({ value: operation, fields }): Owner => {
			return { resource, operation, fields: fields.map(oneOf) };
		}),
	);
	return inOrder(all).flatMap((field) => {
		const { displayOptions = {} } = field;
		return groupsOf(field, all).map((owners) => {
			const show = { ...namesOf(owners), ...displayOptions.show };
			return { ...field, displayOptions: { ...displayOptions, show } };
		});
	});
}

function namesOf(owners: Owner[]) {
	return {
		resource: [...new Set(owners.map(({ resource }) => resource))],
		operation: [...new Set(owners.map(({ operation }) => operation))],
	};
}

/**
 * Those that have a field, in groups: n8n shows it where both resource and operation are among those that it names, which
 * must be no operation beside the group.
 */
function groupsOf(field: INodeProperties, all: Owner[]): Owner[][] {
	const groups: Owner[][] = [];
	for (const owner of all.filter(({ fields }) => fields.includes(field))) {
		const group = groups.find((one) => areShown([...one, owner], all));
		if (group === undefined) groups.push([owner]);
		else group.push(owner);
	}
	return groups;
}

/** Whether their names, crossed, are these operations and no others. */
function areShown(owners: Owner[], all: Owner[]): boolean {
	const names = namesOf(owners);
	const isNamed = ({ resource, operation }: Owner) =>
		names.resource.includes(resource) && names.operation.includes(operation);
	return all.filter(isNamed).length === owners.length;
}

/** All fields once, each behind those that any operation puts before it. */
function inOrder(owners: Owner[]): INodeProperties[] {
	const placed: INodeProperties[] = [];
	const waiting = new Set(owners.flatMap(({ fields }) => fields));
	const isNext = (field: INodeProperties) =>
		owners.every(({ fields }) => {
			const before = fields.includes(field) ? fields.slice(0, fields.indexOf(field)) : [];
			return before.every((other) => placed.includes(other));
		});
	while (waiting.size > 0) {
		const next = [...waiting].find(isNext) ?? [...waiting][0];
		if (next === undefined) break;
		placed.push(next);
		waiting.delete(next);
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
	const found = resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
	if (found !== undefined) return found;
	throw new UserError(
		"'Resource' and 'Operation' name nothing that this node can do",
		'Pick both from their lists.',
	);
}
