import { firstPage } from '../api/pagination';
import type { Document } from '../api/documents';
import { documentPages } from '../api/documents';
import { toResult, isFailure } from '../text/failure';
import { groupBy } from '../text/groups';
import { normalizeName } from '../text/names';
import { joinLimited, quoted } from '../text/quoting';
import { UPLOADS } from '../text/sourceTypes';
import type { Delivery, Finishing } from './delivery';

/**
 * Warns of uploads that CometChat lists under another name, because the next execution would not find them by name.
 * Only the first page of the list is read, which contains the newest documents.
 */
export async function warnOfNewNames(
	run: Finishing,
	deliveries: readonly Delivery[],
): Promise<void> {
	const uploads = deliveries.filter(
		({ steps, sourceType, plan }) =>
			steps.create === 'applied' && sourceType === UPLOADS && plan.action === 'create',
	);
	if (uploads.length === 0) return;
	const list = await toResult(firstPage(documentPages(run.finishing)));
	if (isFailure(list)) return;
	const names = new Map(list.map(({ uniqueId, sourceName }) => [uniqueId, sourceName]));
	const { isListed, documents } = run.snapshot;
	const isForeign = ({ type, uniqueId }: Document) =>
		type === UPLOADS && !run.createdIds.has(uniqueId) && !documents.withId(uniqueId);
	const foreign = isListed ? list.filter(isForeign) : [];
	const foreignIds = groupBy(foreign, ({ sourceName = '' }) => [normalizeName(sourceName)]);
	for (const delivery of uploads) {
		const { item, name, uniqueId = '' } = delivery;
		const twins = foreignIds.get(normalizeName(name));
		if (twins) item.warn(uploadedAtOnce(name, twins));
		const listed = names.get(uniqueId);
		if (listed === undefined || normalizeName(listed) === normalizeName(name)) continue;
		delivery.nameWarning = `CometChat lists ${quoted(name)} as ${quoted(listed)}. To replace it later, enter this name in 'Name in CometChat' under Options`;
		item.warn(delivery.nameWarning);
	}
}

function uploadedAtOnce(name: string, twins: Document[]): string {
	const ids = joinLimited(twins.map(({ uniqueId }) => uniqueId));
	return `CometChat has another new file named ${quoted(name)} (ID ${ids}). Another execution or person may have uploaded it at the same time. Remove the file that you don't need with 'Remove Files'`;
}
