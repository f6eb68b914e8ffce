import type { Request, RequestHandler, Response } from 'express';
import { text } from 'express';

import type { Refusal } from './refusal';
import { badRequest } from './refusal';

/** Reads any body as text, so that the log has it even if it is no JSON. */
const readText = text({ type: () => true, limit: '20mb' });

/** Runs an express handler. @returns The error that it handed to `next()`, if it did. */
export async function pass(
	handler: RequestHandler,
	request: Request,
	response: Response,
): Promise<unknown> {
	return await new Promise((resolve) => {
		void handler(request, response, resolve);
	});
}

/** Reads the body into `request.body`. @returns Why the service does not take it, if so. */
export async function readBody(request: Request, response: Response): Promise<Refusal | undefined> {
	const error = await pass(readText, request, response);
	if (error instanceof Error) {
		const status = 'status' in error ? Number(error.status) : 500;
		return badRequest(error.message, status);
	}
	const received: unknown = request.body;
	if (typeof received !== 'string') return undefined;
	// A client may announce a body of no length: that is none, which the description judges.
	if (received === '') {
		request.body = undefined;
		return undefined;
	}
	try {
		request.body = JSON.parse(received);
		return undefined;
	} catch {
		return badRequest('The body is no JSON.');
	}
}
