import { isWhole } from '../../account/redaction';
import type { ItemContext } from '../../execution/itemContext';
import { Records } from '../../ingestion/records';
import { composed } from '../../input/document';
import type { Document } from '../../service/documents';
import { FAILED } from '../../service/statuses';
import type { Text } from '../../service/texts';
import { readTextList, textsRequest } from '../../service/texts';
import type { Json } from '../../values/json';
import { TEXT } from './writing';

/** The texts of the account by title: asked for once in a run. */
export class TextList {
	private asked?: Promise<Records>;

	/** @returns Always the same; whoever writes a text puts it there. */
	async texts(item: ItemContext): Promise<Records> {
		this.asked ??= allTexts(item);
		return await this.asked;
	}
}

async function allTexts(item: ItemContext): Promise<Records> {
	const records = new Records();
	for (const text of await item.call(textsRequest(), readTitled)) {
		records.add({ ...text, type: TEXT, sourceName: text.title });
	}
	return records;
}

/** Of a list with a title that cannot be told, nobody can say that a title is missing in it. */
function readTitled(body: Json | undefined): Text[] | undefined {
	const texts = readTextList(body);
	return texts?.every(({ title }) => title !== undefined && isWhole(title)) ? texts : undefined;
}

/**
 * Whether a text says this already. White space around it and the kind of line breaks may be the service's
 * own. One that CometChat was not able to read says nothing.
 */
export function says({ text, status }: Document, words: string): boolean {
	return typeof text === 'string' && status !== FAILED && plain(text) === plain(words);
}

/** A text without what may be the service's own in it: the kind of line breaks, and white space around it. */
function plain(text: string): string {
	return composed(text.replace(/\r\n?/g, '\n'));
}
