import type { Account } from '../../credentials/account';
import { itemsOf } from './batches';
import type { Change } from './change';
import type { Complaint } from './complaint';
import { quoted } from './complaint';
import type { Delivery } from './deliver';
import type { Cause } from './explain';
import { explain } from './explain';
import type { Effect } from './reply';
import type { RetryPolicy } from './retry';
import { ranges } from './ranges';

/** What became of one input item. Every item has exactly one. */
export type Outcome = Applied | Skipped | Failed;

/** How an item's files were sent. */
interface Sent {
	/** How often its files were sent at most; 0 if never. */
	attempts: number;
	/** Whether any was sent again because the service was busy or the connection was lost. */
	isRepeated: boolean;
}

export interface Applied extends Sent {
	kind: 'applied';
	change: Change;
	/** How many file IDs stood in the item more than once and were sent once. */
	repeated: number;
}

/** The item names no file, and the user chose to skip such items. */
export interface Skipped {
	kind: 'skipped';
	asked: Omit<Change, 'uniqueIds'>;
}

export interface Failed extends Sent {
	kind: 'failed';
	/** One clause, without the item's number. */
	what: string;
	/** What the service said, what it means for the files, and what to do. */
	description: string;
	effect: Effect | 'partly applied';
	/** Which of its file IDs, where it is not the same for all of them. */
	files?: FilesByEffect;
	/** Why: the item's own values, a reply of the service, or that the run ended before its turn. */
	because: 'input' | 'reply' | 'run over';
	change?: Change;
	/** What the service, or the network, said; as a sentence. */
	said?: string;
	/** HTTP status; undefined if no answer came. */
	status?: number;
	/** The service's own code, or the network's. */
	code?: string;
	cause?: Cause;
	/** The wait that the service asked for last. */
	retryAfterMs?: number;
}

export interface FilesByEffect {
	applied: string[];
	notApplied: string[];
	unknown: string[];
}

/** An item that was never sent, because what it holds can't be. */
export function unusable({ what, remedy }: Complaint): Failed {
	return {
		kind: 'failed',
		what,
		description: sentences('Nothing was sent for this item.', remedy),
		effect: 'not applied',
		attempts: 0,
		isRepeated: false,
		because: 'input',
		cause: 'configuration-invalid',
	};
}

/** An item whose turn had not come when the user stopped the run. */
export function notReached(): Failed {
	const sent = { attempts: 0, isRepeated: false };
	return { kind: 'failed', effect: 'not applied', ...sent, ...neverSent(false, false) };
}

/** Some of an item's file IDs, and the request in which they ended. */
export interface Part {
	uniqueIds: string[];
	delivery: Delivery;
}

/** The parts of each item, by its place among the input items. */
export function partsOfItems(deliveries: Delivery[]): Map<number, Part[]> {
	const parts = new Map<number, Part[]>();
	for (const delivery of deliveries) {
		for (const { index, uniqueIds } of delivery.batch.shares) {
			const known = parts.get(index);
			if (known) known.push({ uniqueIds, delivery });
			else parts.set(index, [{ uniqueIds, delivery }]);
		}
	}
	return parts;
}

/**
 * What the requests that have ended mean for an item.
 *
 * @param parts All of the item's files; never empty.
 */
export function settled(
	index: number,
	parts: [Part, ...Part[]],
	change: Change,
	repeated: number,
	policy: RetryPolicy,
	account: Account,
): Applied | Failed {
	const deliveries = parts.map(({ delivery }) => delivery);
	const sent = {
		attempts: Math.max(...deliveries.map(({ attempts }) => attempts)),
		isRepeated: deliveries.some(({ repetitions }) => repetitions > 0),
	};
	const failures = deliveries.filter(({ effect }) => effect !== 'applied');
	// One that was not sent because of another item is no cause, if there is any other.
	const failure = failures.find(({ ended }) => ended !== 'run over') ?? failures[0];
	if (failure === undefined) return { kind: 'applied', change, ...sent, repeated };

	const files = filesByEffect(parts);
	const effect = effectOf(files);
	const { reply, ended, namedWaitMs } = failure;
	const failed = {
		kind: 'failed' as const,
		...sent,
		effect,
		...(failures.some((other) => other.effect !== failure.effect) || effect === 'partly applied'
			? { files }
			: {}),
		change,
		retryAfterMs: namedWaitMs,
	};
	const isTooLong = ended === 'wait too long' && waitWords(namedWaitMs, policy);
	const done = describeEffect(files, change);
	if (reply === undefined) return { ...failed, ...neverSent(isTooLong, sent.attempts > 0 && done) };

	const { what, remedy, said, status, code, cause } = explain(reply, account);
	const description = sentences(
		said,
		describeCompany(failure, index),
		failure.attempts > 1 && `The item was sent ${failure.attempts} times.`,
		ended === 'run over' && 'It was not sent again, because the run stopped.',
		isTooLong,
		done,
		isTooLong ? MAX_WAIT_REMEDY : remedy,
	);
	const because = ended === 'run over' ? 'run over' : 'reply';
	return { ...failed, what, description, because, said, status, code, cause };
}

function filesByEffect(parts: Part[]): FilesByEffect {
	const idsOf = (wanted: Effect) =>
		parts.flatMap(({ uniqueIds, delivery }) => (delivery.effect === wanted ? uniqueIds : []));
	return {
		applied: idsOf('applied'),
		notApplied: idsOf('not applied'),
		unknown: idsOf('unknown'),
	};
}

function effectOf({ applied, unknown }: FilesByEffect): Failed['effect'] {
	if (applied.length > 0) return 'partly applied';
	return unknown.length > 0 ? 'unknown' : 'not applied';
}

/**
 * @param tooLong The wait that was too long, in words; false if the run was over.
 * @param done What became of the item's other files, in words; false if none was sent.
 */
function neverSent(tooLong: string | false, done: string | false) {
	const nothing = done === false && 'Nothing was sent for this item.';
	return tooLong
		? {
				what: 'CometChat asked for a longer pause than is allowed',
				description: sentences(tooLong, nothing, done, MAX_WAIT_REMEDY),
				because: 'reply' as const,
				cause: 'rate-limited' as const,
			}
		: {
				what:
					done === false
						? 'The run stopped before this item was sent'
						: "The run stopped before all of this item's files were sent",
				description: sentences(nothing, done, 'Run it again with the items that were not sent.'),
				because: 'run over' as const,
			};
}

const MAX_WAIT_REMEDY = "Run it again later, or raise 'Max Wait (Seconds)' under Options.";

function waitWords(namedWaitMs: number | undefined, { maxWaitMs }: RetryPolicy): string {
	const seconds = Math.ceil((namedWaitMs ?? 0) / 1000);
	return `CometChat asked to wait ${seconds} s; 'Max Wait (Seconds)' allows ${maxWaitMs / 1000}.`;
}

/** With which other items an item was sent. */
function describeCompany({ batch, refusedWith }: Delivery, index: number): string | false {
	const together = itemsOf(batch);
	if (refusedWith && refusedWith.length > together.length) {
		return `CometChat refused it together with others (${itemWords(refusedWith)}), so it was sent again in smaller requests.`;
	}
	const others = together.filter((other) => other !== index);
	if (others.length === 0) return false;
	return `The request held the files of ${together.length} items (${itemWords(together)}), and failed for all of them.`;
}

function itemWords(items: number[]): string {
	return `${items.length === 1 ? 'item' : 'items'} ${ranges(items)}, counted from 0`;
}

function describeEffect(files: FilesByEffect, { operation, uniqueIds }: Change): string {
	const done = operation === 'add' ? 'added' : 'removed';
	const { applied, notApplied, unknown } = files;
	if (applied.length > 0) {
		return [
			`Of its ${uniqueIds.length} files, ${applied.length} ${applied.length === 1 ? 'was' : 'were'} ${done}`,
			notApplied.length > 0 && `; not ${done}: ${listed(notApplied)}`,
			unknown.length > 0 && `; not known whether ${done}: ${listed(unknown)}`,
			'.',
		]
			.filter((part) => part !== false)
			.join('');
	}
	return unknown.length > 0
		? `It is not known whether the files were ${done}: look at the agent's knowledge base, or run this item again.`
		: `The files were not ${done}.`;
}

/** More would bury the message. */
const MOST_LISTED = 5;

function listed(ids: string[]): string {
	const more = ids.length - MOST_LISTED;
	const shown = ids.slice(0, MOST_LISTED).map(quoted).join(', ');
	return more > 0 ? `${shown}, and ${more} more` : shown;
}

function sentences(...parts: Array<string | false>): string {
	return parts.filter((part) => part !== false && part !== '').join(' ');
}

/** The failure as a message for a person: what, and which item in n8n's own way of writing it. */
export function headline({ what }: Failed, index: number): string {
	return `${what} [item ${index}]`;
}

/**
 * The JSON of the output item. A failed one has the key `error` and no other: only then does every
 * n8n route it to the error output and merge the input's fields into it. (n8n before 2.34 does not
 * know `details`, and would send the item to the success branch.)
 */
export function toJson(outcome: Outcome, index: number) {
	switch (outcome.kind) {
		case 'applied':
			return { success: true, ...outcome.change };
		case 'skipped':
			return {
				success: false,
				...outcome.asked,
				uniqueIds: [],
				skipped: true,
				reason: "The item has no file IDs, and 'If No File IDs' is set to skip it",
			};
		case 'failed':
			return { error: errorOf(outcome, index) };
	}
}

function errorOf(failed: Failed, index: number) {
	const { change, description, effect, files, attempts, status, code, retryAfterMs } = failed;
	return {
		message: headline(failed, index),
		description,
		item: index,
		...change,
		effect,
		...(files === undefined ? {} : { files }),
		attempts,
		...(status === undefined ? {} : { status }),
		...(code === undefined ? {} : { code }),
		...(retryAfterMs === undefined ? {} : { retryAfterSeconds: Math.ceil(retryAfterMs / 1000) }),
	};
}
