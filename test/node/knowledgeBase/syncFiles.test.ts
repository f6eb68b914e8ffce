import { actionsOf, freshFolder } from './folder';

describe('Sync Files', () => {
	const { night, known, changes } = freshFolder();

	test('adds what is new, leaves what is not changed, replaces what is, and takes out what is gone', async () => {
		const first = await night({ 'a.txt': 'A', 'b.txt': 'B', 'c.txt': 'C' });
		expect(actionsOf(first)).toEqual(['added a.txt', 'added b.txt', 'added c.txt']);
		expect(known()).toEqual(['a.txt', 'b.txt', 'c.txt']);

		const second = await night({ 'a.txt': 'A', 'b.txt': 'B', 'c.txt': 'C' });
		expect(actionsOf(second)).toEqual(['unchanged a.txt', 'unchanged b.txt', 'unchanged c.txt']);
		expect(changes()).toEqual([]);

		const third = await night({ 'a.txt': 'A', 'b.txt': 'B2', 'd.txt': 'D' });
		expect(actionsOf(third)).toEqual([
			'unchanged a.txt',
			'replaced b.txt',
			'added d.txt',
			'removed c.txt',
		]);
		expect(known()).toEqual(['a.txt', 'b.txt', 'd.txt']);
	});
});
