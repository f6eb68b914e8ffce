import type { BenchCase } from './cases.mjs';
import type { Reading } from './reading.mjs';
import type { Contestant } from './workflows.mjs';

/** A case with the medians of each contestant's readings; undefined without readings. */
export interface Row {
	benchCase: BenchCase;
	ours?: Medians;
	httpRequest?: Medians;
	isMissed: boolean;
}

type Medians = Required<Omit<Reading, 'case' | 'node'>>;

const HEAD = ['Case', 'Items', 'This node', 'HTTP Request node', 'Time, memory: ratio'];

export function rowsOf(cases: BenchCase[], readings: Reading[]): Row[] {
	return cases.map((benchCase) => {
		const of = (node: Contestant) =>
			mediansOf(readings.filter((each) => each.case === benchCase.name && each.node === node));
		const row = { benchCase, ours: of('ours'), httpRequest: of('httpRequest') };
		const isMissed = ratiosOf(row).some(({ is, most }) => most !== undefined && !(is <= most));
		return { ...row, isMissed };
	});
}

/** Returns the results as Markdown: a table of medians, and where and how they were measured. */
export function renderTable(rows: Row[], pairs: number, facts: string): string {
	const lines = [HEAD, HEAD.map(() => '---')].map((row) => `| ${row.join(' | ')} |`);
	return `${[...lines, ...rows.map(inOneLine)].join('\n')}

Medians over up to ${pairs} readings each, taken in turns, each in a fresh n8n: the node's own time as n8n records it, and the peak memory of n8n's process (in brackets: how much that is above what n8n had before). Where files are read: the whole execution until n8n has saved it, without the time that n8n took to read the files from disk (+). A turn: the longest time in which n8n's process could do nothing else, garbage collection included, while the node ran. ${facts}
`;
}

export function inOneLine(row: Row): string {
	const { benchCase, ours, httpRequest } = row;
	const cells = [
		`\`${benchCase.name}\`: ${benchCase.shows}`,
		benchCase.items.toLocaleString('en'),
		cellOf(ours),
		cellOf(httpRequest),
		ratiosOf(row).map(inWords).join(', ') || '–',
	];
	return `| ${cells.join(' | ')} |`;
}

function cellOf(medians: Medians | undefined): string {
	if (medians === undefined) return '–';
	const { seconds, sourceSeconds, peakBytes, grownBytes, requests, failedItems, blockedMs } =
		medians;
	const inSeconds = (value: number) => `${value.toPrecision(3)} s`;
	const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
	const reading = sourceSeconds > 0 ? ` (+ ${inSeconds(sourceSeconds)})` : '';
	const memory = `${megabytes(peakBytes)} (+${megabytes(grownBytes)})`;
	const failed = failedItems > 0 ? `, **${failedItems} items failed**` : '';
	return `${inSeconds(seconds)}${reading}, ${memory}, ${requests.toLocaleString('en')} requests, at most ${Math.round(blockedMs)} ms without a turn for n8n${failed}`;
}

/** Returns the factors of our node to the other node, with their limits. */
function ratiosOf({ benchCase: { most = {} }, ours, httpRequest }: Omit<Row, 'isMissed'>) {
	if (ours === undefined || httpRequest === undefined) return [];
	return [
		{ is: ours.seconds / httpRequest.seconds, most: most.time },
		{ is: ours.peakBytes / httpRequest.peakBytes, most: most.memory },
	];
}

function inWords({ is, most }: { is: number; most?: number }): string {
	if (most === undefined) return is.toFixed(2);
	return `${is.toFixed(2)} (at most ${most}${is <= most ? '' : ': **not reached**'})`;
}

function mediansOf(readings: Reading[]): Medians | undefined {
	if (readings.length === 0) return undefined;
	const of = (read: (reading: Reading) => number) => median(readings.map(read));
	return {
		seconds: of(({ seconds }) => seconds),
		sourceSeconds: of(({ sourceSeconds = 0 }) => sourceSeconds),
		peakBytes: of(({ peakBytes }) => peakBytes),
		grownBytes: of(({ grownBytes }) => grownBytes),
		requests: of(({ requests }) => requests),
		failedItems: of(({ failedItems }) => failedItems),
		blockedMs: of(({ blockedMs }) => blockedMs),
	};
}

/** @param values At least one. */
function median(values: number[]): number {
	const sorted = values.toSorted((one, other) => one - other);
	const upper = sorted[Math.floor(sorted.length / 2)] ?? NaN;
	const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? NaN;
	return (lower + upper) / 2;
}
