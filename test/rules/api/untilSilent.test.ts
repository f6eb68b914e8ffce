import { untilSilent } from '../../../nodes/CometChatKnowledgeBase/api/uploads';

/** Returns the waits, in seconds, of an upload whose client has read these numbers of bytes. */
async function waitsFor(read: number[], heldBytes = 0) {
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
	await untilSilent(clock, progress);
	return waits;
}

test.each<[string, number[], number[]]>([
	['of which nothing is taken is closed after a minute', [], [60]],
	['that moves is not closed, however long it takes', [1, 2, 3, 4], [60, 60, 60, 60, 60]],
	['that stops is closed after a minute', [1, 1], [60, 60]],
])('An upload %s', async (_, read, waits) => {
	expect(await waitsFor(read)).toEqual(waits);
});

test('There is a second more for each 16 KB that the system may buffer', async () => {
	expect(await waitsFor([1], 32_768)).toEqual([62, 62]);
});
