export async function settle(): Promise<void> {
	for (let turn = 0; turn < 50; turn++) await Promise.resolve();
}
