import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { Account } from '../account/account';
import { readAccount } from '../account/account';
import { findSourceType, sourceTypeOf } from '../values/sourceTypes';
import { ValidationIssue } from '../values/validationIssue';
import { refused, unanswered } from '../results/errors';
import { explain } from '../results/messages';
import type { KnowledgeBaseRecord } from '../service/records';
import { readRecordPage, recordsRequest } from '../service/records';
import { isSuccess } from '../requests/attemptResult';
import { StepFailure } from '../results/itemFailure';
import type { Send } from '../requests/transport';
import { withSender } from '../requests/transport';
import type { ListPage } from '../service/wholeList';
import { readWholeList } from '../service/wholeList';

/** For each page. */
const TIMEOUT_MS = 30_000;

/** A list of more can't be looked through; IDs from Document: Get Many serve better then. */
const MOST_PAGES = 10;

/** The files to pick from: newest first, with their status, of the type that the node is set to. */
export async function listFiles(context: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const fields = await context.getCredentials('cometChatApi');
	const account = readAccount(fields);
	if (account instanceof ValidationIssue) throw refused(context.getNode(), account);
	return await withSender(
		context,
		fields,
		async (send) => await readOptions(context, account, send),
	);
}

async function readOptions(
	context: ILoadOptionsFunctions,
	account: Account,
	send: Send,
): Promise<INodePropertyOptions[]> {
	const wanted = typeOf(context);
	let pages = 0;
	const records = await readWholeList(
		async (next): Promise<ListPage<KnowledgeBaseRecord> | NodeApiError> => {
			const reply = await send(recordsRequest(next), TIMEOUT_MS);
			const page = isSuccess(reply) ? readRecordPage(reply.body) : undefined;
			if (!page) return unanswered(context.getNode(), explain(reply, account, 'elsewhere'));
			pages += 1;
			return pages < MOST_PAGES ? page : { ...page, next: undefined };
		},
		(page) => page instanceof NodeApiError,
		({ uniqueId }) => uniqueId,
		{
			fits: ({ type }) =>
				wanted === undefined || type === undefined || sourceTypeOf(type) === wanted,
		},
	);
	if (records instanceof NodeApiError) throw records;
	if (records instanceof StepFailure) {
		const { what, remedy, more } = records;
		throw unanswered(context.getNode(), { what, remedy, said: '', ...more });
	}
	return records.map(({ uniqueId, sourceName, status }) => {
		const name = `${sourceName ?? uniqueId}${status === undefined ? '' : ` (${status})`}`;
		return { name, value: uniqueId, description: uniqueId };
	});
}

/** Undefined for all types. */
function typeOf(context: ILoadOptionsFunctions): string | undefined {
	if (context.getCurrentNodeParameter('operation') === 'getStatus') return undefined;
	return findSourceType(context.getCurrentNodeParameter('sourceType'));
}
