import {
	isRetryable,
	retryAfterMs,
	backoffMs,
} from '../../../nodes/CometChatKnowledgeBase/http/retryPolicy';
import { answer, networkFailure } from './replies';

describe('A request is only repeated if that can help', () => {
	test.each([408, 429, 500, 502, 503, 504])('status %i: yes', (status) => {
		expect(isRetryable(answer(status))).toBe(true);
	});
	test.each([200, 201, 302, 400, 401, 403, 404, 409, 413, 422, 501])('status %i: no', (status) => {
		expect(isRetryable(answer(status))).toBe(false);
	});
	test.each(['ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT', 'EPIPE', 'ECONNREFUSED', 'EAI_AGAIN'])(
		'%s: yes',
		(code) => expect(isRetryable(networkFailure(code))).toBe(true),
	);
	test.each(['ENOTFOUND', 'CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_CANCELED', ''])(
		'%s: no',
		(code) => expect(isRetryable(networkFailure(code))).toBe(false),
	);
});

describe('The wait that the service names', () => {
	const now = Date.parse('Sat, 21 Nov 2026 10:00:00 GMT');
	test.each<[string, number, Record<string, unknown>, number | undefined]>([
		['seconds', 429, { 'retry-after': '15' }, 15_000],
		['zero', 503, { 'retry-after': '0' }, 0],
		['a date', 503, { 'retry-after': 'Sat, 21 Nov 2026 10:00:07 GMT' }, 7000],
		['nothing', 429, {}, undefined],
		['a year, which a date parser would take', 429, { 'retry-after': '2030-01' }, undefined],
		['beside an answer that is final', 404, { 'retry-after': '15' }, undefined],
	])('%s', (_, status, headers, waitMs) => {
		expect(retryAfterMs(answer(status, headers), now)).toBe(waitMs);
	});
});

describe('A hostile wait is a number of milliseconds, or none', () => {
	const wait = (headers: Record<string, unknown>) =>
		retryAfterMs({ kind: 'response', status: 429, headers, body: undefined }, 0);

	test.each<[string, unknown]>([
		['1e309', '1e309'],
		['a number that is none', NaN],
		['twenty digits', '9'.repeat(20)],
		['five hundred digits', '9'.repeat(500)],
		['open brackets behind a day', `Fri, ${'('.repeat(100_000)}`],
		['dots behind a digit', `1${'.'.repeat(100_000)}`],
	])('Retry-After: %s names no wait', (_, value) => {
		expect(wait({ 'retry-after': value })).toBeUndefined();
	});

	test("HTTP's last year is longer than any allowed pause", () => {
		expect(wait({ 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' })).toBeGreaterThan(3_600_000);
	});
});

describe('The least wait, whatever the service names', () => {
	test.each([
		[503, 1, 0, 1000],
		[503, 4, 0, 8000],
		[429, 4, 0, 32_000],
	])('status %i, attempt %i, chance %d: %i ms', (status, attempt, chance, waitMs) => {
		expect(backoffMs(answer(status), attempt, chance)).toBe(waitMs);
	});
});
