import type { ItemContext } from '../execution/itemContext';
import { caught, isItemFailure, mayBeDone, onFailure } from '../results/apiError';
import type { Fields } from '../results/itemResult';
import { deleteOne, isUnknownFile } from '../service/deletion';
import type { Document } from '../service/documents';
import { listed, quoted } from '../values/quoting';

import type { IngestionRun } from './ingestionRun';
import { changeAgent } from './ingestionRun';
import type { Inventory } from './inventory';

/** When old versions are deleted. */
export const DELETE_OLD = ['ifUnused', 'always', 'never'] as const;
export type DeleteOld = (typeof DELETE_OLD)[number];

/** What was there of a document before a new version takes its place, and what becomes of it. */
export interface OldVersion {
	uniqueId: string;
	/** How a person calls it, where that is known. */
	name?: string;
	/** Whether the agent had it, or may have had it. */
	wasAttached: boolean;
	/** With the agent; out of it and still to be dealt with; out of it and left there for good; deleted. */
	is: 'attached' | 'detached' | 'kept' | 'deleted';
	/** Why it is still there. */
	reason?: string;
}

export function oldVersions(
	records: Array<Pick<Document, 'uniqueId' | 'sourceName'>>,
	wasAttached = true,
): OldVersion[] {
	return records.map(({ uniqueId, sourceName: name }) => ({
		...{ uniqueId, name, wasAttached, is: wasAttached ? 'attached' : 'detached' },
	}));
}

/** What has become of each, as output fields. */
export function oldRows(old: readonly OldVersion[]): Array<Fields & { name: string }> {
	return old.map(({ uniqueId, name = uniqueId, wasAttached, is, reason }) => {
		const isRemoved = wasAttached && is !== 'attached';
		const action = is === 'deleted' ? 'deleted' : isRemoved ? 'removed' : 'kept';
		return { name, action, uniqueId, ...(reason !== undefined && { reason }) };
	});
}

/** Where old versions are, and who has taken their place. */
export interface Place {
	run: IngestionRun;
	item: ItemContext;
	sourceType: string;
	/** The agent; left out for none. */
	uid?: string;
	/** What it has in their place; left out: nothing is to. */
	newId?: string;
}

/** Takes from the agent what it has, or may have. */
export async function detachOld({ run, item, sourceType, uid, newId }: Place, old: OldVersion[]) {
	if (uid === undefined) return;
	for (const one of old) {
		if (one.is !== 'attached') continue;
		const { uniqueId } = one;
		const change = { operation: 'remove' as const, uid, sourceType, uniqueIds: [uniqueId] };
		await onFailure(changeAgent(run, item, change), (failure) => {
			if (mayBeDone(failure)) one.reason = MAY_BE_REMOVED;
		});
		one.is = 'detached';
		run.inventory.recordAttached(uid, uniqueId, false);
		if (newId !== undefined) run.inventory.recordReplaced(uid, uniqueId, newId);
	}
}

/** Deletes what the agent has no longer, or says why not. */
export async function deleteOld(place: Place, old: OldVersion[], choice: DeleteOld) {
	for (const one of old) {
		if (one.is === 'detached') await deleteOneOld(place, one, choice);
	}
}

async function deleteOneOld(place: Place, one: OldVersion, choice: DeleteOld): Promise<void> {
	const { uniqueId } = one;
	if (choice === 'never') {
		one.is = 'kept';
		if (place.uid === undefined) one.reason = WITHOUT_AGENT;
		return;
	}
	const deleting =
		choice === 'ifUnused' ? deleteIfUnused(place, uniqueId) : deleteNow(place, uniqueId);
	const why = await onFailure(deleting, (failure) => {
		if (mayBeDone(failure)) one.reason = MAY_BE_DELETED;
	});
	one.is = why === undefined ? 'deleted' : 'kept';
	one.reason = why;
}

/** @returns Why it is not deleted; undefined if it is gone. */
export async function deleteIfUnused(place: Place, uniqueId: string): Promise<string | undefined> {
	const { run, item, uid, newId } = place;
	// Where there is no agent, none can show the new one.
	const proof = uid === undefined ? {} : { uid, attached: newId };
	const why = await whyToKeep(item, run.inventory, uniqueId, proof);
	if (why === undefined) await deleteNow(place, uniqueId);
	return why;
}

async function deleteNow({ run, item, sourceType }: Place, uniqueId: string): Promise<undefined> {
	const answer = await caught(deleteOne(item, sourceType, uniqueId));
	// Another run may have been faster.
	if (isItemFailure(answer) && !isUnknownFile(answer)) throw answer;
	run.inventory.recordDeleted(uniqueId);
}

/**
 * Why something is not deleted: somebody has it, or that cannot be told.
 *
 * @param name How a person calls it.
 * @returns Undefined if no agent has it.
 */
export async function whyToKeep(
	item: ItemContext,
	inventory: Inventory,
	uniqueId: string,
	{ name = 'the old version', ...proof }: { uid?: string; attached?: string; name?: string },
): Promise<string | undefined> {
	const holders = await inventory.holdersOf(item, uniqueId, proof);
	const hasAgent = proof.uid !== undefined;
	if ('isUnknown' in holders) {
		return `Not known whether ${hasAgent ? 'another' : 'an'} agent has ${name}: ${holders.isUnknown}`;
	}
	const names = holders.agents.map((agent) => quoted(agent.name ?? agent.uid));
	if (names.length === 0) return undefined;
	return `${hasAgent ? 'Other agents' : 'Agents'} have ${name}: ${listed(names)}`;
}

const WITHOUT_AGENT =
	"'Add to Agent' is off, so nothing takes its place. Replace and Delete deletes it, unless an agent has it.";

const MAY_BE_REMOVED = 'It is not known whether it was taken from the agent';

const MAY_BE_DELETED = 'It is not known whether it was deleted';
