import type { KnowledgeBaseRecord } from '../../service/records';
import type { OldVersion } from './newVersion';
import type { NotedFile, NotedVersion } from './syncNote';

/** What is known of a file of the folder. */
export interface Known {
	/** Of the folder's content. */
	sha256: string;
	/** When the folder's file was changed last; undefined where the workflow does not tell. */
	modifiedMs?: number;
	/** What this node has noted of it. */
	noted?: NotedFile;
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
}

/** What is to be done with it. */
export interface Decision {
	action: 'added' | 'replaced' | 'unchanged';
	/** As a clause. */
	reason: string;
	/** The upload that has the folder's content already. */
	current?: { uniqueId: string; isAttached: boolean };
	oldVersions: OldVersion[];
}

/** What was changed so shortly before its upload may have been changed after its download. Our choice. */
const DOUBTFUL_MS = 60 * 60 * 1000;

/**
 * Tells what has become of a file: by its content where this node has noted what it sent, otherwise by
 * the time of its last change, otherwise not at all, and then it counts as changed.
 *
 * @returns Undefined if several uploads may be the file and nothing is noted of it: nobody knows which.
 */
export function decide(known: Known): Decision | undefined {
	const { noted, versions, isTold, recordWithId } = known;
	const { current, pending, old = [] } = noted ?? {};
	const withContent = (version: NotedVersion | undefined) =>
		version?.sha256 === known.sha256 && isUsable(recordWithId(version.uniqueId))
			? version.uniqueId
			: undefined;
	const isVersion = (id: string) => versions.some(({ uniqueId }) => uniqueId === id);

	const sameId = withContent(current);
	if (sameId !== undefined) {
		const isAttached = isTold ? isVersion(sameId) : !known.showsNone;
		return keeping(sameId, isAttached, isAttached ? 'The content is the same' : LOST);
	}
	const pendingId = withContent(pending);
	if (pendingId !== undefined) {
		return keeping(pendingId, isVersion(pendingId), 'Its upload was not added yet');
	}
	const [newest, another] = [...versions].sort((a, b) => createdMs(b) - createdMs(a));
	if (newest === undefined) {
		return bringing('added', current === undefined ? 'New' : LOST);
	}
	if (another !== undefined && noted === undefined) return undefined;
	if (current !== undefined && isVersion(current.uniqueId)) {
		const isChanged = current.sha256 !== known.sha256;
		return bringing('replaced', isChanged ? 'The content has changed' : UNREADABLE);
	}
	if (!isUsable(newest)) return bringing('replaced', UNREADABLE);
	if (known.modifiedMs === undefined || !isTold) {
		return bringing('replaced', 'Not known what was sent last');
	}
	return known.modifiedMs + DOUBTFUL_MS <= createdMs(newest)
		? keeping(newest.uniqueId, true, 'Not modified since its upload')
		: bringing('replaced', 'Modified since its upload, or shortly before');

	function keeping(uniqueId: string, isAttached: boolean, reason: string): Decision {
		const oldVersions = oldBut(uniqueId);
		const areOthers = versions.some((one) => one.uniqueId !== uniqueId);
		const action = areOthers ? 'replaced' : isAttached ? 'unchanged' : 'added';
		const why = areOthers && isAttached ? 'The agent had it more than once' : reason;
		return { action, reason: why, current: { uniqueId, isAttached }, oldVersions };
	}

	function bringing(action: Decision['action'], reason: string): Decision {
		return { action, reason, oldVersions: oldBut(undefined) };
	}

	/** Also those that no agent has any more: they are still to be deleted. */
	function oldBut(keptId: string | undefined): OldVersion[] {
		const noticed = [current?.uniqueId, pending?.uniqueId, ...old].flatMap((id) =>
			id !== undefined && recordWithId(id) !== undefined ? [id] : [],
		);
		const ids = new Set([...versions.map(({ uniqueId }) => uniqueId), ...noticed]);
		return [...ids]
			.filter((id) => id !== keptId)
			.map((uniqueId) => ({ uniqueId, mayBeAttached: isVersion(uniqueId) }));
	}
}

const LOST = 'The agent no longer had it';

const UNREADABLE = 'CometChat was not able to read it';

function isUsable(record: KnowledgeBaseRecord | undefined): boolean {
	return record !== undefined && record.status !== 'failed';
}

/** An upload without a time counts as the oldest, so that a modified file is newer. */
function createdMs({ createdAt }: KnowledgeBaseRecord): number {
	return typeof createdAt === 'number' ? createdAt : 0;
}
