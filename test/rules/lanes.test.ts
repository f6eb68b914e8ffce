import { runInLanes } from '../../nodes/CometChatKnowledgeBase/execution/lanes';

/** Runs entries such as 'a1' in lanes named by their letter; each ends when its turn comes. */
async function logOf(entries: string[], width: number, laneOf = (entry: string) => entry[0]) {
	const log: string[] = [];
	let underWay = 0;
	let most = 0;
	const results = await runInLanes(entries, laneOf, width, async (entry) => {
		log.push(`start ${entry}`);
		most = Math.max(most, ++underWay);
		await Promise.resolve();
		underWay--;
		log.push(`end ${entry}`);
		return entry.toUpperCase();
	});
	return { log, most, results };
}

test('entries of one lane go one after another, in order', async () => {
	const { log } = await logOf(['a1', 'a2', 'a3'], 10);
	expect(log).toEqual(['start a1', 'end a1', 'start a2', 'end a2', 'start a3', 'end a3']);
});

test('different lanes go side by side', async () => {
	const { log } = await logOf(['a1', 'a2', 'b1'], 10);
	expect(log.slice(0, 2)).toEqual(['start a1', 'start b1']);
});

test('no more than the width at once, and lanes start in the order of their first entries', async () => {
	const { log, most } = await logOf(['c1', 'a1', 'b1', 'c2'], 2);
	expect(most).toBe(2);
	expect(log.filter((line) => line.startsWith('start'))).toEqual([
		'start c1',
		'start a1',
		'start c2',
		'start b1',
	]);
});

test('results stand where their entries stood', async () => {
	const { results } = await logOf(['b1', 'a1', 'b2', 'c1'], 3);
	expect(results).toEqual(['B1', 'A1', 'B2', 'C1']);
});

test('entries without a lane need no order', async () => {
	const { most } = await logOf(['a1', 'a2', 'a3'], 3, () => undefined);
	expect(most).toBe(3);
});

test('nothing to do is done', async () => {
	expect((await logOf([], 3)).results).toEqual([]);
});
