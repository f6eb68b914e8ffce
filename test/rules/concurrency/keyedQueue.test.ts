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
	[
		'the same name for old and new',
		[
			['a', 'a'],
			['b', 'a', 'a'],
		],
		['a', 'a'],
	],
	['no key', [[], ['a'], []], [undefined, 'a', undefined]],
])('work with keys that have %s', (_, keys, groups) => {
	const found = connected(keys).map(([key]) => key);
	const together = (of: Array<string | undefined>) =>
		of.map((one, at) => (one === undefined ? undefined : Math.min(at, of.indexOf(one))));
	expect(together(found)).toEqual(together(groups));
});

describe('Entries in the order of their keys', () => {
	/** Maps entries such as 'a1', whose keys are their letters; each ends when its turn comes. */
	async function logOf(entries: string[], permits: number, keysOf = ([key = '']: string) => [key]) {
		const log: string[] = [];
		let underWay = 0;
		let most = 0;
		const results = await mapInKeyOrder(entries, keysOf, new Semaphore(permits), async (entry) => {
			log.push(entry);
			most = Math.max(most, ++underWay);
			await Promise.resolve();
			log.push(`end ${entry}`);
			underWay--;
			return entry.toUpperCase();
		});
		return { log, most, results };
	}

	test.each([
		['those of one key go one after another', ['a1', 'a2'], ['a1', 'end a1', 'a2', 'end a2']],
		['those of other keys go beside them', ['a1', 'a2', 'b1'], ['a1', 'b1', 'end a1']],
	])('%s', async (_, entries, expected) => {
		const { log } = await logOf(entries, 10);
		expect(log.slice(0, expected.length)).toEqual(expected);
	});

	test.each([
		['with one permit in the order of the entries', 1, 'a1 a2 b1 a3 c1', 'a1 a2 b1 a3 c1'],
		['also where the last had to wait', 1, 'a1 b1 c1 a2', 'a1 b1 c1 a2'],
		['with more, the earliest that need not wait', 2, 'a1 a2 b1 a3 c1', 'a1 b1 a2 c1 a3'],
	])('they begin %s', async (_, permits, entries, expected) => {
		const { log } = await logOf(entries.split(' '), permits);
		expect(log.filter((line) => !line.startsWith('end'))).toEqual(expected.split(' '));
	});

	test('one with two keys waits for both', async () => {
		const keysOf = (entry: string) => entry.slice(0, -1).split('');
		const { log } = await logOf(['a1', 'b1', 'b2', 'ab1'], 10, keysOf);
		expect(log.indexOf('ab1')).toBeGreaterThan(log.indexOf('end b2'));
	});
});
