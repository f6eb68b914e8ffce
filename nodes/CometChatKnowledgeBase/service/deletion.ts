import { readSuccess } from './attachments';
import { readPathValue } from '../input/identifiers';
import { ValidationIssue } from '../values/validationIssue';
import { KNOWLEDGE_BASE } from './records';
import type { RetryPolicy } from '../requests/retryPolicy';
import type { ItemFailure } from '../results/itemFailure';
import { RequestFailure, StepFailure } from '../results/itemFailure';
import type { ApiClient } from './apiClient';

/**
 * Deletes for good; what is gone already after an answer was lost counts as deleted.
 *
 * @param policy Left out: as the user set it.
 */
export async function deleteOne(
	client: ApiClient,
	kind: string,
	uniqueId: string,
	policy?: RetryPolicy,
): Promise<true | ItemFailure> {
	// Here an ID is a part of the address, wherever it comes from.
	const safe = readPathValue(uniqueId, 'The ID of the file', 'Give the ID of the file.');
	if (safe instanceof ValidationIssue) return new StepFailure(safe.what, safe.remedy);
	const answer = await client.call(deleteRequest(kind, uniqueId), readSuccess, { policy });
	const isGone = answer instanceof RequestFailure && answer.result.effect === 'unknown';
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
export function isUnknownFile(failure: ItemFailure): boolean {
	if (!(failure instanceof RequestFailure)) return false;
	const { status, code = NO_SUCH_FILE, concernsOneFile } = failure.result.explanation ?? {};
	return status === 404 && code === NO_SUCH_FILE && concernsOneFile === true;
}

/** The code that goes with it, where the answer has one; a 404 of another code is about the address. */
const NO_SUCH_FILE = 'ERR_KB_NOT_FOUND';
