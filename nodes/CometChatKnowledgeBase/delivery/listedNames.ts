import { firstPage } from '../api/pagination';
import type { Document } from '../api/documents';
import { documentPages } from '../api/documents';
import { toResult, isFailure } from '../text/failure';
import { normalizeName } from '../text/names';
import { joinLimited, quoted } from '../text/quoting';
import { UPLOADS, WEBSITE } from '../text/sourceTypes';
import type { Delivery, Finishing } from './delivery';
import { Documents } from './documents';

/**
 * Warns of documents that another execution created at the same time, and of uploads that CometChat lists under another
 * name, because the next execution would not find them. Only the newest documents are read.
 */
export async function warnOfNewNames(
	run: Finishing,
	deliveries: readonly Delivery[],
): Promise<void> {
	const created = deliveries.filter(
		({ steps, sourceType, plan }) =>
			steps.create === 'applied' && sourceType !== WEBSITE && plan.action === 'create',
	);
	if (created.length === 0) return;
	const list = await toResult(firstPage(documentPages(run.finishing)));
	if (isFailure(list)) return;
	const names = new Map(list.map(({ uniqueId, sourceName }) => [uniqueId, sourceName]));
	const { isListed, documents } = run.snapshot;
	const isForeign = ({ uniqueId }: Document) =>
		!run.createdIds.has(uniqueId) && !documents.withId(uniqueId);
	const foreign = new Documents();
	if (isListed) foreign.addAll(list.filter(isForeign));
	for (const delivery of created) {
		const { item, name, sourceType, uniqueId = '' } = delivery;
		const twins = foreign.named(sourceType, name);
		if (twins.length > 0) item.warn(createdAtOnce(delivery, twins));
		const listed = sourceType === UPLOADS ? names.get(uniqueId) : undefined;
		if (listed === undefined || normalizeName(listed) === normalizeName(name)) continue;
		delivery.nameWarning = `To replace ${quoted(name)} later, use the name ${quoted(listed)}, under which CometChat lists it`;
		item.warn(delivery.nameWarning);
	}
}

function createdAtOnce({ name, sourceType }: Delivery, twins: Document[]): string {
	const ids = joinLimited(twins.map(({ uniqueId }) => uniqueId));
	const noun = sourceType === UPLOADS ? 'file' : 'text entry';
	return `CometChat has another new ${noun} named ${quoted(name)} (ID ${ids}). Another execution or person may have created it at the same time. Remove the ${noun} that you don't need with 'Remove Files'`;
}
