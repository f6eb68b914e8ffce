import {
	groupKeys,
	KeyedQueue,
	mapInKeyOrder,
	Semaphore,
} from '../../../nodes/CometChatKnowledgeBase/execution/concurrency';
import { settle } from '../settle';

/** Work with this key, which ends when it is told to. */
function worked(queue: KeyedQueue, begun: string[], name: string, key: string) {
	let end: (how: 'well' | 'badly') => void = () => {};
	const over = new Promise<'well' | 'badly'>((resolve) => {
		end = resolve;
	});
	const result = queue.run(key, async () => {
		begun.push(name);
		if ((await over) === 'badly') throw new Error(name);
	});
	return {
		end: (how: 'well' | 'badly' = 'well') => end(how),
		result: result.catch(() => 'failed'),
	};
}

test('work waits for what has its key and came before, and for no other', async () => {
	const queue = new KeyedQueue();
	const begun: string[] = [];
	const a = worked(queue, begun, 'a', 'a');
	worked(queue, begun, 'a again', 'a');
	worked(queue, begun, 'b', 'b');
	await settle();
	expect(begun).toEqual(['a', 'b']);
	a.end();
	await settle();
	expect(begun.slice(2)).toEqual(['a again']);
});

test('work that failed does not keep what comes after it, and is told to its own caller alone', async () => {
	const queue = new KeyedQueue();
	const begun: string[] = [];
	const first = worked(queue, begun, 'first', 'a');
	const second = worked(queue, begun, 'second', 'a');
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
	const found = groupKeys(keys);
	const together = (of: Array<string | undefined>) =>
		of.map((one, at) => (one === undefined ? undefined : Math.min(at, of.indexOf(one))));
	expect(together(found)).toEqual(together(groups));
});

test('entries of one key go one after another, in order, and before those that have not begun', async () => {
	const begun: string[] = [];
	const given = 'a1 a2 a3 b1 c1 c2 d1 e1 f1'.split(' ');
	const keys = given.map(([key = '']) => [key]);
	const results = await mapInKeyOrder(given, keys, new Semaphore(2), async (entry) => {
		begun.push(entry);
		await settle();
		return entry;
	});
	expect(results).toEqual(given);
	expect(begun).toEqual('a1 b1 a2 c1 a3 c2 d1 e1 f1'.split(' '));
});

test('entries without a key wait for no other', async () => {
	let atWork = 0;
	let most = 0;
	await mapInKeyOrder([1, 2, 3], [], new Semaphore(2), async () => {
		most = Math.max(most, (atWork += 1));
		await settle();
		atWork -= 1;
	});
	expect(most).toBe(2);
});

function latch() {
	let open = () => {};
	const opened = new Promise<void>((resolve) => {
		open = resolve;
	});
	return { open: () => open(), opened };
}

test('who goes on after a wait comes before those that have not begun, and they in their order', async () => {
	const permits = new Semaphore(1);
	const begun: string[] = [];
	const indexed = latch();
	const ends = [latch(), latch(), latch()];
	const waiting = permits.run(async () => {
		await permits.without(async () => await indexed.opened);
		begun.push('waited');
	});
	const others = ends.map(async (end, at) => {
		await permits.run(async () => {
			begun.push(`item ${at}`);
			await end.opened;
		});
	});
	await settle();
	expect(begun).toEqual(['item 0']);
	const first = permits.runFirst(async () => begun.push('question'));
	indexed.open();
	await settle();
	expect(begun).toEqual(['item 0']);
	for (const end of ends) end.open();
	await Promise.all([waiting, first, ...others]);
	expect(begun).toEqual(['item 0', 'question', 'waited', 'item 1', 'item 2']);
});

test('no more hold a permit at once than there are, also after waits and failures', async () => {
	const permits = new Semaphore(2);
	let atWork = 0;
	let most = 0;
	const work = async () => {
		most = Math.max(most, (atWork += 1));
		await settle();
		atWork -= 1;
	};
	const items = Array.from({ length: 12 }, async (_, at) => {
		await permits.run(async () => {
			await work();
			await permits.without(settle);
			await work();
			if (at % 3 === 0) throw new Error('failed');
		});
	});
	const ends = await Promise.allSettled(items);
	expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(4);
	expect(most).toBe(2);
});
