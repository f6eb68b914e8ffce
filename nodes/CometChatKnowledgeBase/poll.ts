import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import type { Account } from './account/account';
import { readAccount } from './account/account';
import { timeoutOption } from './input/requestOptions';
import type { AttemptResult } from './requests/attemptResult';
import { RateLimiter } from './requests/rateLimiter';
import { PATIENCE, serviceNowMs } from './requests/retryPolicy';
import type { ApiContext } from './requests/sendRequest';
import { sendRequest } from './requests/sendRequest';
import { sender } from './requests/transport';
import { notPolled, orRefused, unanswered } from './results/errors';
import { isItemFailure, ApiError } from './results/apiError';
import type { Fields } from './results/itemResult';
import { toRequestResult } from './results/messages';
import type { ApiClient } from './service/apiClient';
import { simplified } from './service/records';
import type { TriggerEvent } from './trigger/difference';
import type { Wanted } from './trigger/fields';
import { readWanted, triggerOutput } from './trigger/fields';
import type { PollTime } from './trigger/reading';
import { readChanges, readNewest } from './trigger/reading';
import { readState } from './trigger/state';

/** As the node has it by default. */
const { ifNotSet: POLL_TIMEOUT_MS } = timeoutOption;

/** Where n8n does not say how long a poll may take: what the newest says. */
const BUDGET_MS = 5 * 60_000;

/**
 * Looks for what has happened since the last time. The only file that knows both n8n's polls and the
 * rules around them. Whatever fails is thrown before anything is remembered, so that the next poll
 * begins where the last good one ended.
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const node = context.getNode();
	const wanted = orRefused(node, () =>
		readWanted(context.getNodeParameter('events', []), context.getNodeParameter('filters', {})),
	);
	const fields = await context.getCredentials('cometChatApi');
	const account = orRefused(node, () => readAccount(fields));

	const send = sender(context, fields);
	const { time, noteAnswer, ...limits } = withinBudget(context, account);
	const client = clientFor({ send, account, ...limits }, noteAnswer);
	return context.getMode() === 'manual'
		? await showNewest(context, client, wanted)
		: await lookSinceLast(context, client, { wanted, account: account.baseUrl, time });
}

interface Look {
	wanted: Wanted;
	/** The base URL. */
	account: string;
	time: PollTime;
}

async function lookSinceLast(
	context: IPollFunctions,
	client: ApiClient,
	{ wanted, account, time }: Look,
): Promise<INodeExecutionData[][] | null> {
	const kept = context.getWorkflowStaticData('node');
	const found = JSON.stringify(kept.checkpoint);
	const before = readState(found, account);
	const read = await readChanges(client, { account, before }, wanted, time);
	if (isItemFailure(read)) throw notPolled(context.getNode(), read);
	// n8n does not wait for a poll before it begins the next. What another has found meanwhile it has
	// given out, and what is left is found by the next one.
	if (JSON.stringify(kept.checkpoint) !== found) return null;
	kept.checkpoint = read.state;
	return read.events.length === 0 ? null : [toItems(read.events)];
}

/** In the editor, where somebody wants to see what an item looks like. Leaves no trace. */
async function showNewest(
	context: IPollFunctions,
	client: ApiClient,
	wanted: Wanted,
): Promise<INodeExecutionData[][]> {
	const events = await readNewest(client, wanted);
	if (isItemFailure(events)) throw notPolled(context.getNode(), events);
	if (events.length > 0) return [toItems(events)];
	throw unanswered(context.getNode(), {
		what: 'No data with the current filter could be found',
		said: "None of the account's newest 1,000 documents has come to one of these events.",
		remedy: 'Choose Document Added to see what an item looks like, or take filters away.',
	});
}

function toItems(events: TriggerEvent[]): INodeExecutionData[] {
	return events.map(({ event, record, reason }) => {
		const told: Fields = { event, reason, ...simplified(record) };
		const named = triggerOutput.map((name) => [name, told[name]] as const);
		const json: IDataObject = Object.fromEntries(named.filter(([, value]) => value !== undefined));
		return { json };
	});
}

function clientFor(api: ApiContext, noteAnswer: (reply: AttemptResult) => void): ApiClient {
	return {
		call: async (request, read, options) => {
			const { value, sendResult } = await sendRequest(api, request, read, options);
			if (sendResult.lastResult !== undefined) noteAnswer(sendResult.lastResult);
			if (value !== undefined) return value;
			throw new ApiError(toRequestResult(sendResult, api.account, options));
		},
	};
}

/** How requests are sent while the time lasts that n8n gives a poll: no wait goes beyond it. */
function withinBudget(context: IPollFunctions, account: Account) {
	// An older n8n does not say.
	const budgetMs =
		typeof context.getPollBudgetMs === 'function' ? context.getPollBudgetMs() : BUDGET_MS;
	const endMs = Date.now() + budgetMs;
	const leftMs = () => Math.max(1, endMs - Date.now());
	let isOver = false;
	let answeredAtMs: number | undefined;
	return {
		/** Half of the time is for what a poll can't do without: the list, and the agent. */
		time: {
			nowMs: () => answeredAtMs ?? Date.now(),
			isLate: () => leftMs() < budgetMs / 2,
		},
		noteAnswer: (reply: AttemptResult) => {
			answeredAtMs = serviceNowMs(reply) ?? answeredAtMs;
		},
		rateLimiter: new RateLimiter(account),
		limits: {
			maxAttempts: PATIENCE.maxAttempts,
			get maxWaitMs() {
				return Math.min(PATIENCE.maxWaitMs, leftMs());
			},
			get timeoutMs() {
				return Math.min(POLL_TIMEOUT_MS, leftMs());
			},
		},
		clock: {
			nowMs: () => Date.now(),
			random: () => Math.random(),
			delay: async (waitMs: number) => {
				if (Date.now() + waitMs < endMs) await sleep(waitMs);
				else isOver = true;
			},
			isCancelled: () => isOver || Date.now() >= endMs,
		},
	};
}
