import assert from 'node:assert/strict';
import { assertSucceeded, sentByAgent } from '../expectation.mjs';
import { at, fieldsOf, listAt, textAt, type Fields } from '../fields.mjs';
import type { Prove } from '../prove.mjs';
import { until } from '../until.mjs';
import type { Environment } from './environment.mjs';

/** Proves the node as a tool of a language model: in n8n's AI Agent, and over MCP. */
export async function proveTools(prove: Prove, environment: Environment): Promise<void> {
	await proveTool(prove, environment);
	await proveTextTool(prove, environment);
	await proveMcp(prove, environment);
}

const ADD = 'Add_Files_to_Knowledge_Base';

const UPLOAD = 'Upload_Article';

async function proveTool(
	prove: Prove,
	{ service, languageModel, reset, run }: Environment,
): Promise<void> {
	await prove(
		"as a tool of n8n's AI Agent: the model fills in the fields, a failure reaches it in words, and it can try again",
		async () => {
			reset();
			languageModel.script(
				{ tool: ADD, call: { Agent: 'nobody', File_IDs: 'returns' } },
				{ tool: ADD, call: { Agent: 'support-bot', File_IDs: '' } },
				{ tool: ADD, call: { Agent: 'support-bot', File_IDs: 'returns, returns-faq' } },
				{ say: 'Added.' },
			);
			const execution = await run('agent-tool');
			assertSucceeded(execution);
			assert.equal(textAt(execution.items('AI Agent')[0], 'json', 'output'), 'Added.');
			const tool = languageModel.tools().find(({ name }) => name === ADD);
			assert.deepEqual(tool?.arguments, ['Agent', 'File_IDs']);
			assert.match(tool.description, /knowledge base/i);

			const [unknown = '', empty = '', added = ''] = languageModel.toolResults();
			assert.match(unknown, /CometChat has no agent with this ID.*Check 'Agent'/s);
			assert.match(empty, /'File IDs' is empty.*Nothing was sent/s);
			assert.match(added, /"success":true.*"returns".*"returns-faq"/s);
			assert.deepEqual(sentByAgent(service), {
				nobody: ['add uploads returns'],
				'support-bot': ['add uploads returns,returns-faq'],
			});
		},
	);
}

/** 'Content From' is not set in this tool. */
async function proveTextTool(
	prove: Prove,
	{ service, languageModel, reset, run }: Environment,
): Promise<void> {
	await prove(
		"as a tool of n8n's AI Agent: the model writes an article, which is uploaded as a document, and an empty text is refused",
		async () => {
			reset();
			languageModel.script(
				{ tool: UPLOAD, call: { Name: 'How do I pay?', Text: '' } },
				{ tool: UPLOAD, call: { Name: 'How do I pay?', Text: 'By card.' } },
				{ say: 'Uploaded.' },
			);
			const execution = await run('agent-tool');
			assertSucceeded(execution);
			const tool = languageModel.tools().find(({ name }) => name === UPLOAD);
			assert.deepEqual(tool?.arguments, ['Name', 'Text']);
			const [empty = '', uploaded = ''] = languageModel.toolResults();
			assert.match(empty, /'Text' is empty.*Nothing was sent/s);
			assert.match(uploaded, /"name":"How do I pay\?\.txt".*"success":true/s);
			const [id = 'none'] = service.files('support-bot', 'uploads');
			assert.equal(service.stored(id)?.bytes, 'How do I pay?\n\nBy card.'.length);
		},
	);
}

/** The tools that n8n itself makes of the operations. */
const OFFERED = [
	'Get_Agent(Agent): Get agent in CometChat Knowledge Base',
	"List_Documents(Agent): Get many documents of agent's knowledge base in CometChat Knowledge Base",
	'Upload_Article(Name,Text): Upload or replace documents and add to agent in CometChat Knowledge Base',
	'Write_Text(Title,Text): Create or update text entry in CometChat Knowledge Base',
];

async function proveMcp(
	prove: Prove,
	{ n8n, service, reset, importWorkflow }: Environment,
): Promise<void> {
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

			/** Calls a tool, and expects these words in its response. */
			const call = async (name: string, given: Fields, words: string[]) => {
				const answer = await ask('tools/call', { name, arguments: given });
				const told = listAt(answer, 'content').map((part) => textAt(part, 'text'));
				const text = told.join('\n').replaceAll('\\"', '"');
				for (const word of words) assert.ok(text.includes(word), `Not told ${word}: ${text}`);
				return text;
			};
			await call('Write_Text', { Title: '', Text: 'No.' }, ["'Title' is empty", 'Enter text']);
			assert.equal(service.log.length, 0);
			const written = ['"action":"created"', '"status":"indexed"', '"uid":"support-bot"'];
			await call('Write_Text', { Title: 'Opening hours', Text: 'From 8 to 18.' }, written);
			const [text = 'none'] = service.files('support-bot', 'text');
			assert.equal(service.text(text), 'From 8 to 18.');
			const uploaded = ['"name":"How do I pay?.txt"', '"action":"added"', '"uid":"support-bot"'];
			await call('Upload_Article', { Name: 'How do I pay?', Text: 'By card.' }, uploaded);
			const unknown = ['CometChat has no agent with this ID', "Check 'Agent'"];
			await call('List_Documents', { Agent: 'nobody' }, unknown);
			const listed = ['"name":"Opening hours"', `"uniqueId":"${text}"`];
			await call('List_Documents', { Agent: 'support-bot' }, listed);
			// The user selected two of the agent's fields.
			const selected = /^\[?\{"name":"[^"]+","model":"[^"]+"\}\]?$/;
			assert.match(await call('Get_Agent', { Agent: 'support-bot' }, []), selected);

			// A response may arrive before its execution has the status of its end.
			const executions = await n8n.rest.executions(id);
			assert.ok(executions.length > 0);
			for (const each of executions) assertSucceeded(await n8n.rest.untilEnded(each.id));
		},
	);
}

/** Opens a session of MCP over HTTP. Returns its function for requests. */
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
	const hello = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo };
	// Its URL exists some time after the workflow was published.
	await until('the server is there', 60_000, async () => {
		return (await ask('initialize', hello)) !== undefined;
	});
	await send({ method: 'notifications/initialized' });
	return ask;
}
