import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { at, fieldsOf, listAt, readJson, textAt, type Fields } from './fields.mjs';
import { REPOSITORY } from './install.mjs';

export const WORKFLOWS = join(REPOSITORY, 'test/n8n/workflows');
export const EXAMPLES = join(REPOSITORY, 'examples');

export function exampleNames(): string[] {
	const files = readdirSync(EXAMPLES).filter((file) => file.endsWith('.json'));
	return files.map((file) => file.replace('.json', ''));
}

/** Reads an exported workflow. @param replace The texts to replace, with their new texts. */
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

/**
 * Reads an example as a user would fill it in.
 *
 * @param agents The agents of its nodes, in order; the last for all others.
 */
export function readExample(
	name: string,
	agents: string[] = ['support-bot'],
	replace: Record<string, string> = {},
): Fields {
	const example = readWorkflow(name, replace, EXAMPLES);
	let next = 0;
	for (const node of listAt(example, 'nodes')) {
		const uid = at(at(node, 'parameters'), 'uid');
		if (at(uid, 'value') !== '') continue;
		const value = agents[Math.min(next, agents.length - 1)];
		Object.assign(fieldsOf(uid), { mode: 'id', value });
		next += 1;
	}
	return example;
}

/** Chooses an entry of a list in which nothing is chosen yet, as in the file of an example. */
export function chosen(field: string, value: string): Record<string, string> {
	const empty = `"${field}": {
					"__rl": true,
					"mode": "list",
					"value": ""`;
	return { [empty]: empty.replace('""', `"${value}"`) };
}

/** Returns a workflow with a webhook instead of its schedule, which can't be started at will. */
export function startedByCall(workflow: Fields, path: string): Fields {
	const nodes = listAt(workflow, 'nodes');
	const trigger = nodes.find((node) => textAt(node, 'type').endsWith('.scheduleTrigger'));
	const parameters = { httpMethod: 'POST', path, responseMode: 'lastNode', options: {} };
	const type = 'n8n-nodes-base.webhook';
	Object.assign(fieldsOf(trigger), { type, typeVersion: 2, webhookId: path, parameters });
	return workflow;
}

export function expectationOf(name: string): unknown {
	return readJson(join(WORKFLOWS, `${name}.expected.json`));
}
