import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import { readAccount } from './http/account';
import { clientOf } from './api/apiClient';
import { timeoutOption } from './fields/fields';
import { RateLimiter } from './http/rateLimiter';
import { DEFAULT_RETRY_POLICY } from './http/retryPolicy';
import type { ApiContext } from './http/sendRequest';
import { sender } from './http/transport';
import { toPollError, throwAsNodeError, toListError } from './output/errors';
import type { Fields } from './output/itemResult';
import { simplified } from './api/documents';
import type { TriggerEvent } from './trigger/difference';
import { readState } from './trigger/difference';
import type { EventFilter } from './trigger/fields';
import { readEventFilter, triggerOutput } from './trigger/fields';
import type { Poll } from './trigger/reading';
import { readChanges, readNewest } from './trigger/reading';
import { UserError, toResult, isFailure } from './text/failure';

/** The node's default. */
const { ifNotSet: POLL_TIMEOUT_MS } = timeoutOption;

/** How long a poll may take where n8n does not say: as long as the durable scheduler gives it by default. */
const BUDGET_MS = 36_000;

/** Finds the events since the last poll. After a failure, nothing is saved, so the next poll begins at the same place. */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const node = context.getNode();
	const wanted = throwAsNodeError(node, () =>
		readEventFilter(
			context.getNodeParameter('events', []),
			context.getNodeParameter('filters', {}),
		),
	);
	const fields = await context.getCredentials('cometChatApi');
	const account = throwAsNodeError(node, () => readAccount(fields));
	// n8n before 2.38 has no such method.
	const budgetMs =
		typeof context.getPollBudgetMs === 'function' ? context.getPollBudgetMs() : BUDGET_MS;
	const until = limitsUntil(Date.now() + budgetMs);
	const asking: Poll = {
		client: clientOf({
			send: sender(context, fields),
			rateLimiter: new RateLimiter(),
			...until,
		}),
		account: account.baseUrl,
		nowMs: Date.now(),
		isOver: until.clock.isCancelled,
	};
	const items = await toResult(
		context.getMode() === 'manual'
			? showNewest(context, asking, wanted)
			: lookSinceLast(context, asking, wanted),
	);
	if (isFailure(items)) throw toPollError(node, items);
	return items;
}

/** The last poll of each trigger in this process. */
const lastPolls = new Map<string, LastPoll>();

/**
 * On n8n's durable scheduler, n8n stores the state of a poll without events only with durable cursors, and never that
 * of the poll that publishing starts. This process remembers that state for the next poll.
 */
interface LastPoll {
	/** The state that n8n had stored when the poll began. Another one is newer. */
	stored: string | undefined;
	/** Where the next poll continues: after events, where this poll began, in case n8n did not start the workflow. */
	state: string | undefined;
	/** When this poll had events. */
	emittedMs?: number;
}

/** Polls of two schedules may begin together. So long after events, n8n may not have stored the new state yet. */
const STORING_MS = 10_000;

async function lookSinceLast(
	context: IPollFunctions,
	asking: Poll,
	wanted: EventFilter,
): Promise<INodeExecutionData[][] | null> {
	const staticData = context.getWorkflowStaticData('node');
	const stored = JSON.stringify(staticData.checkpoint);
	const trigger = `${context.getWorkflow().id} ${context.getNode().id}`;
	const last = lastPolls.get(trigger);
	const isLatest = last?.stored === stored;
	if (isLatest && Date.now() < (last?.emittedMs ?? -Infinity) + STORING_MS) return null;
	const begin = isLatest ? last?.state : stored;
	const before = readState(begin, asking.account);
	const { events, state } = await readChanges(asking, before, wanted);
	// n8n does not wait for a poll before it begins the next. The other poll has emitted its events, and the next
	// poll finds the others.
	const isOvertaken = JSON.stringify(staticData.checkpoint) !== stored;
	if (isOvertaken || lastPolls.get(trigger) !== last) return null;
	if (events.length === 0) {
		staticData.checkpoint = state;
		lastPolls.set(trigger, { stored, state: JSON.stringify(state) });
		return null;
	}
	const emittedMs = Date.now();
	staticData.checkpoint = { ...state, emittedMs };
	lastPolls.set(trigger, { stored, state: begin, emittedMs });
	return [toItems(events)];
}

/** A test in the editor, which shows an example item. It saves nothing. */
async function showNewest(
	context: IPollFunctions,
	asking: Poll,
	wanted: EventFilter,
): Promise<INodeExecutionData[][]> {
	const events = await readNewest(asking, wanted);
	if (events.length > 0) return [toItems(events)];
	const found = new UserError(
		'No data with the current filter could be found',
		"To see an example, add 'Document Added' to 'Trigger On' for this test, or remove the filters.",
		{ detail: 'No event was found for the newest 1,000 documents in CometChat.' },
	);
	throw toListError(context.getNode(), found);
}

function toItems(events: TriggerEvent[]): INodeExecutionData[] {
	return events.map(({ event, record }) => {
		const output: Fields = { event, ...simplified(record) };
		const named = triggerOutput.map((name) => [name, output[name]] as const);
		const json: IDataObject = Object.fromEntries(named.filter(([, value]) => value !== undefined));
		return { json };
	});
}

/** A client whose waits end with the time that n8n allows for a poll. */
function limitsUntil(endMs: number): Pick<ApiContext, 'limits' | 'clock'> {
	const atMost = (ms: number) => Math.max(1, Math.min(ms, endMs - Date.now()));
	let isOver = false;
	return {
		limits: {
			maxAttempts: DEFAULT_RETRY_POLICY.maxAttempts,
			get maxWaitMs() {
				return atMost(DEFAULT_RETRY_POLICY.maxWaitMs);
			},
			get timeoutMs() {
				return atMost(POLL_TIMEOUT_MS);
			},
		},
		clock: {
			nowMs: () => Date.now(),
			random: () => Math.random(),
			delay: async (waitMs) => {
				if (Date.now() + waitMs < endMs) await sleep(waitMs);
				else isOver = true;
			},
			isCancelled: () => isOver || Date.now() >= endMs,
		},
	};
}
