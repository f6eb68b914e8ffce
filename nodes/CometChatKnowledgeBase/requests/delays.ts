/**
 * The waits of one run, all of which end at once when the run does.
 *
 * @param sleep n8n's `sleep`; those that know the signal give up their timer when it fires.
 */
export function createDelays(sleep: (ms: number, signal?: AbortSignal) => Promise<void>) {
	// A signal for each wait: one for all would collect a listener for every request in flight.
	const waiting = new Set<AbortController>();
	let areCancelled = false;

	return {
		async delay(waitMs: number): Promise<void> {
			if (areCancelled) return;
			const controller = new AbortController();
			waiting.add(controller);
			// Not left to `sleep` alone: n8n before 2.41 ignores the signal.
			const interrupted = new Promise<void>((resolve) => {
				controller.signal.addEventListener('abort', () => resolve(), { once: true });
			});
			const slept = sleep(waitMs, controller.signal).catch(() => undefined);
			await Promise.race([slept, interrupted]);
			waiting.delete(controller);
		},
		cancelAll(): void {
			areCancelled = true;
			for (const controller of waiting) controller.abort();
		},
	};
}
