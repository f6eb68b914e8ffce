import type { Agent, ChangeOperation } from '../api/agents';
import { chunk } from '../text/groups';
import { changeEach, IDS_PER_CHANGE } from './changeAgent';
import type { Delivery, Finishing, Retired } from './delivery';
import { fail } from './delivery';

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

function idOf({ uniqueId }: Delivery): string {
	return uniqueId ?? '';
}

const MAY_BE_REMOVED = "CometChat didn't confirm that the old version was removed from the agent";
