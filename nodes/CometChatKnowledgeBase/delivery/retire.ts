import { ItemContext } from '../execution/itemContext';
import type { Agent } from '../service/agents';
import { attachedIds } from '../service/agents';
import { deleteOne, isUnknownDocument } from '../service/documents';
import { caught, isFailure } from '../values/failure';
import { listed, quoted } from '../values/quoting';
import type { Batch, Delivery, Retired } from './delivery';
import { fail } from './delivery';
import { readAllAgents, Usage, usersIn } from './usage';

/** The pauses before the list of agents is read again as proof: it may be late. */
const PROOF_PAUSES_MS = [0, 2000, 5000];

/**
 * Deletes the old versions that are no longer attached, as far as each delivery wants it and a fresh list of all agents
 * proves that no agent uses them. All others stay in CometChat, with the reason.
 */
export async function deleteRetired(run: Batch, deliveries: readonly Delivery[]): Promise<void> {
	const finished = deliveries.filter(({ failure }) => failure === undefined);
	const wanted: Array<[Delivery, Retired]> = [];
	for (const delivery of finished) {
		for (const one of delivery.retired.filter(({ state }) => state === 'detached')) {
			one.state = 'kept';
			if (isDeletionWanted(delivery, one)) wanted.push([delivery, one]);
			else if (delivery.agent === undefined) one.reason ??= WITHOUT_AGENT;
		}
	}
	if (wanted.length === 0) return;
	const usage = await readProof(run, deliveries);
	const work = wanted.map(async ([delivery, one]) => {
		const users = usage && usersIn(usage, delivery.sourceType, one.uniqueId);
		await run.permits.run(async () => await deleteUnused(run, delivery, one, users));
	});
	await Promise.all(work);
}

function isDeletionWanted({ deletes }: Delivery, { isOwn }: Retired): boolean {
	return deletes === 'ifUnused' || (deletes === 'own' && isOwn);
}

async function deleteUnused(
	run: Batch,
	delivery: Delivery,
	retired: Retired,
	users: Agent[] | undefined,
): Promise<void> {
	const others = delivery.agent === undefined ? 'an agent' : 'another agent';
	if (users === undefined) {
		retired.reason = `Unknown whether ${others} uses it: CometChat's lists do not report it, or not yet`;
		return;
	}
	if (users.length > 0) {
		const names = listed(users.map(({ name, uid }) => quoted(name ?? uid)));
		retired.reason = `Used by ${delivery.agent === undefined ? 'agents' : 'other agents'}: ${names}`;
		return;
	}
	const client = new ItemContext(run);
	client.mustComplete = true;
	const answer = await caught(deleteOne(client, delivery.sourceType, retired.uniqueId));
	delivery.item.count(client.log);
	// Another execution may have deleted the document before.
	if (!isFailure(answer) || isUnknownDocument(answer)) {
		retired.state = 'deleted';
		return;
	}
	fail(run, [delivery], answer, 'delete');
	retired.state = 'detached';
	if (delivery.lost === 'delete') retired.reason = MAY_BE_DELETED;
}

/**
 * Reads all agents again. The list is a proof if it shows what this execution attached and no longer what it detached.
 */
async function readProof(run: Batch, deliveries: readonly Delivery[]): Promise<Usage | undefined> {
	const created = new Map(deliveries.map((one) => [one.uniqueId, one.sourceType]));
	for (const pauseMs of PROOF_PAUSES_MS) {
		await run.userClock.delay(pauseMs);
		const agents = await caught(readAllAgents(run));
		if (isFailure(agents) || agents.length === 0) break;
		if (!deliveries.every((delivery) => isShown(delivery, agents))) continue;
		return new Usage(agents, (id) => run.snapshot.records.typeOf(id) ?? created.get(id));
	}
	return undefined;
}

/** Whether a list of agents shows a delivery's document and none of its detached ones. */
function isShown({ agent, isAttached, uniqueId, retired }: Delivery, agents: Agent[]): boolean {
	if (agent === undefined || !isAttached) return true;
	const ids = agents.flatMap((one) => (one.uid === agent.uid ? attachedIds(one) : []));
	const isOldGone = retired.every(
		({ uniqueId: old, state }) => state === 'attached' || !ids.includes(old),
	);
	return uniqueId !== undefined && ids.includes(uniqueId) && isOldGone;
}

const WITHOUT_AGENT =
	"'Add to Agent' is off, so no agent uses the new version instead. Replace and Delete deletes this one, unless an agent uses it.";

const MAY_BE_DELETED = 'It is unknown whether it was deleted';
