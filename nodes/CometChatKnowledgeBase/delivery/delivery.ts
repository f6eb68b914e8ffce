import type { ItemLog } from '../operations/itemContext';
import type { RunContext } from '../operations/operation';
import type { CreatedDocument } from '../output/itemResult';
import type { Agent } from '../api/agents';
import type { Failure } from '../text/failure';
import { mayHaveSucceeded } from '../text/failure';
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

/** A step that changed something, or tried to. */
export type Step = 'create' | 'attach' | 'detach' | 'delete';

/** An old document that loses its place to a new one. */
export interface Retired {
	readonly uniqueId: string;
	readonly name?: string;
	readonly isOwn: boolean;
	/** Whether no agent ever used it: it is deleted as soon as there is another upload, whatever `deletes` is. */
	readonly isNeverUsed: boolean;
	/** Undefined if CometChat does not report it: then the agent may keep it. */
	wasAttached?: boolean;
	state: 'attached' | 'detached' | 'kept' | 'deleted';
	/** Why the document still exists, or is still attached. */
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
	isSettled?: boolean;
	/** Whether CometChat returned the ID of a document that existed before. */
	isExisting?: boolean;
	/** Whether `create` has succeeded. */
	isCreated: boolean;
	/** Whether the agent has the document, by its lists or by this execution. */
	isAttached: boolean;
	/** The step whose result is unknown because its response was lost. */
	lost?: Step;
	retired: Retired[];
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

type NewDelivery = Omit<Delivery, 'isCreated' | 'isAttached' | 'retired' | 'waits' | 'deletes'> &
	Partial<Pick<Delivery, 'waits' | 'deletes'>>;

/** A delivery before its first phase. It waits for indexing if it replaces anything or adds an existing document. */
export function newDelivery(wanted: NewDelivery): Delivery {
	const { plan, agent, item, waits = true, deletes = 'never', isReady } = wanted;
	const retired = 'retire' in plan ? plan.retire.map((one) => toRetired(one, agent)) : [];
	const isAttached = agent !== undefined && 'found' in plan && isFoundAttached(plan);
	const found = plan.action === 'skip' ? plan.found : undefined;
	if (retired.some(({ wasAttached }) => wasAttached === undefined)) item.warn(MAY_USE_OLD);
	const isAdded = plan.action === 'use' && agent !== undefined && !isAttached;
	return {
		...wanted,
		uniqueId: found?.uniqueId,
		status: found?.status,
		waits: waits || (isAdded && !isReady) || replaces({ agent, deletes, retired }),
		...{ deletes, isCreated: false, isAttached, retired },
	};
}

/** Whether old versions are detached or deleted. */
export function replaces({
	agent,
	deletes,
	retired,
}: Pick<Delivery, 'agent' | 'deletes' | 'retired'>): boolean {
	const isAny = retired.some(({ wasAttached }) => wasAttached !== undefined);
	return isAny && (agent !== undefined || deletes !== 'never');
}

function isFoundAttached(plan: Extract<Plan, { found: unknown }>): boolean {
	return !Array.isArray(plan.found) && plan.found.isAttached === true;
}

function toRetired(
	{ uniqueId, name, isAttached, isOwn = false, isNeverUsed = false }: ExistingDocument,
	agent?: Agent,
): Retired {
	const wasAttached = agent === undefined ? false : isAttached;
	return {
		uniqueId,
		name,
		isOwn,
		isNeverUsed,
		wasAttached,
		state: wasAttached === false ? 'detached' : 'attached',
		reason: wasAttached === undefined ? NOT_REPORTED : undefined,
	};
}

const NOT_REPORTED =
	"CometChat doesn't report the agent's documents. Check the agent's knowledge base in the CometChat dashboard";

const MAY_USE_OLD = `The agent may still use the old version: ${NOT_REPORTED}`;

/** Keeps the documents whose IDs CometChat returned for new ones. */
export function keepReturned({ createdIds }: Finishing, deliveries: readonly Delivery[]): void {
	for (const delivery of deliveries) {
		delivery.retired = delivery.retired.filter(({ uniqueId }) => !createdIds.has(uniqueId));
	}
}

/** Leaves the old versions where they are. */
export function keepOld(
	{ item, retired }: Pick<Delivery, 'item' | 'retired'>,
	reason: string,
): void {
	for (const one of retired) {
		Object.assign(one, { reason, state: one.state === 'detached' ? 'kept' : one.state });
	}
	item.warn(reason);
}

/** Records why a delivery ends. In an execution that stops on failure, nothing new is started from then on. */
export function fail(run: Finishing, deliveries: Delivery[], failure: Failure, step?: Step): void {
	for (const delivery of deliveries) {
		delivery.failure = failure;
		if (step !== undefined && mayHaveSucceeded(failure)) delivery.lost = step;
	}
	if (run.stopsOnFailure && deliveries.length > 0) run.cancel();
}
