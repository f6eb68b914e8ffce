import type { Batch } from '../../../nodes/CometChatKnowledgeBase/bundling/batches';
import { halves, itemsOf, toBatches } from '../../../nodes/CometChatKnowledgeBase/bundling/batches';
import { ValidationIssue } from '../../../nodes/CometChatKnowledgeBase/values/validationIssue';
import { readOptions } from '../../../nodes/CometChatKnowledgeBase/input/options';

/** Items as 'agent/sourceType a,b'; requests as 'agent/sourceType 0:a,b 1:c' (item and files). */
function requestsOf(items: string[], given: object): string[] {
	const options = readOptions(given);
	if (options instanceof ValidationIssue) throw new Error(options.what);
	const asked = items.map((text, index) => {
		const [agent = '', files = ''] = text.split(' ');
		const [uid = '', sourceType = 'uploads'] = agent.split('/');
		const change = { operation: 'add' as const, uid, sourceType, uniqueIds: files.split(',') };
		return { index, change };
	});
	return toBatches(asked, options).map(lineOf);
}

function lineOf({ change, entries }: Batch): string {
	const parts = entries.map(({ index, uniqueIds }) => `${index}:${uniqueIds.join()}`);
	return `${change.uid}/${change.sourceType} ${parts.join(' ')} = ${change.uniqueIds.join()}`;
}

const combined = { combineItems: true, maxFileIdsPerRequest: 3 };

describe('What a run sends', () => {
	test.each<[string, object, string[], string[]]>([
		[
			'an item with more files than the maximum is split in order',
			{ maxFileIdsPerRequest: 2 },
			['x a,b,c,d,e', 'x f'],
			['x/uploads 0:a,b = a,b', 'x/uploads 0:c,d = c,d', 'x/uploads 0:e = e', 'x/uploads 1:f = f'],
		],
		[
			'combined: items of several agents are gathered across the run',
			combined,
			['x a', 'y b', 'x c', 'y d'],
			['x/uploads 0:a 2:c = a,c', 'y/uploads 1:b 3:d = b,d'],
		],
		[
			'combined: a file that two items name is in the request once, and takes no room twice',
			combined,
			['x a,b', 'x b,c', 'x a,b,c'],
			['x/uploads 0:a,b 1:b,c 2:a,b,c = a,b,c'],
		],
		[
			'combined: another source type is another request, and the order is kept',
			combined,
			['x a', 'x/text b', 'x c'],
			['x/uploads 0:a = a', 'x/text 1:b = b', 'x/uploads 2:c = c'],
		],
		[
			'combined without order: all of one source type are gathered',
			{ ...combined, keepOrder: false },
			['x a', 'x/text b', 'x c'],
			['x/uploads 0:a 2:c = a,c', 'x/text 1:b = b'],
		],
		[
			'combined: two spellings of an agent are not put together, and keep their order',
			combined,
			['x a', 'X b', 'x c'],
			['x/uploads 0:a = a', 'X/uploads 1:b = b', 'x/uploads 2:c = c'],
		],
	])('%s', (_, options, items, requests) => {
		expect(requestsOf(items, options)).toEqual(requests);
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
