import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { clientOf } from './api/apiClient';
import { readAccount } from './http/account';
import { Semaphore } from './operations/concurrency';
import type { DoneBefore, RunClient, RunContext } from './operations/operation';
import { isTool } from './fields/inputFiles';
import { requestOptions } from './fields/fields';
import { itemOptions } from './fields/itemOptions';
import { parameterReader } from './fields/parameters';
import { RateLimiter } from './http/rateLimiter';
import type { ApiContext } from './http/sendRequest';
import { DEFAULT_RETRY_POLICY } from './http/retryPolicy';
import type { Clock } from './http/time';
import { createAbortableClock } from './http/time';
import { sender } from './http/transport';
import { findOperation } from './resources/registry';
import { refused, toRunError } from './output/errors';
import type { Failed, ItemResult } from './output/itemResult';
import { unusable } from './output/itemResult';
import type { RunResult } from './output/outputItems';
import { outputItems } from './output/outputItems';
import type { Hint } from './output/report';
import { hints } from './output/report';
import { toUserError, UserError } from './text/failure';
import { groupBy } from './text/groups';

const MINUTE_MS = 60_000;

/** The number of requests at a time: enough to hide CometChat's latency. */
const MOST_AT_ONCE = 40;

/** Runs the chosen operation for all input items. @param continues Whether a failed item doesn't end the execution. */
export async function run(
	context: IExecuteFunctions,
	continues: boolean,
): Promise<INodeExecutionData[]> {
	const stops = !continues && !isLenientTool(context);
	const stop = context.getExecutionCancelSignal() ?? new AbortController().signal;
	const userClock = createAbortableClock(stop);
	const setup = await readSetup(context);
	if (setup instanceof UserError) {
		if (stops) throw refused(context.getNode(), setup);
		const itemResults = context.getInputData().map(() => unusable(setup));
		return await toOutput(context, { itemResults }, { stops, userClock });
	}

	const { operation, optionsOf, limits, spacingMs, account, fields } = setup;
	const ended = new AbortController();
	const rateLimiter = new RateLimiter(spacingMs);
	const api = { send: sender(context, fields, stop), limits, rateLimiter };
	const run: RunContext = {
		context,
		count: context.getInputData().length,
		optionsOf,
		account,
		stop,
		...clientsOf(api, stop, ended.signal),
		stopsOnFailure: stops,
		cancel: () => ended.abort(),
		done: doneBefore(context),
		parameter: (name) => parameterReader(context, name),
	};
	const result = await operation.run(run);
	for (const [index, itemResult] of result.itemResults.entries()) {
		if (isFinal(itemResult)) run.done.items.set(index, itemResult);
	}
	return await toOutput(context, result, { stops, userClock });
}

/** Two clients that share their pauses and permits. */
function clientsOf(
	api: Omit<ApiContext, 'clock'>,
	stop: AbortSignal,
	ended: AbortSignal,
): Pick<RunContext, 'starting' | 'finishing'> {
	const permits = new Semaphore(MOST_AT_ONCE);
	const clientUntil = (end: AbortSignal): RunClient => {
		const clock = createAbortableClock(end);
		const { call } = clientOf({ ...api, clock });
		return {
			clock,
			call: async (...request) => await permits.run(async () => await call(...request)),
		};
	};
	return { starting: clientUntil(AbortSignal.any([stop, ended])), finishing: clientUntil(stop) };
}

/**
 * A failed item of a tool does not end the execution, unless the user asks for it: of a thrown error, n8n shows the
 * model only the message, without the hint.
 */
function isLenientTool(context: IExecuteFunctions): boolean {
	return isTool(context) && context.getNode().onError !== 'stopWorkflow';
}

/** Reads the settings of all items. Never throws: with 'Continue', n8n would return the input as if all was done. */
async function readSetup(context: IExecuteFunctions) {
	try {
		// n8n evaluates no expression in these two.
		const operation = findOperation(
			context.getNodeParameter('resource', 0),
			context.getNodeParameter('operation', 0),
		);
		const optionsOf = itemOptions(context, 'options', operation.options);
		const own = Object.values(requestOptions);
		const sending = itemOptions(context, 'requestOptions', own)(0);
		const limits = { ...DEFAULT_RETRY_POLICY, timeoutMs: sending(requestOptions.timeout) };
		const perMinute = sending(requestOptions.requestsPerMinute);
		const spacingMs = perMinute === 0 ? 0 : MINUTE_MS / perMinute;
		const fields = await context.getCredentials('cometChatApi');
		const account = readAccount(fields);
		return { operation, optionsOf, limits, spacingMs, account, fields };
	} catch (thrown) {
		return toUserError(thrown);
	}
}

async function toOutput(
	context: IExecuteFunctions,
	result: RunResult,
	how: { stops: boolean; userClock: Clock },
): Promise<INodeExecutionData[]> {
	const { itemResults, furtherResults = [], stopHint } = result;
	const failure = firstFailure([...itemResults, ...furtherResults]);
	// n8n shows a stopped execution as failed if a node throws. The items say the same.
	const isStopped = context.getExecutionCancelSignal()?.aborted ?? false;
	if (failure !== undefined && how.stops && !isStopped) {
		const index = failure.index < itemResults.length ? failure.index : undefined;
		throw toRunError(context.getNode(), failure.failed, index, { itemResults, stopHint });
	}
	const found = [...(result.hints ?? []), ...hints(itemResults, furtherResults)];
	if (found.length > 0) context.addExecutionHints(...inBoxes(found));
	const isRouted = context.getNode().onError === 'continueErrorOutput';
	const items = await outputItems(result, isRouted, async () => await how.userClock.delay(0));
	return items.map(({ json, index }) => ({ json, pairedItem: pairedItem(index) }));
}

/** One box for warnings and one for remarks: with a box for each note, n8n would hide the output behind them. */
function inBoxes(notes: Hint[]) {
	const boxes = groupBy(notes, ({ type }) => [type]);
	return [...boxes].map(([type, ofType]) => ({
		type,
		message: ofType.map(({ message }) => message).join('<br>'),
		location: 'outputPane' as const,
	}));
}

function pairedItem(index: number | number[]) {
	return Array.isArray(index) ? index.map((item) => ({ item })) : { item: index };
}

/** What earlier tries of a call did, by the object that n8n passes to each try of 'Retry On Fail'. */
const doneIn = new WeakMap<object, DoneBefore>();

/** Each call of a tool is a new call, also if n8n passes the same object. */
function doneBefore(context: IExecuteFunctions): DoneBefore {
	const call = isTool(context) ? {} : context.getExecuteData();
	const done = doneIn.get(call) ?? { items: new Map(), rows: new Map() };
	doneIn.set(call, done);
	return done;
}

/** Whether another try could create something twice: the item succeeded, created something, or may have. */
function isFinal(result: ItemResult): boolean {
	const { created = [] } = result;
	return result.kind !== 'failed' || created.length > 0 || result.effect === 'unknown';
}

/** The first item with its own failure. An item that was not started is no cause. */
function firstFailure(itemResults: ItemResult[]): { failed: Failed; index: number } | undefined {
	const failures = [...itemResults.entries()].flatMap(([index, failed]) =>
		failed.kind === 'failed' ? [{ failed, index }] : [],
	);
	return failures.find(({ failed }) => failed.errorType !== 'cancelled') ?? failures[0];
}
