import { listed, quoted } from '../values/quoting';
import { itemNumbers } from '../values/ranges';

import { FIND_IDS } from './advice';
import type { ItemResult } from './itemResult';
import { sentences } from './itemResult';

/** What someone should know of a run that went through, for the output panel. */
export interface Hint {
	message: string;
	type: 'info' | 'warning';
}

/** More of one kind would bury the output. */
const MOST_OF_A_KIND = 5;

/**
 * What stands under the output, in five kinds: what has failed, what needs somebody who acts, what is left
 * over in CometChat, what is good to know, and whether CometChat held the run back.
 *
 * @param slowedMs How long requests waited because CometChat had asked for it.
 * @param furtherResults Of what no input item asked for.
 */
export function hints(
	itemResults: ItemResult[],
	slowedMs: number,
	furtherResults: ItemResult[] = [],
): Hint[] {
	const which = naming(itemResults);
	const seconds = Math.ceil(slowedMs / 1000);
	return [
		...failures(itemResults, which),
		...failures(furtherResults, () => ''),
		...remarks(itemResults, 'warnings', which).map(warningHint),
		...leftovers(itemResults).map(warningHint),
		...unlikeIds(itemResults).map(warningHint),
		...remarks(itemResults, 'remarks', which).map(infoHint),
		...(seconds > 0
			? [infoHint(`CometChat asked to slow down: requests waited ${seconds} s for it.`)]
			: []),
	];
}

/** n8n shows it as HTML, and n8n's own complaints of an expression may hold tags. */
export function warningHint(text: string): Hint {
	return { type: 'warning', message: text.replace(/</g, '‹').replace(/>/g, '›') };
}

function infoHint(text: string): Hint {
	return { ...warningHint(text), type: 'info' };
}

/** Which items a hint is about, in words for its end. */
type WhichItems = (items: number[]) => string;

function naming(itemResults: ItemResult[]): WhichItems {
	return (items) => {
		// Of no use to someone who sees one item only.
		if (itemResults.length === 1) return '';
		const names = itemNames(itemResults, items);
		return names.length > 0
			? ` (${listed(names.map(quoted))})`
			: ` (${items.length === 1 ? 'item' : 'items'} ${itemNumbers(items)})`;
	};
}

/** How a person calls some items; none if one of them has no name. */
export function itemNames(itemResults: ItemResult[], items: number[]): string[] {
	const names = items.flatMap((index) => {
		const itemResult = itemResults[index];
		const name = itemResult && itemName(itemResult);
		return name === undefined ? [] : [name];
	});
	return names.length === items.length ? names : [];
}

function itemName(itemResult: ItemResult): string | undefined {
	const [shown] = itemResult.kind === 'failed' ? [itemResult.requested] : [itemResult.json].flat();
	const { name } = shown ?? {};
	return typeof name === 'string' && name !== '' ? name : undefined;
}

/**
 * What the items of a run that went on have failed with, and what to do: in the output's table it stands
 * in the last column, which may be out of sight.
 */
function failures(itemResults: ItemResult[], which: WhichItems): Hint[] {
	const failed = ({ items }: Group) => `${plural(items.length, 'item')} failed${which(items)}`;
	const groups = grouped(itemResults, (result) =>
		// One that was only not reached says no more than the one before it.
		result.kind === 'failed' && result.because !== 'cancelled'
			? [{ text: result.title, more: result.description }]
			: [],
	);
	return shortened(
		groups,
		(group) => sentences(`${failed(group)}: ${group.text}.`, group.more),
		(others) => `${failed(others)} for other reasons.`,
	).map(warningHint);
}

/** What someone should know although nothing has failed, once for each text. */
function remarks(
	itemResults: ItemResult[],
	kind: 'remarks' | 'warnings',
	which: WhichItems,
): string[] {
	const groups = grouped(itemResults, (result) =>
		result.kind === 'failed' ? [] : (result[kind] ?? []).map((text) => ({ text })),
	);
	return shortened(
		groups,
		({ text, items }) => `${text}${which(items)}.`,
		({ items }) => `${plural(items.length, 'item')} with more of this kind${which(items)}.`,
	);
}

/** What items that succeeded have left in CometChat without content; one that failed says it itself. */
function leftovers(itemResults: ItemResult[]): string[] {
	const left = itemResults.flatMap((result) =>
		result.kind === 'succeeded' ? (result.leftovers ?? []) : [],
	);
	if (left.length === 0) return [];
	const named = left.map(({ uniqueId, name }) => `${quoted(name)} (ID ${uniqueId})`);
	return [`In CometChat without content: ${listed(named)}. Delete it with Document: Delete.`];
}

function unlikeIds(itemResults: ItemResult[]): string[] {
	const all = itemResults.flatMap((one) => (one.kind === 'succeeded' && one.unlikeIds) || []);
	const ids = [...new Set(all)];
	if (ids.length === 0) return [];
	const those = ids.length === 1 ? '1 file ID looks' : `${ids.length} file IDs look`;
	return [
		sentences(
			`${those} unlike those that CometChat gives: ${listed(ids.map(quoted))}.`,
			'CometChat accepted the change, and did not say whether it has such documents.',
			`If these are names, or IDs of Google Drive, use CometChat's own: ${FIND_IDS}`,
		),
	];
}

/** Items of which there is the same to say. */
interface Group {
	text: string;
	more: string;
	items: number[];
}

function grouped(
	itemResults: ItemResult[],
	toSay: (result: ItemResult) => Array<{ text: string; more?: string }>,
): Group[] {
	const groups = new Map<string, Group>();
	for (const [index, result] of itemResults.entries()) {
		for (const { text, more = '' } of toSay(result)) {
			const group = groups.get(text) ?? { text, more, items: [] };
			groups.set(text, group);
			if (group.items.at(-1) !== index) group.items.push(index);
		}
	}
	return [...groups.values()];
}

/** The first of them in full, and what there is to say of all others together. */
function shortened(
	groups: Group[],
	inFull: (group: Group) => string,
	together: (others: Group) => string,
): string[] {
	const shown = groups.slice(0, MOST_OF_A_KIND).map(inFull);
	const others = groups.slice(MOST_OF_A_KIND).flatMap(({ items }) => items);
	if (others.length === 0) return shown;
	const items = [...new Set(others)].sort((one, other) => one - other);
	return [...shown, together({ text: '', more: '', items })];
}

function plural(number: number, noun: string): string {
	return number === 1 ? `1 ${noun}` : `${number} ${noun}s`;
}
