import { deleteOne, isUnknownDocument } from '../api/documents';
import { until } from '../http/time';
import { toResult, isFailure, reasonOf } from '../text/failure';
import { groupBy } from '../text/groups';
import { joinLimited, quoted } from '../text/quoting';
import { detachOld } from './attach';
import type { Delivery, Finishing, Retired } from './delivery';
import { fail, keepReturned } from './delivery';
import type { Usage } from './usage';
import { readUsage, readUsageTwice } from './usage';

/** The pauses before the list of agents is read again as proof: it may be late. */
const PROOF_PAUSES_MS = [0, 2000, 5000];

/** Which agents use which documents now, or why the lists of agents prove nothing. */
export type Proof = Usage | string;

/** Detaches documents that nothing replaces, and deletes them as far as each delivery wants it and nothing uses them. */
export async function retire(run: Finishing, retirements: readonly Delivery[]): Promise<void> {
	const work = [...groupBy(retirements, ({ agent }) => [agent?.uid]).values()].map(
		async (ofAgent) => {
			const agent = ofAgent[0]?.agent;
			if (agent !== undefined) await detachOld(run, agent, ofAgent);
		},
	);
	await Promise.all(work);
	await deleteRetired(run, retirements);
}

/**
 * Deletes the old versions that are no longer attached, as far as each delivery wants it and a fresh list of all agents
 * proves that no agent uses them. All others stay in CometChat, with the reason.
 */
export async function deleteRetired(
	run: Finishing,
	deliveries: readonly Delivery[],
): Promise<void> {
	keepReturned(
		run,
		deliveries.filter(({ failure }) => failure === undefined),
	);
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
	const proof = await readProof(run, deliveries);
	// One late agent does not hold up the others.
	const isLate = (one: Delivery) =>
		typeof proof !== 'string' && proof.isReported(one.sourceType) && !isShown(one, proof);
	const late = new Set(deliveries.filter(isLate).map(({ agent }) => agent?.uid));
	const remove = async ([delivery, one]: [Delivery, Retired]) =>
		await deleteUnused(run, delivery, one, late.has(delivery.agent?.uid) ? NOT_REPORTED : proof);
	await Promise.all(wanted.map(remove));
}

function whyKept({ agent, deletes }: Delivery): string | undefined {
	if (agent === undefined) return WITHOUT_AGENT;
	return deletes === 'own' ? NOT_OWN : undefined;
}

function isDeletionWanted({ deletes }: Delivery, { isOwn }: Retired): boolean {
	return deletes === 'ifUnused' || (deletes === 'own' && isOwn);
}

async function deleteUnused(
	run: Finishing,
	delivery: Delivery,
	retired: Retired,
	proof: Proof,
): Promise<void> {
	const { sourceType } = delivery;
	const users = typeof proof === 'string' ? [] : proof.agentsUsing(retired.uniqueId);
	if (typeof proof === 'string' || (users.length === 0 && !proof.isReported(sourceType))) {
		const others = delivery.agent === undefined ? 'an agent' : 'another agent';
		const why = typeof proof === 'string' ? proof : NOT_REPORTED;
		retired.reason = `Unknown whether ${others} uses this document: ${why}`;
		// A later execution may have a proof.
		if (typeof proof === 'string') retired.state = 'detached';
		return;
	}
	if (users.length > 0) {
		const names = joinLimited(users.map(({ name, uid }) => quoted(name ?? uid)));
		retired.reason = `Used by ${delivery.agent === undefined ? 'agents' : 'other agents'}: ${names}`;
		return;
	}
	const answer = await toResult(deleteOne(run.finishing, sourceType, retired.uniqueId));
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
 * Reads all agents. The list is a proof if it shows what the deliveries attached and no longer what they detached. If
 * they changed no agent, nothing shows that the list is up to date, and it is read twice.
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

function hasChangedAgent({ agent, isCreated, isAttached, retired }: Delivery): boolean {
	const isRemoved = retired.some((one) => one.wasAttached === true && one.state !== 'attached');
	return agent !== undefined && ((isCreated && isAttached) || isRemoved);
}

/** Whether the lists of agents show a delivery's document and none of its detached ones. */
function isShown({ agent, isAttached, uniqueId = '', retired }: Delivery, usage: Usage): boolean {
	if (agent === undefined) return true;
	const isListed = (id: string) => usage.agentsUsing(id).some(({ uid }) => uid === agent.uid);
	const isOldGone = retired.every(
		({ uniqueId: old, state }) => state === 'attached' || !isListed(old),
	);
	return isOldGone && (!isAttached || isListed(uniqueId));
}

const NOT_REPORTED = "CometChat doesn't report it, or not yet";

const WITHOUT_AGENT =
	"Kept, because 'Add to Agent' is off and the new document doesn't replace it for any agent. To delete the old document, choose 'Replace and Delete'. A document that an agent uses is kept";

const NOT_OWN = 'Kept in CometChat: this node has no record that it uploaded the file';

const MAY_BE_DELETED = "CometChat didn't confirm that the old version was deleted";
