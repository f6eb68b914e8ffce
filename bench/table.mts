import type { MachineFacts } from './machine.mjs';
import { ratio, type CaseSummary, type Medians } from './summary.mjs';

/** The results as Markdown: a table of medians, and where and how they were taken. */
export function renderTable(summary: CaseSummary[], facts: MachineFacts, pairs: number): string {
	const { date, cpus, cpuModel, memoryBytes, platform, node, n8n } = facts;
	const head = [
		'Case',
		'Items',
		'This node',
		'HTTP Request node',
		'Time, memory: ratio',
		'Bare axios loop',
		'Target',
		'Reached',
	];
	const rows = summary.map((each) => [
		`\`${each.name}\`: ${each.shows}`,
		each.items.toLocaleString('en'),
		cell(each.ours),
		cell(each.httpRequest),
		ratios(each),
		each.axios === undefined ? '–' : seconds(each.axios.seconds),
		each.target === '' ? '–' : each.target,
		each.reached === undefined ? '–' : each.reached ? 'yes' : '**no**',
	]);
	const lines = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
	const whole = summary.flatMap(wholeExecution).join(' ');
	const gigabytes = Math.round(memoryBytes / 2 ** 30);
	return `${lines.join('\n')}

Medians over up to ${pairs} readings each, taken in turns, each in a fresh n8n: the node's own time as n8n records it, and the peak memory of n8n's process (in brackets: how much that is above what n8n had before).${whole && ` ${whole}`} ${date}, n8n ${n8n}, Node.js ${node}, ${cpus} × ${cpuModel}, ${gigabytes} GB, ${platform}.`;
}

function cell(medians: Medians | undefined): string {
	if (medians === undefined) return '–';
	const { peakBytes, grownBytes, requests, failedItems } = medians;
	const memory = `${megabytes(peakBytes)} (+${megabytes(grownBytes)})`;
	const failed = failedItems > 0 ? `, **${failedItems} items failed**` : '';
	return `${seconds(medians.seconds)}, ${memory}, ${requests.toLocaleString('en')} requests${failed}`;
}

/** What is different about a case whose time is that of the whole execution. */
function wholeExecution({ name, ours, httpRequest }: CaseSummary): string[] {
	const { sourceSeconds: own } = ours ?? {};
	const { sourceSeconds: other } = httpRequest ?? {};
	if (own === undefined) return [];
	const there = other === undefined ? '' : ` here, ${seconds(other)} there`;
	return [
		`\`${name}\`: the whole execution until n8n has saved it, without the time that n8n took to read the files from disk (${seconds(own)}${there}).`,
	];
}

function ratios({ ours, httpRequest }: CaseSummary): string {
	const time = ratio(ours?.seconds, httpRequest?.seconds);
	const memory = ratio(ours?.peakBytes, httpRequest?.peakBytes);
	if (time === undefined) return '–';
	return `${time.toFixed(2)}, ${memory?.toFixed(2) ?? 'unknown'}`;
}

function seconds(value: number): string {
	return `${value.toPrecision(3)} s`;
}

function megabytes(bytes: number): string {
	return `${Math.round(bytes / 1e6)} MB`;
}
