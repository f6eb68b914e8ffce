import { isWhole } from '../../account/redaction';
import type { RunContext } from '../../execution/operation';
import { ItemContext } from '../../execution/itemContext';
import { Records } from '../../ingestion/records';
import { composed } from '../../input/document';
import type { ItemFailure } from '../../results/apiError';
import { isItemFailure } from '../../results/apiError';
import type { KnowledgeBaseRecord } from '../../service/records';
import { FAILED } from '../../service/statuses';
import type { Text } from '../../service/texts';
import { readTextList, textsRequest } from '../../service/texts';
import { TEXT } from './textFields';
import type { Json } from '../../values/json';
import { attempt } from '../../service/apiClient';

/** What items of a run have asked for together, and the requests that it took. */
interface Shared<Value> {
	value: Value | ItemFailure;
	steps: ItemContext;
}

/** The texts of the account by title: asked for once in a run, and kept up to date with what it writes. */
export class TextList {
	private asked?: Promise<Shared<Records>>;

	/** Titles under which there may be a text whose ID nobody was told. */
	private readonly lost = new Set<string>();

	constructor(private readonly run: RunContext) {}

	async texts(steps: ItemContext): Promise<Records | ItemFailure> {
		this.asked ??= this.ask();
		const { value, steps: shared } = await this.asked;
		steps.include(shared);
		return value;
	}

	private async ask(): Promise<Shared<Records>> {
		const steps = new ItemContext(this.run);
		const texts = await attempt(steps, textsRequest(), readTitled);
		if (isItemFailure(texts)) return { value: texts, steps };
		const records = new Records();
		for (const text of texts) records.add(asRecord(text));
		return { value: records, steps };
	}

	async note(text: Text): Promise<void> {
		const { value } = (await this.asked) ?? {};
		if (value === undefined || isItemFailure(value)) return;
		// It may have had another title.
		value.remove(text.uniqueId);
		value.add(asRecord(text));
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

function asRecord(text: Text): KnowledgeBaseRecord {
	return { ...text, type: TEXT, sourceName: text.title };
}

/**
 * Whether a text says this already. White space around it and the kind of line breaks may be the service's
 * own. One that CometChat was not able to read says nothing.
 */
export function says({ text, status }: KnowledgeBaseRecord, words: string): boolean {
	return typeof text === 'string' && status !== FAILED && plain(text) === plain(words);
}

/** A text without what may be the service's own in it: the kind of line breaks, and white space around it. */
function plain(text: string): string {
	return composed(text.replace(/\r\n?/g, '\n'));
}
