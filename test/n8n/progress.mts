/**
 * Shows that a long step is alive: one line that updates in a terminal, a line every ten seconds
 * elsewhere, and how long it took at the end.
 */
export async function showProgress<T>(
	step: string,
	work: () => Promise<T>,
	detail: () => string = () => '',
): Promise<T> {
	const startedAtMs = Date.now();
	const line = () => {
		const seconds = `${Math.round((Date.now() - startedAtMs) / 1000)} s`;
		return `${step}: ${[seconds, detail()].filter((part) => part !== '').join(', ')}`;
	};
	const terminal = process.stdout.isTTY;
	const show = terminal
		? () => process.stdout.write(`\r\u001B[2K  ${line()}`)
		: () => process.stdout.write(`  ${line()}\n`);
	const timer = setInterval(show, terminal ? 500 : 10_000);
	try {
		return await work();
	} finally {
		clearInterval(timer);
		process.stdout.write(`${terminal ? '\r\u001B[2K' : ''}  ${line()}\n`);
	}
}
