import type { LogEntry } from '../service/service';
import type { Item, Played, Scenario, Wanted } from './operation';

/** A scenario in lines that a person reads, and that hold all of it. */
export function describeScenario(scenario: Scenario): string {
	const { onError, items, options, variant, unreadable, heldBefore } = scenario;
	const { misbehaviours, badIds, rateLimit, stop, serviceAheadMs, chance } = scenario;
	const lines = [
		`${onError}, options ${text(options)}`,
		...items.map((item, index) => `item ${index}: ${describeItem(item)}`),
		`the service: ${text(variant)}`,
		...unreadable.map((name) => `can't be read: ${name}`),
		...heldBefore.map((held) => `held before: ${text(held)}`),
		...badIds.map((bad) => `refused: ${text(bad)}`),
		...misbehaviours.map((one) => `misbehaves: ${text(one)}`),
		...(rateLimit ? [`rate limit: ${text(rateLimit)}`] : []),
		...(stop ? [`stop: ${text(stop)}`] : []),
		...(serviceAheadMs === 0 ? [] : [`the service's clock is ${serviceAheadMs} ms ahead`]),
		...(chance === 0 ? [] : [`chance ${chance}`]),
	];
	return lines.join('\n');
}

function describeItem({ json, files = {}, wanted }: Item<Wanted>): string {
	const held = Object.entries(files).map(
		([field, { fileName, size, kept }]) => `${field} ${fileName}, ${size} bytes ${kept}`,
	);
	return [text(json), ...held].join('; ') + (typeof wanted === 'string' ? ` (${wanted})` : '');
}

/** What happened in a run. */
interface Timed {
	log: LogEntry[];
	run: Pick<Played['run'], 'status' | 'error' | 'output' | 'errorOutput'>;
}

/** What happened, with times from the first request on. */
export function timelineOf({ log, run }: Timed): string {
	const startMs = log[0]?.atMs ?? 0;
	const lines = log.map(({ kind, atMs, request, status, applied, ...line }) =>
		[
			`${atMs - startMs} ms`.padStart(10),
			`#${request} ${kind}`,
			kind === 'arrived' ? about(line) : (status ?? ''),
			applied ? 'applied' : '',
		].join(' '),
	);
	const error = run.error ? `${run.error.message}\n  ${run.error.description ?? ''}` : '';
	const outcomes = [...run.output, ...run.errorOutput].map(({ json }) => `  ${text(json)}`);
	return [...lines, `The run is ${run.status}. ${error}`, ...outcomes].join('\n');
}

function about(line: Line): string {
	const { operation, uid, sourceType, fileNames, uniqueIds } = line;
	const place = uid === undefined ? '' : `${uid}/${sourceType}`;
	const parts = [operation ?? '?', place, fileNames?.join(), uniqueIds?.join()];
	return parts.filter(Boolean).join(' ');
}

type Line = Pick<LogEntry, 'operation' | 'uid' | 'sourceType' | 'fileNames' | 'uniqueIds'>;

/** Also what JSON has no word for. */
export function text(value: unknown): string {
	return JSON.stringify(value, (_, part: unknown) => (part === Infinity ? 'always' : part)) ?? '-';
}
