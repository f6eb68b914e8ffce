import type { Request } from 'express';

import type { Operation } from './address';
import { readAddress } from './address';
import { readAgentName, readFiles, readMessageText, readTextEntry, readUniqueIds } from './given';
import type { ReceivedRequest } from './log';
import { readAddress as readAddressToCrawl } from './sites';

/** What the log keeps of a request to the API whose body has been read. */
export function receive(request: Request, count: number): ReceivedRequest {
	const { method, originalUrl: path } = request;
	const body: unknown = request.body;
	const address = readAddress(method, path);
	const { operation, uniqueId } = address;
	const named = readUniqueIds(body);
	return {
		request: count,
		host: 'api',
		method,
		path,
		headers: readHeaders(request),
		body,
		...address,
		uniqueIds: uniqueId === undefined ? named : [uniqueId, ...(named ?? [])],
		fileNames: operation === undefined ? undefined : readNames(operation, body),
	};
}

/** Names in lower case; a header that came twice is joined with a comma. */
export function readHeaders({ headers }: Request): Record<string, string> {
	return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

function readNames(operation: Operation, body: unknown): string[] | undefined {
	if (operation === 'initiate') return readFiles(body)?.map(({ fileName }) => fileName);
	const name = NAME_IN[operation]?.(body);
	return name === undefined ? undefined : [name];
}

/** What a request that makes one thing calls it; a website has its address. */
const NAME_IN: Partial<Record<Operation, (body: unknown) => string | undefined>> = {
	createText: (body) => readTextEntry(body)?.title,
	createAgent: readAgentName,
	crawl: readAddressToCrawl,
	sendMessage: readMessageText,
};
