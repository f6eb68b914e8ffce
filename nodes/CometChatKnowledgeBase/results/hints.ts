import { quoted } from '../values/validationIssue';
import { megabytes } from '../values/sizes';
import type { Made, Outcome } from './itemResult';
import { sentences } from './itemResult';
import { ranges } from '../values/ranges';

/** What a run that stopped has done and left undone, for the message of its error. */
export interface StopReport {
	/** A clause for the end of the message; empty if the run had one item only. */
	short: string;
	/** Which items they were, and how to go on. */
	long: string;
}

type Standing = 'applied' | 'partly' | 'refused' | 'unknown' | 'skipped' | 'unusable' | 'not sent';

function standingOf(outcome: Outcome): Standing {
	if (outcome.kind !== 'failed') return outcome.kind;
	if (outcome.because === 'input') return 'unusable';
	if (outcome.attempts === 0) return 'not sent';
	if (outcome.effect === 'partly applied') return 'partly';
	return outcome.effect === 'unknown' ? 'unknown' : 'refused';
}

const LABELS: Array<[Standing, string]> = [
	['applied', 'applied'],
	['partly', 'applied in part'],
	['refused', 'sent but not applied'],
	['unknown', 'sent, and not known whether applied'],
	['skipped', 'skipped'],
	['unusable', 'unusable'],
	['not sent', 'not sent'],
];

/**
 * @param outcomes One for each input item, in input order.
 * @param cause The item that the message is about, and that says itself how far it came.
 */
export function stopReport(outcomes: Outcome[], cause: number): StopReport {
	if (outcomes.length === 1) return { short: '', long: '' };
	const itemsThat = (standing: Standing) =>
		indexesOf(outcomes, (outcome) => standingOf(outcome) === standing);
	const applied = itemsThat('applied').length;
	const notSent = itemsThat('not sent').length;
	const failed = outcomes.length - applied - notSent - itemsThat('skipped').length;
	const lists = LABELS.flatMap(([standing, label]) => {
		const items = itemsThat(standing);
		return items.length === 0 ? [] : [`${label}: ${ranges(items)}`];
	});
	return {
		short: ` (${applied} of ${outcomes.length} items applied, ${failed} failed, ${notSent} not sent)`,
		long: sentences(
			`By item, counted from 0: ${lists.join('; ')}.`,
			madeByOthers(outcomes, cause),
			leftByOthers(outcomes, cause),
			'To go on, run the workflow again with those that were not applied.',
		),
	};
}

/** A message is no place for thousands of IDs. */
const MOST_NAMED = 20;

const NO_SECOND_COPY =
	'Go on with these IDs: run again, their items would bring them a second time.';

/** What the other items have brought into the service: n8n keeps no output of a run that stopped. */
function madeByOthers(outcomes: Outcome[], cause: number): string | false {
	const named = namedOfOthers(outcomes, cause, madeOf);
	return named !== '' && `In CometChat now: ${named}. ${NO_SECOND_COPY}`;
}

/** What they have left there without content. */
function leftByOthers(outcomes: Outcome[], cause: number): string | false {
	const named = namedOfOthers(outcomes, cause, leftOf);
	return named !== '' && `There without content: ${named}. Delete them with Delete Files.`;
}

function namedOfOthers(
	outcomes: Outcome[],
	cause: number,
	entriesOf: (outcome: Outcome) => Made[],
): string {
	const entries = outcomes.flatMap((outcome, index) =>
		index === cause
			? []
			: entriesOf(outcome).map(
					({ uniqueId, name }) => `${quoted(name)} (ID ${uniqueId}, item ${index})`,
				),
	);
	const more = entries.length - MOST_NAMED;
	const named = entries.slice(0, MOST_NAMED).join(', ');
	return more > 0 ? `${named}, and ${more} more, which Get Many Files lists` : named;
}

function leftOf(outcome: Outcome): Made[] {
	return outcome.kind === 'skipped' ? [] : (outcome.left ?? []);
}

function madeOf(outcome: Outcome): Made[] {
	return outcome.kind === 'skipped' ? [] : (outcome.made ?? []);
}

function indexesOf(outcomes: Outcome[], holds: (outcome: Outcome) => boolean): number[] {
	return outcomes.flatMap((outcome, index) => (holds(outcome) ? [index] : []));
}

/** What someone should know of a run that went through, for the output panel. */
export interface Hint {
	message: string;
	type: 'info' | 'warning';
}

/** What a run was like beyond its items. */
export interface Course {
	/** How many requests the items were put into. */
	requests: number;
	/** How many of them were refused and sent again in parts. */
	split: number;
	/** How long requests were held back because the service asked for it. */
	slowedMs: number;
}

export function hints(outcomes: Outcome[], { requests, split, slowedMs }: Course): Hint[] {
	const retried = indexesOf(outcomes, (o) => o.kind !== 'skipped' && o.isRepeated);
	const sent = indexesOf(outcomes, (o) => o.kind !== 'skipped' && o.attempts > 0).length;
	const skipped = indexesOf(outcomes, ({ kind }) => kind === 'skipped');
	const repeatsOf = (o: Outcome) => (o.kind === 'applied' ? (o.repeated ?? 0) : 0);
	const repeated = indexesOf(outcomes, (o) => repeatsOf(o) > 0);
	const dropped = outcomes.reduce((sum, o) => sum + repeatsOf(o), 0);
	const uploaded = outcomes.flatMap(madeOf).flatMap(({ bytes }) => bytes ?? []);
	// Which items: of no use to someone who sees one item only.
	const which = (items: number[]) =>
		outcomes.length === 1
			? ''
			: ` (${items.length === 1 ? 'item' : 'items'} ${ranges(items)}, counted from 0)`;

	const found: Hint[] = [];
	const add = (type: Hint['type'], text: string) => found.push({ type, message: `${text}.` });
	if (sent > requests) {
		add(
			'info',
			`${plural(sent, 'item')} sent in ${requests} ${requests === 1 ? 'request' : 'requests'}`,
		);
	}
	if (uploaded.length > 0) {
		const bytes = uploaded.reduce((sum, size) => sum + size, 0);
		add('info', `${plural(uploaded.length, 'file')} uploaded, ${megabytes(bytes)} in all`);
	}
	if (split > 0) {
		const why = 'and sent again in parts to find the cause';
		add('info', `${plural(split, 'request')} refused ${why}`);
	}
	if (retried.length > 0) {
		const why = 'because CometChat was busy or the connection was lost';
		add('info', `${plural(retried.length, 'item')} sent more than once, ${why}${which(retried)}`);
	}
	if (slowedMs > 0) {
		const seconds = Math.ceil(slowedMs / 1000);
		add('info', `CometChat asked to slow down: requests waited ${seconds} s for it`);
	}
	if (skipped.length > 0) {
		const why = 'because no file IDs were given';
		add('warning', `${plural(skipped.length, 'item')} skipped, ${why}${which(skipped)}`);
	}
	if (dropped > 0) {
		add('info', `${plural(dropped, 'repeated file ID')} sent once only${which(repeated)}`);
	}
	return found;
}

function plural(number: number, noun: string): string {
	return number === 1 ? `1 ${noun} was` : `${number} ${noun}s were`;
}
