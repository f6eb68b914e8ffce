import type { ReceivedRequest } from './log';
import { fields, type Shapes } from './shapes';

export const BASE_PATH = '/v3';
export const AGENTS = '/ai-agents/agent-builder/agents';
export const KNOWLEDGE_BASE = '/ai-agents/agent-builder/knowledge-base';

/** The name of a route; 'upload' at the upload host, all others at the API. */
export type Operation = string;

/** The decoded names in a path: `a%20b` is `a b`. */
export interface Address {
	uid?: string;
	sourceType?: string;
	/** The ID of a document or a message. */
	uniqueId?: string;
}

/** A failure; what is left out depends on the status. A rule of the script may be a failure, too. */
export interface Failure {
	status: number;
	code?: string;
	message?: string;
	/** 'gateway' (if left out): `{"error":{…}}`; 'agentService': `{"statusCode":…,"message":…,"error":…}`. */
	envelope?: 'gateway' | 'agentService';
	headers?: Record<string, string>;
}

/** A refusal of the service, thrown where its reason is found. The codes are from CometChat's public tables. */
export class Refusal extends Error {
	constructor(readonly failure: Failure) {
		super(failure.message);
	}
}

export function refused(status: number, code: string, message: string): Refusal {
	return new Refusal({ status, code, message });
}

/** Makes the refusal of a request that contradicts the documentation. */
export function badRequest(message: string): Refusal {
	return new Refusal({ status: 400, message, envelope: 'agentService' });
}

/** The regular response to a request. */
export interface Answer {
	/** 200 if left out. */
	status?: number;
	/** Makes the body when the response is due: after the change. */
	body: () => unknown;
	headers?: Record<string, string>;
	/** Changes the state of the service; undefined if the request changes nothing. */
	change?: () => void;
	/** The time for the response, if it is not the usual time. */
	ms?: number;
}

/** The response to a change without further content. */
export const DONE: Answer = { body: () => ({ success: true }) };

/** A request as documented. */
export interface Asked<Given> extends Required<Address> {
	/** The query of a GET, the body of other requests. */
	given: Given;
	headers: Record<string, string>;
}

export type Route = ReturnType<typeof route>;

/**
 * @param line Method and path, such as `GET /users/{uid}/messages`.
 * @param shapes The shapes of the query of a GET, or of the body of other requests, which have no query.
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
		/** Returns the names of a request's files or text. */
		namesIn: (body: unknown) => (isAsDocumented(body) ? namesOf?.(body) : undefined),
		/** @throws {Refusal} if the request contradicts the documentation, or is impossible */
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
