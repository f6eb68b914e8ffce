import { ItemContext } from '../execution/itemContext';
import { caught, isItemFailure } from '../results/apiError';
import { firstPageRequest, readSourcePages } from '../service/sourcePages';
import { isReady } from '../service/statuses';
import { quoted } from '../values/quoting';
import type { IngestionLog, Target } from './ingestionLog';
import type { IngestionRun } from './ingestionRun';

/** It is one look, and nobody's failure: it must not keep an item waiting. */
const ONE_LOOK = { maxAttempts: 1, maxWaitMs: 1000 };

/**
 * Whether a document is indexed and holds no text, such as a scan: no agent can answer from it. Asked once for a new one,
 * after it is indexed; where CometChat does not tell, it is not said.
 *
 * @returns What someone should know of it, as a clause; undefined if it has text.
 */
export async function emptyWarning(
	run: IngestionRun,
	{ sourceType, uniqueId, name }: { sourceType: string; uniqueId: string; name: string },
): Promise<string | undefined> {
	const look = new ItemContext(run);
	const request = firstPageRequest(sourceType, uniqueId);
	const answer = await caught(look.call(request, readSourcePages, { policy: ONE_LOOK }));
	if (isItemFailure(answer)) return undefined;
	const { total, pages } = answer;
	const [first] = pages;
	const isEmpty = first ? first.text.trim() === '' : total === 0;
	if (!isEmpty) return undefined;
	const where = total !== undefined && total > 1 ? ` on the first of the ${total} pages of` : ' in';
	const why =
		sourceType === 'website'
			? 'no agent can answer from it. Its pages may be made by a script: bring what they say with Document: Upload'
			: 'if it is a scan, no agent can answer from it. Replace it by a file with text in it';
	return `CometChat has indexed and found no text${where} ${quoted(name)}: ${why}`;
}

/** The same for all that an item has brought and waited for, which it says. @returns By ID. */
export async function emptyWarnings(
	run: IngestionRun,
	item: ItemContext,
	{ log, target: { sourceType } }: { log: IngestionLog; target: Target },
): Promise<Map<string, string>> {
	const found = new Map<string, string>();
	for (const { uniqueId, name } of log.documents) {
		if (!isReady(log.statuses.get(uniqueId))) continue;
		const warning = await emptyWarning(run, { sourceType, uniqueId, name });
		if (warning === undefined) continue;
		item.warn(warning);
		found.set(uniqueId, warning);
	}
	return found;
}
