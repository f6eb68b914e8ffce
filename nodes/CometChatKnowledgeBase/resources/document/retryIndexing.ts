import { itemByItem } from '../../execution/items';
import type { Operation } from '../../execution/operation';
import { filesFields } from '../../input/fields';
import { ifNoFileIdsOption } from '../../input/fileIds';
import type { ItemFailure } from '../../results/apiError';
import type { ApiClient } from '../../service/apiClient';
import { readSuccess } from '../../service/attachments';
import { KNOWLEDGE_BASE } from '../../service/records';
import { documentIdsReader } from './documentIds';
import type { DocumentAction } from './eachDocument';
import { eachDocument } from './eachDocument';
import { attempt } from '../../service/apiClient';

export const retryIndexing: Operation = {
	value: 'retryIndexing',
	name: 'Retry Indexing',
	action: 'Retry indexing of files, texts or websites',
	description:
		'Let CometChat read documents again that it was not able to index. Crawl fetches a website anew.',
	fields: filesFields,
	options: [ifNoFileIdsOption],
	output: ['name', 'action', 'success', 'uniqueId', 'sourceType', 'reason'],
	run: itemByItem(documentIdsReader, eachDocument(reindexing)),
};

/**
 * Does not wait for the end: until CometChat takes a file up again, it may still be shown as failed, and
 * nothing tells such a status from a new one.
 */
function reindexing(): DocumentAction {
	return {
		done: 'sent to be indexed again',
		perform: async (steps, sourceType, uniqueId) => {
			const answer = await reindexOne(steps, sourceType, uniqueId);
			return answer === true ? { action: 'retried' } : answer;
		},
	};
}

/**
 * Retry indexing of a source
 * (https://www.cometchat.com/docs/rest-api/ai-agents-apis/knowledge-base/retry-knowledge-base-source-indexing):
 * no body. Built on public pages, not tried. Sent again after a lost answer: a file that is read twice
 * is indexed all the same.
 *
 * @param uniqueId One that can be part of an address, as `readPathValue` lets through.
 */
async function reindexOne(
	client: ApiClient,
	kind: string,
	uniqueId: string,
): Promise<true | ItemFailure> {
	const url = `${KNOWLEDGE_BASE}/${kind}/${encodeURIComponent(uniqueId)}/sync`;
	return await attempt(client, { method: 'PATCH', url }, readSuccess);
}
