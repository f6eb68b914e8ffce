import {
	connected,
	KeyedQueue,
	mapInKeyOrder,
} from '../../../nodes/CometChatKnowledgeBase/concurrency/keyedQueue';
import { Semaphore } from '../../../nodes/CometChatKnowledgeBase/concurrency/semaphore';
import { settle } from '../settle';

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

test.each<[string, string[][], Array<string | undefined>]>([
	['the same', [['a'], ['b'], ['a']], ['a', 'b', 'a']],
	['by way of one between them', [['a', 'b'], ['b', 'c'], ['c']], ['a', 'a', 'a']],
	['by a long way', [['a'], ['d'], ['a', 'b'], ['c', 'd'], ['b', 'c']], ['c', 'c', 'c', 'c', 'c']],
	['no key', [[], ['a'], []], [undefined, 'a', undefined]],
])('work with keys that have %s', (_, keys, groups) => {
	const found = connected(keys).map(([key]) => key);
	const together = (of: Array<string | undefined>) =>
		of.map((one, at) => (one === undefined ? undefined : Math.min(at, of.indexOf(one))));
	expect(together(found)).toEqual(together(groups));
});

test.each([
	['with one permit in the order of the entries', 1, 'a1 a2 b1 a3 c1', 'a1 a2 b1 a3 c1'],
	['with more, the earliest that need not wait', 2, 'a1 a2 b1 a3 c1', 'a1 b1 a2 c1 a3'],
])('entries begin %s, those of one key one after another', async (_, permits, given, expected) => {
	const begun: string[] = [];
	const keysOf = ([key = '']: string) => [key];
	await mapInKeyOrder(given.split(' '), keysOf, new Semaphore(permits), async (entry) => {
		begun.push(entry);
		await Promise.resolve();
	});
	expect(begun).toEqual(expected.split(' '));
});
