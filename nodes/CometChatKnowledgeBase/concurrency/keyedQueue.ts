import type { Semaphore } from './semaphore';

/** Work that shares a key goes one after another, in the order of the calls; all other side by side. */
export class KeyedQueue {
	private readonly last = new Map<string, Promise<unknown>>();

	/** @param keys None for work that waits for no other. */
	async run<Value>(keys: string[], work: () => Promise<Value>): Promise<Value> {
		const before = keys.map((key) => this.last.get(key));
		const turn = Promise.allSettled(before).then(work);
		for (const key of keys) this.last.set(key, turn);
		return await turn;
	}
}

/** An entry, and which others it must wait for. */
interface Scheduled<Entry> {
	entry: Entry;
	/** Its place among the entries. */
	at: number;
	/** How many earlier entries that share a key have not ended. */
	blockers: number;
	/** Those that wait for this one. */
	followers: Array<Scheduled<Entry>>;
}

/**
 * Does `work` for every entry: those that share a key one after another, in order; others side by
 * side, as many at once as there are permits. A permit goes to the earliest entry that need not wait:
 * with one permit, all go in order.
 *
 * @param keysOf None for an entry that waits for no other.
 * @returns What `work` gave back for each entry, in the order of the entries.
 */
export async function mapInKeyOrder<Entry, Result>(
	entries: Entry[],
	keysOf: (entry: Entry, at: number) => string[],
	permits: Semaphore,
	work: (entry: Entry) => Promise<Result>,
): Promise<Result[]> {
	const results: Result[] = [];
	// The earliest stands at the end, where it is taken from.
	const ready = scheduled(entries, keysOf)
		.filter(({ blockers }) => blockers === 0)
		.reverse();

	/** @returns How many entries need not wait any longer. */
	const doEarliest = async (): Promise<number> => {
		const one = ready.pop();
		if (one === undefined) return 0;
		results[one.at] = await work(one.entry);
		// Before the permit is given back, so that the next to have it may be one of these.
		return release(one.followers, ready);
	};
	const doOne = async (): Promise<void> => {
		const released = await permits.run(doEarliest);
		await Promise.all(Array.from({ length: released }, doOne));
	};
	await Promise.all(Array.from(ready, doOne));
	return results;
}

function scheduled<Entry>(
	entries: Entry[],
	keysOf: (entry: Entry, at: number) => string[],
): Array<Scheduled<Entry>> {
	const last = new Map<string, Scheduled<Entry>>();
	return entries.map((entry, at) => {
		const one: Scheduled<Entry> = { entry, at, blockers: 0, followers: [] };
		const keys = keysOf(entry, at);
		const before = new Set(keys.flatMap((key) => last.get(key) ?? []));
		for (const blocker of before) blocker.followers.push(one);
		one.blockers = before.size;
		for (const key of keys) last.set(key, one);
		return one;
	});
}

/** @param ready Latest first; those that wait for nothing any more go into it. */
function release<Entry>(
	followers: Array<Scheduled<Entry>>,
	ready: Array<Scheduled<Entry>>,
): number {
	let released = 0;
	for (const one of followers) {
		one.blockers -= 1;
		if (one.blockers > 0) continue;
		const earlier = ready.findIndex(({ at }) => at < one.at);
		ready.splice(earlier < 0 ? ready.length : earlier, 0, one);
		released += 1;
	}
	return released;
}

/**
 * One key for all that share any, also by way of others: of three, where the second has a key of the
 * first and one of the third, all get the same. None for those without keys.
 *
 * @param keysOfEach The keys of each piece of work.
 */
export function connected(keysOfEach: string[][]): string[][] {
	const parents = new Map<string, string>();
	const rootOf = (key: string): string => {
		let root = key;
		for (let parent = parents.get(root); parent !== undefined; parent = parents.get(root)) {
			root = parent;
		}
		return root;
	};
	for (const [first, ...others] of keysOfEach) {
		for (const other of others) {
			const [root, otherRoot] = [rootOf(first ?? other), rootOf(other)];
			if (root !== otherRoot) parents.set(otherRoot, root);
		}
	}
	return keysOfEach.map(([first]) => (first === undefined ? [] : [rootOf(first)]));
}
