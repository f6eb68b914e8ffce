import type { ItemContext } from '../execution/itemContext';
import type { DeleteOld } from '../pipeline/fields';
import type { IngestionRun } from '../pipeline/ingestionRun';
import { changeAgent } from '../pipeline/ingestionRun';
import type { Fields } from '../results/itemResult';
import type { Document } from '../service/documents';
import { deleteOne, isReady, isUnknownDocument } from '../service/documents';
import { caught, isFailure, mayBeDone, onFailure } from '../values/failure';
import { timeMs } from '../values/times';

/** What was there of a document before a new version takes its place, and what becomes of it. */
export interface OldVersion {
	uniqueId: string;
	/** How a person calls it, where that is known. */
	name?: string;
	/** Whether the agent had it, or may have had it. */
	wasAttached: boolean;
	/** With the agent; out of it and still to be dealt with; out of it and left there for good; deleted. */
	is: 'attached' | 'detached' | 'kept' | 'deleted';
	/** Whether this node created the document, by its record, or may delete it as if it had; left out: no. */
	isOwn?: boolean;
	/** Why it is still there. */
	reason?: string;
}

/** @param isAttached Left out: the agent has all of them. */
export function oldVersions<
	Old extends Pick<Document, 'uniqueId' | 'sourceName'> & Pick<OldVersion, 'isOwn'>,
>(documents: Old[], isAttached: (one: Old) => boolean = () => true): OldVersion[] {
	return documents.map((one): OldVersion => {
		const { uniqueId, sourceName: name, isOwn } = one;
		const wasAttached = isAttached(one);
		return { uniqueId, name, wasAttached, isOwn, is: wasAttached ? 'attached' : 'detached' };
	});
}

/** What has become of each, as output fields. */
export function oldRows(old: readonly OldVersion[]): Array<Fields & { name: string }> {
	return old.map(({ uniqueId, name = uniqueId, wasAttached, is, reason }) => {
		const isRemoved = wasAttached && is !== 'attached';
		const action = is === 'deleted' ? 'deleted' : isRemoved ? 'removed' : 'kept';
		return { name, action, uniqueId, ...(reason !== undefined && { reason }) };
	});
}

/** Where old versions are, and what has taken their place. */
export interface Replacement {
	run: IngestionRun;
	item: ItemContext;
	sourceType: string;
	/** The agent; left out for none. */
	uid?: string;
	/** What the agent has in their place; left out: nothing is to, or there is no agent whose list could show it. */
	newId?: string;
}

/** Takes from the agent what it has, or may have. */
export async function detachOld(replacement: Replacement, old: OldVersion[]): Promise<void> {
	const { run, item, sourceType, uid, newId } = replacement;
	if (uid === undefined) return;
	for (const one of old) {
		if (one.is !== 'attached') continue;
		const { uniqueId } = one;
		const change = { operation: 'remove' as const, uid, sourceType, uniqueIds: [uniqueId] };
		await onFailure(changeAgent(run, item, change), (failure) => {
			if (mayBeDone(failure)) one.reason = MAY_BE_REMOVED;
		});
		one.is = 'detached';
		if (newId !== undefined) run.inventory.own.recordReplaced(uid, uniqueId, newId);
	}
}

/** Deletes what the agent has no longer, or says why not. */
export async function deleteOld(
	replacement: Replacement,
	old: OldVersion[],
	choice: DeleteOld,
): Promise<void> {
	for (const one of old) {
		if (one.is !== 'detached') continue;
		if (choice === 'never') {
			one.is = 'kept';
			if (replacement.uid === undefined) one.reason = WITHOUT_AGENT;
			continue;
		}
		if (choice === 'own' && one.isOwn !== true) {
			one.is = 'kept';
			one.reason = NOT_OWN;
			continue;
		}
		one.reason = await onFailure(deleteUnless(replacement, one), (failure) => {
			if (mayBeDone(failure)) one.reason = MAY_BE_DELETED;
		});
		one.is = one.reason === undefined ? 'deleted' : 'kept';
	}
}

/**
 * Of what runs before have left that came no further either, the newest whole one is enough: otherwise each run would
 * leave one more.
 */
export async function deleteSuperseded(
	replacement: Replacement,
	old: OldVersion[],
	choice: DeleteOld,
): Promise<void> {
	const { inventory } = replacement.run;
	const remaining = old.filter(({ is }) => is === 'detached');
	const whole = newestWhole(remaining.flatMap(({ uniqueId }) => inventory.record(uniqueId) ?? []));
	const superseded = remaining.filter(({ uniqueId }) => uniqueId !== whole?.uniqueId);
	await deleteOld(replacement, superseded, choice);
}

/** Of all records of a name, the newest that an agent can answer from. */
function newestWhole(records: Document[]): Document | undefined {
	const createdMs = ({ createdAt }: Document) => timeMs(createdAt) ?? Infinity;
	const newestFirst = [...records].sort((one, other) => createdMs(other) - createdMs(one));
	return newestFirst.find(({ status }) => isReady(status));
}

/** @returns Why it is not deleted; undefined if it is gone. */
async function deleteUnless(
	{ run: { inventory }, item, sourceType, uid, newId }: Replacement,
	{ uniqueId }: OldVersion,
): Promise<string | undefined> {
	const why = await inventory.whyToKeep(item, uniqueId, { uid, attached: newId });
	if (why !== undefined) return why;
	const answer = await caught(deleteOne(item, sourceType, uniqueId));
	// Another run may have been faster.
	if (isFailure(answer) && !isUnknownDocument(answer)) throw answer;
	inventory.list.records.remove(uniqueId);
	return undefined;
}

const WITHOUT_AGENT =
	"'Add to Agent' is off, so nothing takes its place. Replace and Delete deletes it, unless an agent has it.";

const NOT_OWN = "Not deleted, because it may be somebody else's";

const MAY_BE_REMOVED = 'It is not known whether it was taken from the agent';

const MAY_BE_DELETED = 'It is not known whether it was deleted';
