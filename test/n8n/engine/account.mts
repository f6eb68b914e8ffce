import { listAt, requiredText, textAt } from '../fields.mjs';
import { assertHolds, type Prove } from '../prove.mjs';
import { accountFor, KEYS, LARGE, type Stage } from './stage.mjs';

/** Keys that nobody may meet again, though they open nothing. */
export const WRONG_KEY = 'badc0debadc0debadc0debadc0debadc0debadkey';

export async function proveAccount(prove: Prove, stage: Stage): Promise<void> {
	const { n8n, service, large } = stage;
	const nobody = 'http://127.0.0.1:9/v3';

	const tested = async (promise: string, data: object, status: string, words: string[]) =>
		await prove(promise, async () => {
			stage.reset();
			const credential = accountFor('Being tested', service);
			Object.assign(credential.data, data);
			const id = await n8n.rest.createCredential(credential);
			const result = await n8n.rest.testCredential(id, credential);
			assertHolds(result.status === status, `It is ${result.status}: ${result.message}`);
			for (const word of words) {
				assertHolds(result.message.includes(word), `"${word}" is not in "${result.message}".`);
			}
			assertHolds(service.log.length <= 2, 'It was asked more than once.');
		});
	await tested('The credential test is green for the right key', {}, 'OK', ['accepted']);
	await tested(
		'The credential test is red for a wrong key, and says so',
		{ apiKey: WRONG_KEY },
		'Error',
		['CometChat did not accept the API key', 'AUTH_ERR_APIKEY_NOT_FOUND', 'REST API Key'],
	);
	await tested(
		'The credential test is red for the Auth Key, and names it',
		{ apiKey: KEYS.authKey },
		'Error',
		['The API key may not manage AI agents', 'probably the Auth Key'],
	);
	await tested(
		'The credential test is red for a host that does not exist, and says so',
		{ baseUrl: 'https://chat.invalid/v3' },
		'Error',
		["The credential's host does not exist", 'Base URL'],
	);
	await tested(
		'The credential test is red where nobody listens, and says so',
		{ baseUrl: nobody },
		'Error',
		['The connection to CometChat was lost', 'ECONNREFUSED'],
	);

	await prove(`The agent list: ${LARGE} agents are paged to the end, each once`, async () => {
		stage.reset();
		const found: string[] = [];
		let pages = 0;
		for (let token: string | undefined = ''; token !== undefined; pages++) {
			const page = await search(stage, token === '' ? {} : { paginationToken: token });
			found.push(...listAt(page, 'results').map((agent) => requiredText(agent, 'value')));
			token = textAt(page, 'paginationToken') || undefined;
			assertHolds(pages < LARGE, 'The pages do not end.');
		}
		const uids = large.agents().map(({ uid }) => uid);
		assertHolds(found.join() === uids.join(), `${found.length} agents on ${pages} pages.`);
		assertHolds(pages > 1, 'There was only one page.');
	});
	await prove('The agent list can be searched by a part of the name', async () => {
		const results = listAt(await search(stage, { filter: 'ent 317' }), 'results');
		const names = results.map((agent) => `${textAt(agent, 'name')}=${textAt(agent, 'value')}`);
		assertHolds(names.join() === 'Agent 317 (agent-317)=agent-317', `Found: ${names.join()}`);
	});
}

async function search({ n8n, largeAccount }: Stage, more: object): Promise<unknown> {
	return await n8n.rest.listSearch({
		nodeTypeAndVersion: { name: 'n8n-nodes-cometchat.cometChatKnowledgeBase', version: 1 },
		path: 'parameters.uid',
		methodName: 'searchAgents',
		currentNodeParameters: {},
		credentials: { cometChatApi: { id: largeAccount.id, name: largeAccount.name } },
		...more,
	});
}
