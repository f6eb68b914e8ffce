import type { ICredentialTestRequest } from 'n8n-workflow';

import { MEANINGS } from './meanings';

/** One agent of the list: the documented read-only request for the same service and scope of key as the node's own. */
const TEST_URL = '/ai-agents/agent-builder/agents?limit=1';

const TEST_TIMEOUT_MS = 15_000;

const NO_LIST =
	"CometChat didn't return a list of agents. Check 'App ID' and 'Region' (or 'Base URL'). If this keeps happening, check the CometChat status page.";

/**
 * n8n's declarative test reads the body of a response alone here, whatever its status. So CometChat's own code
 * chooses the message, n8n sends a refused key only once, and no text of a foreign host is shown.
 */
export const credentialTest: ICredentialTestRequest = {
	request: { url: TEST_URL, ignoreHttpStatusErrors: true },
	rules: [
		...Object.entries(MEANINGS)
			.filter(([code]) => /^[A-Z_]+$/.test(code))
			.map(([code, { title, hint }]) => redIf('error.code', code, `${title}. ${hint}`)),
		// Only a list has this method: a page, a redirect and an object without `data` are red.
		redIf('data.map', undefined, NO_LIST),
	],
};

/** @param key The path of a value in the body. */
function redIf(key: string, value: string | undefined, message: string) {
	return { type: 'responseSuccessBody' as const, properties: { key, value, message } };
}

/** n8n gives its test five minutes, whatever the test asks for. */
export function withTestTimeout<R extends { url?: string }>(asked: { url?: string }, request: R) {
	return asked.url === TEST_URL ? { ...request, timeout: TEST_TIMEOUT_MS } : request;
}
