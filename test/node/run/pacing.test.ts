import { add, credentialFor, freshService } from '../fixture';

const agents = ['support-bot', 'sales-assistant', 'onboarding-guide'];
const items = (count: number) =>
	Array.from({ length: count }, (_, index) => ({
		agent: agents[index % agents.length] ?? '',
		files: [`f${index}`],
	}));

describe('At a rate limit', () => {
	const service = freshService({ rateLimit: { requests: 510, windowMs: 60_000 } });
	const limited = () =>
		service()
			.requests()
			.filter((request) => request.limited).length;

	test('the first refusal teaches the node, and the rest of the run is not refused again', async () => {
		const { output } = await add(service(), items(1100));
		expect(output.every(({ json }) => json.success === true)).toBe(true);
		// Those that were under way when the limit was reached: one for each agent.
		expect(limited()).toBeGreaterThan(0);
		expect(limited()).toBeLessThanOrEqual(agents.length);
	});
});

describe("With 'Requests per Minute' in the credential", () => {
	const service = freshService();
	const credential = () => ({ ...credentialFor(service()), requestsPerMinute: 30 });
	/** When requests arrived, in seconds since the first. */
	const arrivedAt = () => {
		const times = service()
			.requests()
			.map(({ atMs }) => atMs);
		return times.map((ms) => Math.floor((ms - (times[0] ?? 0)) / 1000));
	};

	test('two executions side by side share it', async () => {
		const one = async () => await add(service(), items(20), { credential: credential() });
		const runs = await Promise.all([one(), one()]);
		expect(runs.flatMap(({ output }) => output).every(({ json }) => json.success)).toBe(true);
		expect(arrivedAt()).toEqual(Array.from({ length: 40 }, (_, at) => 2 * at));
	});

	test('another account in the same process keeps its own', async () => {
		const unpaced = credentialFor(service());
		await Promise.all([
			add(service(), items(3), { credential: credential() }),
			add(service(), items(20), { credential: unpaced }),
		]);
		expect(arrivedAt().filter((seconds) => seconds < 2)).toHaveLength(20);
	});
});
