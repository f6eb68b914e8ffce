import { nameWithId } from '../output/itemResult';
import { isFailure, toResult } from '../text/failure';
import type { Batch, Delivery } from './delivery';

/**
 * Names an earlier document with the name of a new document, if it is the newest and no agent uses it: indexing may
 * have taken too long to add it.
 */
export async function nameUnused(run: Batch, delivery: Delivery): Promise<void> {
	const { item, name, sourceType, plan, old } = delivery;
	const [{ uniqueId } = { uniqueId: '' }] = run.snapshot.documents.named(sourceType, name);
	const isReplaced = old.some((one) => one.uniqueId === uniqueId);
	if (plan.action !== 'create' || uniqueId === '' || isReplaced) return;
	const usage = await toResult(run.snapshot.agents.usage());
	if (!isFailure(usage) && usage.agentsUsing(uniqueId).length > 0) return;
	old.push({ uniqueId, name, isOwn: false, wasUsed: false, steps: {}, reason: UNUSED });
	item.warn(`CometChat also has ${nameWithId({ uniqueId, name })}. ${UNUSED}`);
}

const UNUSED =
	"The agent doesn't use this version. Delete the version that you don't need with 'Document: Delete'";
