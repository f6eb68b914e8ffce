import type { Fields } from '../test/n8n/fields.mjs';

/** The node whose time or items count. Without a contestant it is the one that puts the items out. */
export const MEASURED = 'Measured';

/** IDs of the credentials that the nodes use. */
export interface Credentials {
	cometChatApi: string;
	httpHeaderAuth: string;
}

export interface WorkflowNode extends Fields {
	name: string;
}

/** From an output of a node to an input of another; both are 0 if left out. */
export interface Link {
	from: string;
	output?: number;
	to: string;
	input?: number;
}

/** A workflow for n8n to import. */
export function workflowOf(name: string, nodes: WorkflowNode[], links: Link[]): Fields {
	const connections: Record<string, { main: Fields[][] }> = {};
	for (const { from, output = 0, to, input = 0 } of links) {
		const { main } = (connections[from] ??= { main: [] });
		while (main.length <= output) main.push([]);
		main[output]?.push({ node: to, type: 'main', index: input });
	}
	return {
		name,
		nodes: nodes.map((each, index) => ({ ...each, position: [index * 224, 0] })),
		connections,
		settings: { executionOrder: 'v1' },
	};
}

/** Each node to the next. */
export function inARow(names: string[]): Link[] {
	return names.slice(1).map((to, index) => ({ from: names[index] ?? '', to }));
}

export function node(name: string, type: string, typeVersion: number, parameters: Fields) {
	return { id: name, name, type, typeVersion, parameters };
}

export function start() {
	return node('Start', 'n8n-nodes-base.manualTrigger', 1, {});
}

export function ourNode(name: string, parameters: Fields, { cometChatApi: id }: Credentials) {
	return {
		...node(name, 'n8n-nodes-cometchat.cometChatKnowledgeBase', 1, parameters),
		credentials: { cometChatApi: { id, name: 'CometChat account' } },
	};
}

/** A request to the service whose body is JSON. @param jsonBody An expression. */
export function httpRequest(
	name: string,
	{ method, url, jsonBody }: Record<'method' | 'url' | 'jsonBody', string>,
	{ httpHeaderAuth: id }: Credentials,
) {
	return {
		...node(name, 'n8n-nodes-base.httpRequest', 4.5, {
			method,
			url,
			authentication: 'genericCredentialType',
			genericAuthType: 'httpHeaderAuth',
			sendBody: true,
			specifyBody: 'json',
			jsonBody,
			options: {},
		}),
		credentials: { httpHeaderAuth: { id, name: 'Header Auth account' } },
	};
}
