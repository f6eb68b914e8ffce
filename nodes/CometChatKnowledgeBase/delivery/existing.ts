import { detailsOf } from '../api/documents';
import { joinLimited } from '../text/quoting';
import { shownTime } from '../text/times';
import type { Batch } from './delivery';
import type { ExistingDocument } from './plan';

/** Returns the status, time and ID of existing documents, which distinguish documents with the same name. */
export function detailsOfEach(
	{ context, snapshot }: Batch,
	existing: ReadonlyArray<Pick<ExistingDocument, 'uniqueId'>>,
): string {
	const timeZone = context.getTimezone();
	const found = existing.flatMap(({ uniqueId }) => snapshot.documents.withId(uniqueId) ?? []);
	const minutes = new Set(found.map(({ createdAt }) => shownTime(createdAt, timeZone)));
	const precision = minutes.size < found.length ? 'second' : 'minute';
	const each = found.map((record) =>
		[...detailsOf(record, timeZone, precision), `ID ${record.uniqueId}`].join(', '),
	);
	return joinLimited(each, '; ');
}
