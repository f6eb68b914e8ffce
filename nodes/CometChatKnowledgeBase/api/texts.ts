import type { ApiClient } from './apiClient';
import type { Shape } from './shape';
import { addressId, anyText, optional, shape, whole } from './shape';
import { pageOf } from './pagination';
import type { Fields } from '../output/itemResult';
import type { Json } from '../text/json';
import { readableTime } from '../text/times';
import { JSON_BODY, KNOWLEDGE_BASE } from './documents';

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
function textRequest(uniqueId: string) {
	return { method: 'GET' as const, url: `${TEXTS}/${encodeURIComponent(uniqueId)}` };
}

const oneText: Shape<Text> = whole(
	shape({
		uniqueId: addressId,
		title: optional(anyText),
		text: optional(anyText),
		status: optional(anyText),
	}),
);

const readPage = pageOf(oneText, 'cursor', Infinity);
const readOne = shape({ data: oneText });

/** Undefined if the body is no list of texts, or says that there are others behind these. */
export function readTextList(body: Json | undefined): Text[] | undefined {
	const page = readPage(body);
	return page?.next === undefined ? page?.entries : undefined;
}

/** One text; undefined if the body has none, or its ID cannot be asked for. */
export function readText(body: Json | undefined): Text | undefined {
	return readOne(body)?.data;
}

/** A text, in words for this one where the service does not know it. @param uniqueId As for `textRequest`. */
export async function wholeText(client: ApiClient, uniqueId: string): Promise<Text> {
	return await client.call(textRequest(uniqueId), readText, { about: 'text' });
}

/** What a person looks for, as far as it is there. */
export function simplifiedText(found: Text): Fields {
	const { title, status, text, createdAt, updatedAt, uniqueId } = found;
	return {
		...{ name: title ?? uniqueId, status, uniqueId, sourceType: 'text', text },
		createdAt: readableTime(createdAt),
		updatedAt: readableTime(updatedAt),
	};
}
