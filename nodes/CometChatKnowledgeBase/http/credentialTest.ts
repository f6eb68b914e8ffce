import type { ICredentialTestRequest } from 'n8n-workflow';

import { MEANINGS } from './meanings';

/** Lists one agent: a documented read-only request to the same service, with the same scope of the key. */
const TEST_URL = '/ai-agents/agent-builder/agents?limit=1';

const TEST_TIMEOUT_MS = 15_000;

const NO_LIST =
	"CometChat didn't return a list of agents. Check 'App ID' and 'Region' (or 'Base URL'). If this keeps happening, check the CometChat status page.";

/**
 * n8n's declarative test reads only the body of a response here, not its status. So CometChat's own code chooses the
 * message, n8n sends a refused key only once, and no text of another host is shown.
 */
export const credentialTest: ICredentialTestRequest = {
	request: { url: TEST_URL, ignoreHttpStatusErrors: true },
	rules: [
		...Object.entries(MEANINGS)
			.filter(([code]) => /^[A-Z_]+$/.test(code))
			.map(([code, { title, hint }]) => redIf('error.code', code, `${title}. ${hint}`)),
		// Only a list has this method: a web page, a redirect and an object without `data` fail.
		redIf('data.map', undefined, NO_LIST),
	],
};

/** @param key The path of a value in the body. */
function redIf(key: string, value: string | undefined, message: string) {
	return { type: 'responseSuccessBody' as const, properties: { key, value, message } };
}

/** n8n waits five minutes for its test, also if the test has a shorter time-out. */
export function withTestTimeout<R extends { url?: string }>(asked: { url?: string }, request: R) {
	return asked.url === TEST_URL ? { ...request, timeout: TEST_TIMEOUT_MS } : request;
}
