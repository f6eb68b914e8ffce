import { sleep } from 'n8n-workflow';

import { add, freshService } from '../fixture';
import { runFiles } from '../operations';

const service = freshService();
const item = (agent: string, id: string) => ({ agent, files: [id] });
/** A byte far more often than any timeout, so that the client does not take it for silence. */
const drip = { dripMs: 50 };
const options = { timeoutSeconds: 1, maxWaitSeconds: 0 };
const kinds = () => service().log.map(({ kind }) => kind);

/** The stand-in has noticed the end of every request. */
async function ended(): Promise<void> {
	while (kinds().filter((kind) => kind === 'arrived').length * 2 > kinds().length) await sleep(1);
}

describe('A request that takes longer than Timeout', () => {
	test.each([
		['without an answer', { latencyMs: 5000 }],
		['with an answer that never comes', { stall: true }],
		['with an answer that drips', drip],
	])('%s is closed before it is sent again', async (_, rule) => {
		service().script(rule);
		const { output } = await add(service(), [item('support-bot', 'a')], { options });
		expect(kinds()).toEqual(['arrived', 'aborted', 'arrived', 'answered']);
		expect(output[0]?.json.success).toBe(true);
	});

	test('counts as under way until it is closed: for Parallel Requests, and for its agent', async () => {
		service().script({ ...drip, times: Infinity });
		const items = [
			item('support-bot', 'a'),
			item('sales-assistant', 'b'),
			item('onboarding-guide', 'c'),
			item('support-bot', 'd'),
		];
		await add(service(), items, {
			options: { ...options, parallelRequests: 2, maxAttempts: 1 },
			onError: 'continueRegularOutput',
		});
		await ended();
		expect(kinds().filter((kind) => kind === 'aborted')).toHaveLength(4);
		expect(service().maxInFlight()).toBe(2);
		expect(service().maxInFlight('support-bot')).toBe(1);
	});
});

test('an upload that moves is not closed for its size: it has a second more for each 64 KB', async () => {
	service().script({ for: { operation: 'upload' }, bytesPerSecond: 100_000 });
	const bytes = new Uint8Array(150_000).fill(7);
	const { output } = await runFiles(service(), 'document.upload', {
		files: [{ data: { fileName: 'a.txt', bytes } }],
		options: { ...options, maxAttempts: 1 },
	});
	expect(output[0]?.json.success).toBe(true);
});
