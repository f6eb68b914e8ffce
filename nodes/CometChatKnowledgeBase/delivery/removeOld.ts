import { deleteOne, isUnknownDocument } from '../api/documents';
import { until } from '../http/time';
import { effectOfAnswer, toResult, isFailure, reasonOf } from '../text/failure';
import { groupBy } from '../text/groups';
import { joinLimited, quoted } from '../text/quoting';
import { removeFromAgent } from './attach';
import type { Delivery, Finishing, OldVersion } from './delivery';
import { dropReturnedIds, fail, idOf, isDeletionWanted, isStillUsed, isUsed } from './delivery';
import type { Usage } from './usage';
import { readUsage, readUsageTwice } from './usage';

/** The pauses before the list of agents is read again as a proof, because it may be late. */
const PROOF_PAUSES_MS = [0, 2000, 5000];

/** The current uses of documents, or the reason why the lists of agents prove nothing. */
export type Proof = Usage | string;

/** Removes documents without a replacement, and deletes them if their delivery wants it and no agent uses them. */
export async function removeOld(run: Finishing, deliveries: readonly Delivery[]): Promise<void> {
	const byAgent = groupBy(deliveries, ({ agent }) => [agent?.uid]);
	const work = [...byAgent.values()].map(async (ofAgent) => {
		const agent = ofAgent[0]?.agent;
		if (agent !== undefined) await removeFromAgent(run, agent, ofAgent);
	});
	await Promise.all(work);
	await deleteOld(run, deliveries);
}

/**
 * Deletes the old versions that the agent no longer uses, if their delivery wants it and a new list of all agents
 * proves that no agent uses them. All others stay in CometChat, with the reason.
 */
export async function deleteOld(run: Finishing, deliveries: readonly Delivery[]): Promise<void> {
	dropReturnedIds(run, deliveries);
	const wanted: Array<[Delivery, OldVersion]> = [];
	for (const delivery of deliveries) {
		for (const one of delivery.old) {
			const isOver = delivery.failure !== undefined && !isObsolete(delivery, one);
			if (isOver || isStillUsed(one) || one.reason !== undefined) continue;
			if (isDeletionWanted(delivery, one)) wanted.push([delivery, one]);
			else one.reason = whyKept(delivery);
		}
	}
	if (wanted.length === 0) return;
	const proof = await readProof(run, deliveries);
	// An agent with a late list does not delay the documents of other agents.
	const isLate = (one: Delivery) =>
		typeof proof !== 'string' && proof.isReported(one.sourceType) && !isShown(one, proof);
	const late = new Set(deliveries.filter(isLate).map(({ agent }) => agent?.uid));
	const remove = async ([delivery, one]: [Delivery, OldVersion]) =>
		await deleteUnused(run, delivery, one, late.has(delivery.agent?.uid) ? NOT_REPORTED : proof);
	await Promise.all(wanted.map(remove));
}

/** Whether an upload of this node has a successor, and the agent never used it: otherwise, unreadable versions pile up. */
function isObsolete({ steps }: Delivery, { isOwn, wasUsed }: OldVersion): boolean {
	return isOwn && wasUsed === false && steps.create === 'applied';
}

function whyKept({ agent, deletes }: Delivery): string | undefined {
	if (agent === undefined) return WITHOUT_AGENT;
	return deletes === 'own' ? NOT_OWN : undefined;
}

async function deleteUnused(
	run: Finishing,
	delivery: Delivery,
	old: OldVersion,
	proof: Proof,
): Promise<void> {
	const { sourceType } = delivery;
	const users = typeof proof === 'string' ? [] : proof.agentsUsing(old.uniqueId);
	if (typeof proof === 'string' || (users.length === 0 && !proof.isReported(sourceType))) {
		// The next execution may have a proof.
		if (typeof proof === 'string') old.steps.delete = 'not applied';
		const others = delivery.agent === undefined ? 'an agent' : 'another agent';
		const why = typeof proof === 'string' ? proof : NOT_REPORTED;
		old.reason = `Unknown whether ${others} uses this document: ${why}`;
		return;
	}
	if (users.length > 0) {
		const names = joinLimited(users.map(({ name, uid }) => quoted(name ?? uid)));
		old.reason = `Used by ${delivery.agent === undefined ? 'agents' : 'other agents'}: ${names}`;
		return;
	}
	const answer = await toResult(deleteOne(run.finishing, sourceType, old.uniqueId));
	// Another execution may have deleted the document before.
	const failure = isFailure(answer) && !isUnknownDocument(answer) ? answer : undefined;
	old.steps.delete = effectOfAnswer(failure);
	if (failure && delivery.failure === undefined) fail(run, [delivery], failure);
}

/**
 * Reads all agents. The list is a proof if it contains the added documents of the deliveries, and not their removed
 * documents. Without such a change, nothing shows that the list is up to date, so it is read twice.
 */
export async function readProof(
	run: Finishing,
	deliveries: readonly Delivery[] = [],
): Promise<Proof> {
	const { documents } = run.snapshot;
	const isProvable = deliveries.some(hasChangedAgent);
	let last: Usage | undefined;
	const ask = async () => {
		const usage = isProvable
			? await readUsage(run.finishing, documents)
			: await readUsageTwice(run, documents);
		last = usage;
		return deliveries.every((delivery) => isShown(delivery, usage)) ? usage : undefined;
	};
	const proof = await until(run.finishing.clock, Infinity, PROOF_PAUSES_MS, ask);
	return isFailure(proof) ? reasonOf(proof.title, proof.more) : (last ?? NOT_REPORTED);
}

function hasChangedAgent({ steps, old }: Delivery): boolean {
	return steps.add === 'applied' || old.some((one) => one.steps.remove === 'applied');
}

/** Whether the lists of agents contain a delivery's document, and none of its removed documents. */
function isShown(delivery: Delivery, usage: Usage): boolean {
	const { agent, old } = delivery;
	if (agent === undefined) return true;
	const isListed = (id: string) => usage.agentsUsing(id).some(({ uid }) => uid === agent.uid);
	return (
		(!isUsed(delivery) || isListed(idOf(delivery))) &&
		!old.some((one) => !isStillUsed(one) && isListed(one.uniqueId))
	);
}

const NOT_REPORTED = "CometChat doesn't show this, or its list is late";

const WITHOUT_AGENT =
	"Kept, because 'Add to Agent' is off. To delete unused documents with this name, choose 'Replace and Delete'";

const NOT_OWN = 'Kept in CometChat: this node has no record that it uploaded the document';
