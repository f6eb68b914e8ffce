import type { Agent, ChangeOperation } from '../api/agents';
import { agentRequest, readAgent } from '../api/agents';
import { until } from '../http/time';
import { isFailure } from '../text/failure';
import { chunk } from '../text/groups';
import { changeEach, IDS_PER_CHANGE } from './changeAgent';
import type { Delivery, Finishing, Retired } from './delivery';
import { fail } from './delivery';
import { listFor } from './usage';

/** The pauses before an agent is asked whether it shows a new document: its lists may be late. */
const LIST_PAUSES_MS = [1000, 4000];

/** Attaches documents of one agent that are ready, in input order, and then detaches their old versions. */
export async function attachReady(run: Finishing, ready: readonly Delivery[]): Promise<void> {
	const inOrder = ready
		.filter(({ failure }) => failure === undefined)
		.sort((one, other) => one.index - other.index);
	const agent = inOrder[0]?.agent;
	if (agent === undefined) return;
	const missing = inOrder.filter(({ isAttached, isCreated }) => !isAttached || isCreated);
	await changeAll(
		run,
		agent,
		'add',
		missing.map((one) => [one, idOf(one)]),
	);
	for (const delivery of missing) delivery.isAttached ||= delivery.failure === undefined;
	const replacing = inOrder.filter(
		({ failure, retired }) => failure === undefined && retired.length > 0,
	);
	await findUnreported(run, agent, replacing);
	await detachOld(run, agent, replacing);
}

/** Detaches the old versions that are still attached. */
export async function detachOld(
	run: Finishing,
	agent: Agent,
	deliveries: readonly Delivery[],
): Promise<void> {
	const attached = deliveries.flatMap((delivery) =>
		delivery.retired
			.filter(({ state, reason }) => state === 'attached' && reason === undefined)
			.map((one): [Delivery, string, Retired] => [delivery, one.uniqueId, one]),
	);
	await changeAll(run, agent, 'remove', attached);
	for (const [{ failure, lost }, , retired] of attached) {
		if (failure === undefined) retired.state = 'detached';
		else if (lost === 'detach') retired.reason = MAY_BE_REMOVED;
	}
}

/** Sends the changes of an agent, 100 IDs of a source type per request. A change that fails fails its delivery. */
async function changeAll(
	run: Finishing,
	{ uid }: Agent,
	operation: ChangeOperation,
	changes: Array<readonly [Delivery, string, ...unknown[]]>,
): Promise<void> {
	const sourceTypes = new Set(changes.map(([{ sourceType }]) => sourceType));
	for (const sourceType of sourceTypes) {
		const ofType = changes.filter(([delivery]) => delivery.sourceType === sourceType);
		for (const part of chunk(ofType, IDS_PER_CHANGE)) {
			const uniqueIds = [...new Set(part.map(([, id]) => id))];
			const change = { operation, uid, sourceType, uniqueIds };
			const results = await changeEach(run.finishing, change);
			for (const [delivery, id] of part) {
				const failure = results.get(id);
				if (failure) fail(run, [delivery], failure, operation === 'add' ? 'attach' : 'detach');
			}
		}
	}
}

/**
 * Finds out which old versions an agent has whose lists reported nothing before. Its lists are believed once they show
 * the new document.
 */
async function findUnreported(run: Finishing, agent: Agent, deliveries: Delivery[]): Promise<void> {
	const open = deliveries.filter(({ retired }) =>
		retired.some(({ wasAttached }) => wasAttached === undefined),
	);
	const shown = await attachedIdsOnceShown(run, agent, open);
	for (const delivery of open) {
		if (shown === undefined) delivery.item.warn(MAY_USE_OLD);
		for (const one of delivery.retired.filter(({ wasAttached }) => wasAttached === undefined)) {
			if (shown === undefined) one.reason = NOT_REPORTED;
			else one.wasAttached = shown.has(one.uniqueId);
		}
		// A document that the agent does not have keeps its place.
		delivery.retired = delivery.retired.filter(
			({ wasAttached, isOwn }) => wasAttached !== false || isOwn,
		);
	}
}

/** The agent's documents, once its lists show the new ones; undefined if they do not. */
async function attachedIdsOnceShown(
	run: Finishing,
	{ uid }: Agent,
	deliveries: Delivery[],
): Promise<Set<string> | undefined> {
	const [first] = deliveries;
	if (first === undefined || run.unreported.has(uid)) return undefined;
	const ask = async () => {
		const agent = await run.finishing.call(agentRequest(uid), readAgent, { about: 'agent' });
		const ids = new Set(listFor(agent, first.sourceType));
		return deliveries.every((delivery) => ids.has(idOf(delivery))) ? ids : undefined;
	};
	const shown = await until(run.finishing.clock, Infinity, LIST_PAUSES_MS, ask);
	if (shown !== undefined && !isFailure(shown)) return shown;
	run.unreported.add(uid);
	return undefined;
}

function idOf({ uniqueId }: Delivery): string {
	return uniqueId ?? '';
}

const NOT_REPORTED =
	"CometChat doesn't report the agent's documents. Check the agent's knowledge base in the CometChat dashboard";

const MAY_BE_REMOVED = "CometChat didn't confirm that the old version was removed from the agent";

const MAY_USE_OLD = `The agent may still use the old version: ${NOT_REPORTED}`;
