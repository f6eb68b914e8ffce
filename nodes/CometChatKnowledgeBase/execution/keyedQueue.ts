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
