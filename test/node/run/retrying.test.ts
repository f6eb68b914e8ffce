import type { Rule } from '../../service/service';
import { add, freshService } from '../fixture';
import { errorOf } from '../operations';

/*
 * What only a socket and n8n's own words can show. When, how often and in which order is sent again
 * stands in the tables of ../../rules/requests, and is promised of random runs by the model.
 */

const service = freshService();
const item = (...files: string[]) => ({ agent: 'support-bot', files });
const goingOn = { onError: 'continueRegularOutput' as const };

test.each<[string, Rule]>([
	['a status that may pass', { status: 503 }],
	['a refusal for the rate limit', { status: 429 }],
	['a connection lost before it was applied', { drop: 'beforeApplying' }],
	['a connection lost after it was applied', { drop: 'afterApplying' }],
	['an answer that broke off', { truncated: true }],
])('after %s the item is sent again, and the files are there once', async (_, rule) => {
	service().script(rule);
	const options = { maxWaitSeconds: 0 };
	const { output, hints } = await add(service(), [item('a', 'b')], { options });
	expect(output[0]?.json.success).toBe(true);
	expect(service().requests()).toHaveLength(2);
	expect(service().files('support-bot', 'uploads')).toEqual(['a', 'b']);
	expect(hints.map(({ message }) => message)).toContainEqual(
		expect.stringContaining('sent more than once'),
	);
});

test('when the attempts are used up, the last reply decides, and it is said how many', async () => {
	service().script({ times: Infinity, status: 503, retryAfter: '0' });
	const options = { maxAttempts: 3, maxWaitSeconds: 0 };
	const { error } = await add(service(), [item('a')], { options });
	expect(service().requests()).toHaveLength(3);
	expect(error).toMatchObject({ failure: { cause: 'temporarily-unavailable', retryAfterMs: 0 } });
	expect(error?.description).toContain('It was tried 3 times.');
	expect(error?.description).toContain('It is not known whether the files were added');
});

test('a wait longer than Max Retry Wait ends the item with words, and after a 429 the others, too', async () => {
	service().script({ for: { uid: 'support-bot' }, status: 429, retryAfter: '3600' });
	const { output } = await add(service(), [item('a'), item('b')], goingOn);
	expect(service().requests()).toHaveLength(1);
	expect(errorOf({ output })).toMatchObject({
		description: expect.stringContaining(
			"CometChat asked to wait 3600 s; 'Max Retry Wait (Seconds)' allows 120.",
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

test.each([
	[
		'a host that does not exist',
		'https://nowhere.invalid/v3',
		"The credential's host does not exist",
		1,
	],
	['a port where nobody listens', 'http://127.0.0.1:9/v3', 'CometChat could not be reached', 2],
])('%s is named', async (_, baseUrl, message, attempts) => {
	const { output } = await add(service(), [item('a')], {
		credential: { region: 'custom', baseUrl, apiKey: 'key' },
		options: { maxAttempts: 2 },
		...goingOn,
	});
	expect(errorOf({ output })).toMatchObject({
		message: `${message} [item 0]`,
		effect: 'not applied',
		attempts,
	});
});
