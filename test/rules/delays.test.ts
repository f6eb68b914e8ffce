import { sleep } from 'n8n-workflow';

import { pauses } from '../../nodes/CometChatKnowledgeBase/requests/delays';

const HOURS_MS = 3_600_000;

test('a pause lasts until its time has come', async () => {
	const startedMs = Date.now();
	await pauses(sleep).pause(50);
	// A timer may fire a millisecond early.
	expect(Date.now() - startedMs).toBeGreaterThanOrEqual(49);
});

describe('When the run ends, all pauses end', () => {
	test.each([
		["with n8n's sleep", sleep],
		[
			'with one that knows no signal, as before n8n 2.41',
			async () => await new Promise<void>(() => {}),
		],
	])('%s', async (_, sleeping) => {
		const { pause, endAll } = pauses(sleeping);
		const waiting = [pause(HOURS_MS), pause(HOURS_MS)];
		endAll();
		await Promise.all(waiting);
	});

	test('and no new one starts', async () => {
		const { pause, endAll } = pauses(sleep);
		endAll();
		await pause(HOURS_MS);
	});
});
