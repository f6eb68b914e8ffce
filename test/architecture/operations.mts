/**
 * Each operation in the registry has a section in docs/reference.md, under that of its resource, and a
 * test that runs it. Beside the rules of `test/rules/resources/registry.test.ts`, which know no files.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { resources } from '../../nodes/CometChatKnowledgeBase/resources/registry.js';

const ROOT = path.resolve(import.meta.dirname, '../..');

const reference = readFileSync(path.join(ROOT, 'docs/reference.md'), 'utf8');
const tests = testsIn(path.join(ROOT, 'test/node'));

const missing = resources.flatMap((resource) => {
	const section = sectionOf(resource.name);
	return resource.operations.flatMap(({ name, value }) => [
		...(section.includes(`\n### ${name}\n`)
			? []
			: [`docs/reference.md has no section "### ${name}" under "## ${resource.name}"`]),
		...(tests.some((text) => text.includes(`'${value}'`))
			? []
			: [`no test in test/node runs '${value}' (${resource.name}: ${name})`]),
	]);
});

for (const line of missing) console.log(`✗ ${line}`);
if (missing.length === 0) console.log('✓ each operation has a section of the reference and a test');
process.exitCode = missing.length === 0 ? 0 : 1;

/** The part of the reference below a heading of the second level; empty if there is none. */
function sectionOf(title: string): string {
	const [, after = ''] = reference.split(`\n## ${title}\n`);
	return after.split('\n## ')[0] ?? '';
}

function testsIn(folder: string): string[] {
	return readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.test.ts'))
		.map((file) => readFileSync(path.join(folder, file), 'utf8'));
}
