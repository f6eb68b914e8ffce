import { sleep } from 'n8n-workflow';

import { createDelays } from '../../../nodes/CometChatKnowledgeBase/requests/delays';

const HOURS_MS = 3_600_000;

describe('When the run ends, all pauses end', () => {
	test.each([
		["with n8n's sleep", sleep],
		[
			'with one that knows no signal, as before n8n 2.41',
			async () => await new Promise<void>(() => {}),
		],
	])('%s', async (_, sleeping) => {
		const { delay, cancelAll } = createDelays(sleeping);
		const waiting = [delay(HOURS_MS), delay(HOURS_MS)];
		cancelAll();
		await Promise.all(waiting);
	});

	test('and no new one starts', async () => {
		const { delay, cancelAll } = createDelays(sleep);
		cancelAll();
		await delay(HOURS_MS);
	});
});
