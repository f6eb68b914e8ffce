import { describeFiles } from '../../../nodes/CometChatKnowledgeBase/results/filesOfItem';

const idsOf = (letters: string) => [...letters];

test.each<[applied: string, notApplied: string, unknown: string, words: string]>([
	[
		'',
		'a',
		'b',
		'It is not known whether the documents were added: look at the knowledge base, or',
	],
	['a', 'b', 'c', 'Of its 9 documents, 1 was added; not added: "b"; not known whether added: "c".'],
	['a', 'bcdefgh', '', '1 was added; not added: "b", "c", "d", "e", "f", and 2 more.'],
])(
	'files by what became of them: %j, not %j, unknown %j',
	(applied, notApplied, unknown, words) => {
		const files = {
			applied: idsOf(applied),
			notApplied: idsOf(notApplied),
			unknown: idsOf(unknown),
		};
		expect(describeFiles(files, 9, 'added', (id) => id)).toContain(words);
	},
);
