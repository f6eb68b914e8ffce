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
import type { Agent } from '../api/agents';
import {
	agentRequest,
	attachedIds,
	chosenAgent,
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
import { toResult, isFailure } from '../text/failure';
import type { Json } from '../text/json';
import { foldForSearch } from '../text/names';
import { sourceTypeOf, UPLOADS, WEBSITE } from '../text/sourceTypes';

/** For each question that somebody in the editor waits for: it is asked again by opening the list. */
const ONE_ATTEMPT = { maxAttempts: 1, maxWaitMs: 0, timeoutMs: 30_000 };

/**
 * What CometChat is asked for by the editor.
 *
 * @throws What n8n shows in the place of the list.
 */
async function inEditor<Value>(
	context: ILoadOptionsFunctions,
	ask: (client: ApiClient) => Promise<Value>,
): Promise<Value> {
	const fields = await context.getCredentials('cometChatApi');
	const client = clientOf({
		send: throwAsNodeError(context.getNode(), () => sender(context, fields)),
		limits: ONE_ATTEMPT,
		// One for each question: that one is told to wait is no reason to leave the others unasked.
		get rateLimiter() {
			return new RateLimiter();
		},
		clock: createAbortableClock(new AbortController().signal),
	});
	const found = await toResult(ask(client));
	if (isFailure(found)) throw toListError(context.getNode(), found);
	return found;
}

/** What a list is asked for. */
interface Search {
	client: ApiClient;
	context: ILoadOptionsFunctions;
	/** What somebody has typed. */
	filter: string;
	/** Where the list goes on; left out: its first page. */
	from?: string;
}

/** A list that can be searched; n8n asks for the next page as the user scrolls, or until it is filled. */
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
			// The same place twice would be asked for ever.
			return { results, paginationToken: next === from ? undefined : next };
		});
	};
}

/** For each node that asks for an agent. */
export const agentSearch = {
	searchAgents: searchBy(async ({ client, filter, from }) => {
		const { entries, next } = await client.call(listRequest(filter, from), readAgents);
		return { results: entries.map(pickable), next };
	}),
};

/** A page may be empty, where all of it are agents. */
export const searchUsers = searchBy(async ({ client, filter, from }) => {
	const read = (body: Json | undefined) => readUserPage(body, from);
	const { users, next } = await client.call(usersRequest(filter, from), read);
	return { results: users, next };
});

/** The models that an agent can have, in CometChat's own order. */
export async function getModels(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const models = await inEditor(
		this,
		async (client) => await client.call(modelsRequest(), readModels),
	);
	return models.map(({ model, provider }) => {
		return { name: provider === undefined ? model : `${model} · ${provider}`, value: model };
	});
}

/** For what only makes the list better: files can be picked without it. */
const AGENT_TIMEOUT_MS = 10_000;

/** Longer lists are of little use: IDs from Document: Get Many serve better then. */
const MOST_PICKER_PAGES = 10;
const MOST_TEXTS = 1000;

/** So many are more than a list shows at once; the rest comes as the user scrolls. */
const ENOUGH = 50;

/**
 * Reads documents, newest first, until there are enough of them.
 *
 * @param from Where an earlier part of the list ended.
 * @returns The documents, and where the list continues.
 */
async function readDocuments(
	client: ApiClient,
	isEnough: (documents: Document[]) => boolean,
	from?: string,
): Promise<ListPage<Document>> {
	const pages = documentPages(client, { from });
	return await pagesUntil(pages, (_, all) => isEnough(all), MOST_PICKER_PAGES);
}

/**
 * The documents of the chosen agent among the newest 1,000. None are no proof that it has none: CometChat may not report
 * them.
 */
async function ownDocuments(
	context: ILoadOptionsFunctions,
	client: ApiClient,
): Promise<Document[]> {
	const agent = await agentIn(context, client);
	const ids = new Set(agent && attachedIds(agent));
	const isOwn = ({ uniqueId }: Document) => ids.has(uniqueId);
	const areAll = (documents: Document[]) => documents.filter(isOwn).length === ids.size;
	const { entries } = ids.size > 0 ? await readDocuments(client, areAll) : { entries: [] };
	return entries.filter(isOwn);
}

/** The agent that is chosen in the editor, as far as CometChat gives it. */
async function agentIn(
	context: ILoadOptionsFunctions,
	client: ApiClient,
): Promise<Agent | undefined> {
	const uid = chosenAgent(context.getCurrentNodeParameter('uid'));
	if (uid === undefined) return undefined;
	const options = { timeoutMs: AGENT_TIMEOUT_MS };
	return await undefinedIfFailed(client.call(agentRequest(uid), readAgent, options));
}

/** Undefined where CometChat does not tell. */
async function undefinedIfFailed<Value>(asked: Promise<Value>): Promise<Value | undefined> {
	const answer = await toResult(asked);
	return isFailure(answer) ? undefined : answer;
}

/** Whether any text has what somebody has typed. */
function searchFor(typed: string): (...texts: Array<string | undefined>) => boolean {
	const wanted = foldForSearch(typed);
	return (...texts) => texts.some((text = '') => foldForSearch(text).includes(wanted));
}

const START = 20;
const END = 11;

/** A name with its start and its end, where there is no room for all of it beside the time. */
function shortened(name: string): string {
	const characters = [...name];
	if (characters.length <= START + END + 1) return name;
	return `${characters.slice(0, START).join('')}…${characters.slice(-END).join('')}`;
}

/** Of an entry of such a list n8n's editor shows the name and no second line, so that all stands in it. */
function entryOf(record: Document, timeZone: string) {
	const { uniqueId, sourceName = uniqueId } = record;
	// The status last: of a line that is too long, n8n cuts off the end.
	const parts = [shortened(sourceName), ...detailsOf(record, timeZone).reverse()];
	return { name: parts.join(' · '), value: uniqueId };
}

function isOfType(sourceType: string | undefined): (document: Document) => boolean {
	return ({ type }) => sourceType === undefined || sourceTypeOf(type) === sourceType;
}

/** Documents, to the end of the account. @param sourceType The only source type; undefined for all. */
function documentSearch(sourceType?: string, isOwnAlone = false) {
	return searchBy(async ({ client, context, filter, from }) => {
		const isFound = searchFor(filter);
		const isMatch = ({ uniqueId, sourceName }: Document) => isFound(sourceName, uniqueId);
		const ofType = isOfType(sourceType);
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
	/** What an agent has can be replaced. */
	searchUploads: documentSearch(UPLOADS, true),
	/** All texts at once, which come with what they say. */
	searchTexts: searchBy(async ({ client, context, filter }) => {
		const texts = await client.call(textsRequest(), readTextList);
		const isFound = searchFor(filter);
		const found = texts.filter(({ title, text, uniqueId }) => isFound(title, text, uniqueId));
		const entries = found.slice(0, MOST_TEXTS).map((text) => ({ ...text, sourceName: text.title }));
		return { results: entries.map((entry) => entryOf(entry, context.getTimezone())) };
	}),
};

/**
 * The documents to choose from: the newest of all types. Those that an agent loses are its own. If CometChat does not
 * report these, all are shown, and each entry says so.
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
			// The type of a file goes without saying.
			...(sourceType === UPLOADS ? [] : [sourceType]),
			...detailsOf(document, this.getTimezone()),
			...(isReported ? [] : ["CometChat doesn't report whether the agent uses the document"]),
		];
		return { name, value: uniqueId, description: [...details, uniqueId].join(' · ') };
	});
}
