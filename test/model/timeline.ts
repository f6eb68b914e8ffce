import type { LogEntry } from '../service/service';
import type { Run } from '../node/engine';

interface Timed {
	log: LogEntry[];
	run: Pick<Run, 'status' | 'error' | 'output' | 'errorOutput'>;
}

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

/** Returns a value as text, including values that JSON doesn't have. */
export function text(value: unknown): string {
	return JSON.stringify(value, (_, part: unknown) => (part === Infinity ? 'always' : part)) ?? '-';
}
