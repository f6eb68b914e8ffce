import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { ApiClient } from '../api/apiClient';
import { clientOf } from '../api/apiClient';
import type { ListPage } from '../api/pagination';
import { pagesUntil } from '../api/pagination';
import { RateLimiter } from '../http/rateLimiter';
import { createAbortableClock } from '../http/time';
import { sender } from '../http/transport';
import { throwAsNodeError, toListError } from '../output/errors';
import { agentPicker } from '../fields/fields';
import {
	agentRequest,
	attachedIds,
	listRequest,
	modelsRequest,
	pickable,
	readAgent,
	readAgents,
	readModels,
} from '../api/agents';
import type { Document } from '../api/documents';
import { detailsOf, documentPages } from '../api/documents';
import { readTextList, textsRequest } from '../api/texts';
import { readUserPage, usersRequest } from '../api/users';
import { toResult, toResultSync, isFailure } from '../text/failure';
import type { Json } from '../text/json';
import { foldForSearch } from '../text/names';
import { sourceTypeOf, UPLOADS, WEBSITE } from '../text/sourceTypes';

/** The limits of each request of the editor. Users repeat a failed request by opening the list again. */
const ONE_ATTEMPT = { maxAttempts: 1, maxWaitMs: 0, timeoutMs: 30_000 };

/** Sends a request of the editor. @throws The error that n8n shows instead of the list. */
async function inEditor<Value>(
	context: ILoadOptionsFunctions,
	ask: (client: ApiClient) => Promise<Value>,
): Promise<Value> {
	const fields = await context.getCredentials('cometChatApi');
	const client = clientOf({
		send: throwAsNodeError(context.getNode(), () => sender(context, fields)),
		limits: ONE_ATTEMPT,
		// One limiter for each request: a wait for one list is no reason to delay the others.
		get rateLimiter() {
			return new RateLimiter();
		},
		clock: createAbortableClock(new AbortController().signal),
	});
	const found = await toResult(ask(client));
	if (isFailure(found)) throw toListError(context.getNode(), found);
	return found;
}

/** The search in a list. */
interface Search {
	client: ApiClient;
	context: ILoadOptionsFunctions;
	/** The text in the search box. */
	filter: string;
	/** The place where the list continues; left out: the first page. */
	from?: string;
}

/** Makes a list with a search. n8n requests the next page when the user scrolls, or until the list is filled. */
function searchBy(
	find: (search: Search) => Promise<{ results: INodeListSearchResult['results']; next?: string }>,
) {
	return async function (
		this: ILoadOptionsFunctions,
		filter = '',
		from?: string,
	): Promise<INodeListSearchResult> {
		return await inEditor(this, async (client) => {
			const { results, next } = await find({ client, context: this, filter, from });
			// The same place again would repeat the request endlessly.
			return { results, paginationToken: next === from ? undefined : next };
		});
	};
}

/** The agent list of both nodes. */
export const agentSearch = {
	searchAgents: searchBy(async ({ client, filter, from }) => {
		const { entries, next } = await client.call(listRequest(filter, from), readAgents);
		return { results: entries.map(pickable), next };
	}),
};

/** Searches users. A page may be empty, because agents are left out. */
export const searchUsers = searchBy(async ({ client, filter, from }) => {
	const read = (body: Json | undefined) => readUserPage(body, from);
	const { users, next } = await client.call(usersRequest(filter, from), read);
	return { results: users, next };
});

/** Returns the models of an agent, in CometChat's own order. */
export async function getModels(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const models = await inEditor(
		this,
		async (client) => await client.call(modelsRequest(), readModels),
	);
	return models.map(({ model, provider }) => {
		return { name: provider === undefined ? model : `${model} · ${provider}`, value: model };
	});
}

/** Shorter, because the agent only improves the list: documents can be chosen without it. */
const AGENT_TIMEOUT_MS = 10_000;

/** The number of pages in a list. For longer lists, IDs of 'Document: Get Many' are more useful. */
const MOST_PICKER_PAGES = 10;
const MOST_TEXTS = 1000;

/** More documents than a list shows at once. n8n requests more when the user scrolls. */
const ENOUGH = 50;

/** Reads documents, newest first, until there are enough. @param from The place where an earlier part ended. */
async function readDocuments(
	client: ApiClient,
	isEnough: (documents: Document[]) => boolean,
	from?: string,
): Promise<ListPage<Document>> {
	const pages = documentPages(client, { from });
	return await pagesUntil(pages, (_, all) => isEnough(all), MOST_PICKER_PAGES);
}

const agentField = agentPicker();

/**
 * Reads the chosen agent's documents among the newest 1,000. An empty result proves nothing: CometChat may not report
 * them, and an expression has no value in the editor.
 */
async function ownDocuments(
	context: ILoadOptionsFunctions,
	client: ApiClient,
): Promise<Document[]> {
	const uid = toResultSync(() => agentField.read(context.getCurrentNodeParameter('uid')));
	if (isFailure(uid) || uid.startsWith('=')) return [];
	const options = { timeoutMs: AGENT_TIMEOUT_MS };
	const agent = await toResult(client.call(agentRequest(uid), readAgent, options));
	const ids = new Set(isFailure(agent) ? [] : attachedIds(agent));
	const isOwn = ({ uniqueId }: Document) => ids.has(uniqueId);
	const areAll = (documents: Document[]) => documents.filter(isOwn).length === ids.size;
	const { entries } = ids.size > 0 ? await readDocuments(client, areAll) : { entries: [] };
	return entries.filter(isOwn);
}

/** Makes a filter: whether any of the texts contains the search text. */
function searchFor(typed: string): (...texts: Array<string | undefined>) => boolean {
	const wanted = foldForSearch(typed);
	return (...texts) => texts.some((text = '') => foldForSearch(text).includes(wanted));
}

const START = 20;
const END = 11;

/** Returns the start and end of a long name, because the time needs room, too. */
function shortened(name: string): string {
	const characters = [...name];
	if (characters.length <= START + END + 1) return name;
	return `${characters.slice(0, START).join('')}…${characters.slice(-END).join('')}`;
}

/** Returns an entry of a searchable list: everything is in its name, because n8n shows no second line there. */
function entryOf(record: Document, timeZone: string) {
	const { uniqueId, sourceName = uniqueId } = record;
	// The status is last, because n8n cuts off the end of a long line.
	const parts = [shortened(sourceName), ...detailsOf(record, timeZone).reverse()];
	return { name: parts.join(' · '), value: uniqueId };
}

/** Makes a search in all documents. @param sourceType The only source type; undefined for all. */
function documentSearch(sourceType?: string, isOwnAlone = false) {
	return searchBy(async ({ client, context, filter, from }) => {
		const isFound = searchFor(filter);
		const isMatch = ({ uniqueId, sourceName }: Document) => isFound(sourceName, uniqueId);
		const ofType = ({ type }: Document) =>
			sourceType === undefined || sourceTypeOf(type) === sourceType;
		const isWanted = (document: Document) => ofType(document) && isMatch(document);
		const entriesOf = (documents: Document[]) =>
			documents.map((document) => entryOf(document, context.getTimezone()));
		const isFirst = isOwnAlone && from === undefined;
		const own = isFirst ? (await ownDocuments(context, client)).filter(ofType) : [];
		if (own.length > 0) return { results: entriesOf(own.filter(isMatch)) };
		const isEnough = (all: Document[]) => all.filter(isWanted).length >= ENOUGH;
		const { entries, next } = await readDocuments(client, isEnough, from);
		return { results: entriesOf(entries.filter(isWanted)), next };
	});
}

export const documentSearches = {
	searchDocuments: documentSearch(),
	searchWebsites: documentSearch(WEBSITE),
	/** Only the agent's documents can be replaced. */
	searchUploads: documentSearch(UPLOADS, true),
	/** Searches all text entries at once: CometChat's list contains their texts. */
	searchTexts: searchBy(async ({ client, context, filter }) => {
		const texts = await client.call(textsRequest(), readTextList);
		const isFound = searchFor(filter);
		const found = texts.filter(({ title, text, uniqueId }) => isFound(title, text, uniqueId));
		const entries = found.slice(0, MOST_TEXTS).map((text) => ({ ...text, sourceName: text.title }));
		return { results: entries.map((entry) => entryOf(entry, context.getTimezone())) };
	}),
};

/**
 * Lists documents to choose from: the newest of all types, or the agent's documents if they are to be removed. If
 * CometChat doesn't report the agent's documents, all are listed, and each entry says so.
 */
export async function getFiles(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const isRemoval = this.getCurrentNodeParameter('operation') === 'remove';
	const { isReported, entries } = await inEditor(this, async (client) => {
		const own = isRemoval ? await ownDocuments(this, client) : [];
		if (own.length > 0) return { isReported: true, entries: own };
		const all = await readDocuments(client, () => false);
		return { isReported: !isRemoval, entries: all.entries };
	});
	return entries.map((document) => {
		const { uniqueId, sourceName: name = uniqueId, type } = document;
		const sourceType = sourceTypeOf(type);
		const details = [
			// Files are the usual case, so their type is not shown.
			...(sourceType === UPLOADS ? [] : [sourceType]),
			...detailsOf(document, this.getTimezone()),
			...(isReported ? [] : ["CometChat doesn't report whether the agent uses the document"]),
		];
		return { name, value: uniqueId, description: [...details, uniqueId].join(' · ') };
	});
}
