/**
 * Does `work` for every entry: those with the same lane one after another, in order; different
 * lanes side by side, at most `width` at once. Lanes start in the order of their first entries.
 *
 * @param laneOf undefined for an entry that needs no order.
 * @returns What `work` gave back for each entry, in the order of the entries.
 */
export async function runInLanes<Entry, Result>(
	entries: Entry[],
	laneOf: (entry: Entry) => string | undefined,
	width: number,
	work: (entry: Entry) => Promise<Result>,
): Promise<Result[]> {
	const lanes = new Map<string | number, Array<[index: number, entry: Entry]>>();
	entries.forEach((entry, index) => {
		const key = laneOf(entry) ?? index;
		const lane = lanes.get(key);
		if (lane) lane.push([index, entry]);
		else lanes.set(key, [[index, entry]]);
	});

	const results: Result[] = new Array(entries.length);
	// One iterator for all walkers, so that each lane is walked once.
	const waiting = lanes.values();
	const walk = async () => {
		for (const lane of waiting) {
			for (const [index, entry] of lane) results[index] = await work(entry);
		}
	};
	await Promise.all(Array.from({ length: Math.min(width, lanes.size) }, walk));
	return results;
}
