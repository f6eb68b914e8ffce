/** Waits for something that is starting, and makes sure that it is stopped. */
export type Start = <S extends { stop(): Promise<unknown> }>(starting: Promise<S>) => Promise<S>;

/** Runs `work`, and finally stops everything that it started, beginning with the last. */
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
