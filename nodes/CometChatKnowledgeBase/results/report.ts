import { reasonOf } from '../values/failure';
import { itemNumbers, listed, quoted, sentences } from '../values/quoting';
import type { ItemResult } from './itemResult';
import { nameWithId } from './itemResult';

/** What someone should know of a run that went through, for the output panel. */
export interface Hint {
	message: string;
	type: 'info' | 'warning';
}

/**
 * What stands under the output: what has failed, what needs somebody who acts, and what is good to know.
 *
 * @param furtherResults Of what no input item asked for.
 */
export function hints(itemResults: ItemResult[], furtherResults: ItemResult[] = []): Hint[] {
	const which = (items: number[]) => whichItems(itemResults, items);
	const remarks = (kind: 'remarks' | 'warnings') =>
		textsOf(
			itemsByText(itemResults, (result) => (result.kind === 'failed' ? [] : (result[kind] ?? []))),
			(text, items) => `${text}${which(items)}.`,
			(items) => `${plural(items.length, 'item')} with more of this kind${which(items)}.`,
		);
	const none = () => '';
	return [
		...ofType('warning', failures(itemResults, which)),
		...ofType('warning', failures(furtherResults, none)),
		...ofType('warning', remarks('warnings')),
		...ofType('info', remarks('remarks')),
	];
}

/** n8n shows it as HTML, and n8n's own complaints of an expression may hold tags. */
function ofType(type: Hint['type'], texts: string[]): Hint[] {
	return texts.map((text) => ({ type, message: text.replace(/</g, '‹').replace(/>/g, '›') }));
}

/**
 * What the items of a run that went on have failed with, and what to do: in the output's table it stands
 * in the last column, which may be out of sight.
 */
function failures(itemResults: ItemResult[], which: (items: number[]) => string): string[] {
	const failed = (items: number[]) => `${plural(items.length, 'item')} failed${which(items)}`;
	// One that was only not reached says no more than the one before it.
	const reasonsOf = (result: ItemResult) =>
		result.kind === 'failed' && result.errorType !== 'cancelled'
			? [reasonOf(result.title, result)]
			: [];
	const wordsOf = (items: number[]) => {
		const [first] = items.map((index) => itemResults[index]);
		return first?.kind === 'failed' ? [`${first.title}.`, first.description] : [];
	};
	return textsOf(
		itemsByText(itemResults, reasonsOf),
		(_, items) => sentences(`${failed(items)}:`, ...wordsOf(items)),
		(items) => `${failed(items)} for other reasons.`,
	);
}

/** The items by what they have to say, in the order in which it is first said. */
function itemsByText(
	itemResults: ItemResult[],
	textsOf: (result: ItemResult) => string[],
): Map<string, number[]> {
	const groups = new Map<string, number[]>();
	for (const [index, result] of itemResults.entries()) {
		for (const text of new Set(textsOf(result))) {
			const items = groups.get(text) ?? [];
			groups.set(text, items);
			items.push(index);
		}
	}
	return groups;
}

/** More of one kind would bury the output. */
const MOST_OF_A_KIND = 5;

/** The first texts in full, and what there is to say of the items of all others together. */
function textsOf(
	groups: Map<string, number[]>,
	inFull: (text: string, items: number[]) => string,
	together: (items: number[]) => string,
): string[] {
	const shown = [...groups].slice(0, MOST_OF_A_KIND);
	const others = new Set([...groups.values()].slice(MOST_OF_A_KIND).flat());
	return [
		...shown.map(([text, items]) => inFull(text, items)),
		...(others.size > 0 ? [together([...others].sort((one, other) => one - other))] : []),
	];
}

/** Which items it is about, for the end of a clause; nothing for someone who sees one item only. */
function whichItems(itemResults: ItemResult[], items: number[]): string {
	if (itemResults.length === 1) return '';
	const names = namesOf(itemResults, items);
	return names.length > 0
		? ` (${listed(names)})`
		: ` (${items.length === 1 ? 'item' : 'items'} ${itemNumbers(items)})`;
}

/** How a person calls some items, in quotes; none if one of them has no name. */
function namesOf(itemResults: ItemResult[], items: number[]): string[] {
	const names = items.flatMap((index) => {
		const name = nameOf(itemResults[index]);
		return name === undefined ? [] : [quoted(name)];
	});
	return names.length === items.length ? names : [];
}

function nameOf(itemResult: ItemResult | undefined): string | undefined {
	const [shown] = itemResult?.kind === 'failed' ? [itemResult.requested] : (itemResult?.json ?? []);
	const { name } = shown ?? {};
	return typeof name === 'string' && name !== '' ? name : undefined;
}

function plural(number: number, noun: string): string {
	return number === 1 ? `1 ${noun}` : `${number} ${noun}s`;
}

/** What became of an item. */
function outcomeOf(result: ItemResult): string {
	if (result.kind !== 'failed') return result.kind === 'skipped' ? 'skipped' : 'applied';
	if (result.errorType === 'input') return 'unusable';
	if (result.attempts === 0) return 'not sent';
	return result.effect === 'unknown' ? 'not known whether applied' : result.effect;
}

/**
 * What a run that stopped has done and left undone, for the message of its error.
 *
 * @param itemResults One for each input item, in input order.
 * @param cause The item that the message is about, and that says itself how far it came; undefined if it
 *   is about none.
 * @param stopHint How to go on, as a sentence; left out: with the items that are not done.
 * @returns `short`: a clause for the end of the message, empty if the run had one item only; `long`: which items they
 *   were, and how to go on.
 */
export function stopReport(
	itemResults: ItemResult[],
	cause: number | undefined,
	stopHint?: string,
): { short: string; long: string } {
	const all = itemResults.length;
	if (all === 1 && cause !== undefined) return { short: '', long: '' };
	const groups = itemsByText(itemResults, (result) => [outcomeOf(result)]);
	const countOf = (outcome: string) => groups.get(outcome)?.length ?? 0;
	const [applied, notSent] = [countOf('applied'), countOf('not sent')];
	const failed = all - applied - notSent - countOf('skipped');
	const lists = [...groups].map(
		([outcome, items]) => `${outcome}: ${numbered(itemResults, items)}`,
	);
	return {
		short: ` (${applied} of ${all} items applied, ${failed} failed, ${notSent} not sent)`,
		long: sentences(
			`By item: ${lists.join('; ')}.`,
			createdByOthers(itemResults, cause, stopHint === undefined),
			stopHint ?? 'To go on, run the workflow again with the items that were not applied.',
		),
	};
}

/** A message is no place for thousands of names or IDs. */
const MOST_NAMED = 20;

/** All of some items, by number: someone may have to go on with them. Of a few, their names as well. */
function numbered(itemResults: ItemResult[], items: number[]): string {
	const names = items.length > MOST_NAMED ? [] : namesOf(itemResults, items);
	if (names.length === 0) return itemNumbers(items);
	return items.map((index, at) => `${names[at]} (${index + 1})`).join(', ');
}

/**
 * What the other items have in the service now: n8n keeps no output of a run that stopped.
 *
 * @param isByHand Whether nothing else goes on with it.
 */
function createdByOthers(
	itemResults: ItemResult[],
	cause: number | undefined,
	isByHand: boolean,
): string {
	const created = itemResults.flatMap(({ created: own = [] }, index) =>
		index === cause ? [] : own.map((one) => ({ ...one, item: `item ${index + 1}` })),
	);
	if (created.length === 0) return '';
	const named = created.slice(0, MOST_NAMED).map((one) => nameWithId(one, one.item));
	const more = created.length - MOST_NAMED;
	if (more > 0) named.push(`and ${more} more, which Get Many lists`);
	const areEmpty = created.filter(({ isEmpty }) => isEmpty === true).length;
	return sentences(
		`In CometChat now: ${named.join(', ')}.`,
		isByHand && areEmpty < created.length && NO_SECOND_COPY,
		areEmpty > 0 && 'Delete those without content with Document: Delete.',
	);
}

const NO_SECOND_COPY = 'Go on with these IDs: running their items again would make a second copy.';
