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
