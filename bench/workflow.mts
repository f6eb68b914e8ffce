import type { Fields } from '../test/n8n/fields.mjs';
import type { BenchCase } from './cases.mjs';

/** Who stands behind the items: our node, n8n's HTTP Request node, or nobody. */
export type Contestant = 'ours' | 'httpRequest' | 'nobody';

/** The node whose time counts. Without a contestant it is the one that puts the items out. */
export const MEASURED = 'Measured';

/** IDs of the credentials that the nodes use. */
export interface Credentials {
	cometChatApi: string;
	httpHeaderAuth: string;
}

/** An expression in n8n evaluates within a memory of its own, so no single one makes all items. */
const ITEMS_PER_EXPRESSION = 1000;

/**
 * A workflow whose items look like `{ agent: 'agent-003', files: ['id-000123'] }`. They come from
 * Edit Fields and Split Out: a Code node would bring its task runner along.
 *
 * @param baseUrl Of the service, as in `http://127.0.0.1:PORT/v3`.
 */
export function benchWorkflow(
	contestant: Contestant,
	{ items, agents, options }: Pick<BenchCase, 'items' | 'agents' | 'options'>,
	baseUrl: string,
	credentials: Credentials,
): Fields {
	const first = `$json.first + i`;
	const entry = `{
		agent: 'agent-' + String((${first}) % ${agents} + 1).padStart(3, '0'),
		files: ['id-' + String(${first}).padStart(6, '0')],
	}`;
	const count = `Math.min(${ITEMS_PER_EXPRESSION}, ${items} - $json.first)`;
	const groups = Math.ceil(items / ITEMS_PER_EXPRESSION);
	const nodes = [
		node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
		listOf('Groups', `${groups}`, `{ first: i * ${ITEMS_PER_EXPRESSION} }`),
		splitOut('One Item per Group'),
		listOf('Entries', count, entry),
		splitOut(contestant === 'nobody' ? MEASURED : 'One Item per Entry'),
		...measured(contestant, options, baseUrl, credentials),
	];
	const names = nodes.map(({ name }) => name);
	const links = names
		.slice(1)
		.map((to, index) => [names[index] ?? '', { main: [[{ node: to, type: 'main', index: 0 }]] }]);
	return {
		name: `${contestant}, ${items} items`,
		nodes: nodes.map((each, index) => ({ ...each, position: [index * 224, 0] })),
		connections: Object.fromEntries(links),
		settings: { executionOrder: 'v1' },
	};
}

function measured(
	contestant: Contestant,
	options: BenchCase['options'],
	baseUrl: string,
	{ cometChatApi, httpHeaderAuth }: Credentials,
) {
	switch (contestant) {
		case 'ours':
			return [
				{
					...node(MEASURED, 'n8n-nodes-cometchat.cometChatKnowledgeBase', 1, {
						operation: 'add',
						uid: { __rl: true, mode: 'id', value: '={{ $json.agent }}' },
						sourceType: 'uploads',
						fileIds: '={{ $json.files }}',
						options,
					}),
					credentials: { cometChatApi: { id: cometChatApi, name: 'CometChat account' } },
					onError: 'continueRegularOutput',
				},
			];
		case 'httpRequest':
			return [
				{
					...node(MEASURED, 'n8n-nodes-base.httpRequest', 4.5, {
						method: 'PATCH',
						url: `=${baseUrl}/ai-agents/agent-builder/agents/{{ $json.agent }}/knowledge-base/uploads/add`,
						authentication: 'genericCredentialType',
						genericAuthType: 'httpHeaderAuth',
						sendBody: true,
						specifyBody: 'json',
						jsonBody: '={{ { uniqueIds: $json.files } }}',
						options: {},
					}),
					credentials: { httpHeaderAuth: { id: httpHeaderAuth, name: 'Header Auth account' } },
					onError: 'continueRegularOutput',
				},
			];
		case 'nobody':
			return [];
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

function node(name: string, type: string, typeVersion: number, parameters: Fields) {
	return { id: name, name, type, typeVersion, parameters };
}
