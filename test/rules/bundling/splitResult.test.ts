import type { BatchResult } from '../../../nodes/CometChatKnowledgeBase/bundling/sendBatch';
import type { Part } from '../../../nodes/CometChatKnowledgeBase/bundling/splitResult';
import { itemResultOf } from '../../../nodes/CometChatKnowledgeBase/bundling/splitResult';
import { describeFiles } from '../../../nodes/CometChatKnowledgeBase/results/filesOfItem';
import type { Explanation } from '../../../nodes/CometChatKnowledgeBase/results/messages';
import { given, worded } from '../../../nodes/CometChatKnowledgeBase/values/shown';

const idsOf = (letters: string) => [...letters].map((id) => given(id));

test.each<[applied: string, notApplied: string, unknown: string, words: string]>([
	['', 'ab', '', 'The files were not added.'],
	['', 'a', 'b', 'It is not known whether the files were added: look at the knowledge base, or'],
	['a', 'b', 'c', 'Of its 9 files, 1 was added; not added: "b"; not known whether added: "c".'],
	['a', 'bcdefgh', '', '1 was added; not added: "b", "c", "d", "e", "f", and 2 more.'],
])(
	'files by what became of them: %j, not %j, unknown %j',
	(applied, notApplied, unknown, words) => {
		const files = {
			applied: idsOf(applied),
			notApplied: idsOf(notApplied),
			unknown: idsOf(unknown),
		};
		expect(describeFiles(files, 9, 'added', 'website')).toContain(words);
	},
);

/** A request for a file of the item 1, and for files of others. */
function partOf(id: string, result: Partial<BatchResult>, others: number[] = []): Part {
	const change = { operation: 'remove' as const, uid: 'x', sourceType: 'uploads', uniqueIds: [id] };
	const entries = [1, ...others].map((index) => ({ index, uniqueIds: [id] }));
	const explanation: Explanation = { what: worded`No ${given(id)}`, remedy: '', said: '' };
	return {
		uniqueIds: [id],
		batchResult: {
			batch: { change, entries },
			attempts: 1,
			repetitions: 0,
			effect: 'not applied',
			stopReason: 'answered',
			...(result.effect !== 'applied' && { explanation }),
			...result,
		},
	};
}

function resultOf(...parts: [Part, ...Part[]]) {
	const uniqueIds = parts.flatMap((part) => part.uniqueIds);
	const change = { operation: 'remove' as const, uid: 'x', sourceType: 'uploads', uniqueIds };
	return itemResultOf(1, parts, { change, repeated: 0, unlike: [], attached: [] });
}

test('a request that was not sent because of another item is no cause, if there is another', () => {
	const unsent = partOf('a', { stopReason: 'cancelled' });
	expect(resultOf(unsent, partOf('b', {}))).toMatchObject({ what: 'No b' });
	expect(resultOf(unsent)).toMatchObject({ what: 'No a' });
});

test.each<[string, number[], number[] | undefined, string]>([
	['alone', [], undefined, ''],
	['with others', [2], undefined, 'The request held the files of 2 items (items 2–3)'],
	['as the rest of a larger one', [], [0, 1], 'together with others (items 1–2)'],
	['as a part with the same items', [2], [1, 2], 'The request held the files of 2 items'],
])('what is said of others: %s', (_, others, refusedWith, words) => {
	const { description } = Object(resultOf(partOf('a', { refusedWith }, others)));
	expect(description).toContain(words);
	expect(/items/.test(description)).toBe(words !== '');
});
