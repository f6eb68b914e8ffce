import axios from 'axios';

/**
 * The floor under every reading: as many requests as the node sends, as many of them at once, with
 * nothing around them. The connections are those of axios's default agent, which are kept. Runs in a
 * process of its own, in n8n's Node.
 */
export interface LoopTask {
	baseUrl: string;
	apiKey: string;
	/** How many requests, and how many before them to warm up. */
	requests: number;
	warmUp: number;
	/** How many requests are under way at once. */
	width: number;
	agents: number;
	/** How many file IDs in each. */
	idsEach: number;
}

const task: LoopTask = JSON.parse(process.argv[2] ?? '');

await send(task.warmUp);
process.once('message', () => void measure());
process.send?.('warm');

async function measure(): Promise<void> {
	const startedMs = performance.now();
	const failed = await send(task.requests);
	process.send?.({ seconds: (performance.now() - startedMs) / 1000, failed });
}

/** @returns How many were not applied. */
async function send(requests: number): Promise<number> {
	let next = 0;
	let failed = 0;
	const walk = async () => {
		while (next < requests) {
			const number = next++;
			if (!(await patch(number))) failed += 1;
		}
	};
	await Promise.all(Array.from({ length: task.width }, walk));
	return failed;
}

async function patch(number: number): Promise<boolean> {
	const { baseUrl, apiKey, agents, idsEach } = task;
	const agent = `agent-${String((number % agents) + 1).padStart(3, '0')}`;
	const id = (index: number) => `id-${String(number * idsEach + index).padStart(6, '0')}`;
	const { status } = await axios.request({
		method: 'PATCH',
		url: `${baseUrl}/ai-agents/agent-builder/agents/${agent}/knowledge-base/uploads/add`,
		headers: { apikey: apiKey },
		data: { uniqueIds: Array.from({ length: idsEach }, (_, index) => id(index)) },
		validateStatus: () => true,
	});
	return status === 200;
}
