import assert from 'node:assert/strict';
import { MEANINGS } from '../../../nodes/CometChatKnowledgeBase/http/meanings.js';
import type { Rule } from '../../service/service.js';
import { startService } from '../../service/service.js';
import { accountFor, KEYS, WRONG_KEY } from '../account.mjs';
import type { Prove } from '../prove.mjs';
import { withStarted } from '../withStarted.mjs';
import type { Environment } from './environment.mjs';

const NO_LIST = "Error: CometChat didn't return a list of agents.";

export async function proveCredentialTest(
	prove: Prove,
	{ n8n, service, reset }: Environment,
): Promise<void> {
	await prove(
		'the credential is green for a list of agents alone, which n8n asks for once',
		async () =>
			await withStarted(async (start) => {
				const elsewhere = await start(startService(KEYS));
				const redirect = { status: 302, headers: { Location: `${elsewhere.baseUrl}/agents` } };
				const host = (baseUrl: string) => ({ baseUrl });
				const cases: Array<[said: string, rule: Rule, baseUrl?: string, key?: string]> = [
					['OK: ', {}],
					[`Error: ${MEANINGS.AUTH_ERR_APIKEY_NOT_FOUND?.title}.`, {}, service.baseUrl, WRONG_KEY],
					[`Error: ${MEANINGS.AUTH_ERR_NO_ACCESS?.title}.`, {}, service.baseUrl, KEYS.authKey],
					[NO_LIST, { body: '<html></html>' }],
					[NO_LIST, redirect],
					// n8n's own message, or the network's code.
					['Error: ', {}, 'http://127.0.0.1:9/v3'],
					["Error: The credential's 'Base URL'", {}, 'http://127.0.0.1:9'],
				];
				for (const [said, rule, baseUrl = service.baseUrl, key] of cases) {
					reset();
					service.clearLog();
					service.script({ ...rule, times: Infinity });
					const shown = await n8n.rest.testCredential(accountFor(host(baseUrl), 'Tested', key));
					assert.ok(shown.startsWith(said), `${JSON.stringify([rule, baseUrl])}: ${shown}`);
					assert.ok(service.log.filter(({ kind }) => kind === 'arrived').length <= 1);
				}
				assert.equal(elsewhere.log.length, 0, 'The other host was asked.');
			}),
	);
	await prove('a silent host is given up after 15 seconds', async () => {
		reset();
		service.script({ latencyMs: 60_000 });
		const startMs = Date.now();
		await n8n.rest.testCredential(accountFor(service, 'Tested'));
		assert.ok(Date.now() - startMs < 20_000);
	});
}
