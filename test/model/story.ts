import type { Played } from './play';
import type { Scenario } from './scenario';

/** A scenario in lines that a person reads, and that hold all of it. */
export function storyOf(scenario: Scenario): string {
	const { items, options, misbehaviours, badIds, contents, rateLimit, stop } = scenario;
	const { operation, onError, serviceAheadMs, chance } = scenario;
	const lines = [
		`${operation}, ${onError}, options ${text(options)}`,
		...items.map(
			({ agent, sourceType, files, meaning }, index) =>
				`item ${index}: ${agent}/${sourceType} ${text(files)}${meaning.kind === 'ids' ? '' : ` (${meaning.kind})`}`,
		),
		...contents.map((held) => `held before: ${text(held)}`),
		...badIds.map((bad) => `refused: ${text(bad)}`),
		...misbehaviours.map((given) => `misbehaves: ${text(given)}`),
		...(rateLimit ? [`rate limit: ${text(rateLimit)}`] : []),
		...(stop ? [`stop: ${text(stop)}`] : []),
		...(serviceAheadMs === 0 ? [] : [`the service's clock is ${serviceAheadMs} ms ahead`]),
		...(chance === 0 ? [] : [`chance ${chance}`]),
	];
	return lines.join('\n');
}

/** What happened, with times from the first request on. */
export function courseOf({ log, run }: Played): string {
	const startMs = log[0]?.atMs ?? 0;
	const lines = log.map(({ kind, atMs, request, uid, sourceType, uniqueIds, status, applied }) =>
		[
			`${atMs - startMs} ms`.padStart(10),
			`#${request} ${kind}`,
			kind === 'arrived' ? `${uid}/${sourceType} ${uniqueIds?.join()}` : (status ?? ''),
			applied ? 'applied' : '',
		].join(' '),
	);
	const error = run.error ? `${run.error.message}\n  ${run.error.description ?? ''}` : '';
	const outcomes = [...run.output, ...run.errorOutput].map(({ json }) => `  ${text(json)}`);
	return [...lines, `The run is ${run.status}. ${error}`, ...outcomes].join('\n');
}

function text(value: unknown): string {
	return JSON.stringify(value, (_, part: unknown) => (part === Infinity ? 'always' : part)) ?? '-';
}
