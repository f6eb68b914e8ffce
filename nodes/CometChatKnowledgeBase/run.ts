import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import type { Account } from '../../credentials/account';
import { readAccount } from '../../credentials/account';
import type { Operation } from './change';
import { readOperation } from './change';
import type { Asked } from './batches';
import { laneOf, toBatches } from './batches';
import { Complaint, isRecord } from './complaint';
import { deliver } from './deliver';
import { refused, stopped } from './errors';
import { Gate } from './gate';
import { runInLanes } from './lanes';
import type { Failed, Outcome, Skipped } from './outcome';
import { notReached, partsOfItems, settled, toJson, unusable } from './outcome';
import { pauses } from './pauses';
import type { Plan } from './plan';
import { readPlan, unsent } from './plan';
import type { Course } from './report';
import { hints } from './report';
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
		if (stopsOnFailure(context)) throw refused(context.getNode(), setup);
		return toItems(Array.from({ length: count }, () => unusable(setup)));
	}

	const plans = await readPlans(context, setup, count);
	const isUnusable = plans.some((plan) => plan.kind === 'failed' && plan.because === 'input');
	if (isUnusable && stopsOnFailure(context))
		return finish(context, plans.map(unsent), NOTHING_SENT);

	const { outcomes, course } = await sendAll(context, setup, plans);
	return finish(context, outcomes, course);
}

const NOTHING_SENT: Course = { requests: 0, split: 0, slowedMs: 0 };

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

/** How long n8n may be kept from all else, its stop button among it, in milliseconds. */
const LONGEST_STRETCH_MS = 50;

/** Evaluates the expressions of all items; those that a stop comes before are left out. */
async function readPlans(
	context: IExecuteFunctions,
	{ operation, settings }: Setup,
	count: number,
): Promise<Array<Plan | Skipped | Failed>> {
	const uid = parameter(context, 'uid');
	const sourceType = parameter(context, 'sourceType');
	const fileIds = parameter(context, 'fileIds');
	const stopSignal = context.getExecutionCancelSignal();
	const plans: Array<Plan | Skipped | Failed> = [];
	let sinceMs = Date.now();
	for (let index = 0; index < count; index++) {
		if (Date.now() - sinceMs > LONGEST_STRETCH_MS) {
			await sleep(0);
			sinceMs = Date.now();
		}
		if (stopSignal?.aborted) {
			plans.push(notReached());
			continue;
		}
		try {
			const values = { uid: uid(index), sourceType: sourceType(index), fileIds: fileIds(index) };
			plans.push(readPlan(values, operation, settings));
		} catch (thrown) {
			plans.push(unusable(complaintOf(thrown)));
		}
	}
	return plans;
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

async function sendAll(
	context: IExecuteFunctions,
	{ account, fields, settings }: Setup,
	plans: Array<Plan | Skipped | Failed>,
): Promise<{ outcomes: Outcome[]; course: Course }> {
	const stopSignal = context.getExecutionCancelSignal();
	const stops = stopsOnFailure(context);
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
	const send = sender(context, fields);
	const gate = new Gate(settings.spacingMs);
	const batches = toBatches(asked(plans), settings);
	const deliveries = await runInLanes(
		batches,
		({ change }) => laneOf(change, settings),
		settings.parallelRequests,
		async (batch) =>
			await deliver(batch, { settings, account, send, gate, clock }, () => {
				if (stops) end();
			}),
	);
	stopSignal?.removeEventListener('abort', end);

	const parts = partsOfItems(deliveries.flat());
	const outcomes = plans.map((plan, index) => {
		if (plan.kind !== 'plan') return plan;
		const [first, ...more] = parts.get(index) ?? [];
		if (first === undefined) return unsent(plan);
		return settled(index, [first, ...more], plan.change, plan.repeated, settings, account);
	});
	const split = deliveries.filter(({ length }) => length > 1).length;
	return { outcomes, course: { requests: batches.length, split, slowedMs: gate.closedMs } };
}

/** The items that have something to send. */
function* asked(plans: Array<Plan | Skipped | Failed>): Generator<Asked> {
	for (const [index, plan] of plans.entries()) {
		if (plan.kind === 'plan') yield { index, change: plan.change };
	}
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

/** n8n's own complaint: an expression that can't be evaluated, a credential that is gone. */
function complaintOf(thrown: unknown): Complaint {
	const what = thrown instanceof Error ? thrown.message : String(thrown);
	const more = isRecord(thrown) && typeof thrown.description === 'string' ? thrown.description : '';
	return new Complaint(what, more);
}
