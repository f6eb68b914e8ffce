import type { RequestResult } from '../../../nodes/CometChatKnowledgeBase/results/messages';
import { ApiError } from '../../../nodes/CometChatKnowledgeBase/results/apiError';
import { cancelled, failed, unusable } from '../../../nodes/CometChatKnowledgeBase/results/failure';
import type { ErrorDetails } from '../../../nodes/CometChatKnowledgeBase/values/userError';
import { UserError } from '../../../nodes/CometChatKnowledgeBase/values/userError';

const partly = { effect: 'partly applied' as const, detail: 'One of two is there.' };
const item = { requested: { uid: 'bot' }, attempts: 1 };
const busy = { title: 'Busy', detail: 'It said 503.', hint: 'Ask.', status: 503 };
const request = (more: Partial<RequestResult> = {}) =>
	new ApiError({
		...{ attempts: 1, effect: 'unknown', stopReason: 'answered' },
		explanation: { ...busy, cause: 'temporarily-unavailable' },
		...more,
	});
const user = (more: ErrorDetails = {}) => new UserError('Wrong', 'Mend it.', more);

describe('A failure says what was said and tried, how things stand with the item, and what to do', () => {
	test.each<[string, ApiError | UserError, hint: string | undefined, string]>([
		[
			'a refusal',
			request(),
			undefined,
			'It said 503. One of two is there. Run it again later. Ask.',
		],
		[
			'with another way to go on',
			request(),
			'To go on, use this ID.',
			'It said 503. One of two is there. To go on, use this ID. Ask.',
		],
		['with nothing to go on with', request(), '', 'It said 503. One of two is there. Ask.'],
		[
			'after several attempts',
			request({ attempts: 5, stopReason: 'out of attempts' }),
			'',
			'It said 503. It was tried 5 times. One of two is there. Ask.',
		],
		[
			'after too long a pause',
			request({ stopReason: 'wait too long', retryAfterMs: 3_599_001 }),
			undefined,
			'It said 503. CometChat asked to wait 3600 s; this node waits 120 at most. One of two is there. Run it again later. Ask.',
		],
		[
			'in a run that is over',
			request({ stopReason: 'cancelled' }),
			'',
			'It said 503. It was not sent again, because the run stopped. One of two is there. Ask.',
		],
		[
			'of a request that came too late to be sent',
			request({ stopReason: 'cancelled', attempts: 0, explanation: undefined }),
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
			...{ kind: 'failed', title: 'Busy', because: 'reply', effect: 'partly applied' },
			...{ detail: 'It said 503.', status: 503, cause: 'temporarily-unavailable', retryAfterMs: 5 },
			...{ requested: { uid: 'bot' }, attempts: 1, created },
		});
	});

	test('what is never sent says so, and names the file that it is about', () => {
		expect(unusable(user({ fileName: 'a.xlsx' }), { uid: 'bot' })).toMatchObject({
			...{ effect: 'not applied', because: 'input', cause: 'configuration-invalid' },
			...{ attempts: 0, requested: { name: 'a.xlsx', uid: 'bot' } },
			description: 'Nothing was sent for this item. Mend it.',
		});
		expect(cancelled({ uid: 'bot' })).toMatchObject({
			...{ title: 'The run stopped before this item was done', because: 'cancelled' },
			...{ effect: 'not applied', requested: { uid: 'bot' } },
			description:
				'Nothing was sent for this item. Run it again with the items that were not sent.',
		});
	});

	test('what ends because of another item is no cause of the stop', () => {
		const because = (failure: ApiError | UserError) =>
			failed(failure, { ...item, state: partly }).because;
		expect(because(request({ stopReason: 'cancelled' }))).toBe('cancelled');
		expect(because(user({ because: 'cancelled' }))).toBe('cancelled');
		expect(because(user())).toBe('reply');
	});
});
