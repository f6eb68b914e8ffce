import type { ReceivedRequest } from './log';
import { fields, type Shapes } from './shapes';

export const BASE_PATH = '/v3';
export const AGENTS = '/ai-agents/agent-builder/agents';
export const KNOWLEDGE_BASE = '/ai-agents/agent-builder/knowledge-base';

/** What a request asks for, as its route is called; 'upload' at the upload host, all others at the API. */
export type Operation = string;

/** What a path names, decoded: `a%20b` is `a b`. */
export interface Address {
	uid?: string;
	sourceType?: string;
	/** Of a document or a message. */
	uniqueId?: string;
}

/** What fails, and how; what is left out goes with its status. A rule of the script may be one, too. */
export interface Failure {
	status: number;
	code?: string;
	message?: string;
	/** 'gateway' (if left out): `{"error":{…}}`; 'agentService': `{"statusCode":…,"message":…,"error":…}`. */
	envelope?: 'gateway' | 'agentService';
	headers?: Record<string, string>;
}

/** A 'no' of the service, thrown by whoever finds the reason. The codes are those of CometChat's public tables. */
export class Refusal extends Error {
	constructor(readonly failure: Failure) {
		super(failure.message);
	}
}

export function refused(status: number, code: string, message: string): Refusal {
	return new Refusal({ status, code, message });
}

/** What the service says to what is not as its documentation asks. */
export function badRequest(message: string): Refusal {
	return new Refusal({ status: 400, message, envelope: 'agentService' });
}

/** The well-behaved answer to a request. */
export interface Answer {
	/** 200 if left out. */
	status?: number;
	/** Makes the body, when the answer is due: after the change. */
	body: () => unknown;
	headers?: Record<string, string>;
	/** Changes what the service holds; undefined if this request changes nothing. */
	change?: () => void;
	/** How long it takes, if not as long as any other. */
	ms?: number;
}

/** What a change is answered with that has nothing else to say. */
export const DONE: Answer = { body: () => ({ success: true }) };

/** A request that is as documented. */
export interface Asked<Given> extends Required<Address> {
	/** The query of a GET, the body of the others. */
	given: Given;
	headers: Record<string, string>;
}

export type Route = ReturnType<typeof route>;

/**
 * @param line Method and path, as `GET /users/{uid}/messages`.
 * @param shapes Of the query of a GET, of the body of the others, which take no query.
 */
export function route<Given extends object>(
	operation: Operation,
	line: string,
	shapes: Shapes<Given>,
	answer: (asked: Asked<Given>) => Answer,
	namesOf?: (given: Given) => string[],
) {
	const form = line.replace(' ', ` ${BASE_PATH}`).replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
	const pattern = new RegExp(`^${form}$`);
	const isAsDocumented = fields(shapes);
	return {
		operation,
		/** @param path Raw, with or without a query. */
		match: (method: string, path: string): Address | undefined => {
			const found = pattern.exec(`${method} ${path.split('?')[0]}`);
			if (found === null) return undefined;
			const named = Object.entries(found.groups ?? {});
			return Object.fromEntries(named.map(([name, raw]) => [name, decodeURIComponent(raw)]));
		},
		/** What a request calls what it brings. */
		namesIn: (body: unknown) => (isAsDocumented(body) ? namesOf?.(body) : undefined),
		/** @throws {Refusal} if the request is not as documented, or asks for what can't be done. */
		answer: (received: ReceivedRequest) => {
			const { uid = '', sourceType = '', uniqueId = '', headers } = received;
			const given = givenIn(received);
			if (!isAsDocumented(given)) throw badRequest('The request is not as documented.');
			return answer({ given, uid, sourceType, uniqueId, headers });
		},
	};
}

function givenIn({ method, path, headers, body }: ReceivedRequest): unknown {
	const query = path.split('?')[1];
	if (method === 'GET') return Object.fromEntries(new URLSearchParams(query));
	if (query !== undefined) throw badRequest('This request takes no query.');
	if (body !== undefined && !headers['content-type']?.startsWith('application/json'))
		throw badRequest('The body is no application/json.');
	return body ?? {};
}
