import type { Answer } from './answer';

/** 'gateway': `{"error":{…}}`; 'agentService': `{"statusCode":…,"message":…,"error":…}`. */
export type Envelope = 'gateway' | 'agentService';

/** A 'no' of the service. The codes are those of CometChat's public error tables. */
export interface Refusal {
	status: number;
	code: string;
	message: string;
	envelope: Envelope;
	headers?: Record<string, string>;
}

const REASONS: Record<number, string> = {
	400: 'Bad Request',
	401: 'Unauthorized',
	403: 'Forbidden',
	404: 'Not Found',
	405: 'Method Not Allowed',
	408: 'Request Timeout',
	409: 'Conflict',
	410: 'Gone',
	413: 'Payload Too Large',
	415: 'Unsupported Media Type',
	422: 'Unprocessable Entity',
	429: 'Too Many Requests',
	500: 'Internal Server Error',
	502: 'Bad Gateway',
	503: 'Service Unavailable',
	504: 'Gateway Timeout',
};

const CODES: Record<number, string> = {
	401: 'AUTH_ERR_APIKEY_NOT_FOUND',
	403: 'AUTH_ERR_NO_ACCESS',
	404: 'ERR_AGENT_NOT_FOUND',
	429: 'ERR_TOO_MANY_REQUESTS',
};

/** Statuses that the gateway answers itself, before the agent service sees the request. */
const GATEWAY_STATUSES = [401, 403, 429];

/** A refusal with the code, words and envelope that go with its status, unless they are given. */
export function refusal(
	status: number,
	given: { code?: string; message?: string; envelope?: Envelope },
	envelope: Envelope,
): Refusal {
	return {
		status,
		code: given.code ?? CODES[status] ?? (status < 500 ? 'ERR_BAD_REQUEST' : 'ERR_EXCEPTION'),
		message: given.message ?? `The stand-in was told to answer ${status}.`,
		envelope: given.envelope ?? (GATEWAY_STATUSES.includes(status) ? 'gateway' : envelope),
	};
}

/** The JSON body of a refusal. */
export function refusalBody({ status, code, message, envelope }: Refusal) {
	return envelope === 'gateway'
		? { error: { message, devMessage: message, source: 'chat-api', code } }
		: { statusCode: status, message, error: REASONS[status] ?? 'Error' };
}

/** What the service says to what is not as its documentation asks. */
export function badRequest(message: string, status = 400): Refusal {
	return { status, code: 'ERR_BAD_REQUEST', message, envelope: 'agentService' };
}

/** What the service says to the ID of a file that it does not hold. */
export function noSuchFile(uniqueId: string, envelope: Envelope): Refusal {
	const message = `Knowledge base record with uniqueId ${uniqueId} not found`;
	return { status: 404, code: 'ERR_KB_NOT_FOUND', message, envelope };
}

/** What the service says to the ID of an agent that it does not hold. */
export function noSuchAgent(uid: string, envelope: Envelope): Refusal {
	const message = `Agent with uid ${uid} not found`;
	return { status: 404, code: 'ERR_AGENT_NOT_FOUND', message, envelope };
}

/** What the chat service says to an ID that it does not hold. */
export function noSuch(name: string, id: string, code: string, envelope: Envelope): Refusal {
	return { status: 404, code, message: `The ${name} ${id} does not exist.`, envelope };
}

export function refuse(refused: Refusal): Answer {
	const { status, headers } = refused;
	return { status, headers, body: () => refusalBody(refused) };
}
