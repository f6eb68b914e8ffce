import type { Batch } from '../../../nodes/CometChatKnowledgeBase/bundling/batches';
import { bundled, halves, itemsOf } from '../../../nodes/CometChatKnowledgeBase/bundling/batches';

/** Items as 'agent/sourceType a,b'; requests as 'agent/sourceType 0:a,b 1:c' (item and files). */
function requestsOf(items: string[]): string[] {
	const asked = items.map((text, index) => {
		const [agent = '', files = ''] = text.split(' ');
		const [uid = '', sourceType = 'uploads'] = agent.split('/');
		const change = { operation: 'add' as const, uid, sourceType, uniqueIds: files.split(',') };
		return { index, change };
	});
	return bundled(asked, 3).map(lineOf);
}

function lineOf({ change, entries }: Batch): string {
	const parts = entries.map(({ index, uniqueIds }) => `${index}:${uniqueIds.join()}`);
	return `${change.uid}/${change.sourceType} ${parts.join(' ')} = ${change.uniqueIds.join()}`;
}

describe('What a run sends in bundles', () => {
	test.each<[string, string[], string[]]>([
		[
			'an item with more files than the maximum is split in order',
			['x a,b,c,d,e,f,g'],
			['x/uploads 0:a,b,c = a,b,c', 'x/uploads 0:d,e,f = d,e,f', 'x/uploads 0:g = g'],
		],
		[
			'items of several agents are gathered across the run',
			['x a', 'y b', 'x c', 'y d'],
			['x/uploads 0:a 2:c = a,c', 'y/uploads 1:b 3:d = b,d'],
		],
		[
			'a file that two items name is in the request once, and takes no room twice',
			['x a,b', 'x b,c', 'x a,b,c'],
			['x/uploads 0:a,b 1:b,c 2:a,b,c = a,b,c'],
		],
		[
			'another source type is another request, and the order is kept',
			['x a', 'x/text b', 'x c'],
			['x/uploads 0:a = a', 'x/text 1:b = b', 'x/uploads 2:c = c'],
		],
		[
			'two spellings of an agent are not put together, and keep their order',
			['x a', 'X b', 'x c'],
			['x/uploads 0:a = a', 'X/uploads 1:b = b', 'x/uploads 2:c = c'],
		],
	])('%s', (_, items, requests) => {
		expect(requestsOf(items)).toEqual(requests);
	});

	test('a request in two halves has the same files, each under its item', () => {
		const change = {
			operation: 'remove' as const,
			uid: 'x',
			sourceType: 'uploads',
			uniqueIds: ['a', 'b', 'c'],
		};
		const entries = [
			{ index: 4, uniqueIds: ['a', 'b'] },
			{ index: 7, uniqueIds: ['b', 'c'] },
		];
		expect(halves({ change, entries }).map(lineOf)).toEqual([
			'x/uploads 4:a,b 7:b = a,b',
			'x/uploads 7:c = c',
		]);
		expect(itemsOf({ change, entries })).toEqual([4, 7]);
	});
});
