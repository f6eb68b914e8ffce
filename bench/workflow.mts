import type { Fields } from '../test/n8n/fields.mjs';
import type { BenchCase } from './cases.mjs';
import { httpRequest, inARow, MEASURED, node, ourNode, start, workflowOf } from './nodes.mjs';
import type { Credentials } from './nodes.mjs';

/** Who stands behind the items: our node, or n8n's HTTP Request node. */
export type Contestant = 'ours' | 'httpRequest';

/** An expression in n8n evaluates within a memory of its own, so no single one makes all items. */
const ITEMS_PER_EXPRESSION = 1000;

/** What of a case the workflow depends on. */
type Task = Pick<BenchCase, 'items' | 'agents' | 'idsField' | 'options'>;

/**
 * A workflow whose items look like `{ agent: 'agent-003', files: ['id-000123'] }`. They come from
 * Edit Fields and Split Out: a Code node would bring its task runner along.
 *
 * @param baseUrl Of the service, as in `http://127.0.0.1:PORT/v3`.
 */
export function benchWorkflow(
	contestant: Contestant,
	task: Task,
	baseUrl: string,
	credentials: Credentials,
): Fields {
	const { items, agents, idsField } = task;
	const first = `$json.first + i`;
	const entry = `{
		agent: 'agent-' + String((${first}) % ${agents} + 1).padStart(3, '0'),
		'${idsField}': ['id-' + String(${first}).padStart(6, '0')],
	}`;
	const count = `Math.min(${ITEMS_PER_EXPRESSION}, ${items} - $json.first)`;
	const groups = Math.ceil(items / ITEMS_PER_EXPRESSION);
	const nodes = [
		start(),
		listOf('Groups', `${groups}`, `{ first: i * ${ITEMS_PER_EXPRESSION} }`),
		splitOut('One Item per Group'),
		listOf('Entries', count, entry),
		splitOut('One Item per Entry'),
		...measured(contestant, task, baseUrl, credentials),
	];
	const links = inARow(nodes.map(({ name }) => name));
	return workflowOf(`${contestant}, ${items} items`, nodes, links);
}

function measured(
	contestant: Contestant,
	{ idsField, options }: Task,
	baseUrl: string,
	credentials: Credentials,
) {
	// As dragging the field in writes it.
	const ids = /^\w+$/.test(idsField) ? `$json.${idsField}` : `$json['${idsField}']`;
	const goesOn = { onError: 'continueRegularOutput' };
	switch (contestant) {
		case 'ours': {
			const parameters = {
				operation: 'add',
				uid: { __rl: true, mode: 'id', value: '={{ $json.agent }}' },
				sourceType: 'uploads',
				fileIds: `={{ ${ids} }}`,
				options,
			};
			return [{ ...ourNode(MEASURED, parameters, credentials), ...goesOn }];
		}
		case 'httpRequest': {
			const request = {
				method: 'PATCH',
				url: `=${baseUrl}/ai-agents/agent-builder/agents/{{ $json.agent }}/knowledge-base/uploads/add`,
				jsonBody: `={{ { uniqueIds: ${ids} } }}`,
			};
			return [{ ...httpRequest(MEASURED, request, credentials), ...goesOn }];
		}
	}
}

/** Edit Fields with one field `entries`: what `entry` gives for each `i` below `count`. */
function listOf(name: string, count: string, entry: string) {
	const list = `Array.from({ length: ${count} }, (_, i) => (${entry}))`;
	return node(name, 'n8n-nodes-base.set', 3.4, {
		assignments: {
			assignments: [{ id: name, name: 'entries', type: 'array', value: `={{ ${list} }}` }],
		},
		options: {},
	});
}

function splitOut(name: string) {
	return node(name, 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'entries', options: {} });
}
