/**
 * Of the workflows in examples/ and test/n8n: `npm run lint:workflows`. n8n takes a field that a node does not have
 * without a word; and somebody reads a note on a laptop at two in the morning.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resources } from '../../nodes/CometChatKnowledgeBase/resources/registry.js';
import { at, fieldsOf, listAt, textAt } from '../n8n/fields.mjs';

const MOST_WORDS = 60;

/** Fields that n8n itself gives a node that is a tool. */
const OF_TOOLS = ['descriptionType', 'toolDescription'];

const complaints = ['examples', 'test/n8n/workflows'].flatMap((folder) =>
	readdirSync(folder)
		.filter((file) => /(?<!\.expected)\.json$/.test(file))
		.flatMap((file) => complaintsOf(join(folder, file))),
);
for (const complaint of complaints) console.error(`  ✗ ${complaint}`);
if (complaints.length > 0) process.exitCode = 1;

/** Of a workflow: what n8n takes without a word, and what nobody reads. */
function complaintsOf(file: string): string[] {
	const nodes = listAt(JSON.parse(readFileSync(file, 'utf8')), 'nodes');
	const ours = nodes.filter((node) =>
		/cometChatKnowledgeBase(?:Tool)?$/.test(textAt(node, 'type')),
	);
	const notes = nodes.map((node) => textAt(node, 'parameters', 'content')).join('\n');
	const words = notes.split(/\s+/).filter((word) => /\p{L}/u.test(word));
	return [
		...ours.flatMap((node) => unknownFields(node).map((field) => `has no field ${field}`)),
		...(words.length > MOST_WORDS ? [`has ${words.length} words in its notes`] : []),
	].map((complaint) => `${file} ${complaint}`);
}

/** What a node sets, and has not. */
function unknownFields(node: unknown): string[] {
	const { resource, operation, ...set } = fieldsOf(at(node, 'parameters'));
	const { operations = [] } = resources.find(({ value }) => value === resource) ?? {};
	const { fields = [] } = operations.find(({ value }) => value === operation) ?? {};
	return Object.entries(set).flatMap(([name, value]) => {
		const field = fields.find((one) => one.name === name);
		if (field === undefined) return OF_TOOLS.includes(name) ? [] : [name];
		const { type, options = [] } = field;
		const isKnown = (inside: string) => options.some((option) => option.name === inside);
		return type === 'collection' ? Object.keys(fieldsOf(value)).filter((one) => !isKnown(one)) : [];
	});
}
