import type { OldVersion } from '../../../../ingestion/replacement';
import { oldVersions } from '../../../../ingestion/replacement';
import type { Document } from '../../../../service/documents';
import { FAILED } from '../../../../service/documents';
import { timeMs } from '../../../../values/times';
import type { FileState } from '../state/state';
import { ownUploadsOf } from '../state/state';
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
 * Once the agent has the file, its other uploads are removed from the agent, and deleted as the user chose. An own upload
 * that no agent ever used is deleted as soon as there is another upload.
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
	/** The other uploads of the file, and whether they are this node's own. */
	old: OldVersion[];
}

/** What was changed so shortly before its upload may have been changed after its download. Our choice. */
const DOUBTFUL_MS = 60 * 60 * 1000;

/**
 * @param sent What is known of earlier runs.
 * @returns Undefined where CometChat has several of the name, and does not tell which of them the agent has.
 */
export function planFor(
	file: FolderFile,
	sent: FileState | undefined,
	there: FileInCometChat,
): Plan | undefined {
	const own = sent ? ownUploadsOf(sent) : [];
	const plan = planWithoutOwners(file, sent, there);
	for (const one of plan?.old ?? []) one.isOwn = own.includes(one.uniqueId);
	return plan;
}

function planWithoutOwners(
	file: FolderFile,
	sent: FileState | undefined,
	there: FileInCometChat,
): Plan | undefined {
	const same = sent?.sha256 === file.sha256 ? sent : undefined;
	if (same && there.isSentProven) return planForSame(same, there);
	const isKnown = sent !== undefined && sent.step !== 'removed';
	if (isKnown) return planWith(there, same ? UNLISTED : 'The content has changed');
	const [newest, another] = [...there.versions].sort((a, b) => createdMs(b) - createdMs(a));
	if (another !== undefined && !there.isKnown) return undefined;
	if (newest === undefined) return planWith(there, 'New');
	return planByTime(file, newest, there);
}

/** Where CometChat has the content already. */
function planForSame({ uniqueId, step }: FileState, there: FileInCometChat): Plan {
	const { status } = there.sent.find((one) => one.uniqueId === uniqueId) ?? {};
	const isAttached = there.hasSent;
	const reason = status === FAILED ? NOT_READ : whyKept(step, isAttached);
	return planWith(there, reason, { uniqueId, isAttached, status });
}

function whyKept(step: FileState['step'], isAttached: boolean): string {
	if (isAttached) return SAME;
	if (step === 'uploaded') return 'Uploaded before, but not added yet';
	return step === 'removed' ? 'Back in the folder' : 'The agent no longer had it';
}

/** Where nobody knows what the agent's upload holds. */
function planByTime({ modifiedMs }: FolderFile, newest: Document, there: FileInCometChat): Plan {
	const { uniqueId, status } = newest;
	if (status === FAILED) return planWith(there, NOT_READ);
	if (modifiedMs === undefined || !there.isKnown) {
		return planWith(there, 'No record of what was sent last');
	}
	return modifiedMs + DOUBTFUL_MS <= createdMs(newest)
		? planWith(there, NOT_MODIFIED, { uniqueId, isAttached: true, status })
		: planWith(there, 'Modified since it was uploaded, or shortly before');
}

/** @param current Left out: it is to be uploaded. */
function planWith(there: FileInCometChat, reason: string, current?: Plan['current']): Plan {
	const old = oldIn(there).filter(({ uniqueId }) => uniqueId !== current?.uniqueId);
	const rest = { current, old };
	const isDone = current?.isAttached === true && current.status !== FAILED;
	if (!old.some(({ wasAttached }) => wasAttached)) {
		return { action: isDone ? 'unchanged' : 'added', reason, ...rest };
	}
	const why = isDone ? 'The agent had it more than once' : reason;
	return { action: 'replaced', reason: why, ...rest };
}

/** Also what the agent has no longer: it is still to be deleted. */
function oldIn({ versions, sent }: FileInCometChat): OldVersion[] {
	const attached = new Set(versions.map(({ uniqueId }) => uniqueId));
	const detached = sent.filter(({ uniqueId }) => !attached.has(uniqueId));
	return oldVersions([...versions, ...detached], ({ uniqueId }) => attached.has(uniqueId));
}

const SAME = 'The content is the same';

const NOT_READ = 'CometChat was not able to read it';

const NOT_MODIFIED = 'Not modified since it was uploaded';

const UNLISTED = "CometChat's list of files does not show it";

/** An upload without a time counts as the oldest, so that a modified file is newer. */
function createdMs({ createdAt }: Document): number {
	return timeMs(createdAt) ?? 0;
}
