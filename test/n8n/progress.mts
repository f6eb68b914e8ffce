/** Prints a line every ten seconds during a long step, and its duration at the end. */
export async function showProgress<T>(step: string, work: () => Promise<T>): Promise<T> {
	const startedAtMs = Date.now();
	const show = () => {
		console.log(`  ${step}: ${Math.round((Date.now() - startedAtMs) / 1000)} s`);
	};
	const timer = setInterval(show, 10_000);
	try {
		return await work();
	} finally {
		clearInterval(timer);
		show();
	}
}
