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
	/** The IDs that CometChat returned in this execution: two files must not share one, and none of them is old. */
	readonly createdIds: Set<string>;
	/** Limits the number of simultaneous uploads, which share the bandwidth of n8n. */
	readonly uploads: Semaphore;
}

/** Whatever follows the creation of a document: a failure elsewhere does not end it. */
export type Finishing = Omit<Batch, 'starting'>;

/** A change of a document, as this execution sends it. */
export type Step = 'create' | 'add' | 'remove' | 'delete';

/** The effect of each change that was sent. */
export type Steps = Partial<Record<Step, Effect>>;

/** An old document that a new one replaces. */
export interface OldVersion {
	readonly uniqueId: string;
	readonly name?: string;
	readonly isOwn: boolean;
	/** Whether the agent used it; undefined if CometChat does not report it. */
	wasUsed?: boolean;
	readonly steps: Steps;
	/** Why nothing more is done with it. */
	reason?: string;
}

/** The old versions that are deleted if no agent uses them. `own`: only old versions that this node uploaded. */
export type DeleteOld = 'never' | 'own' | 'ifUnused';

/** One document on its way to an agent. The phases record their results here, and `rows` reads them. */
export interface Delivery {
	/** The place of the input item. */
	readonly index: number;
	readonly item: ItemLog;
	readonly sourceType: string;
	name: string;
	/** The agent that gets the document; undefined for none. */
	readonly agent?: Agent;
	readonly plan: Plan;
	/** Whether to wait until the document is indexed, as CometChat's guide asks before attaching. */
	readonly waits: boolean;
	/** Indexing Timeout. */
	readonly maxIndexingMs: number;
	readonly deletes: DeleteOld;
	/** Creates the document, or updates it in place. Returns its ID. */
	readonly create?: (delivery: Delivery) => Promise<string>;
	/**
	 * Whether the document is ready, where its status does not show it. `isLast`: whether the wait ends after this
	 * question. A failure fails the delivery.
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
	/** An entry without content that could not be deleted. */
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

/** A delivery before its first phase. It waits for indexing if it replaces anything or adds an existing document. */
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

/** Whether old versions are removed from the agent or deleted. */
export function removesOldVersions({
	agent,
	deletes,
	old,
}: Pick<Delivery, 'agent' | 'deletes' | 'old'>): boolean {
	const isAny = old.some(({ wasUsed }) => wasUsed !== undefined);
	return isAny && (agent !== undefined || deletes !== 'never');
}

/** Whether the agent uses the document, by its list or by this execution. */
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

/** Whether an old version is to be removed or deleted by the next execution. */
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

/** A document whose ID CometChat returned for a new one is no old version. */
export function dropReturnedIds({ createdIds }: Finishing, deliveries: readonly Delivery[]): void {
	for (const delivery of deliveries) {
		delivery.old = delivery.old.filter(({ uniqueId }) => !createdIds.has(uniqueId));
	}
}

/** Leaves the old versions where they are. */
export function keepOld({ item, old }: Pick<Delivery, 'item' | 'old'>, reason: string): void {
	for (const one of old) one.reason = reason;
	item.warn(reason);
}

/** Records why deliveries end. In an execution that stops on failure, nothing new is started from then on. */
export function fail(run: Finishing, deliveries: Delivery[], failure: Failure): void {
	for (const delivery of deliveries) delivery.failure = failure;
	if (run.stopsOnFailure && deliveries.length > 0) run.cancel();
}
