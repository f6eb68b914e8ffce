import type { KnowledgeBaseRecord } from '../../../service/records';
import type { OldVersion } from '../../../ingestion/oldVersions';
import type { NotedFile, NotedVersion, Unreadable } from './syncNote';
import { isKnown, newFile, uploadsOf } from './syncNote';
import type { SentContent } from './unkeptUploads';

/** What is known of a file of the folder. */
export interface KnownFile {
	/** Of the folder's content. */
	sha256: string;
	/** When the folder's file was changed last; undefined where the workflow does not tell. */
	modifiedMs?: number;
	/** What this node has noted of it. */
	noted?: NotedFile;
	/** What this process has sent of it last, in a run whose note n8n has not kept. */
	unkept?: SentContent;
	/** Whether CometChat tells which documents the agent has. */
	isTold: boolean;
	/**
	 * Whether the agent shows nothing, although CometChat has told before what it has. It may have lost what
	 * it was given, which does no harm to give again; that it has no old version, this does not prove.
	 */
	showsNone?: boolean;
	/** The uploads of the file that the agent has; where it is not told, those that it may have. */
	versions: KnowledgeBaseRecord[];
	/** An upload by its ID, whoever has it; undefined if there is none. */
	recordWithId: (uniqueId: string) => KnowledgeBaseRecord | undefined;
	/** Whether the list of records has an upload; of others all that is known is that they have a status. */
	isListed: (uniqueId: string) => boolean;
	nowMs: number;
}

/** What is to be done with it. */
export interface Decision {
	kind: 'decided';
	action: 'added' | 'replaced' | 'unchanged';
	/** As a clause. */
	reason: string;
	/** The upload that has the folder's content already. */
	current?: { uniqueId: string; isAttached: boolean };
	oldVersions: OldVersion[];
	/** An upload of this node that no agent got, and whose content the folder no longer has. */
	superseded?: NotedVersion;
	/** Whether that is newer than whatever the agent has. */
	isAhead?: boolean;
}

/** Why nothing is done with it. */
export type Undecided =
	/** Several uploads may be the file, and nothing is noted of it: nobody knows which is. */
	| { kind: 'several' }
	/** CometChat was not able to read this content, several times; its next try is not due. */
	| { kind: 'unreadable'; unreadable: Unreadable; nextMs: number };

/** What was changed so shortly before its upload may have been changed after its download. Our choice. */
const DOUBTFUL_MS = 60 * 60 * 1000;

/** How often a content that CometChat is not able to read is uploaded run by run, and how often after that. Ours. */
const TRIES = 3;
const NEXT_TRY_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Tells what has become of a file: by its content where this node has noted what it sent, otherwise by
 * the time of its last change, otherwise not at all, and then it counts as changed.
 */
export function decide(known: KnownFile): Decision | Undecided {
	const { noted = newFile(), versions } = known;
	const sent = sentAlready(known, noted);
	if (sent) return sent;
	const outId = [...noted.out]
		.reverse()
		.map((one) => currentId(known, one))
		.find((id) => id !== undefined);
	const resting = outId === undefined ? untilNextTry(known, noted.unreadable) : undefined;
	if (resting) return resting;
	const [newest, another] = [...versions].sort((a, b) => createdMs(b) - createdMs(a));
	if (another !== undefined && !isKnown(noted)) return { kind: 'several' };
	if (outId !== undefined) {
		// This node has taken it out: a list that shows it may be late, and to add it twice is no harm.
		return keeping(known, outId, false, 'Back in the folder');
	}
	if (newest === undefined) {
		return bringing(known, 'added', noted.current === undefined ? 'New' : NO_LONGER_ATTACHED);
	}
	return byContent(known, noted.current) ?? byUnkept(known) ?? byTime(known, newest);
}

/** Where the agent has an upload with the folder's content, and no other of the file. */
export function unchanged(uniqueId: string): Decision {
	const current = { uniqueId, isAttached: true };
	return { kind: 'decided', action: 'unchanged', reason: SAME, current, oldVersions: [] };
}

/** Where this node has sent the content before, whether the agent has it by now or not. */
function sentAlready(known: KnownFile, { current, pending }: NotedFile): Decision | undefined {
	const sameId = currentId(known, current);
	if (sameId !== undefined) {
		const isAttached = known.isTold ? isVersion(known, sameId) : !known.showsNone;
		return keeping(known, sameId, isAttached, isAttached ? SAME : NO_LONGER_ATTACHED);
	}
	const pendingId = currentId(known, pending);
	if (pendingId === undefined) return undefined;
	return keeping(
		known,
		pendingId,
		isVersion(known, pendingId),
		'Uploaded before, but not added yet',
	);
}

/** Where CometChat was not able to read the content often enough for now. */
function untilNextTry(
	{ sha256, nowMs }: KnownFile,
	unreadable: Unreadable | undefined,
): Undecided | undefined {
	if (unreadable?.sha256 !== sha256 || unreadable.tries < TRIES) return undefined;
	const nextMs = unreadable.lastMs + NEXT_TRY_MS;
	return nowMs < nextMs ? { kind: 'unreadable', unreadable, nextMs } : undefined;
}

/** Where the agent has what this node has sent last, and can't answer with the folder's content from it. */
function byContent(known: KnownFile, current: NotedVersion | undefined): Decision | undefined {
	if (current === undefined || !isVersion(known, current.uniqueId)) return undefined;
	const isChanged = current.sha256 !== known.sha256;
	const whySame = known.isListed(current.uniqueId) ? NOT_READ : UNLISTED;
	return bringing(known, 'replaced', isChanged ? 'The content has changed' : whySame);
}

/** Where the agent shows one upload, and this process knows that it has the content, though nothing is noted. */
function byUnkept(known: KnownFile): Decision | undefined {
	const { sha256, isTold, unkept } = known;
	const [only, another] = known.versions;
	if (!isTold || another !== undefined || !isUsable(only)) return undefined;
	if (only?.uniqueId !== unkept?.uniqueId || unkept?.sha256 !== sha256) return undefined;
	return keeping(known, unkept.uniqueId, true, SAME);
}

/** Where what the agent has is not what this node has sent last. */
function byTime(known: KnownFile, newest: KnowledgeBaseRecord): Decision {
	if (!isUsable(newest)) return bringing(known, 'replaced', NOT_READ);
	if (known.modifiedMs === undefined || !known.isTold) {
		return bringing(known, 'replaced', 'No record of what was sent last');
	}
	return known.modifiedMs + DOUBTFUL_MS <= createdMs(newest)
		? keeping(known, newest.uniqueId, true, 'Not modified since it was uploaded')
		: bringing(known, 'replaced', 'Modified since it was uploaded, or shortly before');
}

/** Whether an upload is one of those of the file that the agent has, or may have. */
function isVersion({ versions }: KnownFile, id: string): boolean {
	return versions.some(({ uniqueId }) => uniqueId === id);
}

/**
 * Its ID, if it has the folder's content and an agent can answer from it. A status alone is no proof that it is
 * there: without the list of records, only that of the agent is.
 */
function currentId(known: KnownFile, version: NotedVersion | undefined): string | undefined {
	const { isTold, isListed, recordWithId } = known;
	if (version?.sha256 !== known.sha256) return undefined;
	const { uniqueId } = version;
	const isThere = isListed(uniqueId) || (isTold && isVersion(known, uniqueId));
	return isThere && isUsable(recordWithId(uniqueId)) ? uniqueId : undefined;
}

function keeping(
	known: KnownFile,
	uniqueId: string,
	isAttached: boolean,
	reason: string,
): Decision {
	const areOthers = known.versions.some((one) => one.uniqueId !== uniqueId);
	const action = areOthers ? 'replaced' : isAttached ? 'unchanged' : 'added';
	const why = areOthers && isAttached ? 'The agent had it more than once' : reason;
	const current = { uniqueId, isAttached };
	return { kind: 'decided', action, reason: why, current, ...oldBut(known, uniqueId) };
}

function bringing(known: KnownFile, action: Decision['action'], reason: string): Decision {
	return { kind: 'decided', action, reason, ...oldBut(known, undefined) };
}

/** Also those that no agent has any more: they are still to be deleted. */
function oldBut(
	known: KnownFile,
	keptId: string | undefined,
): Pick<Decision, 'oldVersions' | 'superseded' | 'isAhead'> {
	const { noted = newFile(), versions, isTold, recordWithId } = known;
	const { pending } = noted;
	// What is back in the folder with another content leaves nothing behind.
	const left = isKnown(noted) ? [] : noted.out.filter(({ isOwn }) => isOwn);
	const noticed = [...uploadsOf(noted), ...left].filter(
		({ uniqueId }) => recordWithId(uniqueId) !== undefined,
	);
	const own = new Set(
		[...noticed, ...noted.out].flatMap(({ uniqueId, isOwn }) => (isOwn ? [uniqueId] : [])),
	);
	const ids = new Set([...versions, ...noticed].map(({ uniqueId }) => uniqueId));
	const isPending = (id: string) => id === pending?.uniqueId;
	const isSuperseded =
		pending?.isOwn === true &&
		pending.mayBeAttached !== true &&
		pending.uniqueId !== keptId &&
		ids.has(pending.uniqueId) &&
		!isVersion(known, pending.uniqueId);
	const oldVersions = [...ids]
		.filter((id) => id !== keptId && !(isSuperseded && isPending(id)))
		.map((uniqueId) => ({
			uniqueId,
			// The answer to its addition may have been lost; of a note that does not tell, too.
			mayBeAttached:
				isVersion(known, uniqueId) ||
				(isPending(uniqueId) &&
					(pending?.mayBeAttached === true || (!isTold && !own.has(uniqueId)))),
			isForeign: !own.has(uniqueId),
		}));
	if (!isSuperseded) return { oldVersions };
	const record = recordWithId(pending.uniqueId);
	const isAhead = record !== undefined && versions.every((it) => createdMs(it) < createdMs(record));
	return { oldVersions, superseded: pending, isAhead };
}

const SAME = 'The content is the same';

const NO_LONGER_ATTACHED = 'The agent no longer had it';

const NOT_READ = 'CometChat was not able to read it';

const UNLISTED = "CometChat's list of files does not show it";

function isUsable(record: KnowledgeBaseRecord | undefined): boolean {
	return record !== undefined && record.status !== 'failed';
}

/** An upload without a time counts as the oldest, so that a modified file is newer. */
function createdMs({ createdAt }: KnowledgeBaseRecord): number {
	return typeof createdAt === 'number' ? createdAt : 0;
}
