import { isWhole } from '../../account/redaction';
import type { ItemContext } from '../../execution/itemContext';
import { Records } from '../../ingestion/records';
import { composed } from '../../input/document';
import { caught, isItemFailure } from '../../results/apiError';
import type { Document } from '../../service/documents';
import { FAILED } from '../../service/statuses';
import type { Text } from '../../service/texts';
import { readTextList, textsRequest } from '../../service/texts';
import type { Json } from '../../values/json';
import { TEXT } from './textFields';

/** The texts of the account by title: asked for once in a run, and kept up to date with what it writes. */
export class TextList {
	private asked?: Promise<Records>;

	/** Titles under which there may be a text whose ID nobody was told. */
	private readonly lost = new Set<string>();

	async texts(item: ItemContext): Promise<Records> {
		this.asked ??= this.ask(item);
		return await this.asked;
	}

	private async ask(item: ItemContext): Promise<Records> {
		const records = new Records();
		for (const text of await item.call(textsRequest(), readTitled)) records.add(asRecord(text));
		return records;
	}

	async note(text: Text): Promise<void> {
		const records = this.asked && (await caught(this.asked));
		if (records === undefined || isItemFailure(records)) return;
		// It may have had another title.
		records.remove(text.uniqueId);
		records.add(asRecord(text));
	}

	noteLost(title: string): void {
		this.lost.add(composed(title));
	}

	isLost(title: string): boolean {
		return this.lost.has(composed(title));
	}
}

/** Of a list with a title that cannot be told, nobody can say that a title is missing in it. */
function readTitled(body: Json | undefined): Text[] | undefined {
	const texts = readTextList(body);
	return texts?.every(({ title }) => title !== undefined && isWhole(title)) ? texts : undefined;
}

function asRecord(text: Text): Document {
	return { ...text, type: TEXT, sourceName: text.title };
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
