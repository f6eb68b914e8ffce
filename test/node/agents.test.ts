import { testCredential } from '../../nodes/CometChatKnowledgeBase/methods/credentialTest';
import { searchAgents } from '../../nodes/CometChatKnowledgeBase/methods/searchAgents';
import { isRecord } from '../../nodes/CometChatKnowledgeBase/values/validationIssue';
import { credentialTestContext, listContext } from './engine';
import { AUTH_KEY, credentialFor, freshService } from './fixture';

const service = freshService({ agents: 130 });

describe('The list behind Agent', () => {
	test('is paged to the end: every agent once, by name and ID', async () => {
		const context = await listContext(credentialFor(service()));
		const names: string[] = [];
		let token: string | undefined;
		do {
			const page = await searchAgents(context, undefined, token);
			names.push(...page.results.map(({ name }) => name));
			token = typeof page.paginationToken === 'string' ? page.paginationToken : undefined;
		} while (token !== undefined);
		const all = service().agents();
		expect(names).toEqual(all.map(({ name, uid }) => `${name} (${uid})`));
		expect(service().log.filter(({ kind }) => kind === 'arrived')).toHaveLength(3);
	});

	test('finds agents by a part of the name', async () => {
		const context = await listContext(credentialFor(service()));
		const { results } = await searchAgents(context, 'agent 07');
		expect(results).toHaveLength(10);
	});

	test('gives the ID as the value', async () => {
		const context = await listContext(credentialFor(service()));
		const [first] = (await searchAgents(context, 'Agent 007')).results;
		expect(
			service()
				.agents()
				.map(({ uid }) => uid),
		).toContain(first?.value);
	});

	test('says what is wrong with the key', async () => {
		const context = await listContext(credentialFor(service(), 'wrong'));
		await expect(searchAgents(context)).rejects.toMatchObject({
			name: 'NodeApiError',
			message: 'CometChat did not accept the API key',
			description: expect.stringContaining('AUTH_ERR_APIKEY_NOT_FOUND'),
		});
	});

	test('says what is wrong with the credential', async () => {
		const context = await listContext({ region: 'us', appId: '', apiKey: 'key' });
		await expect(searchAgents(context)).rejects.toMatchObject({
			name: 'NodeOperationError',
			message: "The credential's 'App ID' is empty",
		});
	});

	test('ends where a service names the same next page again and again', async () => {
		const body = JSON.stringify({ data: [{ uid: 'a' }], meta: { next: { createdAt: 5 } } });
		service().script({ times: Infinity, status: 200, body });
		const context = await listContext(credentialFor(service()));
		expect((await searchAgents(context)).paginationToken).toBe('5');
		expect((await searchAgents(context, undefined, '5')).paginationToken).toBeUndefined();
	});
});

describe('The credential test', () => {
	const check = async (fields: Record<string, unknown>) =>
		await testCredential(fields, credentialTestContext().helpers);

	test('is green for the right key, with one request for one agent', async () => {
		const fields = credentialFor(service());
		expect(await check(fields)).toEqual({
			status: 'OK',
			message: 'CometChat accepted the API key',
		});
		expect(service().log.map(({ kind, path }) => [kind, path])).toEqual([
			['arrived', '/v3/ai-agents/agent-builder/agents?limit=1'],
			['answered', '/v3/ai-agents/agent-builder/agents?limit=1'],
		]);
	});

	test('is green for an app that has no agent yet', async () => {
		service().script({ status: 200, body: '{"data":[],"meta":{}}' });
		expect(await check(credentialFor(service()))).toMatchObject({ status: 'OK' });
	});

	test.each<[string, object, RegExp]>([
		['a wrong key', { apiKey: 'wrong' }, /^CometChat did not accept the API key\..*REST API Key/],
		['the Auth Key', { apiKey: AUTH_KEY }, /^The API key may not manage AI agents\..*Auth Key/],
		['no key', { apiKey: '' }, /^The credential's 'API Key' is empty\./],
		[
			'a host that does not exist',
			{ baseUrl: 'https://nowhere.invalid/v3' },
			/^The credential's host does not exist\..*Region/,
		],
		[
			'nobody listening',
			{ baseUrl: 'http://127.0.0.1:9/v3' },
			/^The connection to CometChat was lost\..*ECONNREFUSED/,
		],
		['a bad App ID', { region: 'us', appId: 'a/b' }, /^The credential's 'App ID' can't be part/],
		[
			'a Base URL without its version',
			{ baseUrl: 'https://chat.example.com' },
			/^The credential's 'Base URL' does not end in a version.*https:\/\/chat\.example\.com\/v3/,
		],
	])('is red for %s, with words that help', async (_, fields, words) => {
		const result = await check({ ...credentialFor(service()), ...fields });
		expect(result).toMatchObject({ status: 'Error', message: expect.stringMatching(words) });
		expect(service().log.filter(({ kind }) => kind === 'arrived').length).toBeLessThanOrEqual(1);
	});

	test.each([
		[
			'an unknown app',
			{ status: 404, code: 'AUTH_ERR_INVALID_APPID' },
			/^CometChat does not know this app/,
		],
		[
			'a web page with status 200',
			{ status: 200, body: '<html></html>' },
			/^This host did not answer like CometChat/,
		],
		['an empty answer', { status: 200, body: '' }, /^This host did not answer like CometChat/],
		[
			'data that is no list',
			{ status: 200, body: '{"data":{"id":1}}' },
			/^This host did not answer like CometChat/,
		],
		['a bare list', { status: 200, body: '[]' }, /^This host did not answer like CometChat/],
		[
			'a redirect',
			{ status: 302, headers: { Location: 'http://127.0.0.1:9/' } },
			/^CometChat sent the request on/,
		],
		['a service that is down', { status: 503 }, /^CometChat is not able to answer right now/],
	])('is red for %s', async (_, rule, words) => {
		service().script(rule);
		const result = await check(credentialFor(service()));
		expect(result).toMatchObject({ status: 'Error', message: expect.stringMatching(words) });
	});

	test.each([200, 400, 404, 408, 413, 418, 429, 500])(
		'advises nothing that the credential does not have (status %i)',
		async (status) => {
			const body = JSON.stringify({ success: false, message: 'words' });
			service().script({ status, body });
			const { message } = await check(credentialFor(service()));
			expect(message).toMatch(/App ID and Region|Run it again later/);
			expect(message).not.toMatch(/Options|'File IDs'|'Source Type'|'Agent'|item|knowledge base/);
		},
	);

	test('gives up on a host that is silent for 15 seconds, and says so', async () => {
		service().script({ latencyMs: 2000 });
		const { request } = credentialTestContext().helpers;
		// A hundred times as fast.
		const hurried = async (options: string | object) => {
			const timeout = isRecord(options) ? Number(options.timeout) / 100 : Number.NaN;
			return await request(Object.assign({}, options, { timeout }));
		};
		const { message } = await testCredential(credentialFor(service()), { request: hurried });
		expect(message).toMatch(/^CometChat did not answer in time\..* timeout of 150ms/);
		expect(message).toMatch(/App ID and Region/);
		expect(message).not.toMatch(/Options/);
	});
});
