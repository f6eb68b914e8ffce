import { composed, sameName } from '../../input/document';
import type { KnowledgeBaseRecord } from '../../service/records';
import type { Shown } from '../../values/shown';
import { given } from '../../values/shown';
import { splitText } from './splitText';

/** A text as it is to be in CometChat. */
export interface TextPart {
	title: Shown;
	text: Shown;
}

/** What is done with the texts that there are, so that these are there. */
export interface Plan {
	/** What is to be there, each with the text that becomes it; undefined if it is to be written. */
	writes: Array<TextPart & { known?: KnowledgeBaseRecord }>;
	/** Of the parts that this node has written, those that are left over. */
	surplus: KnowledgeBaseRecord[];
	/** What is called like a part, and may be of another hand. */
	doubtful: KnowledgeBaseRecord[];
}

const PART = /^(.*) \((\d{1,3})\/(\d{1,3})\)$/s;

/** What the title of a part says; undefined if it is none. */
export function partOf(title: string): { whole: string; at: number; of: number } | undefined {
	const [, whole, at, of] = PART.exec(title.trim()) ?? [];
	return whole === undefined
		? undefined
		: { whole: composed(whole), at: Number(at), of: Number(of) };
}

/** One text, or its parts by number: `Title (1/3)`. */
export function inParts(title: Shown, text: Shown): TextPart[] {
	const texts = splitText(text);
	if (texts.length === 1) return [{ title, text }];
	return texts.map((one, at) => {
		return { title: given(`${title.trim()} (${at + 1}/${texts.length})`), text: given(one) };
	});
}

/**
 * Each part takes the text of its own title. What is left over takes the place of one that is missing, in
 * order: the text that was not split before, and parts of which it is proven that this node has written
 * them. No other is touched.
 *
 * @param there All texts of the title, and all that are called like parts of it.
 */
export function planFor(
	parts: TextPart[],
	there: KnowledgeBaseRecord[],
	isOwn: (uniqueId: string) => boolean,
): Plan {
	const named = parts.map(({ title }) =>
		there.find((one) => sameName(one.sourceName ?? '', title)),
	);
	const others = there
		.filter((one) => !named.includes(one))
		.sort((one, other) => atOf(one) - atOf(other));
	const free = others.filter((one) => atOf(one) === 0 || isOwn(one.uniqueId));
	const writes = parts.map((part, at) => ({ ...part, known: named[at] ?? free.shift() }));
	const surplus = free.filter(({ uniqueId }) => isOwn(uniqueId));
	const taken = [...writes.map(({ known }) => known), ...surplus];
	return { writes, surplus, doubtful: others.filter((one) => !taken.includes(one)) };
}

/** The number of a part; 0 of what is none. */
function atOf({ sourceName = '' }: { sourceName?: string }): number {
	return partOf(sourceName)?.at ?? 0;
}
