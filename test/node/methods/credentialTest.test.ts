import { testCredential } from '../../../nodes/CometChatKnowledgeBase/editor/credentialTest';
import type { Rule } from '../../service/service';
import { credentialTestContext } from '../engine';
import { add, AUTH_KEY, credentialFor, freshService } from '../fixture';
import { agent, file, runFiles } from '../operations';
import { isRecord } from '../../../nodes/CometChatKnowledgeBase/text/json';

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
		[
			'a host that does not exist',
			{ baseUrl: 'https://nowhere.invalid/v3' },
			/^The credential's host does not exist\..*nowhere\.invalid.*Base URL/,
		],
	])('is red for %s, with words that help', async (_, fields, words) => {
		const result = await check({ ...credentialFor(service()), ...fields });
		expect(result).toMatchObject({ status: 'Error', message: expect.stringMatching(words) });
		expect(service().log.filter(({ kind }) => kind === 'arrived').length).toBeLessThanOrEqual(1);
	});

	const other = /^This host did not answer like CometChat/;
	test.each<[string, Rule, RegExp]>([
		['a web page with status 200', { status: 200, body: '<html></html>' }, other],
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
		expect(message).toMatch(/Check App ID and Region \(or Base URL\)/);
		expect(message).not.toMatch(/Options/);
	});
});

describe('A deployment that asks for the ID of the app in a header', () => {
	const deployment = freshService({ appId: 'app2' });
	const credential = (customAppId: string) => ({ ...credentialFor(deployment()), customAppId });
	const appIds = () =>
		new Set(deployment().log.map(({ host, headers }) => `${host} ${headers.appid}`));

	test('is told it with every request, and the host of the bytes is not', async () => {
		const run = await runFiles(deployment(), 'document.upload', {
			files: [{ data: file('a.txt') }],
			parameters: { addToAgent: true, waitUntilIndexed: true, uid: agent('support-bot') },
			credential: credential('app2'),
		});
		expect(run.output[0]?.json).toMatchObject({ success: true, action: 'added' });
		expect(appIds()).toEqual(new Set(['api app2', 'uploads undefined']));
		const { helpers } = credentialTestContext();
		expect(await testCredential(credential('app2'), helpers)).toMatchObject({ status: 'OK' });
	});

	test.each([
		['', 'CometChat was not told which app it is about'],
		['app3', 'CometChat does not know this app in this region'],
	])('says what to correct in the credential, if that is %j', async (customAppId, message) => {
		const { error } = await add(deployment(), [{ agent: 'support-bot', files: ['a'] }], {
			credential: credential(customAppId),
		});
		expect(error).toMatchObject({
			message: expect.stringContaining(message),
			description: expect.stringContaining(
				'Check App ID and Region (or Base URL) in the credential',
			),
		});
	});
});
