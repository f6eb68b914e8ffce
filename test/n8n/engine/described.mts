import {
	isINodeProperties,
	isINodePropertyCollection,
	NodeHelpers,
	type INode,
	type INodeProperties,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { at, fieldsOf, textAt } from '../fields.mjs';

/** What n8n's description of a node says of one that somebody has filled in. */
export interface Found {
	/** What n8n does not have in that version: the node, a credential, a field, a choice. */
	strange: string[];
	/** The labels of the fields that n8n shows in red. */
	red: string[];
}

interface Comparison extends Found {
	/** With the defaults of all that is not written. */
	node: INode;
	description: INodeTypeDescription;
}

/** @param types All that n8n has loaded; see `N8nRest.nodeDescriptions`. */
export function compareNode(written: unknown, types: unknown[]): Found {
	const name = textAt(written, 'name');
	const type = textAt(written, 'type');
	const version = at(written, 'typeVersion');
	const description = types.filter(isDescription).find((each) => {
		return each.name === type && [each.version].flat().some((one) => one === version);
	});
	if (!isNode(written) || description === undefined) {
		return { strange: [`n8n has no ${type} in version ${String(version)}`], red: [] };
	}
	const { properties, credentials = [] } = description;
	const parameters =
		NodeHelpers.getNodeParameters(
			properties,
			written.parameters,
			true,
			false,
			written,
			description,
		) ?? {};
	const node = { ...written, parameters };
	const comparison: Comparison = { node, description, strange: [], red: [] };
	const used = Object.keys(written.credentials ?? {});
	const known = credentials.map((each) => each.name);
	expectIn(comparison, known, used, 'credentials');
	for (const property of properties) lookForRed(comparison, property, '');
	compareFields(comparison, properties, written.parameters, '');
	return { ...comparison, strange: comparison.strange.map((each) => `${name}: ${each}`) };
}

/** @param place Of these fields within the node's; empty for its own. */
function compareFields(
	comparison: Comparison,
	properties: INodeProperties[],
	written: object,
	place: string,
): void {
	const { node, description, strange } = comparison;
	for (const [name, value] of Object.entries(written)) {
		const path = place === '' ? name : `${place}.${name}`;
		const property = properties.find((each) => {
			const { parameters } = node;
			const isShown = () =>
				NodeHelpers.displayParameterPath(parameters, each, place, node, description);
			return each.name === name && isShown();
		});
		if (property === undefined) {
			strange.push(`there is no ${path}`);
			continue;
		}
		if (place !== '') lookForRed(comparison, property, place);
		const isExpression = typeof value === 'string' && value.startsWith('=');
		if (!isExpression) compareValue(comparison, property, value, path);
	}
}

function compareValue(
	comparison: Comparison,
	{ type, options = [], modes = [] }: INodeProperties,
	value: unknown,
	path: string,
): void {
	switch (type) {
		case 'collection':
			compareFields(comparison, options.filter(isINodeProperties), fieldsOf(value), path);
			return;
		case 'fixedCollection':
			for (const [name, entries] of Object.entries(fieldsOf(value))) {
				const group = options.filter(isINodePropertyCollection).find((each) => each.name === name);
				for (const [index, entry] of [entries].flat().entries()) {
					const place = `${path}.${name}${Array.isArray(entries) ? `[${index}]` : ''}`;
					compareFields(comparison, group?.values ?? [], fieldsOf(entry), place);
				}
			}
			return;
		case 'options':
		case 'multiOptions': {
			const choices = options.flatMap((option) => ('value' in option ? [option.value] : []));
			// Where there are none, n8n asks a service for them.
			if (choices.length > 0) expectIn(comparison, choices, [value].flat(), path);
			return;
		}
		case 'resourceLocator': {
			const names = modes.map((mode) => mode.name);
			expectIn(comparison, names, [at(value, 'mode')], path);
		}
	}
}

/** As n8n's editor asks for each field that it shows. */
function lookForRed({ node, description, red }: Comparison, field: INodeProperties, place: string) {
	const { parameters } = NodeHelpers.getParameterIssues(
		field,
		node.parameters,
		place,
		node,
		description,
	);
	if (parameters !== undefined) red.push(field.displayName);
}

function expectIn({ strange }: Comparison, known: unknown[], used: unknown[], path: string): void {
	for (const each of used)
		if (!known.includes(each)) strange.push(`${path} has no ${String(each)}`);
}

function isDescription(value: unknown): value is INodeTypeDescription {
	return Array.isArray(at(value, 'properties')) && at(value, 'version') !== undefined;
}

function isNode(value: unknown): value is INode {
	return textAt(value, 'type') !== '' && typeof at(value, 'typeVersion') === 'number';
}
