import { CometChatApi } from '../../../credentials/CometChatApi.credentials';
import type { Rule } from '../../service/service';
import { testCredential } from '../engine';
import { AUTH_KEY, credentialFor, freshService } from '../fixture';
import { agent, file, runFiles } from '../operations';

const service = freshService();

describe('The credential test', () => {
	test('is green for the right key, with one request for one agent', async () => {
		expect(await testCredential(credentialFor(service()))).toMatchObject({ status: 'OK' });
		expect(service().log.map(({ kind, path }) => [kind, path])).toEqual([
			['arrived', '/v3/ai-agents/agent-builder/agents?limit=1'],
			['answered', '/v3/ai-agents/agent-builder/agents?limit=1'],
		]);
	});

	test('is green for an app that has no agent yet', async () => {
		service().script({ status: 200, body: '{"data":[],"meta":{}}' });
		expect(await testCredential(credentialFor(service()))).toMatchObject({ status: 'OK' });
	});

	test.each<[string, object, RegExp]>([
		['a wrong key', { apiKey: 'wrong' }, /the API key\..*REST API Key/],
		['the Auth Key', { apiKey: AUTH_KEY }, /AI agents\..*Auth Key/],
		[
			'a host that does not exist',
			{ baseUrl: 'https://nowhere.invalid/v3' },
			/^E(NOTFOUND|AI_AGAIN)$/,
		],
		['no version', { baseUrl: 'https://nowhere.invalid' }, /'Base URL' is not a full .* version/],
	])('is red for %s, with at most one request', async (_, fields, words) => {
		const result = await testCredential({ ...credentialFor(service()), ...fields });
		expect(result).toMatchObject({ status: 'Error', message: expect.stringMatching(words) });
		expect(service().log.filter(({ kind }) => kind === 'arrived').length).toBeLessThanOrEqual(1);
	});

	test.each<[string, Rule]>([
		['a web page', { status: 200, body: '<html></html>' }],
		['an empty answer', { status: 200, body: '' }],
		['an object', { status: 200, body: '{"ok":true,"data":{"agents":[]}}' }],
		['a text', { status: 200, body: '{"data":"welcome"}' }],
		['a bare list', { status: 200, body: '[{"uid":"support-bot"}]' }],
		['an empty list', { status: 200, body: '[]' }],
		['a sign-in page elsewhere', { status: 302, headers: { Location: 'http://127.0.0.1:9/' } }],
		['a service that is down', { status: 503 }],
	])('is red for %s', async (_, rule) => {
		service().script(rule);
		expect(await testCredential(credentialFor(service()))).toMatchObject({ status: 'Error' });
	});

	test('sends nothing to another host, and shows nothing of its response', async () => {
		service().script({ status: 302, headers: { Location: `${other().baseUrl}/x` } });
		const { message } = await testCredential(credentialFor(service()));
		expect(message).toMatch(/^CometChat didn't return a list of agents\./);
		expect(other().log).toEqual([]);
	});

	test('waits 15 seconds for a silent host, and no other request has less time', async () => {
		const {
			authenticate,
			test: { request },
		} = new CometChatApi();
		const timeoutOf = async (url: string) => {
			if (typeof authenticate !== 'function') throw new Error('The credential has no function');
			const sent = { url, timeout: 300_000 };
			return (await authenticate(credentialFor(service()), sent)).timeout;
		};
		expect(await timeoutOf(request.url ?? '')).toBe(15_000);
		expect(await timeoutOf('/ai-agents/agent-builder/agents')).toBe(300_000);
	});
});

const other = freshService();

describe('A deployment that requires the App ID in a header', () => {
	const deployment = freshService({ appId: 'app2' });
	const credential = (customAppId: string) => ({ ...credentialFor(deployment()), customAppId });
	const appIds = () =>
		new Set(deployment().log.map(({ host, headers }) => `${host} ${headers.appid}`));

	test('gets it with each request, and the upload host does not', async () => {
		const run = await runFiles(deployment(), 'document.upload', {
			files: [{ data: file('a.txt') }],
			parameters: { addToAgent: true, waitUntilIndexed: true, uid: agent('support-bot') },
			credential: credential('app2'),
		});
		expect(run.output[0]?.json).toMatchObject({ success: true, action: 'added' });
		expect(appIds()).toEqual(new Set(['api app2', 'uploads undefined']));
		expect(await testCredential(credential('app2'))).toMatchObject({ status: 'OK' });
	});
});
