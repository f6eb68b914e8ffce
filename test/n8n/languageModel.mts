import express from 'express';
import { listen, type Host } from '../service/http.js';
import { at, fieldsOf, listAt, textAt, type Fields } from './fields.mjs';

/** The next turn of the model: a text, or a call of a tool, which may depend on the responses of the tools. */
export type Turn = { say: string } | { call: Fields | ((told: string) => Fields); tool?: string };

/** A tool as the AI Agent node describes it to the model. */
export interface OfferedTool {
	name: string;
	description: string;
	arguments: string[];
}

export interface LanguageModel extends Host {
	/** Sets the turns of the model, in order, and forgets the earlier requests. */
	script(...turns: Turn[]): void;
	tools(): OfferedTool[];
	/** Returns the results of this conversation's tool calls, as the model received them. */
	toolResults(): string[];
	received(): string;
}

/** Starts a simulated language model: OpenAI's chat completions, with prepared responses. */
export async function startLanguageModel(): Promise<LanguageModel> {
	let turns: Turn[] = [];
	let requests: unknown[] = [];
	const app = express();
	app.post('/v1/chat/completions', express.json({ limit: '10mb' }), (request, response) => {
		const body: unknown = request.body;
		requests.push(body);
		const turn = turns.shift() ?? { say: 'I have nothing more to say.' };
		const message = messageOf(turn, body, requests.length);
		const head = { id: `chat-${requests.length}`, created: 1, model: 'stand-in-model' };
		const finish_reason = 'call' in turn ? 'tool_calls' : 'stop';
		if (at(body, 'stream') === true) {
			const chunk = { ...head, object: 'chat.completion.chunk' };
			const choices = [{ index: 0, delta: message, finish_reason: null }];
			const end = [{ index: 0, delta: {}, finish_reason }];
			response.type('text/event-stream');
			response.write(`data: ${JSON.stringify({ ...chunk, choices })}\n\n`);
			response.write(`data: ${JSON.stringify({ ...chunk, choices: end })}\n\n`);
			response.end('data: [DONE]\n\n');
			return;
		}
		response.json({
			...head,
			object: 'chat.completion',
			choices: [{ index: 0, message, finish_reason }],
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		});
	});
	return {
		...(await listen(async (request, response) => void app(request, response))),
		script: (...next) => {
			turns = next;
			requests = [];
		},
		tools: () => offered(requests.at(-1)),
		toolResults: () => answered(requests.at(-1)),
		received: () => JSON.stringify(requests),
	};
}

function offered(body: unknown): OfferedTool[] {
	return listAt(body, 'tools').map((tool) => ({
		name: textAt(tool, 'function', 'name'),
		description: textAt(tool, 'function', 'description'),
		arguments: Object.keys(fieldsOf(at(tool, 'function', 'parameters', 'properties'))),
	}));
}

/** Returns the responses of the tools as JSON; some versions of the agent send JSON in JSON. */
function answered(body: unknown): string[] {
	return listAt(body, 'messages')
		.filter((message) => textAt(message, 'role') === 'tool')
		.map((message) => textAt(message, 'content').replaceAll('\\"', '"'));
}

function messageOf(turn: Turn, body: unknown, count: number) {
	if ('say' in turn) return { role: 'assistant', content: turn.say };
	const name = turn.tool ?? offered(body)[0]?.name;
	const given = typeof turn.call === 'function' ? turn.call(answered(body).join('\n')) : turn.call;
	const call = { name, arguments: JSON.stringify(given) };
	const tool_calls = [{ index: 0, id: `call-${count}`, type: 'function', function: call }];
	return { role: 'assistant', content: null, tool_calls };
}
