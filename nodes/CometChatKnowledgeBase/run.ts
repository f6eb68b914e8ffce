import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	INodeExecutionData,
	JsonObject,
} from 'n8n-workflow';
import { NodeApiError, NodeOperationError, sleep } from 'n8n-workflow';

import type { Account } from '../../credentials/account';
import { readAccount } from '../../credentials/account';
import type { Change, Operation } from './change';
import { readOperation, readSourceType, readUid, toRequest } from './change';
import { Complaint, isRecord } from './complaint';
import { NO_FILE_IDS, readFileIds } from './fileIds';
import { runInLanes } from './lanes';
import type { Failed, Outcome, Skipped } from './outcome';
import { headline, settled, toJson, unusable } from './outcome';
import { pauses } from './pauses';
import { hints, stopReport } from './report';
import { Gate, sendUntilAnswered } from './retry';
import type { Settings } from './settings';
import { readSettings } from './settings';
import { sender } from './transport';

/** What holds for all items of a run. */
interface Setup {
	operation: Operation;
	settings: Settings;
	account: Account;
	/** The decrypted credential, for the request helper. */
	fields: ICredentialDataDecryptedObject;
}

/** What one item asks for. */
interface Plan {
	kind: 'plan';
	change: Change;
	repeated: number;
}

/**
 * Adds or removes the files of every input item: read all items, send their requests, write one
 * output item for each. The only file that knows both n8n's execution and the rules around it.
 */
export async function changeKnowledgeBases(
	context: IExecuteFunctions,
): Promise<INodeExecutionData[]> {
	const count = context.getInputData().length;
	const setup = await readSetup(context);
	if (setup instanceof Complaint) {
		if (!context.continueOnFail()) throw refusal(context, setup);
		return toItems(Array.from({ length: count }, () => unusable(setup)));
	}

	const plans = readPlans(context, setup, count);
	const isUnusable = plans.some(({ kind }) => kind === 'failed');
	if (isUnusable && !context.continueOnFail()) return finish(context, plans.map(unsent));

	const { outcomes, slowedMs } = await sendAll(context, setup, plans);
	return finish(context, outcomes, slowedMs);
}

/**
 * Never throws: in the continue modes n8n would pass the input on as if all of it had been done.
 */
async function readSetup(context: IExecuteFunctions): Promise<Setup | Complaint> {
	try {
		const operation = readOperation(context.getNodeParameter('operation', 0));
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

function readPlans(
	context: IExecuteFunctions,
	setup: Setup,
	count: number,
): Array<Plan | Skipped | Failed> {
	const uid = parameter(context, 'uid');
	const sourceType = parameter(context, 'sourceType');
	const fileIds = parameter(context, 'fileIds');
	return Array.from({ length: count }, (_, index) => {
		try {
			return readPlan(setup, uid(index), sourceType(index), fileIds(index));
		} catch (thrown) {
			return unusable(complaintOf(thrown));
		}
	});
}

/** Reads a parameter for each item; once for all of them if there is no expression in it. */
function parameter(context: IExecuteFunctions, name: string): (index: number) => unknown {
	const raw: unknown = context.getNodeParameter(name, 0, '', { rawExpressions: true });
	const typed = isRecord(raw) ? raw.value : raw;
	if (typeof typed === 'string' && typed.startsWith('=')) {
		return (index) => context.getNodeParameter(name, index, '');
	}
	return () => raw;
}

function readPlan(
	{ operation, settings }: Setup,
	uidGiven: unknown,
	sourceTypeGiven: unknown,
	fileIdsGiven: unknown,
): Plan | Skipped | Failed {
	const uid = readUid(uidGiven);
	if (uid instanceof Complaint) return unusable(uid);
	const sourceType = readSourceType(sourceTypeGiven);
	if (sourceType instanceof Complaint) return unusable(sourceType);
	const fileIds = readFileIds(fileIdsGiven);
	if (fileIds instanceof Complaint) return unusable(fileIds);
	if (fileIds !== NO_FILE_IDS) {
		const change = { operation, uid, sourceType, uniqueIds: fileIds.ids };
		return { kind: 'plan', change, repeated: fileIds.repeated };
	}
	return settings.ifNoFileIds === 'skip'
		? { kind: 'skipped', asked: { operation, uid, sourceType } }
		: unusable(
				new Complaint(
					"'File IDs' is empty",
					"Check the expression in File IDs against this item's data. To leave such items out, set 'If No File IDs' under Options to Skip the Item.",
				),
			);
}

const NOT_STARTED: Complaint = new Complaint(
	'This item was not sent, because another item is unusable',
	'Correct that item, and run the workflow again.',
);

/** The outcome of an item in a run that stops before its first request. */
function unsent(plan: Plan | Skipped | Failed): Outcome {
	return plan.kind === 'plan'
		? { ...unusable(NOT_STARTED), change: plan.change, because: 'run over' }
		: plan;
}

async function sendAll(
	context: IExecuteFunctions,
	{ account, fields, settings }: Setup,
	plans: Array<Plan | Skipped | Failed>,
): Promise<{ outcomes: Outcome[]; slowedMs: number }> {
	const send = sender(context, fields);
	const stopSignal = context.getExecutionCancelSignal();
	const keepGoing = context.continueOnFail();
	const gate = new Gate();
	const { pause, endAll } = pauses(sleep);
	let isOver = stopSignal?.aborted ?? false;
	const end = () => {
		isOver = true;
		endAll();
	};
	stopSignal?.addEventListener('abort', end, { once: true });

	const clock = {
		nowMs: () => Date.now(),
		chance: () => Math.random(),
		pause,
		isOver: () => isOver,
	};
	const outcomes = await runInLanes<Plan | Skipped | Failed, Outcome>(
		plans,
		(plan) => laneOf(plan, settings),
		settings.parallelRequests,
		async (plan) => {
			if (plan.kind !== 'plan') return plan;
			const { change, repeated } = plan;
			const attempt = async () => await send(toRequest(change), settings.timeoutMs);
			const sending = await sendUntilAnswered(attempt, settings, gate, clock);
			const outcome = settled(sending, change, repeated, settings, account);
			if (outcome.kind === 'failed' && !keepGoing) end();
			return outcome;
		},
	);
	stopSignal?.removeEventListener('abort', end);
	return { outcomes, slowedMs: gate.closedMs };
}

/** CometChat forces UIDs to lower case elsewhere; two spellings may therefore be one agent. */
function laneOf(plan: Plan | Skipped | Failed, { keepOrder }: Settings): string | undefined {
	return keepOrder && plan.kind === 'plan' ? plan.change.uid.toLowerCase() : undefined;
}

function finish(
	context: IExecuteFunctions,
	outcomes: Outcome[],
	slowedMs = 0,
): INodeExecutionData[] {
	const failure = firstFailure(outcomes);
	// n8n files a stopped execution under 'error' if a node throws; its items tell the same story.
	const isStopped = context.getExecutionCancelSignal()?.aborted ?? false;
	if (failure !== undefined && !context.continueOnFail() && !isStopped) {
		throw toError(context, failure.failed, failure.index, outcomes);
	}
	const shown = hints(outcomes, slowedMs).map((hint) => ({
		...hint,
		location: 'outputPane' as const,
	}));
	if (shown.length > 0) context.addExecutionHints(...shown);
	return toItems(outcomes);
}

function toItems(outcomes: Outcome[]): INodeExecutionData[] {
	return outcomes.map((outcome, index) => ({
		json: toJson(outcome, index),
		pairedItem: { item: index },
	}));
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

function toError(
	context: IExecuteFunctions,
	failed: Failed,
	itemIndex: number,
	outcomes: Outcome[],
): NodeApiError | NodeOperationError {
	const report = stopReport(outcomes);
	const message = `${headline(failed, itemIndex)}${report.short}`;
	const description = [failed.description, report.long].filter((text) => text !== '').join(' ');
	const options = { message, description, itemIndex, failure: toFailure(failed) };
	const error =
		failed.because === 'reply'
			? new NodeApiError(context.getNode(), answerOf(failed), {
					...options,
					httpCode: failed.status === undefined ? undefined : String(failed.status),
				})
			: new NodeOperationError(context.getNode(), message, options);
	// n8n replaces a message in which it finds the name of a system call's refusal, such as EPERM.
	error.message = message;
	return error;
}

/** What is wrong before any item is looked at: the credential or an option. */
function refusal(context: IExecuteFunctions, { what, remedy }: Complaint): NodeOperationError {
	return new NodeOperationError(context.getNode(), what, {
		description: `Nothing was sent. ${remedy}`,
		failure: { cause: 'configuration-invalid' },
	});
}

/** What n8n keeps beside the message, for the error's details and for error workflows. */
function answerOf({ what, code, status }: Failed): JsonObject {
	return { message: what, ...(code ? { code } : {}), ...(status ? { statusCode: status } : {}) };
}

function toFailure({ cause, retryAfterMs }: Failed) {
	switch (cause) {
		case undefined:
			return undefined;
		case 'rate-limited':
		case 'quota-exhausted':
		case 'temporarily-unavailable':
			return { cause, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
		default:
			return { cause };
	}
}

/** n8n's own complaint: an expression that can't be evaluated, a credential that is gone. */
function complaintOf(thrown: unknown): Complaint {
	const what = thrown instanceof Error ? thrown.message : String(thrown);
	const more = isRecord(thrown) && typeof thrown.description === 'string' ? thrown.description : '';
	return new Complaint(what, more);
}
