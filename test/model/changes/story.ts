import { circumstancesOf, text } from '../course';
import type { Scenario } from './scenario';

/** A scenario in lines that a person reads, and that hold all of it. */
export function storyOf(scenario: Scenario): string {
	const { operation, onError, items, options, contents } = scenario;
	const lines = [
		`${operation}, ${onError}, options ${text(options)}`,
		...items.map(
			({ agent, sourceType, files, meaning }, index) =>
				`item ${index}: ${agent}/${sourceType} ${text(files)}${meaning.kind === 'ids' ? '' : ` (${meaning.kind})`}`,
		),
		...contents.map((held) => `held before: ${text(held)}`),
		...circumstancesOf(scenario),
	];
	return lines.join('\n');
}
