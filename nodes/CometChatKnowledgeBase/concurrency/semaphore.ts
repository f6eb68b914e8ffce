/**
 * How many items may be at work at once. An item that only waits hands its permit on for as long, and
 * comes before those that have not begun when it goes on.
 */
export class Semaphore {
	private readonly resuming: Array<() => void> = [];

	private readonly starting: Array<() => void> = [];

	constructor(private permits: number) {}

	/** Does `work` with a permit, as soon as there is one. */
	async run<Value>(work: () => Promise<Value>): Promise<Value> {
		return await this.holding(this.starting, work);
	}

	/** Does `work` with a permit, before all that have not begun. */
	async runFirst<Value>(work: () => Promise<Value>): Promise<Value> {
		return await this.holding(this.resuming, work);
	}

	/** Lets go of the permit that the caller holds until `wait` is over. */
	async without<Value>(wait: () => Promise<Value>): Promise<Value> {
		this.release();
		try {
			return await wait();
		} finally {
			await this.acquire(this.resuming);
		}
	}

	private async holding<Value>(
		line: Array<() => void>,
		work: () => Promise<Value>,
	): Promise<Value> {
		await this.acquire(line);
		try {
			return await work();
		} finally {
			this.release();
		}
	}

	private async acquire(line: Array<() => void>): Promise<void> {
		if (this.permits > 0) {
			this.permits -= 1;
			return;
		}
		await new Promise<void>((resolve) => line.push(resolve));
	}

	private release(): void {
		const next = this.resuming.shift() ?? this.starting.shift();
		if (next) next();
		else this.permits += 1;
	}
}
