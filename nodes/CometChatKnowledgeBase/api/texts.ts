import type { ApiClient } from './apiClient';
import type { Shape } from './shape';
import { addressId, anyText, optional, shape, whole } from './shape';
import { pageOf } from './pagination';
import type { Fields } from '../output/itemResult';
import type { Json } from '../text/json';
import { readableTime } from '../text/times';
import { JSON_BODY, KNOWLEDGE_BASE } from './documents';

/** A text entry with all fields that CometChat returns. Built on its public pages, not tried. */
export interface Text extends Fields {
	uniqueId: string;
	title?: string;
	text?: string;
	status?: string;
}

const TEXTS = `${KNOWLEDGE_BASE}/text`;

/** "List text entries" (…/knowledge-base/list-text-entries): all entries with their texts, without pagination. */
export function textsRequest() {
	return { method: 'GET' as const, url: TEXTS };
}

/** "Create text detail" (https://www.cometchat.com/docs/rest-api/ai-agents-apis/knowledge-base/create-text-detail). */
export function creationOf(title: string, text: string) {
	return { method: 'POST' as const, url: TEXTS, headers: JSON_BODY, body: { title, text } };
}

/** "Update text detail" (…/knowledge-base/update-text-detail): fields that are left out stay. */
export function changeOf(uniqueId: string, changes: { title?: string; text?: string }) {
	const { url } = textRequest(uniqueId);
	return { method: 'PATCH' as const, url, headers: JSON_BODY, body: changes };
}

/** "Get text entry" (…/knowledge-base/get-text-entry). @param uniqueId Valid as a part of a URL. */
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

/** Reads a list of text entries; undefined if the body is no such list, or has a next page. */
export function readTextList(body: Json | undefined): Text[] | undefined {
	const page = readPage(body);
	return page?.next === undefined ? page?.entries : undefined;
}

/** Reads a text entry; undefined without an entry, or if its ID is not valid as a part of a URL. */
export function readText(body: Json | undefined): Text | undefined {
	return readOne(body)?.data;
}

/** Requests a text entry. An unknown entry has a message of its own. @param uniqueId As for `textRequest`. */
export async function wholeText(client: ApiClient, uniqueId: string): Promise<Text> {
	return await client.call(textRequest(uniqueId), readText, { about: 'text' });
}

/** Returns a text entry's main fields. */
export function simplifiedText(found: Text): Fields {
	const { title, status, text, createdAt, updatedAt, uniqueId } = found;
	return {
		...{ name: title ?? uniqueId, status, uniqueId, sourceType: 'text', text },
		createdAt: readableTime(createdAt),
		updatedAt: readableTime(updatedAt),
	};
}
