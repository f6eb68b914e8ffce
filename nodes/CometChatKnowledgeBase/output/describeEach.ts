import type { Effect } from '../text/failure';
import { joinLimited, quoted, sentences } from '../text/quoting';
import type { ItemState } from './itemResult';

/**
 * Describes how far a failed item got that makes the same change to each of its documents.
 *
 * @param effects The result for each document, by ID.
 * @param done The change, as a participle: 'added', 'removed', 'deleted'.
 * @param nameOf Returns the name of a document.
 * @returns `outcome`: the IDs by result, if the results differ.
 */
export function describeEach(
	effects: ReadonlyMap<string, Effect>,
	done: string,
	nameOf: (uniqueId: string) => string,
): ItemState & { outcome?: Record<'applied' | 'notApplied' | 'unknown', string[]> } {
	const that = (wanted: Effect) =>
		[...effects].flatMap(([uniqueId, effect]) => (effect === wanted ? [uniqueId] : []));
	const [applied, notApplied, unknown] = [that('applied'), that('not applied'), that('unknown')];
	const isMixed = new Set(effects.values()).size > 1;
	const named = (ids: string[]) => joinLimited(ids.map((uniqueId) => quoted(nameOf(uniqueId))));
	const were = applied.length === 1 ? 'was' : 'were';
	const otherwise = unknown.length > 0 ? 'unknown' : 'not applied';
	return {
		effect: applied.length > 0 ? 'partly applied' : otherwise,
		detail: sentences(
			applied.length > 0 && `${applied.length} of ${effects.size} documents ${were} ${done}.`,
			notApplied.length > 0 && `Not ${done}: ${named(notApplied)}.`,
			unknown.length > 0 && `Result unknown, may be ${done}: ${named(unknown)}.`,
		),
		...(unknown.length > 0 && { hint: CHECK_OR_RUN_AGAIN }),
		outcome: isMixed ? { applied, notApplied, unknown } : undefined,
	};
}

const CHECK_OR_RUN_AGAIN =
	'Check these documents in the CometChat dashboard, or run the item again.';
