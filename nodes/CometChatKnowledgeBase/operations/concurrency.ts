/** Limits how many requests are under way at once. */
export class Semaphore {
	private readonly waiting: Array<() => void> = [];

	constructor(private free: number) {}

	/** Does `work` once a permit is free, in the order of the calls. */
	async run<Value>(work: () => Promise<Value>): Promise<Value> {
		await this.acquire();
		try {
			return await work();
		} finally {
			this.release();
		}
	}

	/** Releases the caller's permit during a wait that sends nothing to CometChat. */
	async without<Value>(wait: () => Promise<Value>): Promise<Value> {
		this.release();
		try {
			return await wait();
		} finally {
			await this.acquire();
		}
	}

	private async acquire(): Promise<void> {
		if (this.free > 0) this.free -= 1;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));
	}

	private release(): void {
		const next = this.waiting.shift();
		if (next) next();
		else this.free += 1;
	}
}
