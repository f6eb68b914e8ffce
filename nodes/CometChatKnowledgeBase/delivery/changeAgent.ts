import type { ApiClient } from '../api/apiClient';
import { isUnknown } from '../api/apiClient';
import { success } from '../api/shape';
import { ApiError } from '../apiErrors/apiError';
import type { Agent, Change } from '../service/agents';
import { agentRequest, knowledgeRequest, readAgent } from '../service/agents';
import { isUnknownDocument } from '../service/documents';
import type { Failure } from '../values/failure';
import { caught, isFailure } from '../values/failure';

/**
 * CometChat documents no limit for the list. A hundred IDs make a body of about 4 KB: below the 10 KB that it names
 * for POST bodies elsewhere, and with nearly all of the time for a request saved.
 */
export const IDS_PER_CHANGE = 100;

/** The result of a change for each ID; undefined where the change is done. */
export type ChangeResults = Map<string, Failure | undefined>;

/** Attaches documents to an agent, or detaches them, in one request. */
export async function changeTogether(client: ApiClient, change: Change): Promise<ChangeResults> {
	const answer = await caught(client.call(knowledgeRequest(change), success));
	const isDone = !isFailure(answer) || isGone(change, answer);
	return new Map(change.uniqueIds.map((id) => [id, isDone ? undefined : answer]));
}

/**
 * As `changeTogether`, and then one request for each ID if CometChat refuses the request because of one of them.
 *
 * @param endsAtFailure Whether the IDs after one that fails are not sent; they have no result then.
 */
export async function changeEach(
	client: ApiClient,
	change: Change,
	{ endsAtFailure = false } = {},
): Promise<ChangeResults> {
	const together = await changeTogether(client, change);
	const [refusal] = together.values();
	if (change.uniqueIds.length < 2 || !mayConcernOneDocument(refusal)) return together;
	// Without the agent, each ID would be refused as well.
	const agent = refusal.more.mayConcernAgent ? await caught(askFor(client, change)) : undefined;
	if (isFailure(agent) && isUnknown(agent, 'agent')) {
		const unknown = withQuestion(refusal, agent);
		return new Map(change.uniqueIds.map((id) => [id, unknown]));
	}
	const results: ChangeResults = new Map();
	for (const id of change.uniqueIds) {
		const result = (await changeTogether(client, { ...change, uniqueIds: [id] })).get(id);
		results.set(id, result);
		if (result !== undefined && endsAtFailure) break;
	}
	return results;
}

function mayConcernOneDocument(failure: Failure | undefined): failure is ApiError {
	if (!(failure instanceof ApiError)) return false;
	return failure.more.stopReason === 'answered' && failure.more.concernsOneDocument === true;
}

async function askFor(client: ApiClient, { uid }: Change): Promise<Agent> {
	return await client.call(agentRequest(uid), readAgent, { about: 'agent' });
}

/** The refusal of a change, once the question for the agent has shown that CometChat does not know it. */
function withQuestion({ more: refusal }: ApiError, { title, hint, more }: ApiError): ApiError {
	const { attempts, effect, stopReason, detail } = refusal;
	return new ApiError(title, hint, {
		...{ ...more, attempts, effect, stopReason },
		detail: `${detail} Asked for the agent: ${more.detail}`,
	});
}

/** Whether there is nothing to detach because CometChat no longer has the document. */
function isGone({ operation }: Pick<Change, 'operation'>, refusal: Failure): boolean {
	return operation === 'remove' && isUnknownDocument(refusal);
}
