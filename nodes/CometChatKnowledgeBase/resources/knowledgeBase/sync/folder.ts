import type { Batch } from '../../../delivery/delivery';
import type { Proof } from '../../../delivery/retire';
import { listFor } from '../../../delivery/usage';
import type { Agent } from '../../../api/agents';
import { knownStatuses, NOT_LISTED } from '../../../api/documents';
import type { Failure } from '../../../text/failure';
import { toResult, isFailure } from '../../../text/failure';
import { groupBy } from '../../../text/groups';
import { normalizeName } from '../../../text/names';
import { UPLOADS } from '../../../text/sourceTypes';
import type { AgentRecord, FileRecord, SyncRecord } from './record';
import { inFolder, uploadsOf } from './record';
import type { SyncTask } from './syncFields';

/** An execution of Sync Folder. */
export interface SyncRun {
	readonly batch: Batch;
	readonly record: SyncRecord;
	/** By the UID of an item. */
	readonly folders: Map<string, Folder>;
	/** The reading of the account's list, once it has begun. */
	list?: Promise<void>;
	/** The agents that use a document, once they were asked for. */
	users?: Promise<Proof>;
}

/** The items of a call for one agent. */
export interface Folder {
	/** As CometChat returns it, if it was asked for the agent. */
	readonly uid: string;
	/** Undefined if nothing is to be done for it. */
	readonly agent?: Agent | Failure;
	readonly known: AgentRecord;
	/** The names of the files that its items contain. */
	readonly names: Set<string>;
	readonly itemsAre: SyncTask['itemsAre'];
	readonly goneFiles: SyncTask['goneFiles'];
	readonly isDry: boolean;
	/** The IDs in the agent's list of files. */
	readonly attached: ReadonlySet<string>;
	/** Whether CometChat reports the agent's files. */
	isReported: boolean;
	/** The number of uploaded files that the agent used before this execution. */
	usedBefore: number;
}

/** Asks for the agents of all items, and compares their lists with the record. */
export async function openFolders(
	sync: SyncRun,
	tasks: readonly SyncTask[],
	needsAgent: (task: SyncTask) => boolean,
): Promise<void> {
	const byUid = groupBy(tasks, ({ uid }) => [uid]);
	const folders = new Map<string, Folder>();
	const open = [...byUid].map(async ([uid, ofAgent]) => {
		const isKnown = inFolder(sync.record.agentFor(uid)).length > 0;
		const isNeeded = isKnown || ofAgent.some(needsAgent);
		const agent = isNeeded ? await sync.batch.snapshot.agents.one(uid) : undefined;
		const folder = newFolder(sync.record, { uid, agent, tasks: ofAgent });
		// Two spellings of a UID may be one agent.
		const same = folders.get(folder.uid) ?? folder;
		folders.set(folder.uid, same);
		for (const name of folder.names) same.names.add(name);
		sync.folders.set(uid, same);
	});
	await Promise.all(open);
	for (const id of sync.record.uploads.keys()) sync.batch.snapshot.documents.addType(id, UPLOADS);
	for (const folder of folders.values()) {
		await compare(sync, folder);
		const isUpload = (id: string) => sync.batch.snapshot.documents.typeOf(id) === UPLOADS;
		folder.usedBefore = [...folder.attached].filter(isUpload).length;
	}
}

function newFolder(
	record: SyncRecord,
	{ uid, agent, tasks }: { uid: string; agent?: Agent | Failure; tasks: SyncTask[] },
): Folder {
	const isFound = agent !== undefined && !isFailure(agent);
	const key = isFound ? agent.uid : uid;
	const isDry = tasks.some((task) => task.isDryRun);
	return {
		uid: key,
		agent,
		known: record.agentFor(key, { isDry }),
		names: new Set(tasks.flatMap(({ itemFile }) => itemFile.names)),
		itemsAre: tasks[0]?.itemsAre ?? 'parts',
		goneFiles: tasks[0]?.goneFiles ?? 'keep',
		isDry,
		attached: new Set(isFound ? listFor(agent, UPLOADS) : []),
		isReported: false,
		usedBefore: 0,
	};
}

/** Notes what the agent has that the record does not know. */
async function compare(sync: SyncRun, folder: Folder): Promise<void> {
	const { agent, known, attached } = folder;
	if (agent === undefined || isFailure(agent)) return;
	const { snapshot } = sync.batch;
	const own = new Set([...known.files.values()].flatMap(uploadsOf).map(({ id }) => id));
	known.others = new Map([...known.others].filter(([id]) => attached.has(id) && !own.has(id)));
	for (const [id, name] of known.others) if (name !== '') snapshot.documents.addType(id, UPLOADS);
	const unknown = [...attached].filter((id) => !own.has(id) && !known.others.has(id));
	if (unknown.length > 0) await readList(sync);
	folder.isReported = await snapshot.reports(agent, UPLOADS);
	const isEmpty = attached.size === 0 && agent.files !== undefined;
	if (folder.isReported) known.isReported = true;
	else folder.isReported = isEmpty && known.isReported;
	if (folder.isReported) for (const id of unknown) noteOther(sync, folder, id);
}

/** Most agents have few documents that are not of a folder. */
const MOST_OTHERS = 1000;

function noteOther({ batch }: SyncRun, { known }: Folder, id: string): void {
	const document = batch.snapshot.documents.withId(id);
	// The list may be late: the next execution looks again.
	if (document === undefined) return;
	const isUpload = batch.snapshot.documents.typeOf(id) === UPLOADS;
	const name = isUpload ? normalizeName(document.sourceName ?? id) : '';
	const file = known.files.get(name);
	if (file && file.step !== 'removed') (file.old ??= []).push({ id, isForeign: true });
	else if (known.others.size < MOST_OTHERS) known.others.set(id, name);
}

/** Reads the account's list once. An upload of the record that it does not show is asked for: the list may be late. */
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
	if (isFailure(statuses)) return;
	for (const [uniqueId, status] of statuses) {
		if (status === NOT_LISTED) continue;
		snapshot.documents.addAll([
			{ uniqueId, type: UPLOADS, sourceName: names.get(uniqueId), status },
		]);
	}
}

/** Whether the agent of a folder has an upload; undefined if CometChat does not report it. */
export function isAttached(
	{ attached, isReported }: Folder,
	id: string,
	record?: FileRecord,
): boolean | undefined {
	if (attached.has(id)) return true;
	if (isReported) return false;
	if (record?.step === 'removed') return false;
	const upload = record && uploadsOf(record).find((one) => one.id === id);
	if (upload === undefined || record === undefined) return undefined;
	if (id === record.uniqueId) return record.step === 'uploaded' ? undefined : true;
	return upload.isForeign === true ? undefined : true;
}
