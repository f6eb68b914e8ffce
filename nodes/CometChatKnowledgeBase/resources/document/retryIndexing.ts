import { operation } from '../../execution/buildOperation';
import { documentIds } from '../../input/filesById';
import { readSuccess } from '../../service/attachments';
import { KNOWLEDGE_BASE } from '../../service/records';
import { EachDocument } from './eachDocument';

/**
 * Does not wait for the end: until CometChat takes a file up again, it may still be shown as failed, and
 * nothing tells such a status from a new one.
 */
export const retryIndexing = operation({
	value: 'retryIndexing',
	name: 'Retry Indexing',
	action: 'Retry indexing of files, texts or websites',
	description:
		'Let CometChat read documents again that it was not able to index. Crawl fetches a website anew.',
	fields: { uniqueIds: documentIds },
	output: ['name', 'action', 'success', 'uniqueId', 'sourceType', 'reason'],
	shared: (run) => new EachDocument(run),
	run: async ({ uniqueIds }, item, each) =>
		await each.perform(item, uniqueIds, {
			done: 'sent to be indexed again',
			perform: async (requests, sourceType, uniqueId) => {
				await requests.call(reindexRequest(sourceType, uniqueId), readSuccess);
				return { action: 'retried' };
			},
		}),
});

/**
 * Retry indexing of a source
 * (https://www.cometchat.com/docs/rest-api/ai-agents-apis/knowledge-base/retry-knowledge-base-source-indexing):
 * no body. Built on public pages, not tried. Sent again after a lost answer: a file that is read twice
 * is indexed all the same.
 *
 * @param uniqueId One that can be part of an address.
 */
export function reindexRequest(kind: string, uniqueId: string) {
	const url = `${KNOWLEDGE_BASE}/${kind}/${encodeURIComponent(uniqueId)}/sync`;
	return { method: 'PATCH' as const, url };
}
