import type { BenchCase } from './cases.mjs';
import type { Reading } from './reading.mjs';

/** Medians over the readings of one contestant in one case; undefined where there are none. */
export interface Medians {
	seconds: number;
	/** What reading files from disk took besides; undefined if none are read. */
	sourceSeconds?: number;
	/** The most memory of the process. */
	peakBytes: number;
	/** How much that is above what the process had before. */
	grownBytes: number;
	requests: number;
	failedItems: number;
}

/** One case, as the table and the chart show it. */
export interface CaseSummary {
	name: string;
	shows: string;
	items: number;
	ours?: Medians;
	httpRequest?: Medians;
	axios?: Medians;
	/** In words, such as `time 0.25 (at most 0.28)`; empty if the case has no target. */
	target: string;
	/** undefined if the case has no target. */
	reached?: boolean;
}

/** What a target asks for and what came of it. */
interface Judged {
	what: string;
	/** undefined if a reading that it needs is missing. */
	actual?: number;
	most: number;
}

export function summarize(cases: BenchCase[], readings: Reading[]): CaseSummary[] {
	const medians = (name: string, node: Reading['node']) =>
		mediansOf(
			readings.filter(
				(reading) =>
					reading.case === name && reading.node === node && reading.mismatch === undefined,
			),
		);
	return cases.map((benchCase) => {
		const { name, shows, items } = benchCase;
		const ours = medians(name, 'ours');
		const httpRequest = medians(name, 'httpRequest');
		const axios = medians(name, 'axios');
		const judged = judge(benchCase, { ours, httpRequest, axios });
		return {
			name,
			shows,
			items,
			ours,
			httpRequest,
			axios,
			target: judged.map(inWords).join(', '),
			reached:
				judged.length === 0
					? undefined
					: judged.every(({ actual, most }) => actual !== undefined && actual <= most),
		};
	});
}

function judge(
	benchCase: BenchCase,
	{ ours, httpRequest, axios }: Record<'ours' | 'httpRequest' | 'axios', Medians | undefined>,
): Judged[] {
	const { items, target, rateLimit } = benchCase;
	const judged: Judged[] = [];
	const add = (what: string, most: number | undefined, actual: number | undefined) => {
		if (most !== undefined) judged.push({ what, most, actual });
	};
	const peak = ratio(ours?.peakBytes, httpRequest?.peakBytes);
	add('time', target.timeRatio, ratio(ours?.seconds, httpRequest?.seconds));
	add('memory', target.memoryRatio, peak);
	add('time against axios', target.floorRatio, ratio(ours?.seconds, axios?.seconds));
	if (rateLimit !== undefined) {
		// The first window opens with the first request: a run waits for all others but that.
		const windows = Math.ceil(items / rateLimit.requests) - 1;
		const leastSeconds = (windows * rateLimit.windowMs) / 1000;
		add('time against the limit', target.limitRatio, ratio(ours?.seconds, leastSeconds));
	}
	return judged;
}

function inWords({ what, actual, most }: Judged): string {
	return `${what} ${actual?.toFixed(2) ?? 'unknown'} (at most ${most})`;
}

export function ratio(one: number | undefined, other: number | undefined): number | undefined {
	return one === undefined || other === undefined ? undefined : one / other;
}

function mediansOf(readings: Reading[]): Medians | undefined {
	if (readings.length === 0) return undefined;
	const of = (read: (reading: Reading) => number) => median(readings.map(read));
	return {
		seconds: of(({ seconds }) => seconds),
		sourceSeconds: readings.some(({ sourceSeconds }) => sourceSeconds !== undefined)
			? of(({ sourceSeconds = 0 }) => sourceSeconds)
			: undefined,
		peakBytes: of(({ peakBytes }) => peakBytes),
		grownBytes: of(({ startBytes, peakBytes }) => peakBytes - startBytes),
		requests: of(({ requests }) => requests),
		failedItems: of(({ failedItems }) => failedItems),
	};
}

/** @param values At least one. */
function median(values: number[]): number {
	const sorted = values.toSorted((one, other) => one - other);
	const upper = sorted[Math.floor(sorted.length / 2)] ?? NaN;
	const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? NaN;
	return (lower + upper) / 2;
}
