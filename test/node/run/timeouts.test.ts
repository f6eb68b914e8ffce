import { sleep } from 'n8n-workflow';

import { add, freshService } from '../fixture';
import { runFiles } from '../operations';

const service = freshService();
const item = (agent: string, id: string) => ({ agent, files: [id] });
/** A byte more often than any time-out, so that the client never sees silence. */
const drip = { dripMs: 50 };
const parameters = { requestOptions: { timeout: 1000 } };
const kinds = () => service().log.flatMap(({ kind, uid }) => (uid ? [kind] : []));

/** Waits until the simulation has noticed the end of each request. */
async function ended(): Promise<void> {
	while (kinds().filter((kind) => kind === 'arrived').length * 2 > kinds().length) await sleep(1);
}

describe("A request that takes longer than Timeout in the node's Settings", () => {
	test.each([
		['without an answer', { latencyMs: 5000 }],
		['with an answer that never comes', { stall: true }],
		['with an answer that drips', drip],
	])('%s is closed before it is repeated', async (_, rule) => {
		service().script({ for: { operation: 'add' }, ...rule });
		const { output } = await add(service(), [item('support-bot', 'a')], { parameters });
		expect(kinds()).toEqual(['arrived', 'aborted', 'arrived', 'answered']);
		expect(output[0]?.json.success).toBe(true);
	});

	test('counts as open until it is closed: for its agent, and for the ten open requests', async () => {
		service().script({ for: { operation: 'add' }, ...drip, times: Infinity });
		const others = Array.from({ length: 10 }, (_, at) => item(`agent-${at}`, 'a'));
		const items = [item('support-bot', 'a'), ...others, item('support-bot', 'd')];
		await add(service(), items, { parameters, onError: 'continueRegularOutput' });
		await ended();
		expect(kinds().filter((kind) => kind === 'aborted')).toHaveLength(5 * items.length);
		expect(service().maxInFlight()).toBe(10);
		expect(service().maxInFlight('support-bot')).toBe(1);
	});
});

test('20 uploads on a slow connection are not closed, however long they take', async () => {
	service().script({ for: { operation: 'upload' }, bytesPerSecond: 12_500, times: Infinity });
	const bytes = new Uint8Array(2_000_000).fill(7);
	const { output } = await runFiles(service(), 'document.upload', {
		files: Array.from({ length: 20 }, (_, at) => ({ data: { fileName: `${at}.txt`, bytes } })),
	});
	expect(output.map(({ json }) => json.success)).toEqual(Array(20).fill(true));
	expect(service().log.filter(({ kind }) => kind === 'aborted')).toEqual([]);
});
