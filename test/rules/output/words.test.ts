import type { ApiError } from '../../../nodes/CometChatKnowledgeBase/http/apiError';
import { adviceFor } from '../../../nodes/CometChatKnowledgeBase/output/itemResult';
import { serviceWords } from '../../../nodes/CometChatKnowledgeBase/http/apiError';
import type { About } from '../../../nodes/CometChatKnowledgeBase/http/meanings';
import { MEANINGS } from '../../../nodes/CometChatKnowledgeBase/http/meanings';
import type { Failed, ItemResult } from '../../../nodes/CometChatKnowledgeBase/output/itemResult';
import type { AttemptResult } from '../../../nodes/CometChatKnowledgeBase/http/attemptResult';
import { hints, stopReport } from '../../../nodes/CometChatKnowledgeBase/output/report';
import { Redaction } from '../../../nodes/CometChatKnowledgeBase/http/redaction';
import { apiErrorOf } from '../apiErrorOf';
import { redacted } from '../redacted';

const hintOf = (refusal: ApiError) => adviceFor(refusal);

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

const failed = (more: Partial<Failed> = {}): Failed => ({
	kind: 'failed',
	title: '',
	advice: '',
	progress: '',
	effect: 'not applied',
	attempts: 1,
	errorType: 'reply',
	requested: { uniqueIds: ['x'] },
	...more,
});

const CODES = Object.keys(MEANINGS).filter((key) => /^[A-Z_]+$/.test(key));

describe("The message and n8n's cause of a response", () => {
	const KEY = 'credential-invalid';
	const SETUP = 'configuration-invalid';
	const LATER = 'temporarily-unavailable';
	const rows: Array<[AttemptResult, string, string | undefined]> = [
		[answer(401), 'CometChat did not accept the API key', KEY],
		[refusal(404, 'AUTH_ERR_APIKEY_NOT_FOUND'), 'CometChat did not accept the API key', KEY],
		[answer(403, { message: 'm' }), 'CometChat denied access', KEY],
		...[401, 403, 407, 418].map((status): [AttemptResult, string, string] => [
			answer(status, '<html>'),
			'A proxy or firewall between n8n and CometChat refused the request',
			SETUP,
		]),
		[answer(413, '<html>'), 'The request is too large for CometChat', SETUP],
		[answer(502, '<html>'), 'CometChat is not able to answer right now', LATER],
		[answer(402), "The app's plan does not allow this", 'quota-exhausted'],
		[answer(409), 'CometChat refused this, because something is in use or exists already', SETUP],
		[refusal(429, 'ERR_PLAN_QUOTA_RESTRICTION'), "The app's plan is used up", 'quota-exhausted'],
		[answer(404, { message: 'm' }), 'CometChat found no such agent, document or URL', SETUP],
		...['', '<html>'].map((body): [AttemptResult, string, string] => [
			answer(404, body),
			'CometChat has no such API endpoint',
			SETUP,
		]),
		[answer(413), 'The request is too large for CometChat', SETUP],
		[answer(429), 'CometChat received more requests than the plan allows', 'rate-limited'],
		[answer(422), 'CometChat refused the request', SETUP],
		[answer(301), 'CometChat redirected the request to another URL', SETUP],
		[answer(503), 'CometChat is not able to answer right now', LATER],
		[
			answer(200, { success: false }),
			"CometChat reported that it didn't carry out the request",
			undefined,
		],
		[answer(200, {}), 'CometChat sent an unexpected answer', undefined],
		[networkFailure('ENOTFOUND'), "n8n can't find CometChat's server for this credential", SETUP],
		[
			networkFailure('CERT_HAS_EXPIRED'),
			"There is no secure connection to the credential's host",
			SETUP,
		],
		[networkFailure('ECONNABORTED', 'timeout of 1ms'), 'CometChat did not answer in time', LATER],
		[networkFailure('ECONNRESET'), 'The connection to CometChat was lost', LATER],
		[networkFailure('ECONNREFUSED'), 'CometChat could not be reached', LATER],
		[refusal(500, 'connection lost'), 'CometChat is not able to answer right now', LATER],
		[refusal(500, 'constructor'), 'CometChat is not able to answer right now', LATER],
		[
			networkFailure('ERR_CANCELED'),
			'The execution was stopped before CometChat answered',
			undefined,
		],
	];

	test.each(rows)('%j: %s', (reply, what, cause) => {
		const explanation = apiErrorOf(reply);
		expect([explanation.title, explanation.more.cause]).toEqual([what, cause]);
	});

	test.each(CODES)('the code decides, whatever the status: %s', (code) => {
		const { title, hint, cause } = MEANINGS[code] ?? {};
		for (const status of [400, 404, 503]) {
			const found = apiErrorOf(refusal(status, code));
			expect([found.title, found.hint, found.more.cause]).toEqual([title, hint, cause]);
		}
	});

	test.each<[AttemptResult, string]>([
		[refusal(404, 'ERR_AGENT_NOT_FOUND'), "Check 'Agent'"],
		[refusal(404, 'ERR_KB_NOT_FOUND'), 'Compare the ID and the source type'],
		[refusal(400, 'ERR_INVALID_API_VERSION'), "a 'Base URL', end the URL with /v3"],
		[networkFailure('ENOTFOUND'), "check 'App ID' and 'Region' (or 'Base URL')"],
	])('%j has its hint', (reply, hint) => {
		expect(apiErrorOf(reply).hint).toContain(hint);
	});

	test.each<[string, AttemptResult, boolean | undefined]>([
		['a request that is too large', answer(413), true],
		['success: false', answer(200, { success: false }), true],
		['an unknown file', refusal(404, 'ERR_KB_NOT_FOUND'), true],
		['a file that was not indexed', refusal(400, 'ERR_KB_INDEXING_FAILED'), true],
		['404 without a code', answer(404, { statusCode: 404, message: 'm' }), true],
		['the agent', refusal(404, 'ERR_AGENT_NOT_FOUND'), undefined],
		['the key', refusal(401, 'AUTH_ERR_APIKEY_NOT_FOUND'), undefined],
	])('whether one of several files may be the cause: %s', (_, reply, concernsOneDocument) => {
		expect(apiErrorOf(reply).more.concernsOneDocument).toBe(concernsOneDocument);
	});

	const everywhere = [
		...[200, 400, 404, 408, 413, 418, 429, 500].map((status) =>
			answer(status, { success: false, message: 'words' }),
		),
		answer(200, {}),
		networkFailure('ECONNABORTED', 'timeout of 60000ms exceeded'),
	];

	test.each(everywhere)(
		'a general failure has advice that is true anywhere, also in a poll and for a credential: %j',
		(reply) => {
			const hint = hintOf(apiErrorOf(reply));
			expect(hint).toMatch(/^(Check|Compare|In the credential|Send|Try again|Use)/);
			expect(hint).toMatch(/\.$/);
			expect(hint).not.toMatch(
				/(?<!Request )Options|'File IDs'|'Source Type'|'Agent'|item|knowledge base/,
			);
		},
	);

	test.each<[About, AttemptResult, string]>([
		['agent', answer(404, { message: 'm' }), 'CometChat has no agent with this ID'],
		['agent', refusal(404, 'ERR_AGENT_NOT_FOUND'), 'CometChat has no agent with this ID'],
		['text', refusal(404, 'ERR_KB_NOT_FOUND'), 'CometChat has no text entry with this ID'],
		['text', answer(404, { message: 'm' }), 'CometChat has no text entry with this ID'],
		['website', refusal(404, 'ERR_KB_NOT_FOUND'), 'CometChat has no website with this ID'],
		['document', answer(404, {}), 'CometChat has no document with this ID'],
		['text', answer(404, '<html>'), 'CometChat has no such API endpoint'],
		['text', refusal(404, 'ERR_AGENT_NOT_FOUND'), 'CometChat has no agent with this ID'],
		['text', refusal(404, 'ERR_ODD'), 'CometChat found no such agent, document or URL'],
		['text', answer(400, { message: 'm' }), 'CometChat refused the request'],
	])('a refusal that is about the %s that the request names says so: %j', (about, reply, what) => {
		expect(apiErrorOf(reply, { about }).title).toBe(what);
	});

	test('the advice is to try again if that may help', () => {
		const busy = apiErrorOf(answer(503));
		expect(hintOf(busy)).toMatch(/^Try again later\. If this keeps happening, /);
		expect(hintOf(apiErrorOf(answer(401)))).toMatch(/^In the credential, /);
	});

	test('a response that may contain upload URLs is not quoted, but a refusal is', () => {
		const said = (status: number) =>
			apiErrorOf(answer(status, { message: 'words' }), { isSecret: true }).more.detail;
		expect(said(200)).not.toContain('words');
		expect(said(400)).toContain('words');
		const full = apiErrorOf(refusal(402, 'ERR_PLAN_QUOTA_RESTRICTION'), { isSecret: true });
		expect(full.more.code).toBe('ERR_PLAN_QUOTA_RESTRICTION');
	});

	test.each<[unknown, string | undefined]>([
		[{ error: { code: 'A_B', message: 'The limit is reached' } }, 'The limit is reached.'],
		[{ statusCode: 400, message: ['One.', 'Two'], error: 'Bad Request' }, 'One.; Two.'],
		['Not from here', 'Not from here.'],
		['<html><title>Sign in</title></html>', undefined],
		[{ data: 1 }, undefined],
		['', undefined],
	])("the service's own message is distinguished from other words: %j", (body, said) => {
		expect(apiErrorOf(answer(418, body)).more.said).toBe(said);
	});

	test('the message of a network error loses a signed link, too', () => {
		const text = 'connect ECONNRESET https://s3.example.com/a.pdf?X-Amz-Signature=00ff';
		const { detail } = apiErrorOf(networkFailure('ECONNRESET', text)).more;
		expect(detail).toContain('connect ECONNRESET [link removed].');
	});

	test('no words that n8n advises against, and always a next step', () => {
		for (const reply of [...rows.map(([one]) => one), ...CODES.map((code) => refusal(400, code))]) {
			const explanation = apiErrorOf(reply);
			const { title } = explanation;
			const hint = hintOf(explanation);
			expect(`${title}. ${hint}`).not.toMatch(/\b(?:error|problem|failure|mistake)s?\b/i);
			expect(hint).toMatch(/\.$/);
		}
	});
});

describe("The service's own code and message are found in a body of any shape", () => {
	test.each<[string, unknown, { code?: string; text: string }]>([
		[
			'the gateway',
			{ error: { code: 'A_B', message: 'Words', devMessage: 'Other' } },
			{ code: 'A_B', text: 'Words' },
		],
		['a code that is no code', { code: 'two words', message: 'm' }, { text: 'm' }],
		['a message of mixed parts', { message: ['a', 1, null, ['b'], 'c'] }, { text: 'a; c' }],
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

describe('The report of a stopped execution', () => {
	const applied: ItemResult = { kind: 'succeeded', json: [{}] };
	const refused = failed();
	const unknown = failed({ effect: 'unknown' });
	const partly = failed({ effect: 'partly applied' });
	const notSent = failed({ attempts: 0, errorType: 'cancelled' });
	const skipped: ItemResult = { kind: 'skipped', json: [{}] };
	const invalid = failed({ attempts: 0, errorType: 'input' });

	test('the items are counted, those that failed and those that were not started are named', () => {
		const itemResults = [
			...[applied, partly, skipped, refused],
			...[applied, unknown, { ...notSent, requested: { name: 'c.pdf' } }, notSent, invalid],
		];
		expect(stopReport(itemResults, 3)).toEqual({
			advice:
				"Then send only the items that are not done, for example with a Filter node. To pass on items that succeeded, set 'On Error' to 'Continue'.",
			progress: '3 done. 4 failed: "x", "x", "x", "x". 2 not started: "c.pdf", "x".',
		});
	});

	test('another way to continue replaces the advice to run the other items', () => {
		expect(stopReport([applied, refused], 1, 'Run it with all items.').advice).toBe(
			'Run it with all items.',
		);
	});

	test('if no item is done, the advice is to run all items again', () => {
		expect(stopReport([refused, notSent], 0).advice).toBe('Then run the workflow again.');
	});

	test('a single item needs no report', () => {
		expect(stopReport([refused], 0)).toEqual({ advice: '', progress: '' });
	});

	test('the documents of the other items are named, and the empty ones among them', () => {
		const has = (name: string, isEmpty?: boolean) => ({
			...applied,
			created: [{ name, uniqueId: `id-${name}`, isEmpty }],
		});
		const reportOf = (...itemResults: ItemResult[]) => stopReport([...itemResults, refused], 2);
		expect(reportOf(has('a'), has('b', true))).toEqual({
			advice: expect.stringMatching(/ Delete the empty documents with 'Document: Delete'\.$/),
			progress: expect.stringContaining(
				'In CometChat: "a" (ID id-a), "b" (ID id-b, empty document).',
			),
		});
		expect(reportOf(has('a'), applied).advice).not.toContain('Delete');
		expect(reportOf(applied, applied).progress).not.toContain('In CometChat');
	});
});

describe('The notes above the output of an execution', () => {
	const done: ItemResult = { kind: 'succeeded', json: [{}] };
	const said = (itemResults: ItemResult[]) =>
		hints(itemResults).map(({ message, type }) => `${type}: ${message}`);

	test('are none if all items succeeded', () => {
		expect(said([done, { ...done, created: [{ uniqueId: 'u1', name: 'a.txt' }] }])).toEqual([]);
	});

	test('are the notes that need an action, once for each text, and then other notes', () => {
		const itemResults: ItemResult[] = [
			{ ...done, remarks: ['Not added to an agent'], warnings: ['Look at it', 'Look at it'] },
			{ ...done, remarks: ['Not added to an agent'] },
			{ kind: 'skipped', json: [{}], warnings: ['Look at it'] },
		];
		expect(said(itemResults)).toEqual([
			'warning: Look at it (items 1, 3).',
			'info: Not added to an agent (items 1, 2).',
		]);
	});

	test('do not number a single item, nor a note of no item', () => {
		expect(said([{ ...done, warnings: ['So'] }])).toEqual(['warning: So.']);
		const further: ItemResult = { ...done, warnings: ['So'] };
		expect(hints([done, done], [further]).map(({ message }) => message)).toEqual(['So.']);
	});

	test('are at most five of many texts', () => {
		const warned = (text: string): ItemResult => ({ ...done, warnings: [text] });
		expect(said([...'ABCDEFG'].map(warned)).slice(-2)).toEqual([
			'warning: E (item 5).',
			'warning: There are more of this kind (items 6, 7).',
		]);
	});
});

describe('The failures of an execution that continues are above its output, once for each reason', () => {
	const said = (...itemResults: ItemResult[]) => hints(itemResults).map(({ message }) => message);

	test('under one title, each message of CometChat is a reason of its own', () => {
		const refused = (words: string) =>
			failed({ title: 'Refused', said: words, advice: 'Check.', detail: `${words}.` });
		expect(said(refused('Too long'), refused('Empty'), refused('Empty'))).toEqual([
			'1 item failed (item 1): Refused. Check. Too long.',
			'2 items failed (items 2, 3): Refused. Check. Empty.',
		]);
	});

	test('of many reasons, five are shown', () => {
		const [fifth, others] = said(...[...'ABCDEFG'].map((title) => failed({ title }))).slice(4);
		expect(fifth).toContain('(item 5): E.');
		expect(others).toBe('There are more of this kind (items 6, 7).');
	});

	test('without tags, and without items that were not started', () => {
		const stopped = failed({ title: 'Stopped', errorType: 'cancelled' });
		expect(said(failed({ title: '<b>', advice: 'Not <b>.' }), stopped)).toEqual([
			'1 item failed (item 1): ‹b›. Not ‹b›.',
		]);
	});
});
