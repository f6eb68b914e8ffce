import type { Document } from '../api/documents';
import { nameWithId } from '../output/itemResult';
import { isFailure, toResult } from '../text/failure';
import type { Batch, Delivery } from './delivery';

/**
 * Names the newest document that has the name of a new document and that no agent uses. An earlier execution may have
 * created it and not added it to the agent, because indexing took too long.
 */
export async function nameUnused(run: Batch, delivery: Delivery): Promise<void> {
	const { item, name, sourceType, plan, old } = delivery;
	const isOther = ({ uniqueId }: Document) => old.every((one) => one.uniqueId !== uniqueId);
	const others = run.snapshot.documents.named(sourceType, name).filter(isOther);
	if (plan.action !== 'create' || others.length === 0) return;
	const usage = await toResult(run.snapshot.agents.usage());
	const isUnused = ({ uniqueId }: Document) =>
		isFailure(usage) || usage.agentsUsing(uniqueId).length === 0;
	const { uniqueId } = others.find(isUnused) ?? {};
	if (uniqueId === undefined) return;
	const reason = `The agent doesn't use this version. Delete the version that you don't need with 'Document: Delete'`;
	old.push({ uniqueId, name, isOwn: false, wasUsed: false, steps: {}, reason });
	item.warn(`CometChat also has ${nameWithId({ uniqueId, name })}. ${reason}`);
}
