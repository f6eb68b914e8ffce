import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import { readAccount } from './account/account';
import { Complaint, isRecord } from './values/validationIssue';
import { refused, stopped } from './results/errors';
import { Gate } from './requests/rateLimiter';
import { complaintOf } from './execution/items';
import { operationNamed } from './resources/registry';
import type { Session } from './execution/operation';
import type { Failed, Outcome } from './results/itemResult';
import { toJson, unusable } from './results/itemResult';
import { pauses } from './requests/delays';
import { plainPath, plainValue } from './input/plainPath';
import type { Course } from './results/hints';
import { hints } from './results/hints';
import { RequestTimeouts } from './requests/requestTimeout';
import type { Clock } from './requests/retryPolicy';
import { readSettings } from './input/options';
import { sender } from './requests/transport';

/**
 * Runs the operation that the user picked for all input items, and writes what became of them. The
 * only file that knows both n8n's execution and the rules around it.
 */
export async function run(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const stops = stopsOnFailure(context);
	const setup = await readSetup(context);
	if (setup instanceof Complaint) {
		if (stops) throw refused(context.getNode(), setup);
		return toItems(context.getInputData().map(() => unusable(setup)));
	}

	const { operation, settings, account, fields } = setup;
	const { clock, finishingClock, end, done } = clocksOf(context);
	const gate = new Gate(settings.spacingMs);
	const timeouts = new RequestTimeouts(pauses(sleep), context.getExecutionCancelSignal());
	const session: Session = {
		context,
		count: context.getInputData().length,
		settings,
		account,
		send: sender(context, fields, timeouts),
		timeouts,
		gate,
		clock,
		finishingClock,
		stopsOnFailure: stops,
		end,
		parameter: (parameterName) => parameter(context, parameterName),
	};
	const { outcomes, course } = await operation.run(session);
	timeouts.close();
	done();
	return finish(context, outcomes, { ...course, slowedMs: gate.closedMs });
}

/**
 * Whether an item that fails ends the run. As a tool of an AI agent it does not, unless the user
 * asks for it: of what a tool throws, n8n hands the model the headline only, without the remedy.
 */
function stopsOnFailure(context: IExecuteFunctions): boolean {
	const { type, onError } = context.getNode();
	const isTool = type.endsWith('Tool') && onError !== 'stopWorkflow';
	return !context.continueOnFail() && !isTool;
}

/**
 * What holds for all items. Never throws: in the continue modes n8n would pass the input on as if all
 * of it had been done.
 */
async function readSetup(context: IExecuteFunctions) {
	try {
		const operation = operationNamed(context.getNodeParameter('operation', 0));
		if (operation instanceof Complaint) return operation;
		const settings = readSettings(context.getNodeParameter('options', 0, {}));
		if (settings instanceof Complaint) return settings;
		const fields = await context.getCredentials('cometChatApi');
		const account = readAccount(fields);
		if (account instanceof Complaint) return account;
		return { operation, settings, account, fields };
	} catch (thrown) {
		return complaintOf(thrown);
	}
}

/**
 * The time of a run, which is over when the user stops it or when `end` is called; and the time of what
 * must not be left half done, which `end` does not end.
 */
function clocksOf(context: IExecuteFunctions) {
	const stopSignal = context.getExecutionCancelSignal();
	const run = stoppableClock(stopSignal?.aborted ?? false);
	const finishing = stoppableClock(stopSignal?.aborted ?? false);
	const stop = () => {
		run.end();
		finishing.end();
	};
	stopSignal?.addEventListener('abort', stop, { once: true });
	return {
		clock: run.clock,
		finishingClock: finishing.clock,
		end: run.end,
		done: () => stopSignal?.removeEventListener('abort', stop),
	};
}

function stoppableClock(isOverAlready: boolean): { clock: Clock; end(): void } {
	const { pause, endAll } = pauses(sleep);
	let isOver = isOverAlready;
	const clock = {
		nowMs: () => Date.now(),
		chance: () => Math.random(),
		pause,
		isOver: () => isOver,
	};
	const end = () => {
		isOver = true;
		endAll();
	};
	return { clock, end };
}

/** Saves a third of a large run's time in n8n 2; with false, n8n evaluates every expression. See `plainPath`. */
const READ_FIELDS_DIRECTLY = true;

function parameter(context: IExecuteFunctions, name: string): (index: number) => unknown {
	const raw: unknown = context.getNodeParameter(name, 0, '', { rawExpressions: true });
	const typed = isRecord(raw) ? raw.value : raw;
	if (typeof typed !== 'string' || !typed.startsWith('=')) return () => raw;

	const evaluate = (index: number): unknown => context.getNodeParameter(name, index, '');
	const path = READ_FIELDS_DIRECTLY ? plainPath(typed) : undefined;
	if (path === undefined) return evaluate;
	const items = context.getInputData();
	return (index) => {
		const value = plainValue(items[index]?.json, path);
		if (value === undefined) return evaluate(index);
		return isRecord(raw) ? { ...raw, value } : value;
	};
}

function finish(
	context: IExecuteFunctions,
	outcomes: Outcome[],
	course: Course,
): INodeExecutionData[] {
	const failure = firstFailure(outcomes);
	// n8n files a stopped execution under 'error' if a node throws; its items tell the same story.
	const isStopped = context.getExecutionCancelSignal()?.aborted ?? false;
	if (failure !== undefined && stopsOnFailure(context) && !isStopped) {
		throw stopped(context.getNode(), failure.failed, failure.index, outcomes);
	}
	const shown = hints(outcomes, course).map((hint) => ({
		...hint,
		location: 'outputPane' as const,
	}));
	if (shown.length > 0) context.addExecutionHints(...shown);
	return toItems(outcomes);
}

function toItems(outcomes: Outcome[]): INodeExecutionData[] {
	return outcomes.flatMap((outcome, index) =>
		toJson(outcome, index).map((json) => ({ json, pairedItem: { item: index } })),
	);
}

/** The first item that failed by itself; one that was only not reached is no cause. */
function firstFailure(outcomes: Outcome[]): { failed: Failed; index: number } | undefined {
	let notReached: { failed: Failed; index: number } | undefined;
	for (const [index, failed] of outcomes.entries()) {
		if (failed.kind !== 'failed') continue;
		if (failed.because !== 'run over') return { failed, index };
		notReached ??= { failed, index };
	}
	return notReached;
}
