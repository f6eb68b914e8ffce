import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { ApiClient } from '../api/apiClient';
import type { Next } from '../api/wholeList';
import { CUT_OFF, UNREADABLE } from '../api/wholeList';
import { apiErrorOfReply } from '../apiErrors/apiError';
import type { Answer } from '../inventory/whoHasIt';
import { answersFor } from '../inventory/whoHasIt';
import { isSuccess } from '../requests/attemptResult';
import { sender } from '../requests/transport';
import { orRefused, unanswered } from '../results/errors';
import type { Agent } from '../service/agents';
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
} from '../service/agents';
import type { Document } from '../service/documents';
import { detailsOf, documentPages } from '../service/documents';
import { readTextList, textsRequest } from '../service/texts';
import { readUserPage, usersRequest } from '../service/users';
import { caught, isFailure } from '../values/failure';
import { searchable } from '../values/names';
import { findSourceType, sourceTypeOf } from '../values/sourceTypes';

/** For each answer that somebody in the editor waits for. */
const PICKER_TIMEOUT_MS = 30_000;

/**
 * What CometChat is asked for by the editor: each question once, since who waits asks again by opening the list.
 *
 * @throws What n8n shows in the place of the list.
 */
async function inEditor<Value>(
	context: ILoadOptionsFunctions,
	ask: (client: ApiClient) => Promise<Value>,
): Promise<Value> {
	const fields = await context.getCredentials('cometChatApi');
	const send = orRefused(context.getNode(), () => sender(context, fields));
	const client: ApiClient = {
		call: async (request, read, { timeoutMs = PICKER_TIMEOUT_MS } = {}) => {
			const reply = await send(request, timeoutMs);
			const value = isSuccess(reply) ? read(reply.body) : undefined;
			if (value !== undefined) return value;
			throw apiErrorOfReply(reply);
		},
	};
	try {
		return await ask(client);
	} catch (thrown) {
		throw isFailure(thrown) ? unanswered(context.getNode(), thrown) : thrown;
	}
}

/** One page of a list; n8n asks for the next one as the user scrolls. The same place twice would be asked for ever. */
function pickerPage(
	results: INodeListSearchResult['results'],
	next: Next | undefined,
	asked: string | undefined,
): INodeListSearchResult {
	if (next === UNREADABLE) throw CUT_OFF;
	return { results, paginationToken: next === asked ? undefined : next };
}

/** For each node that asks for an agent. */
export const agentSearch = {
	async searchAgents(
		this: ILoadOptionsFunctions,
		filter?: string,
		from?: string,
	): Promise<INodeListSearchResult> {
		return await inEditor(this, async (client) => {
			const { entries, next } = await client.call(listRequest(filter, from), readAgents);
			return pickerPage(entries.map(pickable), next, from);
		});
	},
};

/** A page may be empty, where all of it are agents: n8n asks for the next one until the list is filled. */
export async function searchUsers(
	this: ILoadOptionsFunctions,
	filter?: string,
	from?: string,
): Promise<INodeListSearchResult> {
	return await inEditor(this, async (client) => {
		const { users, next } = await client.call(usersRequest(filter, from), (body) =>
			readUserPage(body, from),
		);
		return pickerPage(users, next, from);
	});
}

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

/** A list of more can't be looked through; IDs from Document: Get Many serve better then. */
const MOST_PICKER_PAGES = 10;
const MOST_TEXTS = 1000;

/** So many are more than a list shows at once; the rest comes as the user scrolls. */
const ENOUGH = 50;

/** Which documents are wanted. */
interface Search {
	isMeant(record: Document): boolean;
	/** Whether to leave out what the chosen agent has not, as far as CometChat tells. */
	isOwnAlone?: boolean;
	/** How many will do for now. Left out: as many as may be. */
	enough?: number;
	/** Where the list goes on; left out: with the newest. */
	from?: string;
}

/** A part of what is there to pick from. */
interface Found {
	/** Newest first, each with whether the agent has it, if only its own are wanted. */
	entries: Array<{ record: Document; has: Answer }>;
	/** Where the older ones begin, if there are some. */
	next?: string;
}

async function find(context: ILoadOptionsFunctions, wanted: Search): Promise<Found> {
	const { isMeant, isOwnAlone = false, enough = Infinity, from } = wanted;
	return await inEditor(context, async (client) => {
		const agent = isOwnAlone ? await agentIn(context, client) : undefined;
		const own = new Set(agent && attachedIds(agent));
		const hasOwn = own.size > 0;
		const records: Document[] = [];
		let [pages, next]: [number, string | undefined] = [0, undefined];
		for await (const page of documentPages(client, { from })) {
			records.push(...page.entries);
			for (const { uniqueId } of page.entries) own.delete(uniqueId);
			pages += 1;
			// A list that leads back to where it came from would be read for ever.
			next = typeof page.next === 'string' && page.next !== from ? page.next : undefined;
			const isEnough = records.filter(isMeant).length >= enough || (hasOwn && own.size === 0);
			if (isEnough || pages >= MOST_PICKER_PAGES) break;
		}
		const meant = records.filter(isMeant);
		const has = agent && (await answersOf(client, agent, meant, records));
		const entries = meant.map((record) => ({ record, has: has?.(record) ?? 'unknown' }));
		return { entries: entries.filter((one) => one.has !== 'has not'), next };
	});
}

/** Undefined where CometChat does not give what it takes to tell. */
async function answersOf(
	client: ApiClient,
	agent: Agent,
	meant: Document[],
	records: Document[],
): Promise<((document: Document) => Answer) | undefined> {
	const answer = await caught(answersFor(client, agent, meant, records));
	return isFailure(answer) ? undefined : answer;
}

/** The agent that is chosen in the editor, as far as CometChat gives it. */
async function agentIn(
	context: ILoadOptionsFunctions,
	client: ApiClient,
): Promise<Agent | undefined> {
	const uid = chosenAgent(context.getCurrentNodeParameter('uid'));
	if (uid === undefined) return undefined;
	const asked = client.call(agentRequest(uid), readAgent, { timeoutMs: AGENT_TIMEOUT_MS });
	const agent = await caught(asked);
	return isFailure(agent) ? undefined : agent;
}

/** Whether any text has what somebody has typed. */
function searchFor(typed: string): (...texts: Array<string | undefined>) => boolean {
	const wanted = searchable(typed);
	return (...texts) => texts.some((text = '') => searchable(text).includes(wanted));
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

/** A list of documents that can be searched, to the end of the account. @param sourceType The only source type; left out: all. */
function searchOf(sourceType?: string, isOwnAlone = false) {
	return async function (
		this: ILoadOptionsFunctions,
		filter = '',
		from?: string,
	): Promise<INodeListSearchResult> {
		const isFound = searchFor(filter);
		const isMeant = ({ uniqueId, sourceName, type }: Document) =>
			(sourceType === undefined || sourceTypeOf(type) === sourceType) &&
			isFound(sourceName, uniqueId);
		const { entries, next } = await find(this, { isMeant, isOwnAlone, enough: ENOUGH, from });
		return {
			results: entries.map(({ record }) => entryOf(record, this.getTimezone())),
			paginationToken: next,
		};
	};
}

export const documentSearches = {
	searchDocuments: searchOf(),
	searchWebsites: searchOf('website'),
	/** What an agent has can be replaced. */
	searchUploads: searchOf('uploads', true),
	/** All texts at once, which come with what they say. */
	async searchTexts(this: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchResult> {
		const texts = await inEditor(
			this,
			async (client) => await client.call(textsRequest(), readTextList),
		);
		const isFound = searchFor(filter);
		const found = texts.filter(({ title, text, uniqueId }) => isFound(title, text, uniqueId));
		const entries = found.slice(0, MOST_TEXTS).map((text) => ({ ...text, sourceName: text.title }));
		return { results: entries.map((entry) => entryOf(entry, this.getTimezone())) };
	},
};

/**
 * The files to pick from: the newest of the type that the node is set to. Those that an agent loses
 * are its own, where CometChat tells; where it does not, each entry says so.
 */
export async function getFiles(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const isRemoval = this.getCurrentNodeParameter('operation') === 'remove';
	const wanted = typeIn(this);
	const isMeant = ({ type }: Document) =>
		wanted === undefined || type === undefined || sourceTypeOf(type) === wanted;
	const { entries } = await find(this, { isMeant, isOwnAlone: isRemoval });
	return entries.map(({ record, has }) => {
		const { uniqueId, sourceName: name = uniqueId, type } = record;
		const sourceType = sourceTypeOf(type);
		const details = [
			// Where kinds stand side by side, that of a file goes without saying.
			...(wanted === undefined && sourceType !== 'uploads' ? [sourceType] : []),
			...detailsOf(record, this.getTimezone()),
			...(isRemoval && has === 'unknown' ? ['not known whether the agent has it'] : []),
		];
		return { name, value: uniqueId, description: [...details, uniqueId].join(' · ') };
	});
}

/** Undefined for all types. */
function typeIn(context: ILoadOptionsFunctions): string | undefined {
	// There 'Source Type' may still hold what was meant for another operation.
	if (context.getCurrentNodeParameter('resource') === 'document') return undefined;
	return findSourceType(context.getCurrentNodeParameter('sourceType'));
}
