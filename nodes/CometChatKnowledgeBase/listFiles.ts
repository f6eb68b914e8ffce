import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import type { Account } from '../../credentials/account';
import { readAccount } from '../../credentials/account';
import { Complaint } from './complaint';
import { refused, unanswered } from './errors';
import { explain } from './explain';
import { readRecordPage, recordsRequest } from './records';
import { isSuccess } from './reply';
import type { Send } from './transport';
import { withSender } from './transport';

/** For each page. */
const TIMEOUT_MS = 30_000;

/** A list of more can't be looked through; IDs from Get Many Files serve better then. */
const MOST_PAGES = 10;

/** How the records name the types that the fields have. */
const TYPES: Record<string, string> = {
	uploads: 'uploads',
	text: 'text-details',
	website: 'website',
};

/** The files to pick from: newest first, with their status, of the type that the node is set to. */
export async function listFiles(context: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const fields = await context.getCredentials('cometChatApi');
	const account = readAccount(fields);
	if (account instanceof Complaint) throw refused(context.getNode(), account);
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
	const options: INodePropertyOptions[] = [];
	const seen = new Set<string>();
	let cursor: string | undefined;
	for (let pages = 0; pages < MOST_PAGES; pages++) {
		const reply = await send(recordsRequest(cursor), TIMEOUT_MS);
		const page = isSuccess(reply) ? readRecordPage(reply.body) : undefined;
		if (page === undefined) throw unanswered(context.getNode(), explain(reply, account));
		for (const { uniqueId, sourceName, type, status } of page.records) {
			if (wanted !== undefined && type !== undefined && type !== wanted) continue;
			const name = `${sourceName ?? uniqueId}${status === undefined ? '' : ` (${status})`}`;
			options.push({ name, value: uniqueId, description: uniqueId });
		}
		cursor = page.next;
		if (cursor === undefined || seen.has(cursor)) break;
		seen.add(cursor);
	}
	return options;
}

/** Undefined for all types. */
function typeOf(context: ILoadOptionsFunctions): string | undefined {
	const operation = context.getCurrentNodeParameter('operation');
	if (operation === 'getStatus') return undefined;
	const name = operation === 'delete' ? 'fileKind' : 'sourceType';
	return TYPES[String(context.getCurrentNodeParameter(name))];
}
