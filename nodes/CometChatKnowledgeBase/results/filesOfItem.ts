import type { Effect } from '../values/userError';
import { listed, quoted } from '../values/quoting';
import type { Failed } from './itemResult';

/** An item's file IDs by what became of them. */
export type FilesByEffect = Record<'applied' | 'notApplied' | 'unknown', string[]>;

export function filesByEffect(
	parts: Array<{ uniqueIds: string[]; effect: Effect }>,
): FilesByEffect {
	const idsOf = (wanted: Effect) =>
		parts.flatMap(({ uniqueIds, effect }) => (effect === wanted ? uniqueIds : []));
	return {
		applied: idsOf('applied'),
		notApplied: idsOf('not applied'),
		unknown: idsOf('unknown'),
	};
}

export function effectOnItem({ applied, unknown }: FilesByEffect): Failed['effect'] {
	if (applied.length > 0) return 'partly applied';
	return unknown.length > 0 ? 'unknown' : 'not applied';
}

/**
 * @param done What was to become of the documents: 'added', 'removed', 'deleted'.
 * @param nameOf How a person calls one.
 */
export function describeFiles(
	{ applied, notApplied, unknown }: FilesByEffect,
	count: number,
	done: string,
	nameOf: (id: string) => string,
): string {
	const named = (ids: string[]) => listed(ids.map((id) => quoted(nameOf(id))));
	if (count === 1) {
		return unknown.length > 0
			? `It is not known whether ${named(unknown)} was ${done}: look at the knowledge base, or run this item again.`
			: `${named(notApplied)} was not ${done}.`;
	}
	if (applied.length > 0) {
		const lists = [
			`Of its ${count} documents, ${applied.length} ${applied.length === 1 ? 'was' : 'were'} ${done}`,
			...(notApplied.length > 0 ? [`not ${done}: ${named(notApplied)}`] : []),
			...(unknown.length > 0 ? [`not known whether ${done}: ${named(unknown)}`] : []),
		];
		return `${lists.join('; ')}.`;
	}
	return unknown.length > 0
		? `It is not known whether the documents were ${done}: look at the knowledge base, or run this item again.`
		: `The documents were not ${done}.`;
}
