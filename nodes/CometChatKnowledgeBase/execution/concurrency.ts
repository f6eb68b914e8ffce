interface Waiting {
	permits: number;
	enter: () => void;
}

/**
 * How many items may be at work at once, or how much of something they may use together. An item that only waits
 * hands its permit on for as long, and comes before those that have not begun when it goes on.
 */
export class Semaphore {
	private readonly resuming: Waiting[] = [];

	private readonly starting: Waiting[] = [];

	constructor(private free: number) {}

	/** Does `work` with a permit, as soon as there is one. */
	async run<Value>(work: () => Promise<Value>, line = this.starting): Promise<Value> {
		await this.acquire(1, line);
		try {
			return await work();
		} finally {
			this.release();
		}
	}

	/** Does `work` with a permit, before all that have not begun. */
	async runFirst<Value>(work: () => Promise<Value>): Promise<Value> {
		return await this.run(work, this.resuming);
	}

	/** Lets go of the permit that the caller holds until `wait` is over. */
	async without<Value>(wait: () => Promise<Value>): Promise<Value> {
		this.release();
		try {
			return await wait();
		} finally {
			await this.acquire(1, this.resuming);
		}
	}

	/** Nobody is overtaken. @returns What to wait for; undefined if the caller has the permits at once. */
	acquire(permits = 1, line = this.starting): Promise<void> | undefined {
		if (this.nextLine().length > 0 || this.free < permits) {
			return new Promise((enter) => line.push({ permits, enter }));
		}
		this.free -= permits;
		return undefined;
	}

	release(permits = 1): void {
		this.free += permits;
		for (;;) {
			const line = this.nextLine();
			const [next] = line;
			if (next === undefined || next.permits > this.free) return;
			line.shift();
			this.free -= next.permits;
			next.enter();
		}
	}

	private nextLine(): Waiting[] {
		return this.resuming.length > 0 ? this.resuming : this.starting;
	}
}

/** Work of one key goes one after another, in the order of the calls; all other side by side. */
export class KeyedQueue {
	private readonly last = new Map<string, Promise<unknown>>();

	async run<Value>(key: string, work: () => Promise<Value>): Promise<Value> {
		const turn = Promise.allSettled([this.last.get(key)]).then(work);
		this.last.set(key, turn);
		return await turn;
	}
}

/**
 * Does `work` for every entry: those that share a key one after another, in order; others side by side, as
 * many at once as there are permits. A row that has begun keeps its permit: the longest decides how long all take.
 *
 * @param keysOfEach The keys of each entry; one without any waits for no other.
 * @returns What `work` gave back for each entry, in the order of the entries.
 */
export async function mapInKeyOrder<Entry, Result>(
	entries: Entry[],
	keysOfEach: string[][],
	permits: Semaphore,
	work: (entry: Entry) => Promise<Result>,
): Promise<Result[]> {
	const keys = groupKeys(keysOfEach);
	// Without a key, an entry is alone under its place.
	const rows = new Map<string | number, Array<[number, Entry]>>();
	for (const [at, entry] of entries.entries()) {
		const key = keys[at] ?? at;
		const row = rows.get(key) ?? [];
		rows.set(key, row);
		row.push([at, entry]);
	}
	const results: Result[] = [];
	const doRow = async (row: Array<[number, Entry]>) => {
		for (const [at, entry] of row) results[at] = await work(entry);
	};
	await Promise.all([...rows.values()].map(async (row) => await permits.run(() => doRow(row))));
	return results;
}

/**
 * One key for all that share any, also by way of others: of three, where the second has a key of the
 * first and one of the third, all get the same. Undefined for those without keys.
 *
 * @param keysOfEach The keys of each piece of work.
 */
export function groupKeys(keysOfEach: string[][]): Array<string | undefined> {
	const parents = new Map<string, string>();
	const rootOf = (key: string): string => {
		let root = key;
		for (let parent = parents.get(root); parent !== undefined; parent = parents.get(root)) {
			root = parent;
		}
		return root;
	};
	for (const [first = '', ...others] of keysOfEach) {
		for (const other of others) {
			const [root, otherRoot] = [rootOf(first), rootOf(other)];
			if (root !== otherRoot) parents.set(otherRoot, root);
		}
	}
	return keysOfEach.map(([first]) => (first === undefined ? undefined : rootOf(first)));
}
