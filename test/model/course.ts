import type { LogEntry } from '../service/service';
import type { Circumstances } from './misbehaviour';
import type { Course } from './stage';

/** What befalls a run, in lines that a person reads, and that hold all of it. */
export function circumstancesOf(given: Circumstances): string[] {
	const { misbehaviours, badIds, rateLimit, stop, serviceAheadMs, chance } = given;
	return [
		...badIds.map((bad) => `refused: ${text(bad)}`),
		...misbehaviours.map((one) => `misbehaves: ${text(one)}`),
		...(rateLimit ? [`rate limit: ${text(rateLimit)}`] : []),
		...(stop ? [`stop: ${text(stop)}`] : []),
		...(serviceAheadMs === 0 ? [] : [`the service's clock is ${serviceAheadMs} ms ahead`]),
		...(chance === 0 ? [] : [`chance ${chance}`]),
	];
}

/** What happened, with times from the first request on. */
export function courseOf({ log, run }: Course<Circumstances>): string {
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

export function text(value: unknown): string {
	return JSON.stringify(value, (_, part: unknown) => (part === Infinity ? 'always' : part)) ?? '-';
}
