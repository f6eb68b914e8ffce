import { collect } from '../api/pagination';
import { documentPages } from '../api/documents';
import { toResult, isFailure } from '../text/failure';
import { normalizeName } from '../text/names';
import { quoted } from '../text/quoting';
import { UPLOADS } from '../text/sourceTypes';
import type { Delivery, Finishing } from './delivery';

/**
 * Warns of uploads that CometChat lists under another name: the next execution would not find them by their name. The
 * first page of the list shows the newest documents, and is read once.
 */
export async function warnOfNewNames(
	run: Finishing,
	deliveries: readonly Delivery[],
): Promise<void> {
	const uploads = deliveries.filter(
		({ isCreated, sourceType, plan }) =>
			isCreated && sourceType === UPLOADS && plan.action === 'create',
	);
	if (uploads.length === 0) return;
	const list = await toResult(collect(documentPages(run.finishing), { isLast: () => true }));
	if (isFailure(list)) return;
	const names = new Map(list.map(({ uniqueId, sourceName }) => [uniqueId, sourceName]));
	for (const delivery of uploads) {
		const { item, name, uniqueId = '' } = delivery;
		const listed = names.get(uniqueId);
		if (listed === undefined || normalizeName(listed) === normalizeName(name)) continue;
		delivery.nameWarning = `CometChat lists ${quoted(name)} as ${quoted(listed)}. To replace it later, enter this name in 'Name in CometChat' under Options`;
		item.warn(delivery.nameWarning);
	}
}
