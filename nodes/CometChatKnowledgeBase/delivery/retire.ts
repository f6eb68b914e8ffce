import { readList } from '../api/wholeList';
import { ItemContext } from '../execution/itemContext';
import type { Agent } from '../service/agents';
import { agentPages, attachedIds, readAgents } from '../service/agents';
import { deleteOne, isUnknownDocument } from '../service/documents';
import { caught, isFailure, reasonOf } from '../values/failure';
import { listed, quoted } from '../values/quoting';
import type { Batch, Delivery, Retired } from './delivery';
import { fail, keepReturned } from './delivery';
import { listFor, namesDocument } from './snapshot';

/** The pauses before the list of agents is read again as proof: it may be late. */
const PROOF_PAUSES_MS = [0, 2000, 5000];

/** The agents that use each document, by ID, or why the lists of agents prove nothing. */
type Proof = ReadonlyMap<string, Agent[]> | string;

/**
 * Deletes the old versions that are no longer attached, as far as each delivery wants it and a fresh list of all agents
 * proves that no agent uses them. All others stay in CometChat, with the reason.
 */
export async function deleteRetired(run: Batch, deliveries: readonly Delivery[]): Promise<void> {
	const finished = deliveries.filter(({ failure }) => failure === undefined);
	keepReturned(run, finished);
	const wanted: Array<[Delivery, Retired]> = [];
	for (const delivery of finished) {
		for (const one of delivery.retired.filter(({ state }) => state === 'detached')) {
			one.state = 'kept';
			if (isDeletionWanted(delivery, one)) wanted.push([delivery, one]);
			else if (delivery.agent === undefined) one.reason ??= WITHOUT_AGENT;
		}
	}
	if (wanted.length === 0) return;
	const sourceTypes = new Set(wanted.map(([{ sourceType }]) => sourceType));
	const proof = await readProof(run, deliveries, sourceTypes);
	const work = wanted.map(async ([delivery, one]) => {
		await run.permits.run(async () => await deleteUnused(run, delivery, one, proof));
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
	proof: Proof,
): Promise<void> {
	if (typeof proof === 'string') {
		const others = delivery.agent === undefined ? 'an agent' : 'another agent';
		retired.reason = `Unknown whether ${others} uses it: ${proof}`;
		return;
	}
	const users = proof.get(retired.uniqueId);
	if (users !== undefined) {
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
 * if each agent reports its documents, and if some agent has a document of each source type.
 */
async function readProof(
	run: Batch,
	deliveries: readonly Delivery[],
	sourceTypes: ReadonlySet<string>,
): Promise<Proof> {
	for (const pauseMs of PROOF_PAUSES_MS) {
		await run.userClock.delay(pauseMs);
		const client = new ItemContext(run);
		client.mustComplete = true;
		const agents = await caught(readList(agentPages(client, readAgents)));
		if (isFailure(agents)) return reasonOf(agents.title, agents.more);
		if (!agents.every((agent) => reportsDocuments(run, agent))) break;
		if (![...sourceTypes].every((type) => agents.some((agent) => names(run, agent, type)))) break;
		const users = usersOf(agents);
		if (deliveries.every((delivery) => isShown(delivery, users))) return users;
	}
	return "CometChat's lists do not report it, or not yet";
}

/** Whether an agent has both lists, and each that is not empty names a document. */
function reportsDocuments({ snapshot, createdIds }: Batch, { files, websites }: Agent): boolean {
	const isKnown = (id: string) => createdIds.has(id) || snapshot.records.withId(id) !== undefined;
	return [files, websites].every(
		(list) => list !== undefined && (list.length === 0 || list.some(isKnown)),
	);
}

function names({ snapshot, createdIds }: Batch, agent: Agent, sourceType: string): boolean {
	const isCreated = (id: string) => createdIds.has(id);
	const list = listFor(agent, sourceType) ?? [];
	return namesDocument(snapshot.records, agent, sourceType) || list.some(isCreated);
}

function usersOf(agents: Agent[]): Map<string, Agent[]> {
	const users = new Map<string, Agent[]>();
	for (const agent of agents) {
		for (const id of attachedIds(agent)) users.set(id, [...(users.get(id) ?? []), agent]);
	}
	return users;
}

/** Whether the lists of agents show a delivery's document and none of its detached ones. */
function isShown(
	{ agent, isAttached, uniqueId = '', retired }: Delivery,
	users: ReadonlyMap<string, Agent[]>,
): boolean {
	if (agent === undefined || !isAttached) return true;
	const isListed = (id: string) => users.get(id)?.some(({ uid }) => uid === agent.uid) === true;
	const isOldGone = retired.every(
		({ uniqueId: old, state }) => state === 'attached' || !isListed(old),
	);
	return isListed(uniqueId) && isOldGone;
}

const WITHOUT_AGENT =
	"'Add to Agent' is off, so no agent uses the new version instead. Replace and Delete deletes this one, unless an agent uses it.";

const MAY_BE_DELETED = 'It is unknown whether it was deleted';
