import { add, freshService } from '../fixture';

const agents = ['support-bot', 'sales-assistant', 'onboarding-guide'];
const items = (count: number) =>
	Array.from({ length: count }, (_, index) => ({
		agent: agents[index % agents.length] ?? '',
		files: [`f${index}`],
	}));

describe('At a rate limit', () => {
	// Retry-After has whole seconds, and so leaves half a second for a machine that is busy.
	const service = freshService({ rateLimit: { requests: 30, windowMs: 1500 } });
	const limited = () =>
		service()
			.requests()
			.filter((request) => request.limited).length;

	test('the first refusal teaches the node, and the rest of the run is not refused again', async () => {
		const { output, hints } = await add(service(), items(100), { options: { maxWaitSeconds: 2 } });
		expect(output.every(({ json }) => json.success === true)).toBe(true);
		// Those that were under way when the limit was reached: one for each agent.
		expect(limited()).toBeGreaterThan(0);
		expect(limited()).toBeLessThanOrEqual(agents.length);
		expect(hints.map(({ message }) => message)).toContainEqual(
			expect.stringMatching(/^CometChat asked to slow down: requests waited \d s for it\.$/),
		);
	});
});
