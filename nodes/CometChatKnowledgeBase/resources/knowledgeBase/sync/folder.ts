import type { Batch } from '../../../delivery/delivery';
import { listFor } from '../../../delivery/usage';
import type { Agent } from '../../../api/agents';
import { knownStatuses, NOT_LISTED } from '../../../api/documents';
import type { Failure } from '../../../text/failure';
import { toResult, isFailure, UserError } from '../../../text/failure';
import { groupBy } from '../../../text/groups';
import { normalizeName } from '../../../text/names';
import { UPLOADS } from '../../../text/sourceTypes';
import type { AgentRecord, NamedFile, SyncRecord } from './record';
import { inFolder, uploadsOf } from './record';
import type { SyncTask } from './syncFields';

/** An execution of Sync Folder. */
export interface SyncRun {
	readonly batch: Batch;
	readonly record: SyncRecord;
	/** The folders by the UID of an item. */
	readonly folders: Map<string, Folder>;
	/** The request for the account's list, once it has started. */
	list?: Promise<void>;
}

/** The items of a call for one agent. */
export interface Folder {
	/** The UID as CometChat returns it, if the agent was requested. */
	readonly uid: string;
	/** Undefined if nothing is to be done for the agent. */
	readonly agent?: Agent | Failure;
	readonly known: AgentRecord;
	/** The names of the files in its items. */
	readonly names: Set<string>;
	readonly onMissing: SyncTask['onMissing'];
	readonly isDry: boolean;
	/** The hashes of the files that the agent uses since this call. */
	readonly newContents: string[];
	/** The recorded files of each ID, because CometChat may return the same ID for two files. */
	readonly byId: ReadonlyMap<string, NamedFile[]>;
	/** The IDs in the agent's list of files. */
	readonly attached: ReadonlySet<string>;
}

/** Requests the agents of all items, and compares their lists with the record. */
export async function openFolders(sync: SyncRun, tasks: readonly SyncTask[]): Promise<void> {
	const byUid = groupBy(tasks, ({ uid }) => [uid]);
	const folders = new Map<string, Folder>();
	const open = [...byUid].map(async ([uid, ofAgent]) => {
		const isKnown = inFolder(sync.record.agentFor(uid)).length > 0;
		const isNeeded =
			isKnown || ofAgent.some(({ itemFile: { file } }) => !(file instanceof UserError));
		const agent = isNeeded ? await toResult(sync.batch.snapshot.agents.withUid(uid)) : undefined;
		const folder = newFolder(sync.record, { uid, agent, tasks: ofAgent });
		// Two spellings of a UID may mean the same agent.
		const same = folders.get(folder.uid) ?? folder;
		folders.set(folder.uid, same);
		for (const name of folder.names) same.names.add(name);
		sync.folders.set(uid, same);
	});
	await Promise.all(open);
	for (const id of sync.record.uploads.keys()) sync.batch.snapshot.documents.addType(id, UPLOADS);
	for (const folder of folders.values()) await compare(sync, folder);
}

function newFolder(
	record: SyncRecord,
	{ uid, agent, tasks }: { uid: string; agent?: Agent | Failure; tasks: SyncTask[] },
): Folder {
	const isFound = agent !== undefined && !isFailure(agent);
	const key = isFound ? agent.uid : uid;
	const isDry = tasks.some((task) => task.isDryRun);
	const [onMissing = 'keep', ...differing] = new Set(tasks.map((task) => task.onMissing));
	const known = record.agentFor(key, { isDry });
	return {
		...{ uid: key, agent, known },
		byId: groupBy(inFolder(known), ([, { uniqueId }]) => [uniqueId]),
		names: new Set(tasks.flatMap(({ itemFile }) => itemFile.names)),
		onMissing: differing.length > 0 ? 'keep' : onMissing,
		isDry,
		newContents: [],
		attached: new Set(isFound ? listFor(agent, UPLOADS) : []),
	};
}

/** Our choice: most agents use few documents from outside of a folder. */
const MOST_OTHERS = 1000;

/**
 * Looks up the agent's documents that are not in the record. An upload with the name of a file in the folder is an old
 * version of the file, for example the second upload of two simultaneous executions.
 */
async function compare(sync: SyncRun, { known, names, attached }: Folder): Promise<void> {
	const { snapshot } = sync.batch;
	const recorded = new Set([...known.files.values()].flatMap(uploadsOf).map(({ id }) => id));
	known.others = new Set([...known.others].filter((id) => attached.has(id) && !recorded.has(id)));
	const unknown = [...attached].filter((id) => !recorded.has(id) && !known.others.has(id));
	if (unknown.length > 0) await readList(sync);
	for (const id of unknown) {
		const document = snapshot.documents.withId(id);
		// The list may be late, so the next execution looks again.
		if (document === undefined) continue;
		const isUpload = snapshot.documents.typeOf(id) === UPLOADS;
		const name = isUpload ? normalizeName(document.sourceName ?? id) : '';
		const file = known.files.get(name);
		if (file === undefined || file.step === 'removed') {
			if (known.others.size < MOST_OTHERS) known.others.add(id);
		} else if (names.has(name)) {
			(file.old ??= []).push({ id, isForeign: true });
		}
	}
}

/**
 * Reads the account's list once. The list may be late, so recorded uploads that it doesn't contain are requested. Without an
 * answer, these uploads count as existing.
 */
export async function readList(sync: SyncRun): Promise<void> {
	sync.list ??= readListWithOwn(sync);
	await sync.list;
}

async function readListWithOwn({ batch, record }: SyncRun): Promise<void> {
	const { snapshot } = batch;
	await snapshot.readDocuments();
	if (!snapshot.isListed) return;
	const names = record.uploads;
	const missing = [...names.keys()].filter((id) => snapshot.documents.withId(id) === undefined);
	if (missing.length === 0) return;
	const statuses = await toResult(knownStatuses(batch.starting, missing));
	for (const uniqueId of missing) {
		const status = isFailure(statuses) ? undefined : statuses.get(uniqueId);
		if (status === NOT_LISTED) continue;
		snapshot.documents.add({ uniqueId, type: UPLOADS, sourceName: names.get(uniqueId), status });
	}
}

/** Whether a folder's agent uses an upload, by the agent's list; undefined if CometChat doesn't report it. */
export async function isAttached(
	{ batch }: SyncRun,
	{ agent, attached }: Folder,
	id: string,
): Promise<boolean | undefined> {
	if (attached.has(id)) return true;
	if (agent === undefined || isFailure(agent)) return undefined;
	const isReported = await toResult(batch.snapshot.agents.isReported(agent, UPLOADS));
	return isReported === true ? false : undefined;
}
