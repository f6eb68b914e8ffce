import type { Answer } from './answer';
import { fieldsOf, readAgentName } from './given';
import type { Holdings } from './holdings';
import type { ReceivedRequest } from './log';
import { uuid } from './records';
import type { Envelope } from './refusal';
import { badRequest, noSuchAgent, refuse } from './refusal';

/** Of these only what is documented: CometChat's pages contradict each other in which is the default. */
const MODELS = [
	{ model: 'gpt-4o', provider: 'openai', settings: { temperature: 0.7 }, default: true },
	{ model: 'gpt-4o-mini', provider: 'openai', settings: { temperature: 0.7 }, default: false },
	{ model: 'claude-sonnet', provider: 'anthropic', settings: {}, default: false },
];

/** A UID that no other agent has, and no document. */
const FIRST_UID = 900_000;

/** @param status 200 in older copies of the documentation, 201 in the newest. */
export function createAgent(
	{ body }: ReceivedRequest,
	{ agents }: Holdings,
	status: number,
): Answer {
	const name = readAgentName(body);
	if (name === undefined) return refuse(badRequest('name must be a text.'));
	const uid = uuid(FIRST_UID + agents.all().length);
	const agent = agents.prepare({ ...fieldsOf(body), name, uid });
	return { status, body: () => ({ agent }), change: () => agents.add(agent) };
}

/** What is left out stays as it is. */
export function updateAgent(
	{ uid = '', body }: ReceivedRequest,
	{ agents }: Holdings,
	envelope: Envelope,
): Answer {
	if (!agents.has(uid)) return refuse(noSuchAgent(uid, envelope));
	const change = () => agents.change(uid, fieldsOf(body));
	return { status: 200, body: () => ({ success: true }), change };
}

export function listModels(): Answer {
	return { status: 200, body: () => MODELS };
}
