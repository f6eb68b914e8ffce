import type { ExistingDocument, Plan } from '../../../delivery/plan';
import { plan } from '../../../delivery/plan';
import { FAILED } from '../../../api/documents';
import type { FileRecord } from './record';

/*
 * The plan for a file of the folder.
 *
 * | The file                                    | An existing upload                       | Plan                      |
 * | ------------------------------------------- | ---------------------------------------- | ------------------------- |
 * | has the recorded content                    | the agent uses it                        | nothing                   |
 * |                                             | CometChat has it                         | add it                    |
 * |                                             | CometChat could not index it             | index it again, then add  |
 * |                                             | CometChat no longer has it               | upload, add               |
 * | has changed since                           | any                                      | upload, add               |
 * | has no record, was modified an hour before  | the agent's newest with its name         | nothing: it is unchanged  |
 * | has no record                               | CometChat could not index it since       | refuse: it fails          |
 * | has no record                               | any other, or none                       | upload, add               |
 *
 * The content decides. Last Modified decides if a content is unknown: the content of a PDF or DOCX file with the
 * recorded time, because exports differ each time, and the content of an upload without a record.
 *
 * Once the agent uses the file, its other uploads are removed from the agent, and deleted if the user chose it.
 * Without a record, an upload that the agent doesn't use may belong to others, so it is never added.
 */

/** A file of the folder. */
export interface FolderFile {
	/** The hash of the content; left out if 'Last Modified' decides. */
	sha256?: string;
	/** The value of 'Last Modified', in milliseconds. */
	modified?: number;
}

/** A file that was modified less than an hour before its upload may have been modified after its download. */
const DOUBTFUL_MS = 3_600_000;

/** Whether a file has the recorded content. */
export function isRecorded(file: FolderFile, record: FileRecord): boolean {
	return isCompared(file, record) ? file.sha256 === record.sha256 : isSameTime(file, record);
}

function isCompared(file: FolderFile, record: FileRecord): boolean {
	return file.sha256 !== undefined && record.sha256 !== undefined;
}

/** Whether the 'Last Modified' of a file is the recorded time. */
export function isSameTime({ modified }: FolderFile, record: FileRecord | undefined): boolean {
	return modified !== undefined && modified === record?.modified;
}

/** Whether an upload is so much newer than a file that it has the content of the file. */
export function isNotModifiedSince(
	{ modified }: FolderFile,
	{ createdMs = 0 }: ExistingDocument,
): boolean {
	return modified !== undefined && modified + DOUBTFUL_MS <= createdMs;
}

/** Plans a file, with the reason. @param versions The existing uploads of the file, newest first. */
export function planFile(
	file: FolderFile,
	record: FileRecord | undefined,
	versions: readonly ExistingDocument[],
): { plan: Plan; reason: string } {
	const { found, reason } = findSame(file, record, versions);
	// The ID replaces the content of an upload, which CometChat doesn't return.
	const candidates = versions.map((one) => ({ ...one, content: one.uniqueId }));
	const planned = plan({ content: found?.uniqueId }, candidates, 'replace');
	if (!('retire' in planned)) return { plan: planned, reason };
	const retire = planned.retire.map((one) => ({ ...one, isAttached: isUsed(one, record) }));
	const all = planned.action === 'use' ? [planned.found, ...retire] : [];
	const isDouble = all.filter((one) => one.isAttached === true).length > 1;
	const why = planned.action === 'update' ? NOT_INDEXED : isDouble ? DOUBLE : reason;
	return { plan: { ...planned, retire }, reason: why };
}

/** Whether the agent uses an upload. Its list may be late or missing, so an own upload may be removed twice. */
function isUsed({ uniqueId, isOwn, isAttached }: ExistingDocument, record?: FileRecord) {
	const wasAdded = record?.uniqueId === uniqueId && record.step === undefined;
	return isOwn === true && (wasAdded || isAttached === undefined) ? true : isAttached;
}

/**
 * Finds an upload that CometChat couldn't index, for a node without any record. Another upload would fail, too, and
 * each execution would leave one in CometChat.
 */
export function findFailed(
	{ modified }: FolderFile,
	versions: readonly ExistingDocument[],
): ExistingDocument | undefined {
	if (modified === undefined) return undefined;
	if (versions.some(({ isAttached }) => isAttached === true)) return undefined;
	return versions.find(({ status, createdMs = 0 }) => status === FAILED && createdMs > modified);
}

/** Whether an agent now uses an upload with the same name from elsewhere instead of the recorded upload. */
export function isContested(
	record: FileRecord | undefined,
	versions: readonly ExistingDocument[],
): boolean {
	if (record === undefined || record.step !== undefined) return false;
	const own = versions.find(({ uniqueId }) => uniqueId === record.uniqueId);
	const isReplaced = own === undefined || own.isAttached === false;
	return isReplaced && versions.some((one) => one.isAttached === true && one.isOwn !== true);
}

/** Finds the upload with the content of a file. */
function findSame(
	file: FolderFile,
	record: FileRecord | undefined,
	versions: readonly ExistingDocument[],
): { found?: ExistingDocument; reason: string } {
	if (record && isRecorded(file, record)) {
		const found = versions.find(({ uniqueId }) => uniqueId === record.uniqueId);
		const isSame = found?.isAttached === true;
		return { found, reason: isSame ? whySame(file, record) : whyAdded(record, found) };
	}
	if (record && record.step !== 'removed') {
		return { reason: `${isCompared(file, record) ? 'The content' : 'Last Modified'} has changed` };
	}
	const newest = versions.find(({ isAttached }) => isAttached === true);
	if (newest && isNotModifiedSince(file, newest)) return { found: newest, reason: NOT_MODIFIED };
	if (newest?.status === FAILED) return { reason: NOT_INDEXED };
	if (newest && file.modified !== undefined) return { reason: MODIFIED };
	return { reason: newest ? NO_RECORD : 'New' };
}

/** Returns the reason why a file is unchanged. */
export function whySame(file: FolderFile, record: FileRecord): string {
	return isCompared(file, record) ? 'The content is the same' : 'Last Modified is the same';
}

function whyAdded({ step }: FileRecord, found: ExistingDocument | undefined): string {
	if (found === undefined) return "CometChat doesn't list the earlier upload";
	if (step === 'uploaded') return UPLOADED;
	return step === 'removed' ? 'Back in the input' : 'The agent no longer used the document';
}

const DOUBLE = 'The agent used several files with this name';

const UPLOADED = "An earlier execution uploaded the document, but didn't add it to the agent";

const NOT_INDEXED = "CometChat couldn't index the document";

const NOT_MODIFIED = 'Not modified since its upload. The content was not compared';

const MODIFIED = 'Modified after its upload, or shortly before';

const NO_RECORD = 'Treated as changed: this node has no record of the earlier upload';
