import type { Run } from '../node/engine';

/** What the node says of an item. */
export type Standing =
	| 'applied'
	| 'partly applied'
	| 'not applied'
	| 'unknown'
	| 'not sent'
	| 'unusable'
	| 'skipped';

/** How the account of a run that stopped names what became of an item. */
const LABELS = new Map<string, Standing>([
	['applied', 'applied'],
	['applied in part', 'partly applied'],
	['sent but not applied', 'not applied'],
	['sent, and not known whether applied', 'unknown'],
	['skipped', 'skipped'],
	['unusable', 'unusable'],
	['not sent', 'not sent'],
]);

/** What an error in place of an output item says. @param isUsable Whether the item could be sent. */
export function standingOf(
	effect: unknown,
	attempts: number,
	isUsable: boolean,
): Standing | undefined {
	if (attempts === 0) {
		if (effect !== 'not applied') return undefined;
		return isUsable ? 'not sent' : 'unusable';
	}
	if (effect === 'not applied' || effect === 'unknown' || effect === 'partly applied')
		return effect;
	return undefined;
}

/**
 * What the error of a run that stopped says of each of several items, in input order.
 *
 * @returns The words for what is missing or doubled, if any is.
 */
export function readAccount(error: NonNullable<Run['error']>, items: number): Standing[] | string {
	const description = error.description ?? '';
	const account = /By item, counted from 0: ([^.]*)\./.exec(description)?.[1];
	if (account === undefined) return `the error has no account: ${error.message} ${description}`;
	const standings = new Map<number, Standing>();
	for (const part of account.split('; ')) {
		const [label = '', ranges = ''] = part.split(': ');
		const standing = LABELS.get(label);
		if (standing === undefined) return `the account has the unknown part '${part}'`;
		for (const index of readRanges(ranges)) {
			if (standings.has(index)) return `the account names item ${index} twice: ${account}`;
			standings.set(index, standing);
		}
	}
	const found: Standing[] = [];
	for (let index = 0; index < items; index++) {
		const standing = standings.get(index);
		if (standing === undefined) return `the account leaves out item ${index}: ${account}`;
		found.push(standing);
	}
	const counts = /\((\d+) of (\d+) items applied, (\d+) failed, (\d+) not sent\)$/.exec(
		error.message,
	);
	const count = (...wanted: Standing[]) =>
		found.filter((standing) => wanted.includes(standing)).length;
	const failed = count('partly applied', 'not applied', 'unknown', 'unusable');
	const wanted = [count('applied'), items, failed, count('not sent')].join();
	const named = Number(/\[item (\d+)\]/.exec(error.message)?.[1]);
	const cause = found[named];
	if (cause === undefined || cause === 'applied' || cause === 'skipped') {
		return `the message is about item ${named}, which did not fail: ${account}`;
	}
	return counts?.slice(1).join() === wanted
		? found
		: `the message counts otherwise than the account: ${error.message} ${account}`;
}

function readRanges(text: string): number[] {
	return text.split(', ').flatMap((range) => {
		const [from = NaN, to = from] = range.split('–').map(Number);
		return Array.from({ length: to - from + 1 }, (_, at) => from + at);
	});
}
