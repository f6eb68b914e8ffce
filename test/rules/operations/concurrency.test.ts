import { Semaphore } from '../../../nodes/CometChatKnowledgeBase/operations/concurrency';
import { settle } from '../settle';

test('never more tasks run than there are permits, also after failures', async () => {
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
			if (at % 3 === 0) throw new Error('failed');
		});
	});
	const ends = await Promise.allSettled(items);
	expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(4);
	expect(most).toBe(2);
});
