import { success } from '../../../api/shape';
import type { ItemContext } from '../../../execution/itemContext';
import type { InputFile } from '../../../files/inputFiles';
import { contentHash } from '../../../files/inputFiles';
import { withLeftOut } from '../../../files/neverAccepted';
import { documentRow, Ingestion } from '../../../ingestion/ingestion';
import { severalNamed } from '../../../ingestion/namesakes';
import { deleteOld } from '../../../ingestion/replacement';
import type { DeleteOld } from '../../../pipeline/fields';
import type { IngestionRun } from '../../../pipeline/ingestionRun';
import type { Fields } from '../../../results/itemResult';
import { FAILED, reindexRequest } from '../../../service/documents';
import { UserError, caught, isFailure, onFailure } from '../../../values/failure';
import { composed } from '../../../values/names';
import { quoted } from '../../../values/quoting';
import { UPLOADS } from '../../../values/sourceTypes';
import { fileRow } from './output';
import type { AgentFolder } from './plan/missing';
import type { Plan } from './plan/plan';
import { planFor } from './plan/plan';
import { skip, skippedFile } from './skip';
import type { FileState, SyncState } from './state/state';
import { ownUploadsOf, sentFile, uploadsOf } from './state/state';
import type { WhatAgentsHave } from './state/whatIsThere';
import type { SyncTask } from './syncFields';

/** What the files of a run share. */
export interface SyncRun {
	run: IngestionRun;
	state: SyncState;
	there: WhatAgentsHave;
	/** What the items bring, by agent in lower case. */
	folders: Map<string, AgentFolder>;
	/** Whether each item names its file. */
	isEachNamed: boolean;
}

/** A file of the folder on its way. */
interface OnItsWay extends SyncRun {
	task: SyncTask & { deleteOld: DeleteOld };
	/** Whether it is only to be told what would be done. */
	isTried: boolean;
	item: ItemContext;
	file: InputFile;
	/** By which it is known. */
	name: string;
	/** What is known of earlier runs. */
	sent?: FileState;
}

/** Makes the agent know a file as it is in the folder; if it is only tried, tells what would be done. */
export async function syncFile(
	task: OnItsWay['task'],
	item: ItemContext,
	sync: SyncRun,
): Promise<Fields> {
	const { file } = task.itemFile;
	const isTried = sync.folders.get(task.uid.toLowerCase())?.isTried ?? task.isDryRun;
	const notSent = skippedFile(task);
	if (notSent) throw skip(notSent, { ...task, isTried }, sync.state);
	if (file instanceof UserError) throw file;
	item.state = { effect: 'not applied', detail: 'Nothing was changed.', hint: '' };
	const name = composed(file.fileName);
	const sent = sync.state.agentFor(task.uid).files.get(name);
	return await onFailure(syncOne({ ...sync, task, isTried, item, file, name, sent }), (failure) => {
		// What to do, where that is more than an answer of CometChat.
		const isOurs = failure instanceof UserError;
		if (isOurs) item.shown = { ...item.shown, reason: `${failure.title}. ${failure.hint}` };
	});
}

async function syncOne(onItsWay: OnItsWay): Promise<Fields> {
	const { file, isTried, item, run, state, task } = onItsWay;
	const { uid } = task;
	const { fileName } = file;
	const hint = state.isPersisted ? GOES_ON : undefined;
	const target = { sourceType: UPLOADS, names: [fileName], uid, hint };
	const ingestion = new Ingestion(run, item, target);
	const sha256 = await contentHash(file);
	const plan = await planOf(onItsWay, sha256);
	const { action, current } = plan;
	ingestion.old = plan.old;
	if (!isTried) await carryOut(onItsWay, ingestion, plan, sha256);
	else if (current) ingestion.continueWith(current.uniqueId, current.isAttached, current.status);
	const [document] = ingestion.log.documents;
	const uniqueId = document?.uniqueId;
	const row = documentRow(ingestion, { action, reason: plan.reason });
	return withLeftOut(fileRow({ ...row, action, uniqueId }, isTried), file.leftOut, item);
}

async function planOf({ file, item, name, run, sent, task, there }: OnItsWay, sha256: string) {
	const { modifiedMs, uid } = task;
	const found = await there.fileOf(item, { uid, name, sha256, sent });
	const plan = planFor({ sha256, modifiedMs }, sent, found);
	if (plan) return plan;
	throw severalNamed(run, { name: file.fileName, attached: found.versions });
}

async function carryOut(
	onItsWay: OnItsWay,
	ingestion: Ingestion,
	{ current, old }: Plan,
	sha256: string,
): Promise<void> {
	const { file, item, name, sent, state, task } = onItsWay;
	const isUnread = current?.status === FAILED;
	const work = async () => {
		if (!current) await uploadAnew(onItsWay, ingestion);
		else
			ingestion.continueWith(
				current.uniqueId,
				current.isAttached,
				isUnread ? undefined : current.status,
			);
		// Until the file changes, another upload of it would come to the same.
		if (isUnread) await item.call(reindexRequest(UPLOADS, current.uniqueId), success);
		await ingestion.complete({
			waits: isUnread || !current?.isAttached,
			deleteOld: task.deleteOld,
		});
	};
	const failure = await caught(work());
	const before = sent?.step === 'removed' ? undefined : sent;
	const known = sent ? ownUploadsOf(sent) : [];
	const found = [...old, ...(current ? [current] : [])].map(({ uniqueId }) => uniqueId);
	const foreign = [...found, ...ingestion.log.existing].filter((id) => !known.includes(id));
	const progress = progressOf(ingestion, { sha256, foreign, before });
	if (progress) state.agentFor(task.uid).files.set(name, progress);
	if (!isFailure(failure)) return;
	const isRefused = [...ingestion.log.statuses.values()].includes(FAILED);
	const isWithoutText = ingestion.log.refused.length > 0 && failure instanceof UserError;
	if (isWithoutText) throw new UserError(failure.title, READABLE, failure.more);
	throw isRefused ? notReadable(file.fileName) : failure;
}

async function uploadAnew(
	{ file, item, run, sent, task }: OnItsWay,
	ingestion: Ingestion,
): Promise<void> {
	await ingestion.upload([file]);
	// No agent ever got it, and none needs it now: whatever becomes of old versions, it goes.
	const superseded = ingestion.old.filter(
		({ uniqueId, is, isOwn }) =>
			is === 'detached' && isOwn && sent?.step === 'uploaded' && uniqueId === sent.uniqueId,
	);
	const agentContext = { run, item, sourceType: UPLOADS, uid: task.uid };
	await caught(deleteOld(agentContext, superseded, 'own'));
}

/** How far it came, for the next run. */
function progressOf(
	{ log, old }: Ingestion,
	{ sha256, foreign, before }: { sha256: string; foreign: string[]; before?: FileState },
): FileState | undefined {
	const [document] = log.documents;
	if (document === undefined) return undefined;
	const { uniqueId } = document;
	const step = log.attached.includes(uniqueId) ? 'attached' : 'uploaded';
	const remaining = old.filter(({ is }) => is === 'attached' || is === 'detached');
	const known = before ?? sentFile(uniqueId, sha256, step);
	const ids = remaining.map((one) => one.uniqueId);
	const file: FileState = { ...known, uniqueId, sha256, step, old: ids };
	return { ...file, foreign: foreign.filter((id) => uploadsOf(file).includes(id)) };
}

function notReadable(fileName: string): UserError {
	const what = `CometChat was not able to read ${quoted(fileName)}`;
	return new UserError(what, READABLE, { cause: 'configuration-invalid' });
}

const READABLE =
	'Replace it in the folder with a file that opens, has no password and holds text, such as a PDF with text instead of scans.';

const GOES_ON = 'The next run of this workflow goes on from here.';
