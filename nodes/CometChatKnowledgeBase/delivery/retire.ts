import { readList } from '../api/wholeList';
import { ItemContext } from '../execution/itemContext';
import type { Agent } from '../service/agents';
import { agentPages, attachedIds, readAgents } from '../service/agents';
import { deleteOne, isUnknownDocument } from '../service/documents';
import { caught, isFailure } from '../values/failure';
import { listed, quoted } from '../values/quoting';
import type { Batch, Delivery, Retired } from './delivery';
import { fail } from './delivery';
import { listFor } from './snapshot';

/** The pauses before the list of agents is read again as proof: it may be late. */
const PROOF_PAUSES_MS = [0, 2000, 5000];

/** The agents that use a document, or undefined where the lists prove nothing. */
type UsersOf = (uniqueId: string, sourceType: string) => Agent[] | undefined;

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
	const usersOf = await readProof(run, deliveries);
	const work = wanted.map(async ([delivery, one]) => {
		await run.permits.run(
			async () =>
				await deleteUnused(run, delivery, one, usersOf(one.uniqueId, delivery.sourceType)),
		);
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
 * Reads all agents again. The list is a proof if it shows what this execution attached and no longer what it detached,
 * and if each agent reports its documents.
 */
async function readProof(run: Batch, deliveries: readonly Delivery[]): Promise<UsersOf> {
	for (const pauseMs of PROOF_PAUSES_MS) {
		await run.userClock.delay(pauseMs);
		const client = new ItemContext(run);
		client.mustComplete = true;
		const agents = await caught(readList(agentPages(client, readAgents)));
		if (isFailure(agents)) break;
		if (agents.length === 0 || !agents.every((agent) => reportsDocuments(run, agent))) break;
		if (!deliveries.every((delivery) => isShown(delivery, agents))) continue;
		return (uniqueId, sourceType) =>
			isReported(run, deliveries, { agents, sourceType })
				? agents.filter((agent) => attachedIds(agent).includes(uniqueId))
				: undefined;
	}
	return () => undefined;
}

/** Whether an agent has both lists, and each that is not empty names a document. */
function reportsDocuments({ snapshot, createdIds }: Batch, { files, websites }: Agent): boolean {
	const isKnown = (id: string) => createdIds.has(id) || snapshot.records.withId(id) !== undefined;
	return [files, websites].every(
		(list) => list !== undefined && (list.length === 0 || list.some(isKnown)),
	);
}

/** Whether a list of agents names a document of a source type. Otherwise it may leave out all of them. */
function isReported(
	{ snapshot }: Batch,
	deliveries: readonly Delivery[],
	{ agents, sourceType }: { agents: Agent[]; sourceType: string },
): boolean {
	const ofType = deliveries.filter((delivery) => delivery.sourceType === sourceType);
	const ids = new Set(ofType.map(({ uniqueId }) => uniqueId));
	const isOfType = (id: string) => ids.has(id) || snapshot.records.typeOf(id) === sourceType;
	return agents.some((agent) => listFor(agent, sourceType)?.some(isOfType));
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
