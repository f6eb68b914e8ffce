import type { SendResult } from '../../../nodes/CometChatKnowledgeBase/http/sendRequest';
import { toApiError } from '../../../nodes/CometChatKnowledgeBase/http/apiError';
import {
	cancelled,
	failed,
	unusable,
} from '../../../nodes/CometChatKnowledgeBase/output/itemResult';
import type { ErrorDetails, Failure } from '../../../nodes/CometChatKnowledgeBase/text/failure';
import { UserError } from '../../../nodes/CometChatKnowledgeBase/text/failure';

const partly = { effect: 'partly applied' as const, detail: 'One of two is there.' };
const item = { requested: { uid: 'bot' }, attempts: 1 };
const body = { message: 'Busy' };
const busy = { kind: 'response', status: 503, headers: {}, body } as const;
const request = (more: Partial<SendResult> = {}) =>
	toApiError({
		...{ attempts: 1, effect: 'unknown', stopReason: 'answered', lastResult: busy },
		...more,
	});
const SAID = 'CometChat answered with status 503: Busy.';
const ASK = 'If it stays like this, look at the CometChat status page or ask CometChat.';
const user = (more: ErrorDetails = {}) => new UserError('Wrong', 'Mend it.', more);

describe('A failure says what was said and tried, how things stand with the item, and what to do', () => {
	test.each<[string, Failure, hint: string | undefined, string]>([
		['a refusal', request(), undefined, `${SAID} One of two is there. Run it again later. ${ASK}`],
		[
			'with another way to go on',
			request(),
			'To go on, use this ID.',
			`${SAID} One of two is there. To go on, use this ID. ${ASK}`,
		],
		['with nothing to go on with', request(), '', `${SAID} One of two is there. ${ASK}`],
		[
			'after several attempts',
			request({ attempts: 5, stopReason: 'out of attempts' }),
			'',
			`${SAID} It was tried 5 times. One of two is there. ${ASK}`,
		],
		[
			'after too long a pause',
			request({ stopReason: 'wait too long', retryAfterMs: 3_599_001 }),
			undefined,
			`${SAID} CometChat asked to wait 3600 s, which is longer than this node waits. One of two is there. Run it again later. ${ASK}`,
		],
		[
			'in a run that is over',
			request({ stopReason: 'cancelled' }),
			'',
			`${SAID} It was not sent again, because the run had ended. One of two is there. ${ASK}`,
		],
		[
			'of a request that came too late to be sent',
			request({ stopReason: 'cancelled', attempts: 0, lastResult: undefined }),
			undefined,
			'One of two is there. Run it again with the items that were not sent.',
		],
		['what a person can mend', user(), undefined, 'One of two is there. Mend it.'],
		[
			'with what was said, and a way to try again',
			user({ detail: 'So it is.', retryHint: 'Upload it again.' }),
			undefined,
			'So it is. One of two is there. Upload it again. Mend it.',
		],
	])('%s', (_, failure, hint, description) => {
		const { description: found } = failed(failure, { ...item, state: { ...partly, hint } });
		expect(found).toBe(description);
	});

	test('that of the service has its status, cause and pause, and of the item what it asked for', () => {
		const failure = request({ stopReason: 'wait too long', retryAfterMs: 5 });
		const created = [{ uniqueId: 'u', name: 'a' }];
		expect(failed(failure, { ...item, created, state: partly })).toMatchObject({
			...{
				kind: 'failed',
				title: 'CometChat is not able to answer right now',
				errorType: 'reply',
				effect: 'partly applied',
			},
			...{
				detail: expect.stringContaining(SAID),
				status: 503,
				cause: 'temporarily-unavailable',
				retryAfterMs: 5,
			},
			...{ requested: { uid: 'bot' }, attempts: 1, created },
		});
	});

	test('what is never sent says so, and names the file that it is about', () => {
		expect(unusable(user({ fileName: 'a.xlsx' }), { uid: 'bot' })).toMatchObject({
			...{ effect: 'not applied', errorType: 'input', cause: 'configuration-invalid' },
			...{ attempts: 0, requested: { name: 'a.xlsx', uid: 'bot' } },
			description: 'Nothing was sent for this item. Mend it.',
		});
		expect(cancelled({ uid: 'bot' })).toMatchObject({
			...{ title: 'The run stopped before this item was done', errorType: 'cancelled' },
			...{ effect: 'not applied', requested: { uid: 'bot' } },
			description:
				'Nothing was sent for this item. Run it again with the items that were not sent.',
		});
	});

	test('what ends because of another item is no cause of the stop', () => {
		const errorType = (failure: Failure) => failed(failure, { ...item, state: partly }).errorType;
		expect(errorType(request({ stopReason: 'cancelled' }))).toBe('cancelled');
		expect(errorType(user({ isCancelled: true }))).toBe('cancelled');
		expect(errorType(user())).toBe('reply');
	});
});
