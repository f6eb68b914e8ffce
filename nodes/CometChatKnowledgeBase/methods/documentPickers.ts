import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import { caught, isItemFailure } from '../results/apiError';
import type { Agent } from '../service/agents';
import { agentRequest, chosenAgent, attachedIds, readAgent } from '../service/agents';
import { answersFor } from '../service/whoHasIt';
import type { ApiClient } from '../service/apiClient';
import type { Document } from '../service/documents';
import { detailsOf, documentPages } from '../service/documents';
import type { StatusById } from '../service/statuses';
import { statusesOf } from '../service/statuses';
import { readTextList, textsRequest } from '../service/texts';
import type { Answer } from '../service/whoHasIt';
import { findSourceType, sourceTypeOf } from '../values/sourceTypes';
import { inEditor } from './inEditor';

/** For what only makes the list better: files can be picked without it. */
const AGENT_TIMEOUT_MS = 10_000;

/** A list of more can't be looked through; IDs from Document: Get Many serve better then. */
const MOST_PICKER_PAGES = 10;
const MOST_TEXTS = 1000;

/** So many are more than a list shows at once; the rest comes as the user scrolls. */
const ENOUGH = 50;

/** Which documents are wanted. */
interface Wanted {
	isMeant(record: Document): boolean;
	/** Whether those of the chosen agent alone, as far as CometChat tells; where it does not, all are there. */
	isOwn?: boolean;
	/** How many will do for now. Left out: as many as may be. */
	enough?: number;
	/** Where the list goes on; left out: with the newest. */
	from?: string;
}

/** Where CometChat does not give what it takes to tell. */
const UNKNOWN: Answer = 'unknown';

/** What is there to pick from. */
interface Found {
	/** Newest first, each with whether the agent has it. */
	entries: Array<{ record: Document; has: Answer }>;
	/** What the agent has beside these, older than what was read. */
	older: string[];
	/** Where the older ones begin, if there are some that are to be shown. */
	next?: string;
}

async function find(
	client: ApiClient,
	agent: Agent | undefined,
	{ isMeant, isOwn = false, enough = Infinity, from }: Wanted,
): Promise<Found> {
	const listed = new Set(agent && attachedIds(agent));
	const { records, next } = await readRecords(client, from, (read, pages) => {
		const isEnough = read.filter(isMeant).length >= enough || pages >= MOST_PICKER_PAGES;
		const known = new Set<string>(read.map(({ uniqueId }) => uniqueId));
		return isEnough || (isOwn && listed.size > 0 && [...listed].every((id) => known.has(id)));
	});
	const meant = records.filter(isMeant);
	if (!isOwn || agent === undefined) {
		const has = ({ uniqueId }: Document) => (listed.has(uniqueId) ? 'has' : 'unknown');
		return { entries: meant.map((record) => ({ record, has: has(record) })), older: [], next };
	}
	const isCut = next !== undefined;
	const statuses = async (ids: string[]): Promise<StatusById> =>
		isCut ? await statusesOf(client, ids) : new Map();
	const asked = answersFor(client, agent, meant, { records, statusesOf: statuses });
	const answer = await caught(asked);
	const entries = meant.map((record) => {
		return { record, has: isItemFailure(answer) ? UNKNOWN : answer(record) };
	});
	const isTold = entries.every(({ has }) => has !== 'unknown');
	const known = new Set<string>(records.map(({ uniqueId }) => uniqueId));
	return {
		entries: entries.filter(({ has }) => has !== 'has not'),
		older: isTold && isCut ? [...listed].filter((id) => !known.has(id)) : [],
		next: isTold ? undefined : next,
	};
}

/** @returns `next` where the list goes on behind what was enough. */
async function readRecords(
	client: ApiClient,
	from: string | undefined,
	isEnough: (read: Document[], pages: number) => boolean,
): Promise<{ records: Document[]; next?: string }> {
	const records: Document[] = [];
	let count = 0;
	for await (const { entries, next } of documentPages(client, { from })) {
		records.push(...entries);
		count += 1;
		// A list that leads back to where it came from would be read for ever.
		const goesOn = typeof next === 'string' && next !== from;
		if (isEnough(records, count)) return { records, ...(goesOn && { next }) };
	}
	return { records };
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
	return isItemFailure(agent) ? undefined : agent;
}

/** As two texts that a person takes for one are written alike. */
function searchText(text: unknown): string {
	return typeof text === 'string' ? text.trim().normalize('NFC').toLowerCase() : '';
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

/** A list of documents that can be searched, to the end of the account. @param kind The only source type; left out: all. */
function searchOf(kind?: string, isOwn = false) {
	return async function (
		this: ILoadOptionsFunctions,
		filter = '',
		from?: string,
	): Promise<INodeListSearchResult> {
		const typed = searchText(filter);
		const isNamed = (...texts: unknown[]) => texts.some((one) => searchText(one).includes(typed));
		const isMeant = ({ uniqueId, sourceName, type = 'uploads' }: Document) =>
			(kind === undefined || sourceTypeOf(type) === kind) && isNamed(sourceName, uniqueId);
		const { entries, older, next } = await inEditor(this, async (client) => {
			const agent = isOwn && from === undefined ? await agentIn(this, client) : undefined;
			const enough = isOwn ? undefined : ENOUGH;
			return await find(client, agent, { isMeant, isOwn, enough, from });
		});
		const timeZone = this.getTimezone();
		return {
			results: [
				...entries.map(({ record }) => entryOf(record, timeZone)),
				...older.filter((id) => isNamed(id)).map((id) => ({ name: id, value: id })),
			],
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
		const typed = searchText(filter);
		const found = texts.filter(({ title, text, uniqueId }) =>
			[title, text, uniqueId].some((one) => searchText(one).includes(typed)),
		);
		const entries = found.slice(0, MOST_TEXTS).map((text) => ({ ...text, sourceName: text.title }));
		return { results: entries.map((entry) => entryOf(entry, this.getTimezone())) };
	},
};

const OLDER = "the agent has it; its name and type are not among the account's newest 1,000";

/**
 * The files to pick from: newest first, of the type that the node is set to. Those that an agent loses
 * are its own, where CometChat tells; where it does not, each entry says so.
 */
export async function getFiles(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const isRemoval = this.getCurrentNodeParameter('operation') === 'remove';
	const wanted = typeIn(this);
	const isMeant = ({ type }: Document) =>
		wanted === undefined || type === undefined || sourceTypeOf(type) === wanted;
	const { entries, older } = await inEditor(this, async (client) => {
		const agent = await agentIn(this, client);
		return await find(client, agent, { isMeant, isOwn: isRemoval });
	});
	const files = entries.map(({ record, has }) => {
		const { uniqueId, sourceName: name = uniqueId, type = 'uploads' } = record;
		const kind = sourceTypeOf(type);
		const isUnknown = isRemoval && has === 'unknown';
		const details = [
			// Where kinds stand side by side, that of a file goes without saying.
			...(wanted === undefined && kind !== 'uploads' ? [kind] : []),
			...detailsOf(record, this.getTimezone()),
			...(isUnknown ? ['not known whether the agent has it'] : []),
			...(!isRemoval && has === 'has' ? ['the agent has it already'] : []),
		];
		return { name, value: uniqueId, description: [...details, uniqueId].join(' · ') };
	});
	return [...files, ...older.map((id) => ({ name: id, value: id, description: OLDER }))];
}

/** Undefined for all types. */
function typeIn(context: ILoadOptionsFunctions): string | undefined {
	// There 'Source Type' may still hold what was meant for another operation.
	if (context.getCurrentNodeParameter('resource') === 'document') return undefined;
	return findSourceType(context.getCurrentNodeParameter('sourceType'));
}
