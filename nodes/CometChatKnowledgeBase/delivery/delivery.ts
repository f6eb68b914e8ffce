import type { ItemLog } from '../operations/itemContext';
import type { RunContext } from '../operations/operation';
import type { CreatedDocument } from '../output/itemResult';
import type { Agent } from '../api/agents';
import type { Effect, Failure } from '../text/failure';
import type { ExistingDocument, Plan } from './plan';
import type { Semaphore } from '../operations/concurrency';
import type { Snapshot } from './snapshot';

/** An execution that delivers documents. */
export interface Batch extends RunContext {
	readonly snapshot: Snapshot;
	/** The IDs that CometChat returned in this execution: no two files may share an ID, and no ID is an old version. */
	readonly createdIds: Set<string>;
	/** Limits the number of simultaneous uploads, which share n8n's bandwidth. */
	readonly uploads: Semaphore;
}

/** The part of an execution after the creation of a document: the failure of another item does not end it. */
export type Finishing = Omit<Batch, 'starting'>;

/** A change of a document by this execution. */
export type Step = 'create' | 'add' | 'remove' | 'delete';

/** The effect of each request that was sent. */
export type Steps = Partial<Record<Step, Effect>>;

/** An old document that a new document replaces. */
export interface OldVersion {
	readonly uniqueId: string;
	readonly name?: string;
	readonly isOwn: boolean;
	/** Whether the agent used the document; undefined if CometChat doesn't report it. */
	wasUsed?: boolean;
	readonly steps: Steps;
	/** The reason why nothing more is done with the document. */
	reason?: string;
}

/** The old versions to delete if no agent uses them. `own`: only old versions that this node uploaded. */
export type DeleteOld = 'never' | 'own' | 'ifUnused';

/** A document to create and add to an agent. The phases store their results here, and `rows` reads them. */
export interface Delivery {
	/** The index of the input item. */
	readonly index: number;
	readonly item: ItemLog;
	readonly sourceType: string;
	name: string;
	/** The agent to add the document to; undefined for none. */
	readonly agent?: Agent;
	readonly plan: Plan;
	/** Whether to wait until the document is indexed, which CometChat's guide requires before it is added. */
	readonly waits: boolean;
	/** The value of 'Indexing Timeout'. */
	readonly maxIndexingMs: number;
	readonly deletes: DeleteOld;
	/** Creates or updates the document. Returns its ID. */
	readonly create?: (delivery: Delivery) => Promise<string>;
	/**
	 * Whether the document is ready, if its status doesn't show that. `isLast`: whether the wait ends after this
	 * request. A failure is the delivery's failure.
	 */
	readonly isReady?: (isLast: boolean) => Promise<boolean>;
	uniqueId?: string;
	status?: string;
	/** Whether `isReady` has returned true. */
	isReadyNow?: boolean;
	/** Whether CometChat returned the ID of a document that existed before. */
	isExisting?: boolean;
	readonly steps: Steps;
	old: OldVersion[];
	/** An empty document that could not be deleted. */
	leftover?: CreatedDocument;
	/** The warning that CometChat found no text in the document. */
	emptyWarning?: string;
	/** The warning that CometChat lists the document under another name. */
	nameWarning?: string;
	/** Whether CometChat found text in the new document; undefined if this was not checked. */
	hasText?: boolean;
	failure?: Failure;
}

type NewDelivery = Omit<Delivery, 'steps' | 'old' | 'waits' | 'deletes'> &
	Partial<Pick<Delivery, 'waits' | 'deletes'>>;

/** Makes a delivery. It waits for indexing if it removes old versions, or adds an existing document to an agent. */
export function newDelivery(wanted: NewDelivery): Delivery {
	const { plan, agent, item, waits = true, deletes = 'never', isReady } = wanted;
	const old = 'retire' in plan ? plan.retire.map((one) => toOldVersion(one, agent)) : [];
	const found = plan.action === 'skip' ? plan.found : undefined;
	if (old.some(({ wasUsed }) => wasUsed === undefined)) item.warn(MAY_USE_OLD);
	const isAdded = plan.action === 'use' && agent !== undefined && !plan.found.isAttached;
	return {
		...wanted,
		uniqueId: found?.uniqueId,
		status: found?.status,
		waits: waits || (isAdded && !isReady) || removesOldVersions({ agent, deletes, old }),
		...{ deletes, steps: {}, old },
	};
}

/** Returns the ID of a document that exists; empty for others. */
export function idOf({ uniqueId }: Pick<Delivery, 'uniqueId'>): string {
	return uniqueId ?? '';
}

/** Whether old versions are removed from the agent or deleted. */
export function removesOldVersions({
	agent,
	deletes,
	old,
}: Pick<Delivery, 'agent' | 'deletes' | 'old'>): boolean {
	const isAny = old.some(({ reason }) => reason === undefined);
	return isAny && (agent !== undefined || deletes !== 'never');
}

/** Whether the agent uses the document, by the agent's list or by this execution. */
export function isUsed({
	agent,
	plan,
	steps,
}: Pick<Delivery, 'agent' | 'plan' | 'steps'>): boolean {
	if (agent === undefined) return false;
	const found = 'found' in plan && !Array.isArray(plan.found) ? plan.found : undefined;
	return steps.add === 'applied' || found?.isAttached === true;
}

/** Whether the agent uses an old version, or may use it. */
export function isStillUsed({ wasUsed, steps }: OldVersion): boolean {
	return wasUsed !== false && steps.remove !== 'applied';
}

/** Whether an old version is deleted if no agent uses it. */
export function isDeletionWanted(
	{ deletes }: Pick<Delivery, 'deletes'>,
	{ isOwn }: OldVersion,
): boolean {
	return deletes === 'ifUnused' || (deletes === 'own' && isOwn);
}

/** Whether the next execution must remove or delete an old version. */
export function isUnfinished({ failure }: Delivery, one: OldVersion): boolean {
	const { delete: effect = failure ? 'not applied' : 'applied' } = one.steps;
	return isStillUsed(one) || effect !== 'applied';
}

function toOldVersion(
	{ uniqueId, name, isAttached, isOwn = false }: ExistingDocument,
	agent?: Agent,
): OldVersion {
	const wasUsed = agent === undefined ? false : isAttached;
	const reason = wasUsed === undefined ? NOT_REPORTED : undefined;
	return { uniqueId, name, isOwn, wasUsed, steps: {}, reason };
}

const NOT_REPORTED =
	"CometChat doesn't report the agent's documents. Check the agent's knowledge base in the CometChat dashboard";

const MAY_USE_OLD = `The agent may still use the old version: ${NOT_REPORTED}`;

/** Removes the old versions whose ID CometChat returned for a new document. */
export function dropReturnedIds({ createdIds }: Finishing, deliveries: readonly Delivery[]): void {
	for (const delivery of deliveries) {
		delivery.old = delivery.old.filter(({ uniqueId }) => !createdIds.has(uniqueId));
	}
}

/** Keeps the old versions with the agent. */
export function keepOld({ item, old }: Pick<Delivery, 'item' | 'old'>, reason: string): void {
	for (const one of old) one.reason = reason;
	item.warn(reason);
}

/** Stores a failure of deliveries. In an execution that stops on failure, nothing is started after that. */
export function fail(run: Finishing, deliveries: Delivery[], failure: Failure): void {
	for (const delivery of deliveries) delivery.failure = failure;
	if (run.stopsOnFailure && deliveries.length > 0) run.cancel();
}
