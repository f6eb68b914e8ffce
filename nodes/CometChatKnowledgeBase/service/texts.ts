import { isWhole } from '../account/redaction';
import { readPathValue } from '../input/identifiers';
import type { Fields } from '../results/itemResult';
import { fieldsOf } from '../results/itemResult';
import { readableTime } from '../values/times';
import { caughtNow, isRecord, UserError } from '../values/userError';
import type { ApiClient } from './apiClient';
import { JSON_BODY, KNOWLEDGE_BASE } from './records';
import { readNext } from './wholeList';
import type { Json } from '../values/json';

/** A text as the service gives it, and all that it says of it. Built on its public pages, not tried. */
export interface Text extends Fields {
	uniqueId: string;
	title?: string;
	text?: string;
	status?: string;
}

const TEXTS = `${KNOWLEDGE_BASE}/text`;

/** List text entries (…/knowledge-base/list-text-entries): all of them, with what they say, and no pages. */
export function textsRequest() {
	return { method: 'GET' as const, url: TEXTS };
}

/** Create text detail (https://www.cometchat.com/docs/rest-api/ai-agents-apis/knowledge-base/create-text-detail). */
export function creationOf(title: string, text: string) {
	return { method: 'POST' as const, url: TEXTS, headers: JSON_BODY, body: { title, text } };
}

/** Update text detail (…/knowledge-base/update-text-detail): what is left out stays. */
export function changeOf(uniqueId: string, changes: { title?: string; text?: string }) {
	const { url } = textRequest(uniqueId);
	return { method: 'PATCH' as const, url, headers: JSON_BODY, body: changes };
}

/** Get text entry (…/knowledge-base/get-text-entry). @param uniqueId One that can be part of an address. */
export function textRequest(uniqueId: string) {
	return { method: 'GET' as const, url: `${TEXTS}/${encodeURIComponent(uniqueId)}` };
}

/** Undefined if the body is no list of texts, or says that there are others behind these. */
export function readTextList(body: Json | undefined): Text[] | undefined {
	if (!isRecord(body) || !Array.isArray(body.data)) return undefined;
	if (readNext(body.meta, 'cursor', false) !== undefined) return undefined;
	const texts: Text[] = [];
	for (const entry of body.data) {
		const text = toText(entry);
		if (text === undefined) return undefined;
		texts.push(text);
	}
	return texts;
}

/** One text; undefined if the body has none. */
export function readText(body: Json | undefined): Text | undefined {
	return isRecord(body) ? toText(body.data) : undefined;
}

/** The ID of a text that was written; undefined if the answer has none that can be asked for. */
export function readTextId(body: Json | undefined): string | undefined {
	return readText(body)?.uniqueId;
}

/** A text, in words for this one where the service does not know it. @param uniqueId As for `textRequest`. */
export async function wholeText(client: ApiClient, uniqueId: string): Promise<Text> {
	return await client.call(textRequest(uniqueId), readText, { about: 'text' });
}

/** What a person looks for, in that order, as far as it is there. */
export function simplifiedText({ title, status, text, createdAt, updatedAt, uniqueId }: Text) {
	const told: Fields = {
		name: title ?? uniqueId,
		status,
		uniqueId,
		sourceType: 'text',
		text,
		createdAt: readableTime(createdAt),
		updatedAt: readableTime(updatedAt),
	};
	return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined));
}

function toText(entry: Json | undefined): Text | undefined {
	if (!isRecord(entry)) return undefined;
	const { title, text, status } = entry;
	const uniqueId = caughtNow(() => readPathValue(entry.uniqueId, 'uniqueId', ''));
	if (uniqueId instanceof UserError || !isWhole(uniqueId)) return undefined;
	return {
		...fieldsOf(entry),
		uniqueId,
		title: typeof title === 'string' ? title : undefined,
		text: typeof text === 'string' ? text : undefined,
		status: typeof status === 'string' ? status : undefined,
	};
}
