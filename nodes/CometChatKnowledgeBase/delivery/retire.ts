import { readList } from '../api/wholeList';
import { ItemContext } from '../execution/itemContext';
import type { Agent } from '../service/agents';
import { agentPages, attachedIds, readAgents } from '../service/agents';
import { deleteOne, isUnknownDocument } from '../service/documents';
import { caught, isFailure } from '../values/failure';
import { listed, quoted } from '../values/quoting';
import { UPLOADS } from '../values/sourceTypes';
import { detachOld } from './attach';
import type { Batch, Delivery, Retired } from './delivery';
import { fail, groupByAgent } from './delivery';
import { typeOf } from './snapshot';

/** The pauses before the list of agents is read again as proof: it may be late. */
const PROOF_PAUSES_MS = [0, 2000, 5000];

/** The agents that use a document, or undefined where the lists prove nothing. */
export type UsersOf = (uniqueId: string) => Agent[] | undefined;

/** Detaches documents that nothing replaces, and deletes them as far as each delivery wants it and nothing uses them. */
export async function retire(run: Batch, retirements: readonly Delivery[]): Promise<void> {
	const work = [...groupByAgent(retirements)].map(async ([, ofAgent]) => {
		const agent = ofAgent[0]?.agent;
		if (agent !== undefined) await detachOld(run, agent, ofAgent);
	});
	await Promise.all(work);
	await deleteRetired(run, retirements);
}

/**
 * Deletes the old versions that are no longer attached, as far as each delivery wants it and a fresh list of all agents
 * proves that no agent uses them. All others stay in CometChat, with the reason.
 */
export async function deleteRetired(run: Batch, deliveries: readonly Delivery[]): Promise<void> {
	const wanted: Array<[Delivery, Retired]> = [];
	for (const delivery of deliveries) {
		for (const one of delivery.retired.filter(({ state }) => state === 'detached')) {
			const isSuperseded = one.isNeverUsed && delivery.isCreated;
			if (delivery.failure !== undefined && !isSuperseded) continue;
			one.state = 'kept';
			if (isSuperseded || isDeletionWanted(delivery, one)) wanted.push([delivery, one]);
			else one.reason ??= whyKept(delivery);
		}
	}
	if (wanted.length === 0) return;
	const usersOf = await readUsers(run, deliveries);
	const work = wanted.map(async ([delivery, one]) => {
		await run.permits.run(
			async () => await deleteUnused(run, delivery, one, usersOf(one.uniqueId)),
		);
	});
	await Promise.all(work);
}

function whyKept({ agent, deletes }: Delivery): string | undefined {
	if (agent === undefined) return WITHOUT_AGENT;
	return deletes === 'own' ? NOT_OWN : undefined;
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
	if (delivery.failure === undefined) fail(run, [delivery], answer, 'delete');
	retired.state = 'detached';
	if (delivery.lost === 'delete') retired.reason = MAY_BE_DELETED;
}

/**
 * Reads which agents use which documents. The list of agents is a proof if it shows what the deliveries attached and no
 * longer what they detached, and if each agent reports its documents.
 */
export async function readUsers(
	run: Batch,
	deliveries: readonly Delivery[] = [],
): Promise<UsersOf> {
	for (const id of run.createdIds) run.snapshot.knownTypes.set(id, UPLOADS);
	for (const pauseMs of PROOF_PAUSES_MS) {
		await run.userClock.delay(pauseMs);
		const client = new ItemContext(run);
		client.mustComplete = true;
		const agents = await caught(readList(agentPages(client, readAgents)));
		if (isFailure(agents)) break;
		if (agents.length === 0 || !agents.every((agent) => reportsDocuments(run, agent))) break;
		if (!deliveries.every((delivery) => isShown(delivery, agents))) continue;
		return (uniqueId) => agents.filter((agent) => attachedIds(agent).includes(uniqueId));
	}
	return () => undefined;
}

/** Whether an agent has both lists, and each that is not empty names a document. */
function reportsDocuments({ snapshot }: Batch, { files, websites }: Agent): boolean {
	return [files, websites].every(
		(list) =>
			list !== undefined &&
			(list.length === 0 || list.some((id) => typeOf(snapshot, id) !== undefined)),
	);
}

/** Whether a list of agents shows a delivery's document and none of its detached ones. */
function isShown({ agent, isAttached, uniqueId, retired }: Delivery, agents: Agent[]): boolean {
	if (agent === undefined) return true;
	const ids = agents.flatMap((one) => (one.uid === agent.uid ? attachedIds(one) : []));
	const isOldGone = retired.every(
		({ uniqueId: old, state }) => state === 'attached' || !ids.includes(old),
	);
	const isNewShown = !isAttached || (uniqueId !== undefined && ids.includes(uniqueId));
	return isNewShown && isOldGone;
}

const WITHOUT_AGENT =
	"'Add to Agent' is off, so no agent uses the new version instead. Replace and Delete deletes this one, unless an agent uses it.";

const NOT_OWN =
	"This node did not upload it, as far as its record shows, so it may be somebody else's";

const MAY_BE_DELETED = 'It is unknown whether it was deleted';
