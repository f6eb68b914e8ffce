import { quoted } from '../values/quoting';
import { itemNumbers } from '../values/ranges';

import { itemNames } from './hints';
import type { CreatedRecord, ItemResult } from './itemResult';
import { sentences } from './itemResult';

/** What a run that stopped has done and left undone, for the message of its error. */
export interface StopReport {
	/** A clause for the end of the message; empty if the run had one item only. */
	short: string;
	/** Which items they were, and how to go on. */
	long: string;
}

type Outcome = 'succeeded' | 'partly' | 'refused' | 'unknown' | 'skipped' | 'unusable' | 'not sent';

const LABELS: Array<[Outcome, string]> = [
	['succeeded', 'applied'],
	['partly', 'applied in part'],
	['refused', 'sent but not applied'],
	['unknown', 'sent, and not known whether applied'],
	['skipped', 'skipped'],
	['unusable', 'unusable'],
	['not sent', 'not sent'],
];

function stateOf(itemResult: ItemResult): Outcome {
	if (itemResult.kind !== 'failed') return itemResult.kind;
	if (itemResult.because === 'input') return 'unusable';
	if (itemResult.attempts === 0) return 'not sent';
	if (itemResult.effect === 'partly applied') return 'partly';
	return itemResult.effect === 'unknown' ? 'unknown' : 'refused';
}

/**
 * @param itemResults One for each input item, in input order.
 * @param cause The item that the message is about, and that says itself how far it came; undefined if it
 *   is about none.
 * @param stopHint How to go on, as a sentence; left out: with the items that are not done.
 */
export function stopReport(
	itemResults: ItemResult[],
	cause: number | undefined,
	stopHint?: string,
): StopReport {
	if (itemResults.length === 1 && cause !== undefined) return { short: '', long: '' };
	const states = itemResults.map(stateOf);
	const itemsThat = (state: Outcome) =>
		states.flatMap((one, index) => (one === state ? [index] : []));
	const applied = itemsThat('succeeded').length;
	const notSent = itemsThat('not sent').length;
	const failed = states.length - applied - notSent - itemsThat('skipped').length;
	const lists = LABELS.flatMap(([state, label]) => {
		const items = itemsThat(state);
		return items.length === 0 ? [] : [`${label}: ${numbered(itemResults, items)}`];
	});
	const created = ofOthers(itemResults, cause, 'created');
	const leftovers = ofOthers(itemResults, cause, 'leftovers');
	return {
		short: ` (${applied} of ${itemResults.length} items applied, ${failed} failed, ${notSent} not sent)`,
		long: sentences(
			`By item: ${lists.join('; ')}.`,
			created !== '' && `In CometChat now: ${created}.`,
			created !== '' && stopHint === undefined && NO_SECOND_COPY,
			leftovers !== '' &&
				`In CometChat without content: ${leftovers}. Delete them with Document: Delete.`,
			stopHint ?? 'To go on, run the workflow again with the items that were not applied.',
		),
	};
}

/** A message is no place for thousands of names or IDs. */
const MOST_NAMED = 20;

/** All of some items, by number: someone may have to go on with them. Of a few, their names as well. */
function numbered(itemResults: ItemResult[], items: number[]): string {
	const names = items.length > MOST_NAMED ? [] : itemNames(itemResults, items);
	return names.length === 0
		? itemNumbers(items)
		: names
				.map((name, at) => `${quoted(name)} (${itemNumbers(items.slice(at, at + 1))})`)
				.join(', ');
}

const NO_SECOND_COPY = 'Go on with these IDs: running their items again would make a second copy.';

/** What the other items have in the service now: n8n keeps no output of a run that stopped. */
function ofOthers(
	itemResults: ItemResult[],
	cause: number | undefined,
	what: 'created' | 'leftovers',
): string {
	const entriesOf = (result: ItemResult): CreatedRecord[] =>
		result.kind === 'skipped' ? [] : (result[what] ?? []);
	const entries = itemResults.flatMap((result, index) =>
		index === cause
			? []
			: entriesOf(result).map(
					({ uniqueId, name }) => `${quoted(name)} (ID ${uniqueId}, item ${index + 1})`,
				),
	);
	const more = entries.length - MOST_NAMED;
	const named = entries.slice(0, MOST_NAMED).join(', ');
	return more > 0 ? `${named}, and ${more} more, which Get Many lists` : named;
}
