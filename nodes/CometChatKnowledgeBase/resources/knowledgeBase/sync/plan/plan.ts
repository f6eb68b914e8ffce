import type { OldVersion } from '../../../../ingestion/replacement';
import { oldVersions } from '../../../../ingestion/replacement';
import type { Document } from '../../../../service/documents';
import { FAILED } from '../../../../service/documents';
import { timeMs } from '../../../../values/times';
import type { FileState } from '../state/state';
import type { FileInCometChat } from '../state/whatIsThere';

/*
 * What is done with a file of the folder.
 *
 * | Its content                 | What is there                              | What is done                            |
 * | --------------------------- | ------------------------------------------ | --------------------------------------- |
 * | is what was sent last       | the agent has it                           | nothing                                 |
 * |                             | CometChat has it, the agent has it not     | the agent gets it                       |
 * |                             | CometChat was not able to read it          | it is to be read again, then as above   |
 * |                             | CometChat has it no longer                 | it is uploaded, the agent gets it       |
 * | is another                  | whatever it is                             | it is uploaded, the agent gets it       |
 * | nobody knows what was sent  | its newest upload is later than its change | nothing: that one counts as sent        |
 * |                             | it is not, or the agent has none           | it is uploaded, the agent gets it       |
 * |                             | the agent may have one of several          | nothing: the item fails                 |
 *
 * Once the agent has it, it loses all else of the name, and what was sent before. Of that, what nobody has is
 * deleted, unless it is to be kept, or only its name makes it the agent's. What no agent ever got is deleted as soon
 * as there is another upload.
 */

/** A file of the folder. */
export interface FolderFile {
	sha256: string;
	/** When it was changed last; undefined where the workflow does not tell. */
	modifiedMs?: number;
}

/** What is to be done with a file. */
export interface Plan {
	action: 'added' | 'replaced' | 'unchanged';
	/** As a clause. */
	reason: string;
	/** The upload that has the folder's content already; undefined: it is to be uploaded. */
	current?: { uniqueId: string; isAttached: boolean; status?: string };
	/** All else of the file. */
	old: OldVersion[];
	/** Whether that is not to be deleted. */
	retainsOld: boolean;
}

/** Where CometChat has several of the name, and does not tell which of them the agent has. */
export const NOBODY_KNOWS = Symbol('nobody knows which is the file');

/** What was changed so shortly before its upload may have been changed after its download. Our choice. */
const DOUBTFUL_MS = 60 * 60 * 1000;

/** Whether the first row may hold: then what the agent has of the name is all that is to be asked. */
export function isAsSent({ sha256 }: FolderFile, sent?: FileState): sent is FileState {
	return sent?.sha256 === sha256 && sent.step === 'attached' && sent.old.length === 0;
}

/** @param attached The IDs of the uploads of the name that the agent has. */
export function planForAsSent({ uniqueId }: FileState, attached: string[] = []): Plan | undefined {
	if (attached.join() !== uniqueId) return undefined;
	const current = { uniqueId, isAttached: true };
	return { action: 'unchanged', reason: SAME, current, old: [], retainsOld: false };
}

/** @param sent What is known of earlier runs. */
export function planFor(
	file: FolderFile,
	sent: FileState | undefined,
	there: FileInCometChat,
): Plan | typeof NOBODY_KNOWS {
	const same = sent?.sha256 === file.sha256 ? sent : undefined;
	if (same && there.isSentProven) return planForSame(same, there);
	const isKnown = sent !== undefined && sent.step !== 'removed';
	if (isKnown) return upload(there, same ? UNLISTED : 'The content has changed');
	const [newest, another] = [...there.versions].sort((a, b) => createdMs(b) - createdMs(a));
	if (another !== undefined && !there.isKnown) return NOBODY_KNOWS;
	if (newest === undefined) return upload(there, 'New');
	return planByTime(file, newest, there);
}

/** Where CometChat has the content already. */
function planForSame(sent: FileState, there: FileInCometChat): Plan {
	const { uniqueId } = sent;
	const { status } = there.sent.find((one) => one.uniqueId === uniqueId) ?? {};
	const current = { uniqueId, isAttached: there.hasSent, status };
	const reason = current.status === FAILED ? NOT_READ : whyKept(sent.step, current.isAttached);
	return keep(current, there, reason);
}

function keep(current: Required<Plan>['current'], there: FileInCometChat, reason: string): Plan {
	const old = oldBut(current.uniqueId, there);
	const isDone = current.isAttached && current.status !== FAILED;
	const isReplaced = old.some(({ wasAttached }) => wasAttached);
	const retainsOld = there.areGuessed;
	if (!isReplaced)
		return { action: isDone ? 'unchanged' : 'added', reason, current, old, retainsOld };
	const why = isDone ? 'The agent had it more than once' : reason;
	return { action: 'replaced', reason: why, current, old, retainsOld };
}

function whyKept(step: FileState['step'], isAttached: boolean): string {
	if (isAttached) return SAME;
	if (step === 'uploaded') return 'Uploaded before, but not added yet';
	return step === 'removed' ? 'Back in the folder' : 'The agent no longer had it';
}

function upload(there: FileInCometChat, reason: string): Plan {
	const old = oldBut(undefined, there);
	const action = old.some(({ wasAttached }) => wasAttached) ? 'replaced' : 'added';
	return { action, reason, old, retainsOld: there.areGuessed };
}

/** Where nobody knows what the agent's upload holds. */
function planByTime({ modifiedMs }: FolderFile, newest: Document, there: FileInCometChat): Plan {
	const { uniqueId, status } = newest;
	if (status === FAILED) return upload(there, NOT_READ);
	if (modifiedMs === undefined || !there.isKnown) {
		return upload(there, 'No record of what was sent last');
	}
	return modifiedMs + DOUBTFUL_MS <= createdMs(newest)
		? keep({ uniqueId, isAttached: true, status }, there, NOT_MODIFIED)
		: upload(there, 'Modified since it was uploaded, or shortly before');
}

/** Also what the agent has no longer: it is still to be deleted. */
function oldBut(currentId: string | undefined, { versions, sent }: FileInCometChat): OldVersion[] {
	const attached = new Set(versions.map(({ uniqueId }) => uniqueId));
	const detached = sent.filter(({ uniqueId }) => !attached.has(uniqueId));
	const all = oldVersions([...versions, ...detached], ({ uniqueId }) => attached.has(uniqueId));
	return all.filter(({ uniqueId }) => uniqueId !== currentId);
}

const SAME = 'The content is the same';

const NOT_READ = 'CometChat was not able to read it';

const NOT_MODIFIED = 'Not modified since it was uploaded';

const UNLISTED = "CometChat's list of files does not show it";

/** An upload without a time counts as the oldest, so that a modified file is newer. */
function createdMs({ createdAt }: Document): number {
	return timeMs(createdAt) ?? 0;
}
