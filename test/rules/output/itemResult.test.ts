import type { SendResult } from '../../../nodes/CometChatKnowledgeBase/http/sendRequest';
import { toApiError } from '../../../nodes/CometChatKnowledgeBase/http/apiError';
import {
	cancelled,
	describe as describeFailed,
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
const LATER =
	'Try again later. If this keeps happening, check the CometChat status page or contact CometChat support.';
const user = (more: ErrorDetails = {}) => new UserError('Wrong', 'Correct the value.', more);

describe("A failure names the next step, the finished and unfinished parts, and then CometChat's message", () => {
	test.each<[string, Failure, hint: string | undefined, string]>([
		['a refusal', request(), undefined, `${LATER} One of two is there. ${SAID}`],
		[
			'with another way to continue',
			request(),
			'Use this ID.',
			`Use this ID. One of two is there. ${SAID}`,
		],
		['with nothing to continue with', request(), '', `One of two is there. ${SAID}`],
		[
			'after several attempts',
			request({ attempts: 5, stopReason: 'out of attempts' }),
			'Use this ID.',
			`Use this ID. One of two is there. ${SAID} The request was sent 5 times.`,
		],
		[
			'after too long a pause',
			request({ stopReason: 'wait too long', retryAfterMs: 3_599_001 }),
			undefined,
			`${LATER} One of two is there. ${SAID} CometChat asked for a pause of 3600 seconds.`,
		],
		[
			'in an execution that is over',
			request({ stopReason: 'cancelled' }),
			'Use this ID.',
			`Use this ID. One of two is there. ${SAID} It was not sent again, because the execution had ended.`,
		],
		[
			'of a request that came too late to be sent',
			request({ stopReason: 'cancelled', attempts: 0, lastResult: undefined }),
			undefined,
			'Run the workflow again with this item. A Filter node can leave out the items that are done. One of two is there.',
		],
		['what a person can correct', user(), undefined, 'Correct the value. One of two is there.'],
		[
			'with what was said, and a way to try again',
			user({ detail: 'So it is.', retryHint: 'Upload the file again.' }),
			undefined,
			'Correct the value. Upload the file again. One of two is there. So it is.',
		],
	])('%s', (_, failure, hint, description) => {
		const found = failed(failure, { ...item, state: { ...partly, hint } });
		expect(describeFailed(found)).toBe(description);
	});

	test("a failure of the service has its status, cause and pause, and the item's own values", () => {
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

	test('an unsent request says so, and names its file', () => {
		expect(unusable(user({ fileName: 'a.xlsx' }), { uid: 'bot' })).toMatchObject({
			...{ effect: 'not applied', errorType: 'input', cause: 'configuration-invalid' },
			...{ attempts: 0, requested: { name: 'a.xlsx', uid: 'bot' } },
			...{ advice: 'Correct the value.', progress: 'Nothing was sent for this item.' },
		});
		expect(cancelled({ uid: 'bot' })).toMatchObject({
			...{ title: 'The execution stopped before this item was done', errorType: 'cancelled' },
			...{ effect: 'not applied', requested: { uid: 'bot' } },
			advice:
				'Run the workflow again with this item. A Filter node can leave out the items that are done.',
		});
	});

	test('an item that ends because of another item is no cause of the stop', () => {
		const errorType = (failure: Failure) => failed(failure, { ...item, state: partly }).errorType;
		expect(errorType(request({ stopReason: 'cancelled' }))).toBe('cancelled');
		expect(errorType(user({ isCancelled: true }))).toBe('cancelled');
		expect(errorType(user())).toBe('reply');
	});
});
