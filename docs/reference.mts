/** `npx tsx docs/reference.mts` writes reference.md from the node; `--check` fails if that would change the page. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import { format, resolveConfig } from 'prettier';

import type { Operation } from '../nodes/CometChatKnowledgeBase/operations/operation.js';
import { requestOptionsField } from '../nodes/CometChatKnowledgeBase/fields/fields.js';
import { resources } from '../nodes/CometChatKnowledgeBase/resources/registry.js';
import { OUTPUT_FIELDS } from '../nodes/CometChatKnowledgeBase/output/outputFields.js';
import { triggerFields } from '../nodes/CometChatKnowledgeBase/trigger/fields.js';
import { ABOUT_SETTINGS, CONTENTS, MORE, OPENING, PICTURES, TRIGGER } from './reference.words.mjs';

/** Fields whose default is only used once they are added. */
const ONLY_ONCE_ADDED = ['maxCharacters'];

const all = resources.flatMap(({ name, value, operations }) =>
	operations.map((operation) => ({
		title: `${name}: ${operation.name}`,
		key: `${value}.${operation.value}`,
		operation,
	})),
);
const unused = Object.keys(MORE).filter((key) => !all.some((one) => one.key === key));
if (unused.length > 0) throw new Error(`No operation is called ${unused.join(', ')}.`);

/** The titles of the operations with a field, by the text about the field. */
const owners = new Map<string, { field: INodeProperties; titles: string[] }>();
for (const { title, operation } of all)
	for (const field of operation.fields.flatMap((one) => [one, ...membersOf(one)]))
		if (field.type !== 'collection') {
			const { titles = [] } = owners.get(describe(field)) ?? {};
			owners.set(describe(field), { field, titles: [...titles, title] });
		}

const page = join(import.meta.dirname, 'reference.md');
const options = { ...(await resolveConfig(page)), parser: 'markdown' };
const text = await format([...paragraphs()].join('\n\n'), options);
if (!process.argv.includes('--check')) writeFileSync(page, text);
else if (readFileSync(page, 'utf8') !== text) {
	console.error('✗ docs/reference.md is not what the node shows: npx tsx docs/reference.mts');
	process.exitCode = 1;
}

function* paragraphs() {
	yield OPENING;
	for (const { name, operations } of resources) {
		const links = operations.map((one) => `[${one.name}](#${anchorOf(`${name} ${one.name}`)})`);
		yield `**${name}:** ${links.join(', ')}`;
	}
	yield CONTENTS;
	yield '## Fields of several operations';
	yield describeShared();
	for (const { name, value } of resources) {
		yield `## ${name}\n\n${PICTURES[value] ?? ''}`;
		for (const one of all) if (one.key.startsWith(`${value}.`)) yield* section(one);
	}
	yield '## CometChat Knowledge Base Trigger';
	yield* [TRIGGER.starts, linesOf(triggerFields), TRIGGER.gives];
	yield '## Output fields';
	yield table(Object.entries(OUTPUT_FIELDS).map(([name, { says }]) => [`\`${name}\``, says]));
	yield `## Settings of every operation\n\n${ABOUT_SETTINGS}`;
	yield linesOf(membersOf(requestOptionsField));
}

function* section({ title, key, operation }: (typeof all)[number]) {
	const { fields, action, description, output }: Operation = operation;
	yield `### ${title}`;
	yield `${sentence(description)} In n8n's list of actions: _${action}_.`;
	yield linesOf(fields);
	const names = output.map((name) => `\`${name}\``).join(', ');
	yield `**Returns** ${names}. ${MORE[key] ?? ''}`.trim();
}

/** Returns a line for each field, and one line with links to the fields of several operations. */
function linesOf(fields: INodeProperties[]): string {
	const shared = fields.filter((one) => countOf(one) > 1);
	const links = shared.map((field) => {
		const condition = conditionOf(field, fields);
		const link = `[${field.displayName}](#fields-of-several-operations)`;
		return condition === '' ? link : `${link} (${condition})`;
	});
	const own = fields.filter((field) => countOf(field) === 1 && field.type !== 'notice');
	const lines = own.flatMap((field) => {
		const members = linesOf(membersOf(field));
		if (field.type === 'collection' && members === '') return [];
		return [`${describe(field, conditionOf(field, fields))}\n${members}`.trim()];
	});
	return bullets([links.join(', '), ...lines].filter(Boolean));
}

/** Returns the fields of several operations by name. Fields with one name and few operations name the operations. */
function describeShared(): string {
	const meant = [...owners].filter(([, { titles }]) => titles.length > 1);
	const lines = meant.map(([, { field, titles }]) => {
		const isOfTool = Object.keys(field.displayOptions?.show ?? {}).join() === '@tool';
		const line = describe(field, isOfTool ? conditionOf(field, []) : '');
		const alike = meant.filter(([, other]) => other.field.displayName === field.displayName);
		const label = `**${field.displayName}**`;
		if (alike.length === 1 || titles.length > 3) return line;
		return line.replace(label, `${label} of _${titles.join('_ and _')}_`);
	});
	return bullets(lines.sort((one, other) => one.localeCompare(other, 'en')));
}

function countOf(field: INodeProperties): number {
	return owners.get(describe(field))?.titles.length ?? 1;
}

function describe(field: INodeProperties, condition = ''): string {
	const { displayName, name, description, hint, typeOptions: { minValue, maxValue } = {} } = field;
	const byDefault = shownDefault(field);
	const brackets = [
		ONLY_ONCE_ADDED.includes(name) ? `${byDefault} once added` : byDefault,
		maxValue === undefined ? '' : `${minValue} to ${maxValue.toLocaleString('en')}`,
		condition,
	].filter(Boolean);
	const label = `**${displayName}**${brackets.length > 0 ? ` (${brackets.join('; ')})` : ''}`;
	const words = [description, hint].flatMap((one) => (one ? [sentence(one)] : [])).join(' ');
	// The list of fields to select is under 'Returns'.
	const shownChoices = name === 'toolFields' ? [] : choicesOf(field);
	const choices = shownChoices.map((one) =>
		one.description ? `_${one.name}_: ${one.description}` : `_${one.name}_`,
	);
	return `${label}${words && ': '}${words}\n${bullets(choices)}`.trim();
}

/** Returns the default in the panel. Only in Options, it is also used for a field that is not added. */
function shownDefault(field: INodeProperties): string {
	const { default: value } = field;
	if (typeof value === 'boolean') return value ? 'on' : 'off';
	if (typeof value === 'number') return value.toLocaleString('en');
	const chosen = choicesOf(field).filter((one) => [value].flat().includes(one.value));
	if (chosen.length > 0) return chosen.map(({ name }) => `_${name}_`).join(', ');
	return typeof value === 'string' && value !== '' ? `\`${value}\`` : '';
}

function conditionOf({ displayOptions }: INodeProperties, fields: INodeProperties[]): string {
	const conditions = Object.entries(displayOptions?.show ?? {}).map(([name, values = []]) => {
		if (name === '@tool') return 'only as a tool of an AI agent';
		const other = fields.find((one) => one.name === name);
		if (other === undefined) throw new Error(`No field is called "${name}".`);
		const names = choicesOf(other).filter(({ value }) => values.includes(value));
		const wanted = names.map((one) => `_${one.name}_`).join(' or ');
		return `if _${other.displayName}_ is ${wanted || (values.includes(true) ? 'on' : 'off')}`;
	});
	return conditions.join(' and ');
}

function membersOf({ type, name, options: members = [] }: INodeProperties): INodeProperties[] {
	if (type !== 'collection') return [];
	const fields = members.filter((one) => 'type' in one && 'default' in one);
	return ['options', 'requestOptions'].includes(name)
		? fields
		: fields.map((one) => ({ ...one, default: undefined }));
}

function choicesOf({ options: choices = [] }: INodeProperties) {
	return choices.filter((one) => 'value' in one);
}

function table(rows: string[][]): string {
	const lines = [['Field', 'Meaning'], ['---', '---'], ...rows];
	return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function bullets(lines: string[]): string {
	return lines.map((line) => `- ${line.replaceAll('\n', '\n\t')}`).join('\n');
}

function sentence(words: string): string {
	const inMarkdown = words.replace(/<a href="([^"]*)"[^>]*>([^<]*)<\/a>/g, '[$2]($1)');
	return /[.?!]$/.test(inMarkdown) ? inMarkdown : `${inMarkdown}.`;
}

function anchorOf(heading: string): string {
	return heading.toLowerCase().replaceAll("'", '').replaceAll(' ', '-');
}
