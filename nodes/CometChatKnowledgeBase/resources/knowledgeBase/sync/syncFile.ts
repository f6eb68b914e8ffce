import { success } from '../../../api/shape';
import { agentOf } from '../../../delivery/deliverItems';
import type { Delivery } from '../../../delivery/delivery';
import { isUnfinished, isUsed, newDelivery } from '../../../delivery/delivery';
import type { ExistingDocument, Plan } from '../../../delivery/plan';
import { fromDocument } from '../../../delivery/plan';
import { uploadFile } from '../../../delivery/upload';
import { Semaphore } from '../../../operations/concurrency';
import { ItemContext } from '../../../operations/itemContext';
import type { Item } from '../../../operations/readItems';
import type { InputFile } from '../../../fields/inputFiles';
import { acceptedExtension } from '../../../fields/fileType';
import { contentHash } from '../../../fields/inputFiles';
import { nameWithId } from '../../../output/itemResult';
import type { Failure } from '../../../text/failure';
import { UserError, toResult, isFailure } from '../../../text/failure';
import { FAILED, reindexRequest } from '../../../api/documents';
import { UPLOADS } from '../../../text/sourceTypes';
import type { Folder, SyncRun } from './folder';
import { isAttached, readList } from './folder';
import type { FolderFile } from './planFile';
import { findFailed, isContested, isRecorded, isSameTime, planFile, whySame } from './planFile';
import type { FileRecord } from './record';
import { ownIds, uploadsOf } from './record';
import type { SyncTask } from './syncFields';

/** A file of the folder, and the state of its sync. */
export interface FileSync {
	readonly input: Item<SyncTask>;
	readonly item: ItemContext;
	readonly folder: Folder;
	readonly file: InputFile;
	readonly name: string;
	/** The record before this execution. */
	readonly before?: FileRecord;
	/** The hash and the time of the file. */
	facts: FolderFile;
	reason: string;
	/** Whether another workflow or a person has replaced the file for the agent. */
	isContested?: boolean;
	/** Whether the agent uses an unrecorded upload with the file's name. */
	isUnrecorded?: boolean;
	/** Or the reason why nothing is delivered. */
	delivery: Delivery | Failure;
}

/** A file of the folder before it is planned. */
export type OpenFile = Omit<FileSync, 'delivery'>;

/** The number of files that are read at the same time, because each is an open stream. */
const FILES_AT_A_TIME = 10;

/** Plans the files of all items. An unchanged file that the agent uses needs no list. */
export async function planFiles(sync: SyncRun, files: readonly OpenFile[]): Promise<FileSync[]> {
	const { stopsOnFailure, cancel } = sync.batch;
	const reading = new Semaphore(FILES_AT_A_TIME);
	const plan = async (one: OpenFile) => {
		await reading.run(async () => await readFacts(sync, one));
		return await planOne(sync, one);
	};
	const planned = await Promise.all(
		files.map(async (one) => Object.assign(one, { delivery: await toResult(plan(one)) })),
	);
	if (stopsOnFailure && planned.some(({ delivery }) => isFailure(delivery))) cancel();
	return planned;
}

/** The extensions of files whose exports always differ, also without a change. */
const EXPORTED = ['pdf', 'docx'];

/** Reads the content, unless the time decides. */
async function readFacts({ batch }: SyncRun, one: OpenFile): Promise<void> {
	await agentOf(batch, one.input.task.uid);
	const { sha256, fileName } = one.file;
	const modified = one.input.task.modifiedMs;
	const isExported = EXPORTED.includes(acceptedExtension(fileName) ?? '');
	if (sha256 !== undefined) one.facts = { sha256 };
	else if (isExported && isSameTime({ modified }, one.before)) one.facts = { modified };
	else one.facts = { modified, sha256: await contentHash(one.file) };
}

/** Returns the delivery of a file that needs no list; undefined for others. */
function planUnchanged(one: OpenFile): Delivery | undefined {
	const { before, facts, folder } = one;
	if (before === undefined || before.step !== undefined || before.old?.length) return undefined;
	if (!isRecorded(facts, before) || !folder.attached.has(before.uniqueId)) return undefined;
	const found = { uniqueId: before.uniqueId, isAttached: true };
	one.reason = whySame(facts, before);
	return toDelivery(one, { action: 'use', found, retire: [] });
}

async function planOne(sync: SyncRun, one: OpenFile): Promise<Delivery> {
	const unchanged = planUnchanged(one);
	if (unchanged) return unchanged;
	await readList(sync);
	const { facts, before, file } = one;
	const versions = await versionsOf(sync, one);
	const failed = sync.record.wasEmpty ? findFailed(facts, versions) : undefined;
	if (failed) throw neverIndexed(file.fileName, failed.uniqueId);
	const { plan, reason } = planFile(facts, before, versions);
	one.reason = reason;
	one.isContested = isContested(before, versions);
	one.isUnrecorded = before === undefined && versions.some((each) => each.isAttached === true);
	if (one.isContested && before?.isContested) {
		one.reason = CONTESTED;
		one.item.warn(CONTESTED);
	}
	const reindex = async () => {
		const uniqueId = 'found' in plan && !Array.isArray(plan.found) ? plan.found.uniqueId : '';
		await sync.batch.starting.call(reindexRequest(UPLOADS, uniqueId), success);
		return uniqueId;
	};
	const upload = async (delivery: Delivery) => await uploadFile(sync.batch, delivery, file);
	return toDelivery(one, plan, plan.action === 'update' ? reindex : upload);
}

function toDelivery(
	{ input, item, folder, file }: OpenFile,
	plan: Plan,
	create?: Delivery['create'],
): Delivery {
	const agent = isFailure(folder.agent) ? undefined : folder.agent;
	const { deleteOld, maxIndexingMs } = input.task;
	const isUsed = plan.action === 'use' && plan.found.isAttached === true;
	return newDelivery({
		...{ index: input.index, item, sourceType: UPLOADS, name: file.fileName, agent },
		...{ plan, create, waits: !isUsed, maxIndexingMs, deletes: deleteOld },
	});
}

/** Returns the existing uploads of a file: the uploads with its name, newest first, and the recorded uploads. */
async function versionsOf(
	sync: SyncRun,
	{ folder, name, before }: OpenFile,
): Promise<ExistingDocument[]> {
	const { snapshot } = sync.batch;
	if (snapshot.listFailure) throw snapshot.listFailure;
	const named = snapshot.documents.named(UPLOADS, name);
	const recorded = before ? uploadsOf(before).map(({ id }) => id) : [];
	const exists = (id: string) =>
		snapshot.documents.withId(id) !== undefined || folder.attached.has(id);
	const ids = new Set([...named.map(({ uniqueId }) => uniqueId), ...recorded.filter(exists)]);
	const own = ownIds(before);
	const isShared = (id: string) => (folder.byId.get(id) ?? []).some(([one]) => one !== name);
	const toVersion = async (uniqueId: string): Promise<ExistingDocument> => {
		const document = snapshot.documents.withId(uniqueId) ?? { uniqueId, sourceName: name };
		const isUsed = await isAttached(sync, folder, uniqueId);
		const more = { isAttached: isUsed, isOwn: own.has(uniqueId), isShared: isShared(uniqueId) };
		return fromDocument(document, more);
	};
	return await Promise.all([...ids].map(toVersion));
}

/** Records the state of a file for the next execution. */
export function recordFile({ folder, name, before, facts, delivery, isContested }: FileSync): void {
	if (isFailure(delivery) || delivery.uniqueId === undefined) return;
	const { uniqueId, plan, steps, isExisting, old } = delivery;
	const isUploaded = plan.action === 'create' && steps.create === 'applied';
	const isOwn = ownIds(before).has(uniqueId) || (isUploaded && isExisting !== true);
	const open = old.filter((one) => isUnfinished(delivery, one));
	const isKnown = before?.uniqueId === uniqueId && !isUploaded;
	const sha256 = facts.sha256 ?? (isKnown ? before.sha256 : undefined);
	const hasAgent = isUsed(delivery);
	// A name that is recorded already is no new name of a renamed file.
	if (before === undefined && hasAgent && sha256 !== undefined) folder.newContents.push(sha256);
	folder.known.files.set(name, {
		uniqueId,
		// If the time decided, the content is unknown.
		sha256: isUploaded || isKnown ? sha256 : undefined,
		modified: facts.modified,
		step: hasAgent ? undefined : 'uploaded',
		isForeign: isOwn ? undefined : true,
		old: open.map(({ uniqueId: id, ...one }) => ({ id, isForeign: one.isOwn ? undefined : true })),
		call: before?.call,
		missing: before?.missing,
		isContested,
	});
}

/** Adds the advice for a file of the folder that CometChat can't index. */
export function explainUnusable({ delivery }: FileSync): void {
	if (isFailure(delivery) || delivery.failure === undefined) return;
	const { failure, status, hasText } = delivery;
	if (!(failure instanceof UserError) || (status !== FAILED && hasText !== false)) return;
	delivery.failure = failure.with({ hint: READABLE });
}

function neverIndexed(name: string, uniqueId: string): UserError {
	const title = `CometChat couldn't index ${nameWithId({ name, uniqueId })}, so it was not uploaded again`;
	return new UserError(title, READABLE, { cause: 'configuration-invalid' });
}

const CONTESTED =
	"Change 'Document Name', or 'Name in CometChat' under Options. Another workflow or person also replaces the agent's document with this name";

const READABLE =
	'Replace the original with a version that opens, has no password and contains text instead of scans.';
