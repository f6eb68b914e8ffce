import { listed, quoted } from '../values/quoting';
import { sizeWords } from '../values/sizes';
import type { CreatedRecord, ItemResult } from './itemResult';
import { sentences } from './itemResult';
import { itemNumbers } from '../values/ranges';
import { FIND_IDS } from './advice';

/** What a run that stopped has done and left undone, for the message of its error. */
export interface StopReport {
	/** A clause for the end of the message; empty if the run had one item only. */
	short: string;
	/** Which items they were, and how to go on. */
	long: string;
}

type ItemState =
	'succeeded' | 'partly' | 'refused' | 'unknown' | 'skipped' | 'unusable' | 'not sent';

function stateOf(itemResult: ItemResult): ItemState {
	if (itemResult.kind !== 'failed') return itemResult.kind;
	if (itemResult.because === 'input') return 'unusable';
	if (itemResult.attempts === 0) return 'not sent';
	if (itemResult.effect === 'partly applied') return 'partly';
	return itemResult.effect === 'unknown' ? 'unknown' : 'refused';
}

const LABELS: Array<[ItemState, string]> = [
	['succeeded', 'applied'],
	['partly', 'applied in part'],
	['refused', 'sent but not applied'],
	['unknown', 'sent, and not known whether applied'],
	['skipped', 'skipped'],
	['unusable', 'unusable'],
	['not sent', 'not sent'],
];

/**
 * @param itemResults One for each input item, in input order.
 * @param cause The item that the message is about, and that says itself how far it came; undefined if it
 *   is about none.
 * @param goOn How to go on, as a sentence; left out: with the items that are not done.
 */
export function stopReport(
	itemResults: ItemResult[],
	cause: number | undefined,
	goOn?: string,
): StopReport {
	if (itemResults.length === 1 && cause !== undefined) return { short: '', long: '' };
	const itemsThat = (state: ItemState) =>
		indexesOf(itemResults, (itemResult) => stateOf(itemResult) === state);
	const applied = itemsThat('succeeded').length;
	const notSent = itemsThat('not sent').length;
	const failed = itemResults.length - applied - notSent - itemsThat('skipped').length;
	const lists = LABELS.flatMap(([state, label]) => {
		const items = itemsThat(state);
		return items.length === 0 ? [] : [`${label}: ${numbered(itemResults, items)}`];
	});
	const created = createdByOthers(itemResults, cause);
	return {
		short: ` (${applied} of ${itemResults.length} items applied, ${failed} failed, ${notSent} not sent)`,
		long: sentences(
			`By item: ${lists.join('; ')}.`,
			created,
			created !== false && goOn === undefined && NO_SECOND_COPY,
			leftByOthers(itemResults, cause),
			goOn ?? 'To go on, run the workflow again with the items that were not applied.',
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

/** How a person calls some items; none if one of them has no name. */
function itemNames(itemResults: ItemResult[], items: number[]): string[] {
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

const NO_SECOND_COPY = 'Go on with these IDs: running their items again would make a second copy.';

/** What the other items have brought into the service: n8n keeps no output of a run that stopped. */
function createdByOthers(itemResults: ItemResult[], cause: number | undefined): string | false {
	const named = namedOfOthers(itemResults, cause, createdOf);
	return named !== '' && `In CometChat now: ${named}.`;
}

/** What they have left there without content. */
function leftByOthers(itemResults: ItemResult[], cause: number | undefined): string | false {
	const named = namedOfOthers(itemResults, cause, leftoversOf);
	return (
		named !== '' && `In CometChat without content: ${named}. Delete them with Document: Delete.`
	);
}

function namedOfOthers(
	itemResults: ItemResult[],
	cause: number | undefined,
	entriesOf: (itemResult: ItemResult) => CreatedRecord[],
): string {
	const entries = itemResults.flatMap((itemResult, index) =>
		index === cause
			? []
			: entriesOf(itemResult).map(
					({ uniqueId, name }) => `${quoted(name)} (ID ${uniqueId}, item ${index + 1})`,
				),
	);
	const more = entries.length - MOST_NAMED;
	const named = entries.slice(0, MOST_NAMED).join(', ');
	return more > 0 ? `${named}, and ${more} more, which Get Many lists` : named;
}

function leftoversOf(itemResult: ItemResult): CreatedRecord[] {
	return itemResult.kind === 'skipped' ? [] : (itemResult.leftovers ?? []);
}

function createdOf(itemResult: ItemResult): CreatedRecord[] {
	return itemResult.kind === 'skipped' ? [] : (itemResult.created ?? []);
}

function indexesOf(
	itemResults: ItemResult[],
	holds: (itemResult: ItemResult) => boolean,
): number[] {
	return itemResults.flatMap((itemResult, index) => (holds(itemResult) ? [index] : []));
}

/** What someone should know of a run that went through, for the output panel. */
export interface Hint {
	message: string;
	type: 'info' | 'warning';
}

/** What a run was like beyond its items. */
export interface RunSummary {
	/** How many requests the items were put into, and how many of these were refused and sent again in parts. */
	bundling?: { requests: number; split: number };
	/** How long requests were held back because the service asked for it. */
	slowedMs: number;
}

/** @param furtherResults Of what no input item asked for. */
export function hints(
	itemResults: ItemResult[],
	{ bundling, slowedMs }: RunSummary,
	furtherResults: ItemResult[] = [],
): Hint[] {
	// Of no use to someone who sees one item only.
	const which: WhichItems = (items) => {
		if (itemResults.length === 1) return '';
		const names = itemNames(itemResults, items);
		return names.length > 0
			? ` (${listed(names.map(quoted))})`
			: ` (${items.length === 1 ? 'item' : 'items'} ${itemNumbers(items)})`;
	};
	return [
		...failures(itemResults, which),
		...failures(furtherResults, () => ''),
		...bundlingHints(itemResults, bundling),
		...uploadHints(itemResults),
		...splitHints(bundling),
		...repetitionHints(itemResults, which),
		...slowdownHints(slowedMs),
		...skippedHints(itemResults, which),
		...unsendableHints(itemResults),
		...unlikeIdHints(itemResults),
		...repeatedIdHints(itemResults, which),
		...remarkHints(itemResults, which),
	];
}

/** Which items a hint is about, in words for its end. */
type WhichItems = (items: number[]) => string;

function infoHint(text: string): Hint {
	return { type: 'info', message: `${text}.` };
}

function bundlingHints(itemResults: ItemResult[], bundling: RunSummary['bundling']): Hint[] {
	const { requests = Infinity } = bundling ?? {};
	const sent = indexesOf(itemResults, (o) => o.kind !== 'skipped' && o.attempts > 0).length;
	if (sent <= requests) return [];
	const noun = requests === 1 ? 'request' : 'requests';
	return [infoHint(`${plural(sent, 'item')} sent in ${requests} ${noun}`)];
}

function uploadHints(itemResults: ItemResult[]): Hint[] {
	const uploaded = itemResults.flatMap(createdOf).filter(({ bytes }) => bytes !== undefined);
	if (uploaded.length === 0) return [];
	const size = sizeWords(uploaded.reduce((sum, { bytes = 0 }) => sum + bytes, 0));
	const names = listed(uploaded.map(({ name }) => quoted(name)));
	return [infoHint(`${plural(uploaded.length, 'file')} uploaded, ${size} in all: ${names}`)];
}

function splitHints(bundling: RunSummary['bundling']): Hint[] {
	const { split = 0 } = bundling ?? {};
	const why = 'and sent again in parts to find the cause';
	return split > 0 ? [infoHint(`${plural(split, 'request')} refused ${why}`)] : [];
}

function repetitionHints(itemResults: ItemResult[], which: WhichItems): Hint[] {
	const retried = indexesOf(itemResults, (o) => o.kind !== 'skipped' && o.isRepeated);
	if (retried.length === 0) return [];
	const why = 'because CometChat was busy or the connection was lost';
	const items = plural(retried.length, 'item');
	return [infoHint(`${items} sent more than once, ${why}${which(retried)}`)];
}

function slowdownHints(slowedMs: number): Hint[] {
	const seconds = Math.ceil(slowedMs / 1000);
	return slowedMs > 0
		? [infoHint(`CometChat asked to slow down: requests waited ${seconds} s for it`)]
		: [];
}

function skippedHints(itemResults: ItemResult[], which: WhichItems): Hint[] {
	const skipped = indexesOf(itemResults, (o) => o.kind === 'skipped' && !o.unsendable);
	if (skipped.length === 0) return [];
	const why = 'because no file IDs were given';
	const message = `${plural(skipped.length, 'item')} skipped, ${why}${which(skipped)}.`;
	return [{ type: 'warning', message }];
}

/** One for each thing that can be done about it. */
function unsendableHints(itemResults: ItemResult[]): Hint[] {
	const files = itemResults.flatMap((o) => (o.kind === 'skipped' && o.unsendable) || []);
	return [...new Set(files.map(({ remedy }) => remedy))].map((remedy) => {
		const those = files.filter((one) => one.remedy === remedy);
		const names = listed(those.map(({ fileName }) => quoted(fileName)));
		const skipped = `${plural(those.length, 'file')} skipped: ${names}.`;
		return warningHint(sentences(skipped, remedy));
	});
}

function unlikeIdHints(itemResults: ItemResult[]): Hint[] {
	const unlike = itemResults.flatMap((o) => (o.kind === 'succeeded' && o.unlikeIds) || []);
	const ids = [...new Set(unlike)];
	if (ids.length === 0) return [];
	const those = ids.length === 1 ? '1 file ID looks' : `${ids.length} file IDs look`;
	return [
		warningHint(
			sentences(
				`${those} unlike those that CometChat gives: ${listed(ids.map(quoted))}.`,
				'CometChat accepted the change, and did not say whether it has such documents.',
				`If these are names, or IDs of Google Drive, use CometChat's own: ${FIND_IDS}`,
			),
		),
	];
}

function repeatedIdHints(itemResults: ItemResult[], which: WhichItems): Hint[] {
	const repeatsOf = (o: ItemResult) => (o.kind === 'succeeded' ? (o.repeated ?? 0) : 0);
	const dropped = itemResults.reduce((sum, o) => sum + repeatsOf(o), 0);
	if (dropped === 0) return [];
	const items = indexesOf(itemResults, (o) => repeatsOf(o) > 0);
	return [infoHint(`${plural(dropped, 'repeated file ID')} sent once only${which(items)}`)];
}

function remarkHints(itemResults: ItemResult[], which: WhichItems): Hint[] {
	const said = (kind: 'remarks' | 'warnings', type: Hint['type']): Hint[] =>
		[...remarksOf(itemResults, kind)].map(([text, items]) => ({
			type,
			message: `${text}${which(items)}.`,
		}));
	return [...said('warnings', 'warning'), ...said('remarks', 'info')];
}

/** More would bury the output. */
const MOST_FAILURES = 3;

/**
 * What the items of a run that went on have failed with, and what to do: in the output's table it stands
 * in the last column, which may be out of sight.
 */
function failures(itemResults: ItemResult[], which: WhichItems): Hint[] {
	const kinds = new Map<string, { description: string; items: number[] }>();
	for (const [index, itemResult] of itemResults.entries()) {
		// One that was only not reached says no more than the one before it.
		if (itemResult.kind !== 'failed' || itemResult.because === 'cancelled') continue;
		const { what, description } = itemResult;
		const known = kinds.get(what);
		if (known) known.items.push(index);
		else kinds.set(what, { description, items: [index] });
	}
	const failed = (items: number[]) =>
		`${items.length} ${items.length === 1 ? 'item' : 'items'} failed${which(items)}`;
	const shown = [...kinds]
		.slice(0, MOST_FAILURES)
		.map(([what, { description, items }]) => sentences(`${failed(items)}: ${what}.`, description));
	const others = [...kinds.values()].slice(MOST_FAILURES).flatMap(({ items }) => items);
	if (others.length > 0) shown.push(`${failed(others)} for other reasons.`);
	return shown.map(warningHint);
}

/** n8n shows it as HTML, and n8n's own complaints of an expression may hold tags. */
export function warningHint(text: string): Hint {
	return { type: 'warning', message: text.replace(/</g, '‹').replace(/>/g, '›') };
}

/** Which items each remark is about. */
function remarksOf(itemResults: ItemResult[], kind: 'remarks' | 'warnings'): Map<string, number[]> {
	const items = new Map<string, number[]>();
	for (const [index, itemResult] of itemResults.entries()) {
		if (itemResult.kind !== 'succeeded') continue;
		for (const remark of new Set(itemResult[kind])) {
			const indexes = items.get(remark);
			if (indexes) indexes.push(index);
			else items.set(remark, [index]);
		}
	}
	return items;
}

function plural(number: number, noun: 'item' | 'file' | 'request' | 'repeated file ID'): string {
	return number === 1 ? `1 ${noun} was` : `${number} ${noun}s were`;
}
