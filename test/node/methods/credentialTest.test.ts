import { testCredential } from '../../../nodes/CometChatKnowledgeBase/methods/credentialTest';
import { isRecord } from '../../../nodes/CometChatKnowledgeBase/values/validationIssue';
import type { Rule } from '../../service/service';
import { credentialTestContext } from '../engine';
import { AUTH_KEY, credentialFor, freshService } from '../fixture';

const service = freshService();

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
			/^The credential's host does not exist\..*nowhere\.invalid.*Base URL/,
		],
		[
			'nobody listening',
			{ baseUrl: 'http://127.0.0.1:9/v3' },
			/^CometChat could not be reached\..*ECONNREFUSED/,
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

	const other = /^This host did not answer like CometChat/;
	test.each<[string, Rule, RegExp]>([
		['a web page with status 200', { status: 200, body: '<html></html>' }, other],
		['an empty answer', { status: 200, body: '' }, other],
		['data that is no list', { status: 200, body: '{"data":{"id":1}}' }, other],
		['a bare list', { status: 200, body: '[]' }, other],
		['a list that is none', { status: 200, body: '{"success":false,"data":[]}' }, other],
		[
			'a redirect',
			{ status: 302, headers: { Location: 'http://127.0.0.1:9/' } },
			/^CometChat sent the request on/,
		],
		['a service that is down', { status: 503 }, / status 503 /],
	])('is red for %s', async (_, rule, words) => {
		service().script(rule);
		const result = await check(credentialFor(service()));
		expect(result).toMatchObject({ status: 'Error', message: expect.stringMatching(words) });
	});

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
		expect(message).toMatch(/Check Base URL/);
		expect(message).not.toMatch(/Options/);
	});
});
