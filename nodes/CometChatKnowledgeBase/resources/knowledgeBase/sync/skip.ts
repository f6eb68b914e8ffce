import type { Item } from '../../../operations/readItems';
import { NoAcceptedFile } from '../../../fields/neverAccepted';
import type { ItemResult } from '../../../output/itemResult';
import { UPLOADS } from '../../../text/sourceTypes';
import type { Folder } from './folder';
import { fileRow } from './output';
import { attachedUploads } from './record';
import type { SyncTask } from './syncFields';

/*
 * Files of the folder that are skipped, without a request and without a failure.
 *
 * | The file                                       | `success` | A warning |
 * | ---------------------------------------------- | --------- | --------- |
 * | is never accepted (`fields/neverAccepted`)      | true      | no        |
 * | is empty, and the agent has an earlier version | true      | yes       |
 * | is too large                                   | false     | yes       |
 *
 * A skipped file has a name, so it is present: the agent keeps its earlier version, and other files may be removed.
 */

/** Returns why the file of an item is skipped; undefined for others. A file without a name could be any file. */
export function skippedFile({
	itemFile: { file, names },
}: Pick<SyncTask, 'itemFile'>): NoAcceptedFile | undefined {
	return file instanceof NoAcceptedFile && names.length > 0 ? file : undefined;
}

/** Returns the result of a skipped file. */
export function skip(
	file: NoAcceptedFile,
	{ task, requested }: Pick<Item<SyncTask>, 'task' | 'requested'>,
	{ uid, known, isDry }: Pick<Folder, 'uid' | 'known' | 'isDry'>,
): ItemResult {
	const kept = task.itemFile.names.flatMap((name) =>
		attachedUploads(known.files.get(name)).map((uniqueId) => {
			return { name, action: 'kept', uniqueId, reason: 'The agent continues to use this version' };
		}),
	);
	const isKept = kept.length > 0 && !file.hasTooLarge;
	const why = `Not uploaded, because ${file.clause}`;
	const reason = file.hasTooLarge ? `${why}. ${file.hint}` : why + (isKept ? KEPT : '');
	const row = { action: 'skipped' as const, success: !file.hasTooLarge, sourceType: UPLOADS, uid };
	const shown = fileRow({ ...row, reason, ...(isKept && { old: kept }) }, isDry);
	const note = isKept || file.hasTooLarge ? 'warnings' : 'remarks';
	return { kind: 'skipped', json: [{ ...requested, ...shown }], [note]: [reason] };
}

const KEPT = '. The agent continues to use the earlier version';
