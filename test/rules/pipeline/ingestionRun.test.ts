import { Semaphore } from '../../../nodes/CometChatKnowledgeBase/execution/concurrency';
import { UploadQueue } from '../../../nodes/CometChatKnowledgeBase/pipeline/ingestionRun';
import { settle } from '../settle';

/** Items that upload, each with so many bytes in memory; all at once, as far as they may. */
function uploading(sizes: number[], atOnce = 10) {
	const permits = new Semaphore(atOnce);
	const queue = new UploadQueue(permits);
	const begun: number[] = [];
	const sending = new Map<number, () => void>();
	const items = sizes.map(async (bytes, at) => {
		await permits.run(
			async () =>
				await queue.run(bytes, async () => {
					begun.push(at);
					await permits.without(async () => await new Promise<void>((end) => sending.set(at, end)));
					sending.delete(at);
				}),
		);
	});
	const settled = async () => {
		for (let turn = 0; turn < sizes.length; turn++) await settle();
	};
	return {
		/** Those that have begun, by their places. */
		begun,
		sending: async () => {
			await settled();
			return [...sending.keys()];
		},
		end: async (at: number) => {
			await settled();
			sending.get(at)?.();
			await settled();
		},
		endAll: async () => {
			for (const [at] of sizes.entries()) {
				await settled();
				sending.get(at)?.();
			}
			await Promise.all(items);
		},
	};
}

const MEGABYTE = 1_000_000;

test.each([
	['two that come to 100 MB', [50, 50, 1], [0, 1]],
	['one alone, whatever its size', [101, 0], [0]],
	['a large one, and others that are read piece by piece', [0, 94, 0, 0, 0], [0, 1, 2, 3]],
])('of files in memory, %s are under way', async (_, megabytes, expected) => {
	const items = uploading(megabytes.map((one) => one * MEGABYTE));
	expect(await items.sending()).toEqual(expected);
	await items.endAll();
});

test('nobody is overtaken: a small file waits behind a large one that has no room yet', async () => {
	const items = uploading([60, 60, 10, 10].map((one) => one * MEGABYTE));
	expect(await items.sending()).toEqual([0]);
	await items.end(0);
	expect(await items.sending()).toEqual([1, 2, 3]);
	await items.endAll();
	expect(items.begun).toEqual([0, 1, 2, 3]);
});

test('who waits for room holds up nobody who needs none', async () => {
	const permits = new Semaphore(2);
	const queue = new UploadQueue(permits);
	let end = () => {};
	const ended = new Promise<void>((resolve) => {
		end = resolve;
	});
	const large = async () =>
		await queue.run(100 * MEGABYTE, async () => await permits.without(async () => await ended));
	const uploads = [1, 2, 3].map(async () => await permits.run(large));
	await settle();
	await expect(permits.run(async () => 'asked')).resolves.toBe('asked');
	end();
	await Promise.all(uploads);
});
