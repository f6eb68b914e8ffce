/** Limits the number of tasks that run at the same time. */
export class Semaphore {
	private readonly waiting: Array<() => void> = [];

	constructor(private free: number) {}

	/** Runs `work` once a permit is free, in the order of the calls. */
	async run<Value>(work: () => Promise<Value>): Promise<Value> {
		await this.acquire();
		try {
			return await work();
		} finally {
			this.release();
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
