import type { AttemptResult } from '../../../nodes/CometChatKnowledgeBase/http/attemptResult';
import {
	connectionOf,
	effectOf,
	isSuccess,
	toAttemptResult,
} from '../../../nodes/CometChatKnowledgeBase/http/attemptResult';
import { Redaction } from '../../../nodes/CometChatKnowledgeBase/http/redaction';
import { answer, done, networkFailure } from './replies';

describe('The effect of a response', () => {
	test.each<[string, AttemptResult, string]>([
		['success true, of which nothing could be read', done, 'unknown'],
		['success false', answer(200, {}, { success: false }), 'not applied'],
		['success as text', answer(200, {}, { success: 'true' }), 'unknown'],
		['no success', answer(200, {}, {}), 'unknown'],
		['a web page', answer(200, {}, '<html>'), 'unknown'],
		['404', answer(404), 'not applied'],
		['408', answer(408), 'unknown'],
		['429', answer(429), 'not applied'],
		['503', answer(503), 'unknown'],
		['a lost connection', networkFailure('ECONNRESET'), 'unknown'],
	])('%s: %s', (_, reply, effect) => {
		expect(effectOf(reply)).toBe(effect);
	});
});

describe('A connection that was never made has changed nothing; a lost connection may have', () => {
	test.each<[string, string | undefined]>([
		// Another attempt may help.
		['ECONNREFUSED', 'not reached'],
		['EAI_AGAIN', 'not reached'],
		['EHOSTUNREACH', 'not reached'],
		['ENETUNREACH', 'not reached'],
		['ENETDOWN', 'not reached'],
		// Another attempt does not help.
		['ENOTFOUND', 'no host'],
		['ERR_INVALID_URL', 'not secure'],
		['ERR_TLS_CERT_ALTNAME_INVALID', 'not secure'],
		['ERR_TLS_HANDSHAKE_TIMEOUT', 'not secure'],
		['CERT_HAS_EXPIRED', 'not secure'],
		['ERROR_IN_CERT_NOT_BEFORE_FIELD', 'not secure'],
		['DEPTH_ZERO_SELF_SIGNED_CERT', 'not secure'],
		['SELF_SIGNED_CERT_IN_CHAIN', 'not secure'],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'not secure'],
	])('%s was never made: %s', (code, connection) => {
		const failure = networkFailure(code);
		expect([effectOf(failure), connectionOf(failure)]).toEqual(['not applied', connection]);
	});

	test.each<[string, string | undefined]>([
		['ECONNRESET', 'lost'],
		['ECONNABORTED', 'lost'],
		['EPIPE', 'lost'],
		['ERR_CANCELED', 'stopped'],
		['', undefined],
		['X_ENOTFOUND', undefined],
		['ENOTFOUND_X', undefined],
		['CERTAIN', undefined],
	])('"%s" is an unknown code: %s', (code, connection) => {
		const failure = networkFailure(code);
		expect([effectOf(failure), connectionOf(failure)]).toEqual(['unknown', connection]);
	});
});

describe('The success of a request without a change', () => {
	test.each<[string, AttemptResult, boolean]>([
		['a record', answer(200, {}, { data: [] }), true],
		['nothing', answer(204, {}, ''), true],
		['no answer', networkFailure('ECONNRESET'), false],
	])('%s: %s', (_, reply, expected) => {
		expect(isSuccess(reply)).toBe(expected);
	});
});

const failed = async (thrown: unknown) => {
	const sent = Promise.resolve().then(() => {
		throw thrown;
	});
	return await toAttemptResult(sent, new Redaction({ apiKey: 'the-key-of-the-account' }));
};

describe('An error of n8n has the code and message of its innermost cause', () => {
	test.each<[string, unknown, string, string]>([
		[
			'a client’s error inside n8n’s',
			{ message: 'n8n', cause: { message: 'gone', code: 'ECONNRESET' } },
			'ECONNRESET',
			'gone',
		],
		['an error without a code', new Error('odd'), '', 'odd'],
		['a text', 'odd', '', 'odd'],
		[
			'words with the key in them',
			new Error('the-key-of-the-account?'),
			'',
			'[API Key] (removed)?',
		],
		['a record that is its own cause', cyclicCause(), '', 'm'],
	])('%s', async (_, thrown, code, text) => {
		expect(await failed(thrown)).toEqual({ kind: 'network failure', code, text });
	});
});

function cyclicCause(): object {
	const record: Record<string, unknown> = { message: 'm' };
	record.cause = record;
	return record;
}
