import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { Account } from '../account/account';
import { readAccount } from '../account/account';
import { isSuccess } from '../requests/attemptResult';
import type { Send } from '../requests/transport';
import { withSender } from '../requests/transport';
import { refused, unanswered } from '../results/errors';
import { StepFailure } from '../results/itemFailure';
import { explain } from '../results/messages';
import type { Agent } from '../service/agents';
import {
	agentRequest,
	agentsTell,
	chosenAgent,
	documentsOf,
	listRequest,
	readAgent,
	readAgents,
} from '../service/agents';
import type { KnowledgeBaseRecord } from '../service/records';
import { readRecordPage, recordsRequest } from '../service/records';
import type { ListPage } from '../service/wholeList';
import { readWholeList } from '../service/wholeList';
import { ValidationIssue } from '../values/validationIssue';

/** For each page. */
const TIMEOUT_MS = 30_000;

/** For what only makes the list better: files can be picked without it. */
const AGENT_TIMEOUT_MS = 10_000;

/** A list of more can't be looked through; IDs from Document: Get Many serve better then. */
const MOST_PAGES = 10;

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
}

/**
 * @param isForAgent Whether what the chosen agent has is all that is asked for, if it can be told. If it
 *   can not, whatever the reason, the documents of the account are there all the same.
 */
export async function readDocuments(
	context: ILoadOptionsFunctions,
	isForAgent: boolean,
): Promise<Documents> {
	const fields = await context.getCredentials('cometChatApi');
	const account = readAccount(fields);
	if (account instanceof ValidationIssue) throw refused(context.getNode(), account);
	return await withSender(context, fields, async (send) => {
		const agent = await readChosen(context, send);
		const listed = new Set(agent && documentsOf(agent));
		const { records, isCut } = await readRecords(
			context,
			account,
			send,
			isForAgent ? listed : undefined,
		);
		const known = new Set<string>(records.map(({ uniqueId }) => uniqueId));
		// A list that is none says nothing of this agent, whatever the others' say.
		const isTold =
			isForAgent && agent?.files !== undefined && (await tells(send, agent, (id) => known.has(id)));
		const beyond = isTold && isCut ? [...listed].filter((id) => !known.has(id)) : [];
		return { records, listed, isTold, beyond };
	});
}

async function readChosen(context: ILoadOptionsFunctions, send: Send): Promise<Agent | undefined> {
	const uid = chosenAgent(context.getCurrentNodeParameter('uid'));
	if (uid === undefined) return undefined;
	const reply = await send(agentRequest(uid), AGENT_TIMEOUT_MS);
	return isSuccess(reply) ? readAgent(reply.body) : undefined;
}

/**
 * @param wanted Those after which no more are needed; undefined or empty: all are.
 * @returns `isCut` says that there are older ones.
 */
async function readRecords(
	context: ILoadOptionsFunctions,
	account: Account,
	send: Send,
	wanted: ReadonlySet<string> = new Set(),
): Promise<{ records: KnowledgeBaseRecord[]; isCut: boolean }> {
	const missing = new Set(wanted);
	let pages = 0;
	let isCut = false;
	const records = await readWholeList(
		async (next): Promise<ListPage<KnowledgeBaseRecord> | NodeApiError> => {
			const reply = await send(recordsRequest(next), TIMEOUT_MS);
			const page = isSuccess(reply) ? readRecordPage(reply.body) : undefined;
			if (!page) return unanswered(context.getNode(), explain(reply, account, 'elsewhere'));
			return page;
		},
		(page) => page instanceof NodeApiError,
		({ uniqueId }) => uniqueId,
		{
			isLast: ({ entries }) => {
				pages += 1;
				for (const { uniqueId } of entries) missing.delete(uniqueId);
				isCut = pages >= MOST_PAGES || (wanted.size > 0 && missing.size === 0);
				return isCut;
			},
		},
	);
	if (records instanceof NodeApiError) throw records;
	if (records instanceof StepFailure) throw unanswered(context.getNode(), records);
	return { records, isCut };
}

/** Whether the agents' lists tell what they have; the others are asked for only if this one proves nothing. */
async function tells(
	send: Send,
	agent: Agent,
	isRecordThere: (id: string) => boolean,
): Promise<boolean> {
	if (agentsTell([agent], isRecordThere)) return true;
	let pages = 0;
	const telling = await readWholeList(
		async (next): Promise<ListPage<Agent> | undefined> => {
			const reply = await send(listRequest(undefined, next), AGENT_TIMEOUT_MS);
			const page = isSuccess(reply) ? readAgents(reply.body) : undefined;
			pages += 1;
			return page && pages === MOST_PAGES ? { ...page, next: undefined } : page;
		},
		(page) => page === undefined,
		({ uid }) => uid,
		{ fits: (one) => agentsTell([one], isRecordThere), limit: 1 },
	);
	return Array.isArray(telling) && telling.length > 0;
}
