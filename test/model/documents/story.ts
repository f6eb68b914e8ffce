import { circumstancesOf, text } from '../course';
import { asSet } from '../options';
import type { Item, Scenario } from './scenario';

/** A scenario in lines that a person reads, and that hold all of it. */
export function storyOf(scenario: Scenario): string {
	const { operation, onError, items, options, habits, unreadable } = scenario;
	const { isHeld, alsoHeldBy } = scenario;
	const lines = [
		`${operation}, ${onError}, options ${text(asSet(options))}`,
		...items.map((item, index) => `item ${index}: ${itemOf(item)}`),
		`the service's habits: ${text(asSet(habits))}`,
		...unreadable.map((name) => `can't be read: ${name}`),
		...(operation === 'replace' && !isHeld ? ['the agents do not have the old versions'] : []),
		...(operation === 'replace' && alsoHeldBy !== undefined ? [`${alsoHeldBy} has them all`] : []),
		...circumstancesOf(scenario),
	];
	return lines.join('\n');
}

function itemOf({ json, files = {}, wanted }: Item): string {
	const kinds = wanted.kind === 'unusable' || wanted.kind === 'empty' ? ` (${wanted.kind})` : '';
	const held = Object.entries(files).map(
		([field, { fileName, size, kept }]) => `${field} ${fileName}, ${size} bytes ${kept}`,
	);
	return [text(json), ...held].join('; ') + kinds;
}
