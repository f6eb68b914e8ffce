/** Waits for something that was just started, and sees to it that it is stopped. */
export type Start = <S extends { stop(): Promise<unknown> }>(starting: Promise<S>) => Promise<S>;

/** Stops all that was started for some work when that ends, however it ends; the last one first. */
export async function withStarted<T>(work: (start: Start) => Promise<T>): Promise<T> {
	const running: Array<{ stop(): Promise<unknown> }> = [];
	try {
		return await work(async (starting) => {
			const started = await starting;
			running.push(started);
			return started;
		});
	} finally {
		for (const each of running.reverse()) await each.stop();
	}
}
