import { add, freshService } from '../fixture';

const agents = ['support-bot', 'sales-assistant', 'onboarding-guide'];
const items = (count: number) =>
	Array.from({ length: count }, (_, index) => ({
		agent: agents[index % agents.length] ?? '',
		files: [`f${index}`],
	}));

describe("With 'Requests per Minute' in the node's Settings", () => {
	const service = freshService();

	test('the requests of the execution are evenly spaced, from the first one on', async () => {
		const parameters = { requestOptions: { requestsPerMinute: 30 } };
		const { output } = await add(service(), items(20), { parameters });
		expect(output.every(({ json }) => json.success === true)).toBe(true);
		const times = service()
			.requests()
			.map(({ atMs }) => Math.floor(atMs / 1000));
		const seconds = times.map((time) => time - (times[0] ?? 0));
		expect(seconds).toEqual(Array.from({ length: 20 }, (_, at) => 2 * at));
	});
});
