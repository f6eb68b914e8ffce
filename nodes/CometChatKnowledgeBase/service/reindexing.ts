import { KNOWLEDGE_BASE } from './documents';

/**
 * Retry indexing of a source
 * (https://www.cometchat.com/docs/rest-api/ai-agents-apis/knowledge-base/retry-knowledge-base-source-indexing):
 * no body. Built on public pages, not tried. Sent again after a lost answer: a file that is read twice
 * is indexed all the same.
 *
 * @param uniqueId One that can be part of an address, as `readAddressId` lets through.
 */
export function reindexRequest(kind: string, uniqueId: string) {
	const url = `${KNOWLEDGE_BASE}/${kind}/${encodeURIComponent(uniqueId)}/sync`;
	return { method: 'PATCH' as const, url };
}
