import { untilSilent } from '../../../nodes/CometChatKnowledgeBase/api/uploads';

/** The waits of an upload whose client has read so many bytes at each look. */
async function waitsFor(fileSize: number, read: number[], heldBytes = fileSize) {
	const progress = { bytes: 0, heldBytes };
	const waits: number[] = [];
	const clock = {
		nowMs: () => 0,
		random: () => 0,
		isCancelled: () => false,
		delay: async (ms: number) => {
			waits.push(ms / 1000);
			progress.bytes = read.shift() ?? progress.bytes;
		},
	};
	await untilSilent(clock, fileSize, progress);
	return waits;
}

test.each<[string, number[], number[]]>([
	['of which nothing is taken is closed after a minute', [], [60]],
	['that moves is not closed, however long it takes', [1, 2, 3, 4, 5], [60, 60, 60, 60, 60, 60]],
	['that stops before its end is closed after a minute', [1, 2], [60, 60, 60]],
	['that is taken whole has a second more for each 16 KB', [32_768], [60, 62]],
])('An upload %s', async (_, read, waits) => {
	expect(await waitsFor(32_768, read)).toEqual(waits);
});

test('After the last byte, only what the system may hold counts', async () => {
	expect(await waitsFor(50_000_000, [50_000_000], 16_384)).toEqual([60, 61]);
});
