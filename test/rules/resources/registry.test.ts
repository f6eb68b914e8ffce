import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { CometChatApi } from '../../../credentials/CometChatApi.credentials';
import { CometChatKnowledgeBaseTrigger } from '../../../nodes/CometChatKnowledgeBase/CometChatKnowledgeBaseTrigger.node';
import {
	findOperation,
	nodeProperties,
	nodeSubtitle,
	resources,
} from '../../../nodes/CometChatKnowledgeBase/resources/registry';
import { UserError } from '../../../nodes/CometChatKnowledgeBase/text/failure';

const properties = nodeProperties();

const everyOperation = resources.flatMap((resource) =>
	resource.operations.map(
		(operation) => [`${resource.name}: ${operation.name}`, resource, operation] as const,
	),
);

function shownFor(resource: string, operation: string): INodeProperties[] {
	return properties.filter(({ displayOptions }) => {
		const { resource: own = [], operation: operations = [] } = displayOptions?.show ?? {};
		return own.includes(resource) && operations.includes(operation);
	});
}

describe('The registry of operations', () => {
	test('the node opens on the upload of a document', () => {
		const named = (name: string) => properties.filter((property) => property.name === name);
		expect(named('resource')).toMatchObject([{ default: 'document' }]);
		const operation = named('operation').find(
			({ displayOptions }) => displayOptions?.show?.resource?.[0] === 'document',
		);
		expect(operation?.default).toBe('upload');
	});

	test("an agent's files are added and removed under Agent's Knowledge Base", () => {
		expect(findOperation('knowledgeBase', 'add')).toMatchObject({ name: 'Add Files' });
		expect(findOperation('knowledgeBase', 'remove')).toMatchObject({ name: 'Remove Files' });
		const names = shownFor('knowledgeBase', 'add').map(({ name }) => name);
		expect(names).toEqual(expect.arrayContaining(['uid', 'sourceType', 'fileIds', 'options']));
	});

	test.each([
		['knowledgeBase', '__CUSTOM_API_CALL__'],
		['knowledgeBase', undefined],
		// An operation of another resource.
		['knowledgeBase', 'upload'],
		['__proto__', 'add'],
		[undefined, 'add'],
	])('an unknown operation is refused: %p, %p', (resource, operation) => {
		expect(() => findOperation(resource, operation)).toThrow(UserError);
	});

	test("no two operations of a resource have the same value or name, and no two of the node the same action, because n8n's list shows no resource", () => {
		const told = everyOperation.flatMap(([name, resource, { value, action }]) => {
			return [name, `${resource.value}.${value}`, action];
		});
		expect(told).toEqual([...new Set(told)]);
	});

	test.each(everyOperation)(
		'%s shows each field once, in its own order, also as a tool',
		(_, resource, operation) => {
			const shown = shownFor(resource.value, operation.value);
			expect(shown.map(({ name }) => name)).toEqual(operation.fields.map(({ name }) => name));
			for (const when of ['show', 'hide'] as const) {
				const fields = shown.filter(({ displayOptions }) => !displayOptions?.[when]?.['@tool']);
				const names = fields.map(({ name }) => name);
				expect(names).toEqual([...new Set(names)]);
			}
		},
	);

	test('identical fields of a resource are merged, so that the node has half the size', () => {
		const menus = properties.flatMap(({ name, displayOptions }) =>
			name === 'options' ? [displayOptions] : [],
		);
		expect(menus).toContainEqual({
			show: { resource: ['text'], operation: ['upsert', 'create', 'update'] },
		});
		expect(JSON.stringify(properties).length).toBeLessThan(60_000);
	});

	test.each(everyOperation)('%s has no more than six options, by the alphabet', (...row) => {
		const [, , { fields }] = row;
		const [, ...options] = fields.filter(({ name }) => name === 'options').flatMap(withNested);
		const labels = options.map(({ displayName }) => displayName);
		expect(labels).toEqual([...new Set(labels)].sort());
		expect(labels.length).toBeLessThanOrEqual(6);
		expect(fields.filter(({ displayName }) => labels.includes(displayName))).toEqual([]);
	});

	test.each(everyOperation)(
		"%s is described so shortly that n8n's menu shows all of it",
		(...row) => {
			const [, , operation] = row;
			expect(operation.description.length).toBeLessThanOrEqual(100);
		},
	);

	test('the request options are in the Settings tab, for all operations', () => {
		const settings = properties.filter(({ isNodeSetting }) => isNodeSetting);
		const names = settings.flatMap(withNested).map(({ name }) => name);
		expect(names).toEqual(['requestOptions', 'timeout', 'requestsPerMinute']);
		expect(settings[0]?.displayOptions).toBeUndefined();
	});

	test('each field and each of its choices has a description', () => {
		const fields = everyOperation
			.flatMap(([, , operation]) => operation.fields)
			.flatMap(withNested);
		const silent = fields.flatMap((field) => {
			const { displayName, description = '', type } = field;
			const choices = type === 'options' ? choicesOf(field) : [];
			return [
				...(description === '' && !NEED_NO_WORDS.includes(type) ? [displayName] : []),
				...choices.filter((choice) => !choice.description).map(({ name }) => name),
			];
		});
		expect(silent).toEqual([]);
		expect(fields.length).toBeGreaterThan(80);
	});

	test('n8n shows the description of each choice in full: it cuts after two lines', () => {
		const choices = everyOperation
			.flatMap(([, , operation]) => operation.fields.flatMap(withNested))
			.filter(({ type }) => type === 'options')
			.flatMap(choicesOf);
		const cut = choices.filter(({ description = '' }) => description.length > 95);
		expect(cut.map(({ name }) => name)).toEqual([]);
	});

	// Like n8n's own lint rules, which only read the literals in a `.node.ts`.
	test('no hint has more than 120 characters, and no field takes any JSON', () => {
		const { description: trigger } = new CometChatKnowledgeBaseTrigger();
		const { properties: credential } = new CometChatApi();
		const fields = [...properties, ...trigger.properties, ...credential].flatMap(withNested);
		const hints = fields.flatMap(({ hint = [] }) => hint);
		expect(hints.filter((hint) => hint.length > 120)).toEqual([]);
		expect(hints.length).toBeGreaterThan(3);
		expect(fields.map(({ type }) => type)).not.toContain('json');
	});

	test('the name of each operation is shown under the node', () => {
		for (const [, resource, operation] of everyOperation) {
			expect(nodeSubtitle()).toContain(resource.value);
			expect(nodeSubtitle()).toContain(`"${operation.value}":"${operation.name}"`);
		}
	});
});

/** A notice is its own description, and a collection has descriptions in its fields. */
const NEED_NO_WORDS = ['notice', 'collection'];

function withNested(field: INodeProperties): INodeProperties[] {
	const nested = (field.options ?? []).flatMap((part) => ('type' in part ? [part] : []));
	return [field, ...nested.flatMap(withNested)];
}

function choicesOf({ options = [] }: INodeProperties): INodePropertyOptions[] {
	return options.flatMap((part) => ('type' in part || 'values' in part ? [] : [part]));
}
