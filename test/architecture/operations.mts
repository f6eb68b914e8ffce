/**
 * Each operation in the registry has a section in docs/reference.md, under that of its resource, a place in
 * the list of its contents and in README.md, a test that runs it, and a description in the fault model.
 * Beside the rules of `test/rules/resources/registry.test.ts`, which know no files.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import {
	nodeProperties,
	resources,
} from '../../nodes/CometChatKnowledgeBase/resources/registry.js';

const ROOT = path.resolve(import.meta.dirname, '../..');

const reference = readFileSync(path.join(ROOT, 'docs/reference.md'), 'utf8');
const readme = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
const tests = textsIn('test/node', '.test.ts');
const models = [
	...textsIn('test/model/operations', '.ts'),
	...textsIn('test/model/nights', 'play.ts'),
];
/** The one that n8n fills in where a workflow names none. */
const byDefault = nodeProperties().find(({ name }) => name === 'resource')?.default;

const missing = resources.flatMap((resource) => {
	const section = sectionOf(resource.name);
	const contents =
		reference.split('\n').find((line) => line.startsWith(`- [${resource.name}](#`)) ?? '';
	const [, rows = ''] = readme.split(`\n**${resource.name}**\n`);
	return resource.operations.flatMap(({ name, value }) => [
		...(section.includes(`\n### ${name}\n`)
			? []
			: [`docs/reference.md has no section "### ${name}" under "## ${resource.name}"`]),
		...(contents.includes(`[${name}](#`)
			? []
			: [`the contents of docs/reference.md lack ${resource.name}: ${name}`]),
		...(rows.split('\n**')[0]?.includes(`| [${name}](docs/reference.md#`)
			? []
			: [`README.md has no row for ${resource.name}: ${name}`]),
		...(tests.some((text) => runs(text, resource.value, value))
			? []
			: [`no test in test/node runs '${resource.value}.${value}' (${resource.name}: ${name})`]),
		...(models.some((text) => describes(text, resource.value, value))
			? []
			: [`test/model describes no '${value}' of the resource '${resource.value}'`]),
	]);
});

for (const line of missing) console.log(`✗ ${line}`);
if (missing.length === 0)
	console.log(
		'✓ each operation has a section of the reference, a row in the README, a test and a place in the fault model',
	);
process.exitCode = missing.length === 0 ? 0 : 1;

/** As `runFiles` names it; with `add` of the fixture, the resource is left out. */
function runs(text: string, resource: string, value: string): boolean {
	return (
		text.includes(`'${resource}.${value}'`) ||
		(resource === byDefault && text.includes(`'${value}'`))
	);
}

/** By the parameters in the description of an operation, each in a file of its own. */
function describes(text: string, resource: string, value: string): boolean {
	const isOfResource = text.includes("resource: '")
		? text.includes(`resource: '${resource}'`)
		: resource === byDefault;
	return isOfResource && text.includes(`'${value}'`);
}

/** The part of the reference below a heading of the second level; empty if there is none. */
function sectionOf(title: string): string {
	const [, after = ''] = reference.split(`\n## ${title}\n`);
	return after.split('\n## ')[0] ?? '';
}

function textsIn(folder: string, end: string): string[] {
	const whole = path.join(ROOT, folder);
	return readdirSync(whole, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith(end))
		.map((file) => readFileSync(path.join(whole, file), 'utf8'));
}
