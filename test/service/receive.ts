import type { Request } from 'express';

import { readAddress } from './address';
import type { ReceivedRequest } from './log';

/** What the log keeps of a request whose body has been read. */
export function receive(request: Request, count: number): ReceivedRequest {
	const { method, originalUrl: path } = request;
	const body: unknown = request.body;
	const headers = Object.fromEntries(
		Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
	);
	const uniqueIds = readUniqueIds(body);
	return { request: count, method, path, headers, body, ...readAddress(method, path), uniqueIds };
}

/** `uniqueIds` of a body that has it as a list of strings. */
function readUniqueIds(body: unknown): string[] | undefined {
	if (typeof body !== 'object' || body === null || !('uniqueIds' in body)) return undefined;
	const { uniqueIds } = body;
	if (!Array.isArray(uniqueIds)) return undefined;
	return uniqueIds.every((id) => typeof id === 'string') ? uniqueIds : undefined;
}
