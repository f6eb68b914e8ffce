import { readAccount } from '../../../nodes/CometChatKnowledgeBase/http/account';
import { authenticateRequest } from '../../../nodes/CometChatKnowledgeBase/http/sign';
import { refusal } from '../expectRefused';

const KEY = '0123456789abcdef'.repeat(3).slice(0, 40);
const us = { appId: 'app1', region: 'us', baseUrl: '', apiKey: KEY };
const custom = (baseUrl: string) => ({ ...us, appId: '', region: 'custom', baseUrl });

describe('The credential decides the host', () => {
	test.each([
		['US', us, 'https://app1.api-us.cometchat.io/v3'],
		['EU', { ...us, region: 'eu' }, 'https://app1.api-eu.cometchat.io/v3'],
		['white space around', { ...us, appId: ' App1\n' }, 'https://app1.api-us.cometchat.io/v3'],
		['custom', custom('https://chat.example.com/v3'), 'https://chat.example.com/v3'],
		[
			'custom, http on this machine',
			custom('http://127.0.0.1:4010/v3'),
			'http://127.0.0.1:4010/v3',
		],
	])('%s', (_, fields, baseUrl) => {
		expect(readAccount(fields)).toEqual({ baseUrl, apiKey: KEY });
	});
});

describe('The App ID is only sent to a custom host, if it is filled in', () => {
	const chat = custom('https://chat.example.com/v3');
	test.each<[string, Record<string, unknown>, string | undefined]>([
		['filled in', { ...chat, customAppId: 'app2' }, 'app2'],
		['empty', { ...chat, customAppId: ' ' }, undefined],
		['left over from a region', { ...chat, appId: 'app1' }, undefined],
		['left over in that of a region', { ...us, customAppId: 'app2' }, undefined],
	])('%s', (_, fields, appId) => {
		const signed = authenticateRequest({ url: '/x', headers: { a: 'b' } }, fields);
		const headers = { a: 'b', apikey: KEY, ...(appId === undefined ? {} : { appid: appId }) };
		expect(signed).toMatchObject({ headers });
		expect(Object.keys(Object(signed).headers)).toEqual(Object.keys(headers));
	});
});

describe('An invalid field is refused before anything is sent', () => {
	const WRONG_URL = "'Base URL' is not a full https:// URL with a version";
	test.each<[string, Record<string, unknown>, string]>([
		['no app ID', { ...us, appId: ' ' }, "'App ID' is empty"],
		[
			'an app ID with a host in it',
			{ ...us, appId: 'evil.example.com/' },
			"'App ID' is empty or invalid",
		],
		[
			'an app ID longer than a label',
			{ ...us, appId: 'a'.repeat(64) },
			"'App ID' is empty or invalid",
		],
		['another region', { ...us, region: 'us.evil.com/' }, "'Region' is not a region"],
		['no base URL', custom(''), WRONG_URL],
		['a host alone', custom('chat.example.com'), WRONG_URL],
		['http elsewhere', custom('http://chat.example.com/v3'), WRONG_URL],
		['http on a look-alike', custom('http://127.0.0.1.evil.com/v3'), WRONG_URL],
		['a query', custom('https://chat.example.com/v3?a=1'), WRONG_URL],
		['no version', custom('https://chat.example.com'), WRONG_URL],
		['a line break inside', custom('https://chat.exa\nmple.com/v3'), WRONG_URL],
		...['a b', 'a\nb', 'a\u0000b', 'a\u200bb', 'ä', 'a'.repeat(256)].map(
			(customAppId): [string, Record<string, unknown>, string] => [
				`an app ID of a custom host that is ${JSON.stringify(customAppId).slice(0, 12)}`,
				{ ...custom('https://chat.example.com/v3'), customAppId },
				"'App ID' can't be sent in a header",
			],
		),
		['no key', { ...us, apiKey: '' }, "'API Key' is empty"],
		['a key with a line break inside', { ...us, apiKey: 'ab\ncd' }, 'or contains a space'],
	])('%s', (_, fields, words) => {
		const refused = refusal(() => readAccount(fields));
		expect(refused).toMatchObject({ title: expect.stringContaining(words) });
		expect(JSON.stringify(refused)).not.toMatch(/ab.?cd|0123456789/);
	});

	test('white space around a pasted key is accepted', () => {
		expect(readAccount({ ...us, apiKey: ` ${KEY}\n` })).toMatchObject({ apiKey: KEY });
	});
});

describe('The key is only sent to the host of the credential', () => {
	test.each([
		['a path', { url: '/users' }, 'https://app1.api-us.cometchat.io/v3/users'],
		['n8n’s older options', { uri: '/x' }, 'https://app1.api-us.cometchat.io/v3/x'],
	])('%s is signed', (_, request, address) => {
		const signed = authenticateRequest(request, us);
		expect(signed).toMatchObject({ url: address, headers: { apikey: KEY } });
		if ('uri' in request) expect(signed).toMatchObject({ uri: address });
		expect(signed).not.toHaveProperty('baseURL');
	});

	test.each([
		['another host', { url: 'https://evil.example.com/v3/users' }],
		['another host, protocol left out', { url: '//evil.example.com/users' }],
		['the same host without encryption', { url: 'http://app1.api-us.cometchat.io/v3/users' }],
		['another base', { url: '/users', baseURL: 'https://evil.example.com' }],
		['another host in n8n’s older options', { uri: 'https://evil.example.com' }],
	])('%s is refused', (_, request) => {
		expect(refusal(() => authenticateRequest(request, us))).toMatchObject({
			title: 'The CometChat credential is only for app1.api-us.cometchat.io',
		});
	});

	test('redirects are switched off in both generations of options', () => {
		expect(authenticateRequest({ url: '/x' }, us)).toMatchObject({
			disableFollowRedirect: true,
			maxRedirects: 0,
			followRedirect: false,
			followAllRedirects: false,
		});
	});
});
