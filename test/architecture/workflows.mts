/**
 * Checks the workflows in examples/ and test/n8n: `npm run lint:workflows`. n8n silently accepts a field that a node
 * doesn't have, and a long note is not read.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resources } from '../../nodes/CometChatKnowledgeBase/resources/registry.js';
import { at, fieldsOf, listAt, textAt } from '../n8n/fields.mjs';

const MOST_WORDS = 60;

/** n8n.io's rules for a template: one yellow overview, and short notes on its sections. */
const OVERVIEW_WORDS = { min: 100, max: 300 };
const OVERVIEW_HEADINGS = ['### How it works', '### Setup'];
const MOST_SECTION_WORDS = 46;

/** Fields that n8n adds to a tool. */
const OF_TOOLS = ['descriptionType', 'toolDescription'];

const complaints = ['examples', 'test/n8n/workflows'].flatMap((folder) =>
	readdirSync(folder)
		.filter((file) => /(?<!\.expected)\.json$/.test(file))
		.flatMap((file) => complaintsOf(join(folder, file))),
);
for (const complaint of complaints) console.error(`  ✗ ${complaint}`);
if (complaints.length > 0) process.exitCode = 1;

function complaintsOf(file: string): string[] {
	const workflow: unknown = JSON.parse(readFileSync(file, 'utf8'));
	const nodes = listAt(workflow, 'nodes');
	const ours = nodes.filter((node) =>
		/cometChatKnowledgeBase(?:Tool)?$/.test(textAt(node, 'type')),
	);
	return [
		...ours.flatMap((node) => unknownFields(node).map((field) => `has no field ${field}`)),
		...(file.startsWith('examples') ? unapprovedTools(workflow) : []),
		...complaintsOfNotes(file, nodes),
	].map((complaint) => `${file} ${complaint}`);
}

/** Finds tools that change something, and that an AI agent can use without an approval. */
function unapprovedTools(workflow: unknown): string[] {
	const nodes = listAt(workflow, 'nodes');
	const isTool = (node: unknown) => /cometChatKnowledgeBaseTool$/.test(textAt(node, 'type'));
	const changing = nodes.filter(
		(node) => isTool(node) && !textAt(node, 'parameters', 'operation').startsWith('get'),
	);
	const reviews = nodes.filter((node) => textAt(node, 'type').endsWith('HitlTool'));
	const isReview = (name: string) => reviews.some((node) => textAt(node, 'name') === name);
	return changing.flatMap((node) => {
		const name = textAt(node, 'name');
		const targets = listAt(at(workflow, 'connections', name), 'ai_tool').flat();
		const isApproved = targets.every((target) => isReview(textAt(target, 'node')));
		return isApproved ? [] : [`lets an AI agent use ${name} without an approval`];
	});
}

/** Checks the notes. A workflow with a yellow note is a template. */
function complaintsOfNotes(file: string, nodes: unknown[]): string[] {
	const notes = nodes.filter((node) => textAt(node, 'type') === 'n8n-nodes-base.stickyNote');
	const text = (note: unknown) => textAt(note, 'parameters', 'content');
	const overviews = notes.filter((note) => at(note, 'parameters', 'color') === undefined);
	if (overviews.length === 0) {
		const count = countWords(notes.map(text).join('\n'));
		return count > MOST_WORDS ? [`has ${count} words in its notes`] : [];
	}
	const overview = overviews.map(text).join('\n');
	const count = countWords(overview);
	const { min, max } = OVERVIEW_WORDS;
	const sections = notes.filter((note) => !overviews.includes(note)).map(text);
	return [
		...(overviews.length > 1 ? ['has more than one overview'] : []),
		...(count < min || count > max ? [`has ${count} words in its overview`] : []),
		...OVERVIEW_HEADINGS.filter((heading) => !overview.includes(heading)).map(
			(heading) => `has no ${heading} in its overview`,
		),
		...sections
			.filter((section) => countWords(section) > MOST_SECTION_WORDS)
			.map((section) => `has ${countWords(section)} words in a section note`),
		...(existsSync(file.replace(/json$/, 'md')) ? [] : ['has no description next to it']),
	];
}

function countWords(text: string): number {
	return text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;
}

/** Returns the values of fields that a node doesn't have. */
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
