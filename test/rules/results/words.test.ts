import { explain, serviceWords } from '../../../nodes/CometChatKnowledgeBase/results/messages';
import type { Fields, ItemResult } from '../../../nodes/CometChatKnowledgeBase/results/itemResult';
import type { AttemptResult } from '../../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import { ranges } from '../../../nodes/CometChatKnowledgeBase/values/ranges';
import { hints, stopReport } from '../../../nodes/CometChatKnowledgeBase/results/hints';
import { Redaction } from '../../../nodes/CometChatKnowledgeBase/account/redaction';
import { redacted } from '../redacted';

const account = { baseUrl: 'https://app.api-us.cometchat.io/v3', apiKey: 'k'.repeat(40) };
const answer = (status: number, body: unknown = ''): AttemptResult => ({
	kind: 'response',
	status,
	headers: {},
	body: new Redaction(account).json(body),
});
const refusal = (status: number, code: string) => answer(status, { error: { code, message: 'm' } });
const networkFailure = (code: string, text = ''): AttemptResult => ({
	kind: 'network failure',
	code,
	text,
});

describe('What happened, in words and as a cause that n8n knows', () => {
	const KEY = 'credential-invalid';
	const SETUP = 'configuration-invalid';
	const LATER = 'temporarily-unavailable';
	const rows: Array<[AttemptResult, string, string | undefined]> = [
		[answer(401), 'CometChat did not accept the API key', KEY],
		[refusal(401, 'AUTH_ERR_EMPTY_APIKEY'), 'CometChat did not accept the API key', KEY],
		[refusal(404, 'AUTH_ERR_APIKEY_NOT_FOUND'), 'CometChat did not accept the API key', KEY],
		[refusal(403, 'AUTH_ERR_NO_ACCESS'), 'The API key may not manage AI agents', KEY],
		[answer(403, '<html>'), 'CometChat denied access', KEY],
		[refusal(400, 'AUTH_ERR_EMPTY_APPID'), 'CometChat was not told which app it is about', KEY],
		[
			refusal(400, 'AUTH_ERR_INVALID_APPID'),
			'CometChat does not know this app in this region',
			KEY,
		],
		[
			refusal(400, 'ERR_AGENT_CREATION_FAILED'),
			'CometChat was not able to create the agent',
			SETUP,
		],
		[refusal(404, 'ERR_UID_NOT_FOUND'), 'CometChat does not know this user or agent', SETUP],
		[refusal(404, 'ERR_AGENT_NOT_FOUND'), 'CometChat does not know this agent', SETUP],
		[refusal(404, 'ERR_KB_NOT_FOUND'), 'CometChat does not know one of these files', SETUP],
		[
			refusal(400, 'ERR_KB_INDEXING_FAILED'),
			'CometChat was not able to read one of these files',
			SETUP,
		],
		[refusal(403, 'ERR_PLAN_RESTRICTION'), "The app's plan does not include this", SETUP],
		[refusal(429, 'ERR_PLAN_QUOTA_RESTRICTION'), "The app's plan is used up", 'quota-exhausted'],
		[refusal(402, 'ERR_SUBSCRIPTION_EXPIRED'), "The app's subscription has ended", SETUP],
		[
			refusal(400, 'ERR_INVALID_API_VERSION'),
			'CometChat does not know the version of its interface that this node uses',
			SETUP,
		],
		[
			refusal(400, 'ERR_OPERATION_FAILED'),
			'CometChat was not able to carry out the request',
			LATER,
		],
		[refusal(404, 'ERR_API_NOT_FOUND'), 'CometChat has nothing at this address', SETUP],
		[answer(404, { message: 'm' }), 'CometChat found no such agent, file or address', SETUP],
		...['', '<html>', {}, { error: 'Not Found' }, { message: 'Cannot DELETE /v3/x' }].map(
			(body): [AttemptResult, string, string] => [
				answer(404, body),
				'CometChat has nothing at this address',
				SETUP,
			],
		),
		[answer(413), 'CometChat takes fewer file IDs in one request', SETUP],
		[answer(429), 'CometChat received more requests than the plan allows', 'rate-limited'],
		[answer(422), 'CometChat refused the request', SETUP],
		[answer(301), 'CometChat sent the request on to another address', SETUP],
		[answer(503), 'CometChat is not able to answer right now', LATER],
		[answer(200, { success: false }), 'CometChat reported that it did not do this', undefined],
		[answer(200, {}), 'CometChat did not confirm the change', undefined],
		[
			networkFailure('ENOTFOUND'),
			"No CometChat server was found for app 'app' in the region us",
			SETUP,
		],
		[
			networkFailure('CERT_HAS_EXPIRED'),
			"There is no secure connection to the credential's host",
			SETUP,
		],
		[networkFailure('ECONNABORTED', 'timeout of 1ms'), 'CometChat did not answer in time', LATER],
		[networkFailure('ECONNRESET'), 'The connection to CometChat was lost', LATER],
		[networkFailure('ECONNREFUSED'), 'CometChat could not be reached', LATER],
		[
			networkFailure('ERR_CANCELED'),
			'The run was stopped before CometChat had answered',
			undefined,
		],
	];

	test.each(rows)('%j: %s', (reply, what, cause) => {
		const explanation = explain(reply, account);
		expect([explanation.what, explanation.cause]).toEqual([what, cause]);
	});

	const custom = (baseUrl: string) => ({ ...account, baseUrl });

	describe('A Base URL with another version than the one of this node', () => {
		const words = "The version at the end of Base URL ('/v2') is not the one of this node (v3)";

		test.each<[string, AttemptResult, string | undefined]>([
			['no such agent, file or address', answer(404, { message: 'Not Found' }), words],
			['another version', refusal(400, 'ERR_INVALID_API_VERSION'), words],
			['an unknown agent', refusal(404, 'ERR_AGENT_NOT_FOUND'), undefined],
		])('is named before all else if the answer is: %s', (_, reply, what) => {
			for (const place of ['change of files', 'credential', 'elsewhere'] as const) {
				const said = explain(reply, custom('https://chat.example.com/v2'), place);
				expect(said.what === words).toBe(what === words);
				if (what !== undefined)
					expect(said.remedy).toBe('In the credential, let Base URL end in /v3.');
			}
		});
	});

	test.each<[AttemptResult, string]>([
		[refusal(404, 'ERR_AGENT_NOT_FOUND'), "Check 'Agent'"],
		[refusal(404, 'ERR_KB_NOT_FOUND'), "'Source Type' fits"],
	])('%j has its remedy', (reply, remedy) => {
		expect(explain(reply, account).remedy).toContain(remedy);
	});

	test.each<[string, AttemptResult, boolean | undefined]>([
		['a request that is too large', answer(413), true],
		['success: false', answer(200, { success: false }), true],
		['an unknown file', refusal(404, 'ERR_KB_NOT_FOUND'), true],
		['a file that was not indexed', refusal(400, 'ERR_KB_INDEXING_FAILED'), true],
		['404 without a code', answer(404, { statusCode: 404, message: 'm' }), true],
		['the agent', refusal(404, 'ERR_AGENT_NOT_FOUND'), undefined],
		['the key', refusal(401, 'AUTH_ERR_APIKEY_NOT_FOUND'), undefined],
	])('whether one file of several may be the cause: %s', (_, reply, concernsOneFile) => {
		expect(explain(reply, account).concernsOneFile).toBe(concernsOneFile);
	});

	test.each([200, 400, 404, 408, 413, 418, 429, 500])(
		'a credential test is advised nothing that the credential does not have (status %i)',
		(status) => {
			const reply = answer(status, { success: false, message: 'words' });
			const { again = '', remedy } = explain(reply, account, 'credential');
			const words = `${again} ${remedy}`;
			expect(words).toMatch(/App ID and Region|Run it again later/);
			expect(words).not.toMatch(/Options|'File IDs'|'Source Type'|'Agent'|item|knowledge base/);
		},
	);

	test.each([
		...[200, 400, 404, 408, 413, 418, 429, 500].map((status) =>
			answer(status, { success: false, message: 'words' }),
		),
		refusal(404, 'ERR_KB_NOT_FOUND'),
		networkFailure('ECONNABORTED', 'timeout of 60000ms exceeded'),
	])('a poll is advised nothing that the trigger does not have: %j', (reply) => {
		const { remedy } = explain(reply, account, 'poll');
		expect(remedy).toMatch(/\.$/);
		expect(remedy).not.toMatch(/Options|'File IDs'|'Source Type'|item|the IDs?\b/);
	});

	test('no words that n8n asks to avoid, and a remedy that is a sentence', () => {
		for (const [reply] of rows) {
			const { what, again = '', remedy } = explain(reply, account);
			expect(`${what}. ${again} ${remedy}`).not.toMatch(/\b(?:error|problem|failure|mistake)s?\b/i);
			expect(`${again} ${remedy}`.trim()).toMatch(/\.$/);
		}
	});
});

describe("The service's own code and text are found in a body of any shape", () => {
	test.each<[string, unknown, { code?: string; text: string }]>([
		[
			'the gateway',
			{ error: { code: 'A_B', message: 'Words', devMessage: 'Other' } },
			{ code: 'A_B', text: 'Words' },
		],
		['a code that is no code', { code: 'two words', message: 'm' }, { text: 'm' }],
		['a message of mixed parts', { message: ['a', 1, null, ['b'], 'c'] }, { text: 'a; c' }],
		['lists nested deep', nested(100_000), { text: 'data that cannot be shown' }],
		['nothing', '', { text: 'the answer is empty' }],
		[
			'a web page',
			' <!doctype html><title> Sign in </title>',
			{ text: 'a web page, titled "Sign in"' },
		],
		['a web page without a title', '<html></html>', { text: 'a web page, not data' }],
	])('%s', (_, body, words) => {
		expect(serviceWords(redacted(body))).toEqual(words);
	});
});

describe('The account of a run that stopped', () => {
	const change: Fields = {
		operation: 'add',
		uid: 'a',
		sourceType: 'uploads',
		uniqueIds: ['x'],
	};
	const sent = { attempts: 1, isRepeated: false };
	const applied: ItemResult = { kind: 'succeeded', json: [change], ...sent };
	const failed = {
		kind: 'failed' as const,
		what: '' as const,
		description: '' as const,
		requested: change,
		isRepeated: false,
	};
	const refused: ItemResult = { ...failed, effect: 'not applied', attempts: 1, because: 'reply' };
	const unknown: ItemResult = { ...failed, effect: 'unknown', attempts: 5, because: 'reply' };
	const partly: ItemResult = { ...failed, effect: 'partly applied', attempts: 1, because: 'reply' };
	const notSent: ItemResult = {
		...failed,
		effect: 'not applied',
		attempts: 0,
		because: 'cancelled',
	};
	const skipped: ItemResult = { kind: 'skipped', json: change };

	test('every item is in one group', () => {
		const itemResults = [applied, partly, skipped, refused, applied, unknown, notSent, notSent];
		expect(stopReport(itemResults, 3)).toEqual({
			short: ' (2 of 8 items applied, 3 failed, 2 not sent)',
			long: 'By item: applied: 1, 5; applied in part: 2; sent but not applied: 4; sent, and not known whether applied: 6; skipped: 3; not sent: 7–8. To go on, run the workflow again with the items that were not applied.',
		});
	});

	test.each([
		[[], ''],
		[[4], '4'],
		[[0, 1, 2], '0–2'],
		[[0, 2, 3, 9], '0, 2–3, 9'],
		[[0, 2, 4, 6, 8, 10, 12, 14, 16, 17, 20], '0, 2, 4, 6, 8, 10, 12, 14, and 3 more'],
	])('%j in short', (indexes, words) => {
		expect(ranges(indexes)).toBe(words);
	});

	test('hints say what someone should know, and nothing if all went as asked', () => {
		expect(hints([applied], { slowedMs: 0 })).toEqual([]);
		const itemResults = [{ ...applied, isRepeated: true }, skipped, { ...applied, repeated: 3 }];
		const summary = { bundling: { requests: 1, split: 1 }, slowedMs: 1500 };
		expect(hints(itemResults, summary).map(({ message }) => message)).toEqual([
			'2 items were sent in 1 request.',
			'1 request was refused and sent again in parts to find the cause.',
			'1 item was sent more than once, because CometChat was busy or the connection was lost (item 1).',
			'CometChat asked to slow down: requests waited 2 s for it.',
			'1 item was skipped, because no file IDs were given (item 2).',
			'3 repeated file IDs were sent once only (item 3).',
		]);
	});
});

describe('What has failed in a run that goes on stands above its output, once for each reason', () => {
	const failed = (
		what: string,
		because: 'input' | 'reply' | 'cancelled' = 'reply',
	): ItemResult => ({
		kind: 'failed',
		what,
		description: `Do this about ${what}.`,
		effect: 'not applied',
		attempts: 1,
		isRepeated: false,
		because,
		requested: {},
	});
	const said = (...itemResults: ItemResult[]) => hints(itemResults, { slowedMs: 0 });

	test('of many reasons three are told', () => {
		const [, , third, others] = said(...[...'ABCDE'].map((what) => failed(what)));
		expect(third?.message).toContain('(item 3): C.');
		expect(others?.message).toBe('2 items failed (items 4–5) for other reasons.');
	});

	test('without tags, and nothing of items that were only not reached', () => {
		expect(
			said(failed('<b>'), failed('Stopped', 'cancelled')).map(({ message }) => message),
		).toEqual(['1 item failed (item 1): ‹b›. Do this about ‹b›.']);
	});
});

function nested(depth: number): unknown {
	let list: unknown = 'a';
	for (let level = 0; level < depth; level++) list = [list];
	return list;
}
