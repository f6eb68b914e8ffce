import type { ILoadOptionsFunctions } from 'n8n-workflow';

import type { Account } from '../account/account';
import { readAccount } from '../account/account';
import { effectOf, isSuccess } from '../requests/attemptResult';
import type { Send } from '../requests/transport';
import { sender } from '../requests/transport';
import { orRefused, unanswered } from '../results/errors';
import { ApiError, caught } from '../results/apiError';
import { explain } from '../results/messages';
import type { Agent } from '../service/agents';
import { agentRequest, chosenAgent, documentsOf, readAgent } from '../service/agents';
import type { ApiClient } from '../service/apiClient';
import { documentsTold } from '../service/attachedDocuments';
import type { KnowledgeBaseRecord } from '../service/records';
import { readRecordPage, recordsRequest } from '../service/records';
import { statusesOf } from '../service/statuses';
import type { ListPage, Next } from '../service/wholeList';
import { readWholeList } from '../service/wholeList';
import { UserError } from '../values/userError';
import { PICKER_TIMEOUT_MS } from './askOnce';
import { attempt } from '../service/apiClient';

/** For what only makes the list better: files can be picked without it. */
const AGENT_TIMEOUT_MS = 10_000;

/** A list of more can't be looked through; IDs from Document: Get Many serve better then. */
const MOST_PICKER_PAGES = 10;

/** An entry of a list in the editor. */
export interface PickerEntry {
	name: string;
	value: string;
	description?: string;
}

/** What is there to pick from. */
export interface Documents {
	/** Newest first; of a large account the newest. */
	records: KnowledgeBaseRecord[];
	/** What CometChat lists with the agent that is chosen, by ID. */
	listed: Set<string>;
	/** Whether that is all that the agent has. Not so: nobody knows what it has. */
	isTold: boolean;
	/** What the agent has, and what is not among the records because these are not all. */
	beyond: string[];
	/** Where the older ones begin, if there are some that are to be shown; `from` of the next call. */
	next?: string;
}

/** Which part of the list is wanted. */
interface WantedPart {
	/** Where it begins; left out: with the newest, and with what the agent has. */
	from?: string;
	/** Whether so many records will do for now, of those that were read last. Left out: as many as may be. */
	isEnough?(records: KnowledgeBaseRecord[]): boolean;
}

/**
 * @param isForAgent Whether what the chosen agent has is all that is asked for, if it can be told. If it
 *   cannot, whatever the reason, the documents of the account are there all the same.
 */
export async function readDocuments(
	context: ILoadOptionsFunctions,
	isForAgent: boolean,
	part: WantedPart = {},
): Promise<Documents> {
	const fields = await context.getCredentials('cometChatApi');
	const account = orRefused(context.getNode(), () => readAccount(fields));
	const send = sender(context, fields);
	const client = askingFor(send, account);
	const agent = part.from === undefined ? await readChosen(context, client) : undefined;
	const listed = new Set(agent && documentsOf(agent));
	const wanted = isForAgent ? listed : new Set<string>();
	const pages = pagesOf(context, account, send);
	const { records, isCut, next } = await readRecords(context, pages, { ...part, wanted });
	const known = new Set<string>(records.map(({ uniqueId }) => uniqueId));
	const asked = async (ids: string[]) => (isCut ? await statusesOf(client, ids) : new Map());
	const told = isForAgent && agent && (await documentsTold(client, agent, known, asked));
	const isTold = told instanceof Set;
	const beyond = isTold && isCut ? [...listed].filter((id) => !known.has(id)) : [];
	return { records, listed, isTold, beyond, ...(isTold ? {} : { next }) };
}

/** Each question once: who waits in the editor asks again by opening the list. */
function askingFor(send: Send, account: Account): ApiClient {
	return {
		call: async (request, read) => {
			const reply = await send(request, AGENT_TIMEOUT_MS);
			const value = isSuccess(reply) ? read(reply.body) : undefined;
			if (value !== undefined) return value;
			const result = { attempts: 1, effect: effectOf(reply), stopReason: 'answered' as const };
			throw new ApiError({ ...result, explanation: explain(reply, account) });
		},
	};
}

async function readChosen(
	context: ILoadOptionsFunctions,
	client: ApiClient,
): Promise<Agent | undefined> {
	const uid = chosenAgent(context.getCurrentNodeParameter('uid'));
	if (uid === undefined) return undefined;
	const agent = await attempt(client, agentRequest(uid), readAgent);
	return agent instanceof ApiError ? undefined : agent;
}

type PageFrom = (next?: string) => Promise<ListPage<KnowledgeBaseRecord>>;

function pagesOf(context: ILoadOptionsFunctions, account: Account, send: Send): PageFrom {
	return async (next) => {
		const reply = await send(recordsRequest(next), PICKER_TIMEOUT_MS);
		const page = isSuccess(reply) ? readRecordPage(reply.body) : undefined;
		if (page) return page;
		throw unanswered(context.getNode(), explain(reply, account));
	};
}

/**
 * @param wanted Those after which no more are needed; empty: all are.
 * @returns `isCut` says that there are older ones, and `next` where they begin.
 */
async function readRecords(
	context: ILoadOptionsFunctions,
	pageFrom: PageFrom,
	{ from, isEnough = () => false, wanted }: WantedPart & { wanted: ReadonlySet<string> },
): Promise<{ records: KnowledgeBaseRecord[]; isCut: boolean; next?: string }> {
	const missing = new Set(wanted);
	let pages = 0;
	let isCut = false;
	let behind: Next | undefined;
	const reading = readWholeList(pageFrom, ({ uniqueId }) => uniqueId, {
		from,
		isLast: ({ entries, next }) => {
			pages += 1;
			for (const { uniqueId } of entries) missing.delete(uniqueId);
			isCut = pages >= MOST_PICKER_PAGES || (wanted.size > 0 && missing.size === 0);
			isCut ||= isEnough(entries);
			behind = next;
			return isCut;
		},
	});
	const records = await caught(reading);
	if (records instanceof ApiError) throw records;
	if (records instanceof UserError) throw unanswered(context.getNode(), records);
	// A list that leads back to where it came from would be read for ever.
	const next = isCut && typeof behind === 'string' && behind !== from ? behind : undefined;
	return { records, isCut, next };
}
