import { NoAcceptedFile } from '../../../files/neverAccepted';
import { oldRows, oldVersions } from '../../../ingestion/replacement';
import { SkippedItem } from '../../../input/field';
import { sentences } from '../../../values/quoting';
import { UPLOADS } from '../../../values/sourceTypes';
import { fileRow } from './output';
import type { SyncState } from './state/state';
import { attachedUploads } from './state/state';
import type { SyncTask } from './syncFields';

/*
 * Files of the folder that are not sent, without a request and without failing.
 *
 * | The file                                       | `success` | A warning |
 * | ---------------------------------------------- | --------- | --------- |
 * | is never accepted (`files/neverAccepted`)      | true      | no        |
 * | is empty, and the agent has an earlier version | true      | yes       |
 * | is too large                                   | false     | yes       |
 *
 * It has a name, so it counts as present: the agent keeps an earlier version of it, and other files may be removed.
 */

/** Returns why the file of an item is skipped; undefined if it is not. A file without a name is not: it may be any. */
export function skippedFile({
	itemFile: { file, names },
}: Pick<SyncTask, 'itemFile'>): NoAcceptedFile | undefined {
	return file instanceof NoAcceptedFile && names.length > 0 ? file : undefined;
}

/** Returns the row of a skipped file. @param isTried Whether it is a dry run. */
export function skip(
	file: NoAcceptedFile,
	{ uid, itemFile: { names }, isTried }: Pick<SyncTask, 'uid' | 'itemFile'> & { isTried: boolean },
	state: SyncState,
): SkippedItem {
	const { files } = state.agentFor(uid);
	const kept = names.flatMap((name) =>
		attachedUploads(files.get(name)).map((uniqueId) => ({ uniqueId, sourceName: name })),
	);
	const old = oldRows(oldVersions(kept)).map((one) => ({ ...one, reason: 'The agent keeps it' }));
	const row = { action: 'skipped' as const, sourceType: UPLOADS, uid };
	if (file.hasTooLarge) {
		return new SkippedItem(alarm(file), fileRow({ ...row, success: false }, isTried), true);
	}
	const hasEmpty = file.files.some(({ kind }) => kind === 'empty');
	const isKept = kept.length > 0;
	const reason = sentences(`${reasonOf(file)}.`, isKept ? KEPT : hasEmpty && MAY_BE_KEPT);
	const shown = { ...row, success: true, ...(isKept && { old }) };
	return new SkippedItem(reason.replace(/\.$/, ''), fileRow(shown, isTried), isKept);
}

function reasonOf(file: NoAcceptedFile): string {
	return `Not sent, because ${file.clause}`;
}

function alarm(file: NoAcceptedFile): string {
	return `${reasonOf(file)}. ${file.hint} Until it is replaced in the folder, the agent does not get it`;
}

const KEPT = 'The agent keeps the version that was uploaded before.';

const MAY_BE_KEPT = 'If the agent has an earlier version, it keeps that version.';
