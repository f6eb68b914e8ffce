import { FAILED, NOT_LISTED, statusOfEach } from '../api/documents';
import { effectOfAnswer, toResult, isFailure, isUnanswered } from '../text/failure';
import { groupBy } from '../text/groups';
import { addReady } from './attach';
import type { Batch, Delivery } from './delivery';
import { dropReturnedIds, fail, idOf, isUsed } from './delivery';
import { notStarted } from '../output/itemResult';
import { noLongerThere, notFinished, stopped, unreadable } from './failures';
import { isIndexing, Line } from './line';
import { deleteOld } from './removeOld';
import { refuseEmptyReplacements, warnOfEmpty } from './text';
import { warnOfNewNames } from './listedNames';

/** The number of documents that are created at a time: some wait for an upload URL while others send their bytes. */
const AT_A_TIME = 40;

/** The time during which CometChat may report the status from before an update. */
const OLD_STATUS_MS = 60_000;

/** The shortest time between two rounds of requests, so that documents share a request. */
const BETWEEN_ROUNDS_MS = 1000;

/**
 * Delivers documents to their agents, in phases over all documents: create, ask for the status until they are indexed,
 * add the ready documents and remove their old versions, and finally delete the old versions that no agent uses. A
 * document that fails in a phase is not in the next phase.
 *
 * After a failure in an execution that stops, no more documents are created, but the created documents are finished.
 */
export async function deliver(run: Batch, deliveries: readonly Delivery[]): Promise<void> {
	const open = deliveries.filter(({ failure, plan }) => {
		return failure === undefined && plan.action !== 'skip' && plan.action !== 'refuse';
	});
	const line = new Line(run.finishing.clock, run.stop);
	const creating = toResult(createAll(run, open, line)).finally(() => line.end());
	await deliverCreated(run, line, open);
	await creating;
	const ending = deleteOld(run, open).then(async () => await warnOfNewNames(run, open));
	await endAtException(run, open, ending);
}

/** After an unexpected exception, nothing new is started, and each row says how far its document got. */
async function endAtException(
	run: Batch,
	deliveries: readonly Delivery[],
	work: Promise<void>,
): Promise<void> {
	const ended = await toResult(work);
	if (!isFailure(ended)) return;
	run.cancel();
	for (const delivery of deliveries) delivery.failure ??= ended;
}

async function createAll(run: Batch, deliveries: Delivery[], line: Line): Promise<void> {
	const remaining = deliveries.values();
	const work = async () => {
		for (const delivery of remaining) {
			await start(run, delivery);
			if (delivery.failure === undefined) line.add(delivery);
		}
	};
	await Promise.all(Array.from({ length: AT_A_TIME }, work));
}

async function start(run: Batch, delivery: Delivery): Promise<void> {
	const { plan, create, agent } = delivery;
	if (run.starting.clock.isCancelled()) {
		delivery.failure = notStarted();
		return;
	}
	if (plan.action === 'use') {
		const { uniqueId, status } = plan.found;
		delivery.uniqueId = uniqueId;
		// A late list may show a deleted document, so its status is requested before it is added.
		delivery.status = agent && !isUsed(delivery) ? undefined : status;
		return;
	}
	if (create === undefined) return;
	const created = await toResult(create(delivery));
	delivery.steps.create = effectOfAnswer(created);
	if (isFailure(created)) return fail(run, [delivery], created);
	delivery.item.count({ attempts: 1 });
	delivery.uniqueId = created;
	run.createdIds.add(created);
	run.snapshot.documents.addType(created, delivery.sourceType);
}

/**
 * Requests statuses and changes agents until no document is left. The changes of an agent run at the same time as the
 * rounds, and so do the checks for text.
 */
async function deliverCreated(run: Batch, line: Line, all: readonly Delivery[]): Promise<void> {
	const underWay: Array<Promise<void>> = [];
	await endAtException(run, all, askUntilEmpty(run, line, underWay));
	// The stop button ends all waits immediately, so another round would have no pauses.
	for (const { delivery } of line.indexing()) delivery.failure = stopped();
	await Promise.all(underWay);
	for (const delivery of line.takeSettled(new Map())) delivery.failure ??= stopped();
}

/** @param underWay Is given the changes and checks. */
async function askUntilEmpty(
	run: Batch,
	line: Line,
	underWay: Array<Promise<void>>,
): Promise<void> {
	const busy = new Map<string | undefined, Promise<void>>();
	let nextRoundMs = 0;
	for (let isHurried = false; ;) {
		const wasEnded = line.isEnded;
		if (run.finishing.clock.isCancelled()) break;
		if (run.starting.clock.isCancelled() && wasEnded && !isHurried) {
			isHurried = true;
			line.hurry();
		}
		const nowMs = run.finishing.clock.nowMs();
		if (nowMs >= nextRoundMs && (await askDue(run, line))) nextRoundMs = nowMs + BETWEEN_ROUNDS_MS;
		for (const [uid, ready] of groupBy(line.takeSettled(busy), ({ agent }) => [agent?.uid])) {
			const change = endAtException(run, ready, finish(run, ready));
			const done = change.finally(() => {
				busy.delete(uid);
				line.wake();
			});
			busy.set(uid, done);
			const check = change.then(async () => await warnOfEmpty(run, ready));
			underWay.push(endAtException(run, ready, check));
		}
		if (line.isEmpty && wasEnded && busy.size === 0) break;
		if (line.isEnded === wasEnded) await line.wait(pauseMs(run, line, nextRoundMs));
	}
}

/** Adds documents to their agents. In a stopping execution, documents without a change are not started. */
async function finish(run: Batch, ready: readonly Delivery[]): Promise<void> {
	dropReturnedIds(run, ready);
	await refuseEmptyReplacements(
		run,
		ready.filter(({ failure }) => failure === undefined),
	);
	if (run.starting.clock.isCancelled()) {
		const unchanged = ready.filter((one) => one.steps.create !== 'applied' && !isUsed(one));
		for (const one of unchanged) one.failure ??= notStarted();
	}
	await addReady(run, ready);
}

function pauseMs(run: Batch, line: Line, nextRoundMs: number): number {
	const due = line.indexing().map(({ dueMs }) => dueMs);
	const nextMs = Math.max(
		nextRoundMs,
		due.reduce((first, one) => Math.min(first, one), Infinity),
	);
	// While documents are being created, a request for a new document may be due at any time.
	const mostMs = line.isEnded ? 60_000 : BETWEEN_ROUNDS_MS;
	return Math.min(Math.max(nextMs - run.finishing.clock.nowMs(), 0), mostMs);
}

/** @returns Whether any document was due. */
async function askDue(run: Batch, line: Line): Promise<boolean> {
	const nowMs = run.finishing.clock.nowMs();
	const due = line.indexing().filter(({ dueMs }) => dueMs <= nowMs);
	const deliveries = due.map(({ delivery }) => delivery);
	const withStatus = deliveries.filter(({ isReady }) => isReady === undefined);
	const answers = await statusOfEach(run.finishing, withStatus.map(idOf));
	for (const { delivery, sinceMs, lastMs } of due) {
		const isStopping = run.starting.clock.isCancelled();
		const isLast = nowMs >= lastMs;
		delivery.item.count({ attempts: 1 });
		// Only 'Indexing Timeout' ends a wait with an incomplete website.
		const answer = delivery.isReady
			? await toResult(delivery.isReady(isLast && !isStopping))
			: (answers.get(idOf(delivery)) ?? NOT_LISTED);
		const isEarly = nowMs - sinceMs < OLD_STATUS_MS;
		if (isEarly && mayBeOld(delivery, answer)) continue;
		if (typeof answer === 'string') record(run, delivery, answer);
		else if (!isFailure(answer)) delivery.isReadyNow = answer;
		else if (isLast || !isUnanswered(answer)) fail(run, [delivery], answer);
		if (isLast && isIndexing(delivery)) {
			fail(run, [delivery], isStopping ? stopped() : notFinished(delivery));
		}
	}
	line.postpone(new Set(deliveries), nowMs);
	return due.length > 0;
}

/** Whether a failed status may be from before an update. */
function mayBeOld({ plan, status }: Delivery, answer: unknown): boolean {
	return plan.action === 'update' && status === undefined && answer === FAILED;
}

function record(run: Batch, delivery: Delivery, status: string): void {
	delivery.status = status;
	const isGone = delivery.plan.action === 'use' && status === NOT_LISTED;
	if (isGone) fail(run, [delivery], noLongerThere(delivery));
	if (status === FAILED) fail(run, [delivery], unreadable(delivery));
}
