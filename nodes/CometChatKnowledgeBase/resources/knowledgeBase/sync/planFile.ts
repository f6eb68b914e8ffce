import type { Candidate, Plan } from '../../../delivery/plan';
import { plan } from '../../../delivery/plan';
import { FAILED } from '../../../api/documents';
import type { FileRecord } from './record';

/*
 * What is done with a file of the folder.
 *
 * | The file                                    | An existing upload                       | Plan                      |
 * | ------------------------------------------- | ---------------------------------------- | ------------------------- |
 * | has the recorded content or Last Modified   | the agent uses it                        | nothing                   |
 * |                                             | CometChat has it                         | add it                    |
 * |                                             | CometChat could not index it             | index it again, then add  |
 * |                                             | CometChat no longer has it               | upload, add               |
 * | has changed since                           | any                                      | upload, add               |
 * | has no record, was modified an hour before  | the agent's newest with its name         | nothing: it is unchanged  |
 * | has no record, was modified an hour before  | one with its name that no agent uses     | continue with it          |
 * | has no record                               | any other, or none                       | upload, add               |
 *
 * Once the agent has the file, its other uploads are removed from the agent, and deleted as the user chose.
 */

/** A file of the folder. */
export interface FolderFile {
	/** The hash of its content; left out if its Last Modified is the recorded one. */
	sha256?: string;
	/** Its Last Modified, in milliseconds. */
	modified?: number;
}

/** An upload of a file. */
export interface Version extends Candidate {
	/** A Unix time in milliseconds; undefined if CometChat does not report it. */
	createdMs?: number;
}

/** The plan for a file, and why. */
export interface FilePlan {
	plan: Plan;
	reason: string;
}

/** What was modified so shortly before its upload may have been modified after its download. */
const DOUBTFUL_MS = 3_600_000;

/** Whether a file is the recorded one. */
export function isRecorded({ sha256, modified }: FolderFile, record: FileRecord): boolean {
	return isSameTime({ modified }, record) || (sha256 !== undefined && sha256 === record.sha256);
}

/** Whether the Last Modified of a file is the recorded one. */
export function isSameTime({ modified }: FolderFile, record: FileRecord | undefined): boolean {
	return modified !== undefined && modified === record?.modified;
}

/** Whether an upload is so much newer than a file that it has the content of the file. */
export function isNotModifiedSince({ modified }: FolderFile, { createdMs = 0 }: Version): boolean {
	return modified !== undefined && modified + DOUBTFUL_MS <= createdMs;
}

/**
 * @param versions The existing uploads of the file, newest first.
 * @param unfinished One of them that no agent uses, and that may be left by an earlier execution.
 */
export function planFile(
	file: FolderFile,
	record: FileRecord | undefined,
	versions: readonly Version[],
	unfinished?: Version,
): FilePlan {
	const { found, reason } = findSame(file, record, versions, unfinished);
	// Its ID stands for the content of an upload: CometChat does not show the content.
	const candidates = versions.map((one) => ({ ...one, content: one.uniqueId }));
	const planned = plan({ content: found?.uniqueId }, candidates, 'replace');
	if (planned.action === 'update') return { plan: planned, reason: NOT_INDEXED };
	const isDouble =
		planned.action === 'use' &&
		[planned.found, ...planned.retire].filter(({ isAttached }) => isAttached === true).length > 1;
	return {
		plan: planned,
		reason: isDouble ? 'The agent used several uploads of the file' : reason,
	};
}

/** Finds the upload that has the content of a file. */
function findSame(
	file: FolderFile,
	record: FileRecord | undefined,
	versions: readonly Version[],
	unfinished?: Version,
): { found?: Version; reason: string } {
	if (record && isRecorded(file, record)) {
		const found = versions.find(({ uniqueId }) => uniqueId === record.uniqueId);
		const isSame = found?.isAttached === true;
		return { found, reason: isSame ? whySame(file, record) : whyAdded(record, found) };
	}
	if (record && record.step !== 'removed') return { reason: 'The content has changed' };
	const newest = versions.find(({ isAttached }) => isAttached === true);
	if (newest && isNotModifiedSince(file, newest)) return { found: newest, reason: NOT_MODIFIED };
	if (newest?.status === FAILED) return { reason: NOT_INDEXED };
	if (newest && file.modified !== undefined) return { reason: MODIFIED };
	if (versions.some(({ isAttached }) => isAttached !== false)) return { reason: NO_RECORD };
	return unfinished ? { found: unfinished, reason: CONTINUED } : { reason: 'New' };
}

function whySame(file: FolderFile, record: FileRecord): string {
	return isSameTime(file, record) ? SAME_TIME : 'The content is the same';
}

function whyAdded({ step }: FileRecord, found: Version | undefined): string {
	if (found === undefined) return "CometChat doesn't list the earlier upload";
	if (step === 'uploaded') return CONTINUED;
	return step === 'removed' ? 'Back in the folder' : 'The agent no longer used the file';
}

export const SAME_TIME = 'Last Modified is the same';

const CONTINUED = 'Uploaded earlier, but not added to the agent yet';

const NOT_INDEXED = "CometChat couldn't index the file";

const NOT_MODIFIED = 'Not modified since its upload';

const MODIFIED = 'Modified after its upload, or shortly before';

const NO_RECORD = 'Counts as changed, because this node has no record of the earlier upload';
