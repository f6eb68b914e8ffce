import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until a condition is true. The error names the condition if it takes too long. */
export async function until(
	what: string,
	longestMs: number,
	holds: () => boolean | Promise<boolean>,
): Promise<void> {
	const lastTryMs = Date.now() + longestMs;
	while (!(await holds())) {
		if (Date.now() > lastTryMs) throw new Error(`Not so after ${longestMs / 1000} s: ${what}.`);
		await sleep(100);
	}
}
