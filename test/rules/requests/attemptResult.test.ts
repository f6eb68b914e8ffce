import type { AttemptResult } from '../../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import {
	effectOf,
	isSuccess,
	toNetworkFailure,
	toServiceResponse,
} from '../../../nodes/CometChatKnowledgeBase/requests/attemptResult';

const answer = (status: number, headers = {}, body: unknown = {}): AttemptResult => ({
	kind: 'response',
	status,
	headers,
	body,
});
const done = answer(200, {}, { success: true });
const networkFailure = (code: string): AttemptResult => ({
	kind: 'network failure',
	code,
	text: '',
});

describe('What a reply means for the files', () => {
	test.each<[string, AttemptResult, string]>([
		['success true', done, 'applied'],
		['201 with success true', answer(201, {}, { success: true }), 'applied'],
		['success false', answer(200, {}, { success: false }), 'not applied'],
		['success as text', answer(200, {}, { success: 'true' }), 'unknown'],
		['no success', answer(200, {}, {}), 'unknown'],
		['a list', answer(200, {}, [{ success: true }]), 'unknown'],
		[
			'success in a prototype',
			answer(200, {}, JSON.parse('{"__proto__":{"success":true}}')),
			'unknown',
		],
		['success as a number', answer(200, {}, { success: 1 }), 'unknown'],
		['success as a record', answer(200, {}, { success: { valueOf: () => true } }), 'unknown'],
		['a web page', answer(200, {}, '<html>'), 'unknown'],
		['an empty answer', answer(200, {}, ''), 'unknown'],
		['404', answer(404), 'not applied'],
		['429', answer(429), 'not applied'],
		['302', answer(302), 'not applied'],
		['408', answer(408), 'unknown'],
		['503', answer(503), 'unknown'],
		['a refused connection', networkFailure('ECONNREFUSED'), 'not applied'],
		['no such host', networkFailure('ENOTFOUND'), 'not applied'],
		['a bad certificate', networkFailure('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'not applied'],
		['a lost connection', networkFailure('ECONNRESET'), 'unknown'],
		['a timeout', networkFailure('ECONNABORTED'), 'unknown'],
	])('%s: %s', (_, reply, effect) => {
		expect(effectOf(reply)).toBe(effect);
	});
});

test.each([{ success: 1 }, { success: 'true' }, { success: null }, { success: false }])(
	'%j is no success of any request, whatever else it holds',
	(body) => {
		const answer = { ...body, data: [], uploads: [] };
		expect(isSuccess({ kind: 'response', status: 200, headers: {}, body: answer })).toBe(false);
	},
);

describe('Whatever n8n gives back is an answer or none', () => {
	test('a response is an answer, its headers in lower case', () => {
		expect(toServiceResponse({ statusCode: 200, headers: { ABC: '1' }, body: 5 })).toEqual({
			kind: 'response',
			status: 200,
			headers: { abc: '1' },
			body: 5,
		});
	});

	test.each<[string, unknown]>([
		['nothing', undefined],
		['null', null],
		['a text', 'ok'],
		['a list', [{ statusCode: 200 }]],
		['a status that is a text', { statusCode: '200', body: { success: true } }],
	])('%s is none', (_, response) => {
		expect(toServiceResponse(response)).toMatchObject({ kind: 'network failure' });
	});
});

describe('Whatever n8n throws is told by the code and words of its innermost cause', () => {
	test.each<[string, unknown, string, string]>([
		[
			'a client’s error inside n8n’s',
			{ message: 'n8n', cause: { message: 'gone', code: 'ECONNRESET' } },
			'ECONNRESET',
			'gone',
		],
		['an error without a code', new Error('odd'), '', 'odd'],
		['a text', 'odd', '', 'odd'],
		['nothing', undefined, '', 'undefined'],
		['a record without words', {}, '', '[object Object]'],
		['a chain without an end', endless(), '', 'm'],
		['a record that is its own cause', cyclicCause(), '', 'm'],
	])('%s', (_, thrown, code, text) => {
		expect(toNetworkFailure(thrown)).toEqual({ kind: 'network failure', code, text });
	});
});

function endless(): object {
	return {
		message: 'm',
		get cause() {
			return endless();
		},
	};
}

function cyclicCause(): object {
	const record: Record<string, unknown> = { message: 'm' };
	record.cause = record;
	return record;
}
