import type { Effect } from '../text/failure';
import { groupBy } from '../text/groups';
import { joinLimited, quoted, sentences } from '../text/quoting';
import type { ItemState } from './itemResult';

/** Says which documents are changed, which are not, and for which it is unknown. @param done A participle: 'added'. */
export function tell(parts: ReadonlyArray<readonly [string, Effect]>, done: string): string {
	const byEffect = groupBy(parts, ([, effect]) => [effect]);
	const clause = (effect: Effect, words: string) => {
		const things = byEffect.get(effect)?.map(([thing]) => thing);
		return things && `${words}: ${joinLimited(things)}.`;
	};
	return sentences(
		clause('applied', `${done.charAt(0).toUpperCase()}${done.slice(1)}`),
		clause('not applied', `Not ${done}`),
		clause('unknown', `Result unknown, may be ${done}`),
	);
}

/**
 * Describes the state of a failed item that makes the same change to each of its documents. `outcome`: the IDs by
 * result, if the results differ.
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
	const otherwise = unknown.length > 0 ? 'unknown' : 'not applied';
	return {
		effect: applied.length > 0 ? 'partly applied' : otherwise,
		detail: tell(
			[...effects].map(([id, effect]) => [quoted(nameOf(id)), effect]),
			done,
		),
		...(unknown.length > 0 && { hint: CHECK_OR_RUN_AGAIN }),
		outcome: isMixed ? { applied, notApplied, unknown } : undefined,
	};
}

const CHECK_OR_RUN_AGAIN =
	'Check these documents in the CometChat dashboard, or run the item again.';
