import assert from 'node:assert/strict';
import { assertSucceeded } from '../expectation.mjs';
import { at, fieldsOf, listAt, textAt, type Fields } from '../fields.mjs';
import type { Prove } from '../prove.mjs';
import type { Environment } from './environment.mjs';

/** What n8n makes of the operations by itself. */
const OFFERED = [
	'List_Documents(Agent): Get many documents of an agent in CometChat Knowledge Base',
	'Write_Text(Title,Text): Create or update a text by its title in CometChat Knowledge Base',
];

/** Whoever speaks MCP, through n8n's own server for it. */
export async function proveMcp(prove: Prove, environment: Environment): Promise<void> {
	const { n8n, service, reset, importWorkflow } = environment;

	await prove(
		"through n8n's MCP Server Trigger, a client lists the node's tools and calls one, and reads what to do if a call is wrong",
		async () => {
			reset();
			const id = await importWorkflow('mcp-server');
			await n8n.rest.activate(id);
			const ask = await openSession(`${n8n.baseUrl}/mcp/knowledge`);
			const tools = listAt(await ask('tools/list', {}), 'tools').map((tool) => {
				const takes = Object.keys(fieldsOf(at(tool, 'inputSchema', 'properties'))).join();
				return `${textAt(tool, 'name')}(${takes}): ${textAt(tool, 'description')}`;
			});
			assert.deepEqual(tools.sort(), OFFERED);

			/** Calls a tool; the client is told these words. */
			const call = async (name: string, given: Fields, words: string[]) => {
				const answer = await ask('tools/call', { name, arguments: given });
				const told = listAt(answer, 'content').map((part) => textAt(part, 'text'));
				const text = told.join('\n').replaceAll('\\"', '"');
				for (const word of words) assert.ok(text.includes(word), `Not told ${word}: ${text}`);
			};
			await call('Write_Text', { Title: '', Text: 'No.' }, ["'Title' is empty", 'Give a text']);
			assert.equal(service.log.length, 0);
			const written = ['"action":"created"', '"status":"indexed"', '"addedToAgent":true'];
			await call('Write_Text', { Title: 'Opening hours', Text: 'From 8 to 18.' }, written);
			const [text = 'none'] = service.files('support-bot', 'text');
			assert.equal(service.text(text), 'From 8 to 18.');
			const unknown = ['CometChat does not know this agent', "Check 'Agent'"];
			await call('List_Documents', { Agent: 'nobody' }, unknown);
			const listed = ['"name":"Opening hours"', `"uniqueId":"${text}"`];
			await call('List_Documents', { Agent: 'support-bot' }, listed);

			// An answer may be there before the execution that has brought it is filed as ended.
			const executions = await n8n.rest.executions(id);
			assert.ok(executions.length > 0);
			for (const each of executions) assertSucceeded(await n8n.rest.untilEnded(each.id));
		},
	);
}

/** A session of MCP over HTTP; returns what asks in it. */
async function openSession(url: string) {
	let session = {};
	const send = async (message: object) => {
		const answer = await fetch(url, {
			method: 'POST',
			headers: {
				'Content-Type': 'application/json',
				Accept: 'application/json, text/event-stream',
				...session,
			},
			body: JSON.stringify({ jsonrpc: '2.0', ...message }),
		});
		const id = answer.headers.get('mcp-session-id');
		if (id !== null) session = { 'mcp-session-id': id };
		return await answer.text();
	};
	const ask = async (method: string, params: Fields): Promise<unknown> => {
		const text = await send({ id: 1, method, params });
		const [, data = text] = /^data: (.*)$/m.exec(text) ?? [];
		return at(JSON.parse(data), 'result');
	};
	const clientInfo = { name: 'a-client', version: '1.0.0' };
	await ask('initialize', { protocolVersion: '2025-03-26', capabilities: {}, clientInfo });
	await send({ method: 'notifications/initialized' });
	return ask;
}
