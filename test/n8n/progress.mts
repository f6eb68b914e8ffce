/** Shows that a long step is alive: a line every ten seconds, and how long it took at the end. */
export async function showProgress<T>(
	step: string,
	work: () => Promise<T>,
	detail: () => string = () => '',
): Promise<T> {
	const startedAtMs = Date.now();
	const show = () => {
		const seconds = `${Math.round((Date.now() - startedAtMs) / 1000)} s`;
		console.log(`  ${step}: ${[seconds, detail()].filter((part) => part !== '').join(', ')}`);
	};
	const timer = setInterval(show, 10_000);
	try {
		return await work();
	} finally {
		clearInterval(timer);
		show();
	}
}
