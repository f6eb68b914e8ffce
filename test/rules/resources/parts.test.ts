import {
	inParts,
	partOf,
	planFor,
} from '../../../nodes/CometChatKnowledgeBase/resources/text/parts';
import { given } from '../../../nodes/CometChatKnowledgeBase/values/shown';

/** Paragraphs of which two fit into a part. */
const paragraphs = (count: number) =>
	Array.from({ length: count }, (_, at) => `${at} ${'x'.repeat(2000)}`).join('\n\n');
const parts = (count: number) => inParts(given('T'), given(paragraphs(2 * count)));

const text = (title: string) => ({ uniqueId: given(title), sourceName: given(title) });
const left = (count: number) => parts(count).map(({ title }) => text(title));
const T = text('T');
const short = inParts(given('T'), given('Short.'));

test.each([
	['T (1/3)', { whole: 'T', at: 1, of: 3 }],
	[' A (1/2) (10/12) ', { whole: 'A (1/2)', at: 10, of: 12 }],
	['T', undefined],
	['T (1/3) b', undefined],
	['T (2026/2027)', undefined],
])('the title %s says of parts: %j', (title, said) => {
	expect(partOf(title)).toEqual(said);
});

/** Who becomes what, who goes, and who is only named. @param foreign What this node has not written. */
const told = (wanted: typeof short, there: ReturnType<typeof left>, ...foreign: string[]) => {
	const { writes, surplus, doubtful } = planFor(wanted, there, (id) => !foreign.includes(id));
	const names = (all: Array<{ uniqueId: string }>) => all.map(({ uniqueId }) => uniqueId).join();
	return [
		writes.map(({ known }) => known?.uniqueId ?? '-').join(),
		names(surplus),
		names(doubtful),
	];
};

test.each<[string, string[], string[]]>([
	['the text has grown', told(parts(2), [T], 'T'), ['T,-', '', '']],
	['there are more parts now', told(parts(3), left(2).reverse()), ['T (1/2),T (2/2),-', '', '']],
	['there is one text only', told(short, left(2)), ['T (1/2)', 'T (2/2)', '']],
	[
		'a run broke off',
		told(parts(2), [...left(2).slice(0, 1), ...left(3).slice(1)]),
		['T (1/2),T (2/3)', 'T (3/3)', ''],
	],
	[
		'but each takes the text of its own title',
		told(parts(2), left(2), 'T (1/2)', 'T (2/2)'),
		['T (1/2),T (2/2)', '', ''],
	],
	[
		'the text is there as a whole and in parts',
		told(parts(2), [T, ...left(2)], 'T'),
		['T (1/2),T (2/2)', '', 'T'],
	],
])('where %s', (_, plan, expected) => {
	expect(plan).toEqual(expected);
});
