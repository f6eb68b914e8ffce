import { Semaphore } from '../../../nodes/CometChatKnowledgeBase/concurrency/semaphore';
import { settle } from '../settle';

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
