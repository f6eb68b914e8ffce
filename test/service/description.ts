import type { RequestHandler } from 'express';
import { Router } from 'express';
import { error as refusals, middleware } from 'express-openapi-validator';

import description from './openapi.json';
import type { Refusal } from './refusal';
import { badRequest } from './refusal';

type Description = Exclude<Parameters<typeof middleware>[0]['apiSpec'], string>;

let described: RequestHandler | undefined;

/**
 * Checks requests, and the answers sent with `response.json`, against openapi.json. It is one for all
 * stand-ins: it remembers nothing of a request, and to make one takes longer than most tests.
 */
export function describedRequests(): RequestHandler {
	return (described ??= validator());
}

function validator(): RequestHandler {
	// A copy, because the validator rewrites what it is given.
	const apiSpec: unknown = structuredClone(description);
	if (!isDescription(apiSpec)) throw new Error('openapi.json is no OpenAPI 3.0 description.');
	const router = Router({ caseSensitive: true, strict: true });
	// The key is checked by the service itself, which has more to say than yes or no.
	router.use(middleware({ apiSpec, validateResponses: true, validateSecurity: false }));
	return router;
}

export const NO_SUCH_API: Refusal = {
	status: 404,
	code: 'ERR_API_NOT_FOUND',
	message: 'The requested API does not exist.',
	envelope: 'gateway',
};

/** What the service says to a request that does not fit; undefined if the error is another one. */
export function refuseUndescribed(error: unknown): Refusal | undefined {
	if (error instanceof refusals.NotFound || error instanceof refusals.MethodNotAllowed) {
		return NO_SUCH_API;
	}
	if (error instanceof refusals.BadRequest || error instanceof refusals.UnsupportedMediaType) {
		return badRequest(error.message);
	}
	return undefined;
}

function isDescription(value: unknown): value is Description {
	return (
		typeof value === 'object' &&
		value !== null &&
		'openapi' in value &&
		typeof value.openapi === 'string' &&
		value.openapi.startsWith('3.0.') &&
		'paths' in value
	);
}
