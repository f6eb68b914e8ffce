import { sleep } from 'n8n-workflow';

import type { Rule } from '../../service/service';
import { add, freshService, linesOf } from '../fixture';
import { errorOf } from '../operations';

const service = freshService();
const item = (agent: string, ...files: string[]) => ({ agent, files });
/** Sent again at once. */
const impatient = { options: { maxWaitSeconds: 0 } };
const times = (line: string) => linesOf(service()).filter((entry) => entry === line).length;

test.each<[string, Rule]>([
	['a status that may pass', { status: 503 }],
	['a refusal for the rate limit', { status: 429 }],
	['a connection lost before it was applied', { drop: 'beforeApplying' }],
	['a connection lost after it was applied', { drop: 'afterApplying' }],
	['an answer that broke off', { truncated: true }],
])('after %s the item is sent again, and the files are there once', async (_, rule) => {
	service().script(rule);
	const { output, hints } = await add(service(), [item('support-bot', 'a', 'b')], impatient);
	expect(output[0]?.json.success).toBe(true);
	expect(service().requests()).toHaveLength(2);
	expect(service().files('support-bot', 'uploads')).toEqual(['a', 'b']);
	expect(hints).toMatchObject([{ message: expect.stringContaining('sent more than once') }]);
});

test('only the item concerned is sent again', async () => {
	service().script({ for: { containsId: 'b' }, status: 503 });
	const items = ['a', 'b', 'c'].map((id) => item('support-bot', id));
	await add(service(), items, impatient);
	expect(['a', 'b', 'c'].map((id) => times(`arrived support-bot ${id}`))).toEqual([1, 2, 1]);
});

test('the order of one agent is kept through retries', async () => {
	service().script({ for: { containsId: 'a' }, times: 2, status: 503 });
	await add(service(), [item('support-bot', 'a'), item('support-bot', 'b')], impatient);
	expect(
		service()
			.requests()
			.map(({ uniqueIds }) => uniqueIds?.join()),
	).toEqual(['a', 'a', 'a', 'b']);
});

test('Max Attempts counts the first one, and the last reply decides', async () => {
	service().script({ times: Infinity, status: 503, retryAfter: '0' });
	const { error } = await add(service(), [item('support-bot', 'a')], {
		options: { maxAttempts: 3, maxWaitSeconds: 0 },
	});
	expect(service().requests()).toHaveLength(3);
	expect(error).toMatchObject({
		failure: { cause: 'temporarily-unavailable', retryAfterMs: 0 },
	});
	expect(error?.description).toContain('The item was sent 3 times.');
	expect(error?.description).toContain('It is not known whether the files were added');
});

test('nothing is sent by any request before the time that the service named to one of them', async () => {
	service().script({ for: { uid: 'support-bot' }, status: 429, retryAfter: '1' });
	service().script({ for: { uid: 'sales-assistant' }, latencyMs: 300 });
	const items = [
		item('support-bot', 'a'),
		item('sales-assistant', 'b'),
		item('sales-assistant', 'c'),
	];
	const { output, hints } = await add(service(), items, { options: { maxWaitSeconds: 1 } });
	expect(output.every(({ json }) => json.success)).toBe(true);
	const limited = service().log.find(({ status }) => status === 429);
	const later = service().requests().slice(2);
	expect(later).toHaveLength(2);
	for (const { atMs } of later)
		expect(atMs - (limited?.atMs ?? Infinity)).toBeGreaterThanOrEqual(1000);
	expect(hints.map(({ message }) => message)).toContain(
		'CometChat asked to slow down: requests waited 1 s for it.',
	);
});

test('a wait longer than Max Wait ends the item with words, and after a 429 the others, too', async () => {
	service().script({ for: { uid: 'support-bot' }, status: 429, retryAfter: '3600' });
	const { output } = await add(service(), [item('support-bot', 'a'), item('support-bot', 'b')], {
		onError: 'continueRegularOutput',
	});
	expect(service().requests()).toHaveLength(1);
	expect(errorOf({ output })).toMatchObject({
		description: expect.stringContaining(
			"CometChat asked to wait 3600 s; 'Max Wait (Seconds)' allows 120.",
		),
		attempts: 1,
		effect: 'not applied',
		retryAfterSeconds: 3600,
	});
	expect(errorOf({ output }, 1)).toMatchObject({
		message: 'CometChat asked for a longer pause than is allowed [item 1]',
		attempts: 0,
		effect: 'not applied',
	});
});

test('but after another status than 429 it ends the item alone', async () => {
	service().script({ for: { containsId: 'a' }, status: 503, retryAfter: '3600' });
	const { output } = await add(service(), [item('support-bot', 'a'), item('support-bot', 'b')], {
		onError: 'continueRegularOutput',
	});
	expect(output.map(({ json }, index) => json.success ?? errorOf({ output }, index))).toMatchObject(
		[
			{
				description: expect.stringContaining(
					"CometChat asked to wait 3600 s; 'Max Wait (Seconds)' allows 120.",
				),
				attempts: 1,
				retryAfterSeconds: 3600,
			},
			true,
		],
	);
});

test.each([
	[
		'a host that does not exist',
		'https://nowhere.invalid/v3',
		"The credential's host does not exist",
		1,
	],
	[
		'a port where nobody listens',
		'http://127.0.0.1:9/v3',
		'The connection to CometChat was lost',
		2,
	],
])('%s is named', async (_, baseUrl, message, attempts) => {
	const { output } = await add(service(), [item('support-bot', 'a')], {
		credential: { region: 'custom', baseUrl, apiKey: 'key' },
		options: { maxAttempts: 2 },
		onError: 'continueRegularOutput',
	});
	expect(errorOf({ output })).toMatchObject({
		message: `${message} [item 0]`,
		effect: 'not applied',
		attempts,
	});
});

describe('When the user stops the execution', () => {
	test('what is under way is cut, and nothing new is sent', async () => {
		service().script({ times: Infinity, latencyMs: 60_000 });
		const items = [
			item('support-bot', 'a'),
			item('support-bot', 'b'),
			item('sales-assistant', 'c'),
		];
		const arrived = until(() => service().requests().length === 2);
		const { status, output } = await add(service(), items, { stop: arrived });
		expect(status).toBe('canceled');
		expect(output.map((_item, index) => errorOf({ output }, index))).toMatchObject([
			{ effect: 'unknown', attempts: 1 },
			{ effect: 'not applied', attempts: 0 },
			{ effect: 'unknown', attempts: 1 },
		]);
		await until(() => service().log.length === 4);
		expect(linesOf(service()).sort()).toEqual([
			'aborted sales-assistant ',
			'aborted support-bot ',
			'arrived sales-assistant c',
			'arrived support-bot a',
		]);
	});
});

async function until(holds: () => boolean): Promise<void> {
	while (!holds()) await sleep(5);
}
