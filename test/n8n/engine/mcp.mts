import { createRequire } from 'node:module';
import { assertSucceeded } from '../expectation.mjs';
import { at, listAt, textAt, type Fields } from '../fields.mjs';
import { installN8n } from '../install.mjs';
import { assertHolds, type Prove } from '../prove.mjs';
import type { Environment } from './environment.mjs';

/** The client of the MCP SDK, as far as it is used here. */
interface McpClient {
	connect(transport: unknown): Promise<void>;
	listTools(): Promise<unknown>;
	callTool(call: { name: string; arguments: Fields }): Promise<unknown>;
	close(): Promise<void>;
}

/** Whoever speaks MCP, through n8n's own server for it. */
export async function proveMcp(prove: Prove, environment: Environment): Promise<void> {
	const { n8n, service, reset, importWorkflow } = environment;

	await prove(
		"through n8n's MCP Server Trigger, a client lists the node's tools and calls one, and reads what to do if a call is wrong",
		async () => {
			reset();
			const id = await importWorkflow('mcp-server');
			await n8n.rest.activate(id);
			const client = await connectedClient(`${n8n.baseUrl}/mcp/knowledge`);
			try {
				const tools = listAt(await client.listTools(), 'tools');
				const offered = tools.map((tool) => {
					const takes = Object.keys(Object(at(tool, 'inputSchema', 'properties'))).join();
					return `${textAt(tool, 'name')}(${takes}): ${textAt(tool, 'description')}`;
				});
				assertHolds(offered.sort().join('\n') === OFFERED.join('\n'), offered.join('\n'));

				const call = async (name: string, given: Fields) =>
					await client.callTool({ name, arguments: given });
				const wrong = await call('Write_Text', { Title: '', Text: 'From 8 to 18.' });
				assertTold(wrong, ["'Title' is empty", 'Give a text']);
				assertHolds(service.log.length === 0, `Sent for it: ${service.log.length} times.`);

				const right = await call('Write_Text', { Title: 'Opening hours', Text: 'From 8 to 18.' });
				assertTold(right, ['"action":"created"', '"status":"indexed"', '"addedToAgent":true']);
				const [written] = service.files('support-bot', 'text');
				const says = service.text(written ?? 'none');
				assertHolds(says === 'From 8 to 18.', `The agent's text says: ${says}`);

				const unknown = await call('List_Documents', { Agent: 'nobody' });
				assertTold(unknown, ['CometChat does not know this agent', "Check 'Agent'"]);
				const listed = await call('List_Documents', { Agent: 'support-bot' });
				assertTold(listed, ['"name":"Opening hours"', `"uniqueId":"${written}"`]);
			} finally {
				await client.close();
			}
			// An answer may be there before the execution that has brought it is filed as ended.
			const executions = await n8n.rest.executions(id);
			assertHolds(executions.length > 0, 'There is no execution.');
			for (const each of executions) assertSucceeded(await n8n.rest.untilEnded(each.id));
		},
	);
}

/** What n8n makes of the operations by itself. */
const OFFERED = [
	'List_Documents(Agent): Get many documents of an agent in CometChat Knowledge Base',
	'Write_Text(Title,Text): Create or update a text by its title in CometChat Knowledge Base',
];

function assertTold(answer: unknown, words: string[]): void {
	const told = listAt(answer, 'content').map((part) => textAt(part, 'text'));
	const text = told.join('\n').replaceAll('\\"', '"');
	const lacking = words.filter((word) => !text.includes(word));
	assertHolds(lacking.length === 0, `Not told ${lacking.join(', ')}: ${JSON.stringify(answer)}`);
}

/** A client of the SDK that n8n brings: the tests need no package for it. */
async function connectedClient(url: string): Promise<McpClient> {
	const load = createRequire((await installN8n()).n8n);
	const sdk: unknown = load('@modelcontextprotocol/sdk/client/index.js');
	const http: unknown = load('@modelcontextprotocol/sdk/client/streamableHttp.js');
	const transport: unknown = Reflect.construct(
		constructorAt(http, 'StreamableHTTPClientTransport'),
		[new URL(url)],
	);
	const client: unknown = Reflect.construct(constructorAt(sdk, 'Client'), [
		{ name: 'a-client', version: '1.0.0' },
	]);
	assertHolds(isMcpClient(client), 'The SDK has another client.');
	await client.connect(transport);
	return client;
}

function constructorAt(library: unknown, name: string): Function {
	const found = at(library, name);
	assertHolds(typeof found === 'function', `The SDK has no ${name}.`);
	return found;
}

function isMcpClient(value: unknown): value is McpClient {
	const methods = ['connect', 'listTools', 'callTool', 'close'];
	return methods.every((method) => typeof Object(value)[method] === 'function');
}
