import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fieldsOf, readJson, type Fields } from './fields.mjs';
import { REPOSITORY } from './install.mjs';

export const WORKFLOWS = join(REPOSITORY, 'test/n8n/workflows');
export const EXAMPLES = join(REPOSITORY, 'examples');

/** The names of the workflows in examples/. */
export function exampleNames(): string[] {
	const files = readdirSync(EXAMPLES).filter((file) => file.endsWith('.json'));
	return files.map((file) => file.replace('.json', ''));
}

/**
 * A workflow as exported from an editor.
 *
 * @param replace Texts of the file and what stands for them here.
 */
export function readWorkflow(
	name: string,
	replace: Record<string, string> = {},
	folder = WORKFLOWS,
): Fields {
	const text = Object.entries(replace).reduce(
		(found, [written, here]) => found.replaceAll(written, here),
		readFileSync(join(folder, `${name}.json`), 'utf8'),
	);
	return fieldsOf(JSON.parse(text));
}

/** What lies beside a workflow; see `assertAsExpected`. */
export function expectationOf(name: string): unknown {
	return readJson(join(WORKFLOWS, `${name}.expected.json`));
}
