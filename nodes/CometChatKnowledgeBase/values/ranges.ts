/** More would bury the message. */
const MOST_RANGES = 8;

/** Places among the input items, ascending, as a person counts them. */
export function itemNumbers(indexes: number[]): string {
	return ranges(indexes.map((index) => index + 1));
}

/** Ascending numbers in short: `0–2, 5, and 4 more`. */
export function ranges(indexes: number[]): string {
	const runs: Array<[from: number, to: number]> = [];
	for (const index of indexes) {
		const run = runs.at(-1);
		if (run && index === run[1] + 1) run[1] = index;
		else runs.push([index, index]);
	}
	const shown = runs.slice(0, MOST_RANGES);
	const left = runs.slice(MOST_RANGES).reduce((sum, [from, to]) => sum + to - from + 1, 0);
	const words = shown.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`));
	return left === 0 ? words.join(', ') : `${words.join(', ')}, and ${left} more`;
}
