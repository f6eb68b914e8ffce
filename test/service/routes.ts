import { type Address, BASE_PATH, type Operation } from './address';
import type { ReceivedRequest } from './log';
import { badRequest } from './refusal';
import { fields, read, type Shapes } from './shapes';

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
		namesIn: (body: unknown) => (fields(shapes)(body) ? namesOf?.(body) : undefined),
		/** Throws a refusal if the request is not as documented, or asks for what can't be done. */
		answer: (received: ReceivedRequest) => {
			const { uid = '', sourceType = '', uniqueId = '', headers } = received;
			const given = read(shapes, givenIn(received), 'request');
			return answer({ given, uid, sourceType, uniqueId, headers });
		},
	};
}

function givenIn({ method, path, headers, body }: ReceivedRequest): unknown {
	const query = Object.fromEntries(new URLSearchParams(path.split('?')[1]));
	if (method === 'GET') return query;
	read({}, query, 'query');
	if (body !== undefined && !headers['content-type']?.startsWith('application/json')) {
		throw badRequest('The body is no application/json.');
	}
	return body ?? {};
}
