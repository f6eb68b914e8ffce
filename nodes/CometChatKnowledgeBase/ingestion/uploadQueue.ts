import type { Semaphore } from '../concurrency/semaphore';

/**
 * Ours: five times as many as items at work, since the upload host is another than the service's, whose limits
 * do not count there. Files from a disk took 38 MB of memory with ten at once, about 50 with 50, and 90 with 100.
 */
const MOST_UPLOADS = 50;

/** Ours: two of the largest files that the service takes, which are in memory as they are. */
const MOST_BYTES = 100_000_000;

/**
 * Who may send files to the upload host: so many items at once, and so many bytes in memory, in the order
 * in which they ask. An item waits here before it has its upload addresses, which hold for a short time.
 */
export class UploadQueue {
	private atOnce = 0;

	private bytes = 0;

	private readonly waiting: Array<{ bytes: number; enter: () => void }> = [];

	constructor(private readonly permits: Semaphore) {}

	/**
	 * Does `work` as soon as there is room for it. Until then the caller's permit is others'.
	 *
	 * @param bytes How many it has in memory at most.
	 */
	async run<Value>(bytes: number, work: () => Promise<Value>): Promise<Value> {
		if (this.waiting.length === 0 && this.hasRoomFor(bytes)) this.take(bytes);
		else await this.permits.without(async () => await this.inLine(bytes));
		try {
			return await work();
		} finally {
			this.leave(bytes);
		}
	}

	/** Sends bytes to the upload host. Meanwhile the caller's permit is others'. */
	async send<Value>(work: () => Promise<Value>): Promise<Value> {
		return await this.permits.without(work);
	}

	private async inLine(bytes: number): Promise<void> {
		await new Promise<void>((enter) => this.waiting.push({ bytes, enter }));
	}

	/** Whatever is alone has room. */
	private hasRoomFor(bytes: number): boolean {
		if (this.atOnce === 0) return true;
		return this.atOnce < MOST_UPLOADS && this.bytes + bytes <= MOST_BYTES;
	}

	private take(bytes: number): void {
		this.atOnce += 1;
		this.bytes += bytes;
	}

	private leave(bytes: number): void {
		this.atOnce -= 1;
		this.bytes -= bytes;
		for (let [next] = this.waiting; next && this.hasRoomFor(next.bytes); [next] = this.waiting) {
			this.waiting.shift();
			this.take(next.bytes);
			next.enter();
		}
	}
}
