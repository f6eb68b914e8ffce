import { batchOperation } from '../../../nodes/CometChatKnowledgeBase/operations/batchOperation';
import type { RunContext } from '../../../nodes/CometChatKnowledgeBase/operations/operation';

test('After an unexpected exception, the result of each item is unknown: requests may have been sent', async () => {
	const { run } = batchOperation({
		...{ value: 'fails', name: 'Fail', action: 'Fail', description: '', output: [] },
		fields: {},
		runAll: async () => {
			await Promise.resolve();
			throw new TypeError('x is not a function');
		},
	});
	const clock = { isCancelled: () => false, delay: async () => {} };
	const context: RunContext = Object.assign(Object.create(null), {
		...{ count: 2, stopsOnFailure: false, starting: { clock }, finishing: { clock } },
		...{ optionsOf: () => () => undefined, parameter: () => () => undefined },
		done: { items: new Map(), rows: new Map() },
	});
	const { itemResults } = await run(context);
	const unknown = { effect: 'unknown', progress: expect.stringContaining('Result unknown') };
	expect(itemResults).toMatchObject([unknown, unknown]);
});
