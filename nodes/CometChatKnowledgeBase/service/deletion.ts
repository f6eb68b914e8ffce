import { readSuccess } from './attachments';
import { readPathValue } from '../input/identifiers';
import { Complaint } from '../values/validationIssue';
import { KNOWLEDGE_BASE } from './records';
import type { RetryPolicy } from '../requests/retryPolicy';
import type { Setback } from '../results/itemFailure';
import { Refused, Stuck } from '../results/itemFailure';
import type { Asker } from './asker';

/**
 * Deletes for good; what is gone already after an answer was lost counts as deleted.
 *
 * @param policy Left out: as the user set it.
 */
export async function deleteOne(
	asker: Asker,
	kind: string,
	uniqueId: string,
	policy?: RetryPolicy,
): Promise<true | Setback> {
	// Here an ID is a part of the address, wherever it comes from.
	const safe = readPathValue(uniqueId, 'The ID of the file', 'Give the ID of the file.');
	if (safe instanceof Complaint) return new Stuck(safe.what, safe.remedy);
	const answer = await asker.ask(deleteRequest(kind, uniqueId), readSuccess, { policy });
	const isGone = answer instanceof Refused && answer.ending.effect === 'unknown';
	return isGone && isUnknownFile(answer) ? true : answer;
}

/** Built on CometChat's public pages (`delete-uploaded-file`, `delete-text-detail`, `delete-website`), not tried. */
export function deleteRequest(kind: string, uniqueId: string) {
	return {
		method: 'DELETE' as const,
		url: `${KNOWLEDGE_BASE}/${kind}/${encodeURIComponent(uniqueId)}`,
	};
}

/** Whether the service says that there is no such file. */
export function isUnknownFile(setback: Setback): boolean {
	if (!(setback instanceof Refused)) return false;
	const { status, code = NO_SUCH_FILE, concernsOneFile } = setback.ending.explanation ?? {};
	return status === 404 && code === NO_SUCH_FILE && concernsOneFile === true;
}

/** The code that goes with it, where the answer has one; a 404 of another code is about the address. */
const NO_SUCH_FILE = 'ERR_KB_NOT_FOUND';
