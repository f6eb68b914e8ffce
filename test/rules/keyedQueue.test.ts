import { KeyedQueue } from '../../nodes/CometChatKnowledgeBase/execution/keyedQueue';

async function settle(): Promise<void> {
	for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

/** Work with these keys, which ends when it is told to. */
function worked(queue: KeyedQueue, begun: string[], name: string, keys: string[]) {
	let end: (how: 'well' | 'badly') => void = () => {};
	const over = new Promise<'well' | 'badly'>((resolve) => {
		end = resolve;
	});
	const result = queue.run(keys, async () => {
		begun.push(name);
		if ((await over) === 'badly') throw new Error(name);
	});
	return {
		end: (how: 'well' | 'badly' = 'well') => end(how),
		result: result.catch(() => 'failed'),
	};
}

test.each([[['a', 'b']], [['b', 'a']]])(
	'work with the keys %p waits for all that has one of them and came before, and for no other',
	async (keys) => {
		const queue = new KeyedQueue();
		const begun: string[] = [];
		const a = worked(queue, begun, 'a', ['a']);
		const b = worked(queue, begun, 'b', ['b']);
		worked(queue, begun, 'both', keys);
		worked(queue, begun, 'b again', ['b']);
		worked(queue, begun, 'c', ['c']);
		worked(queue, begun, 'no key', []);
		await settle();
		expect([...begun].sort()).toEqual(['a', 'b', 'c', 'no key']);
		b.end();
		await settle();
		expect(begun).toHaveLength(4);
		a.end();
		await settle();
		expect(begun.slice(4)).toEqual(['both']);
	},
);

test('work that failed does not keep what comes after it, and is told to its own caller alone', async () => {
	const queue = new KeyedQueue();
	const begun: string[] = [];
	const first = worked(queue, begun, 'first', ['a']);
	const second = worked(queue, begun, 'second', ['a']);
	first.end('badly');
	second.end();
	expect(await first.result).toBe('failed');
	expect(await second.result).toBeUndefined();
	expect(begun).toEqual(['first', 'second']);
});
