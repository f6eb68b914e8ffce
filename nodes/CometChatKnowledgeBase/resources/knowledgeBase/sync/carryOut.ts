import type { ItemState } from '../../../execution/itemContext';
import { ItemContext } from '../../../execution/itemContext';
import { Ingestion } from '../../../ingestion/ingestion';
import { emptyWarning } from '../../../ingestion/emptyDocument';
import type { IngestionRun } from '../../../ingestion/ingestionRun';
import type { DeleteOld } from '../../../ingestion/fields';
import { deleteIfUnused } from '../../../ingestion/replacement';
import { severalNamed } from '../../../ingestion/namesakes';
import type { InputFile } from '../../../input/binary';
import { contentHash } from '../../../input/binary';
import type { ItemFailure } from '../../../results/apiError';
import { caught, isItemFailure } from '../../../results/apiError';
import type { Fields, ItemResult } from '../../../results/itemResult';
import { success } from '../../../service/shape';
import { FAILED } from '../../../service/statuses';
import { quoted } from '../../../values/quoting';
import { UserError } from '../../../values/userError';
import { reindexRequest } from '../../../service/reindexing';
import { SOURCE_TYPE } from '../oldUploads';
import type { Plan } from './plan';
import { NOBODY_KNOWS, planFor, unchanged } from './plan';
import type { RowsOf } from './rows';
import { fileFailed, fileRow } from './rows';
import type { FileState, SyncState } from './state';
import { sentFile } from './state';
import type { WhatAgentsHave } from './whatIsThere';

/** What the files of a run share. */
export interface SyncRun {
	run: IngestionRun;
	state: SyncState;
	there: WhatAgentsHave;
}

/** What an item of Sync Files asks for. */
export interface SyncTask {
	uid: string;
	file: InputFile;
	/** By which the file is known. */
	name: string;
	modifiedMs?: number;
	deleteOld: DeleteOld;
	isDryRun: boolean;
}

/** A file of the folder, and how far it has come. */
interface OnItsWay extends SyncRun {
	task: SyncTask;
	item: ItemContext;
	ingestion: Ingestion;
	/** What is known of earlier runs. */
	sent?: FileState;
}

/** Makes the agent know a file as it is in the folder; if it is only tried, tells what would be done. */
export async function syncFile(sync: SyncRun, task: SyncTask): Promise<ItemResult> {
	const { run, state } = sync;
	const { file, name, uid } = task;
	const item = new ItemContext(run);
	const again = state.isPersisted ? GOES_ON : undefined;
	const target = { sourceType: SOURCE_TYPE, names: [file.fileName], uid, again };
	const ingestion = new Ingestion(run, item, target);
	const sent = state.agentFor(uid).files.get(name);
	const onItsWay = { ...sync, task, item, ingestion, sent };
	item.state = nothingChanged(file.fileName);
	const row = await caught(bring(onItsWay));
	return isItemFailure(row) ? failedOf(onItsWay, row) : item.done([row]);
}

async function bring(onItsWay: OnItsWay): Promise<Fields> {
	const { ingestion, task } = onItsWay;
	const { fileName } = task.file;
	const sha256 = await contentHash(task.file);
	const plan = await planOf(onItsWay, sha256);
	const { action, current, old, reason } = plan;
	ingestion.old = old.map(({ uniqueId, mayBeAttached }) => {
		const is = mayBeAttached ? 'attached' : 'detached';
		return { uniqueId, name: fileName, wasAttached: mayBeAttached, is };
	});
	if (current) ingestion.goOn(current.uniqueId, current.isAttached);
	if (!task.isDryRun) await carryOut(onItsWay, plan, sha256);
	const warning = current ? undefined : await warningOf(onItsWay);
	const told = { action, name: fileName, reason: warning ? `${reason}. ${warning}` : reason };
	const row = fileRow(rowsOf(onItsWay), { ...told, ...progressOf(ingestion, current?.status) });
	return { ...row, ...unfinishedOf(ingestion) };
}

/** Where CometChat has found no text in what is new. */
async function warningOf({ ingestion, item, run }: OnItsWay): Promise<string | undefined> {
	const [arrived] = ingestion.log.documents;
	const warning = arrived && (await emptyWarning(run, { sourceType: SOURCE_TYPE, ...arrived }));
	if (warning) item.warn(warning);
	return warning;
}

function rowsOf({ run, task: { uid, isDryRun } }: OnItsWay): RowsOf {
	return { uid, agentName: run.inventory.agents.asked(uid)?.name, isTried: isDryRun };
}

async function planOf(onItsWay: OnItsWay, sha256: string): Promise<Plan> {
	const { item, run, sent, state, task, there } = onItsWay;
	const { file, modifiedMs, name, uid } = task;
	const isAsSent = sent?.sha256 === sha256 && sent.step === 'attached' && sent.old.length === 0;
	// No list is needed where the agent has it, and no other of the name.
	const uploads = isAsSent ? await there.byState(item, uid) : undefined;
	if (isAsSent && uploads?.named(name).join() === sent.uniqueId) {
		state.agentFor(uid).wasTold = true;
		return unchanged(sent.uniqueId);
	}
	const found = await there.fileOf(item, { uid, name, sent });
	const plan = planFor({ sha256, modifiedMs }, sent, found);
	if (plan !== NOBODY_KNOWS) return plan;
	const { versions: held, isTold } = found;
	throw severalNamed({ run, sourceType: SOURCE_TYPE, uid, name: file.fileName, held, isTold });
}

async function carryOut(onItsWay: OnItsWay, plan: Plan, sha256: string): Promise<void> {
	const { ingestion, item, task } = onItsWay;
	const { current, keepsOld, superseded } = plan;
	const isUnread = current?.status === FAILED;
	try {
		if (!current) await ingestion.upload([task.file]);
		// Until the file changes, another upload of it would come to the same.
		if (isUnread) await item.call(reindexRequest(SOURCE_TYPE, current.uniqueId), success);
		const isLeft = superseded !== undefined && !(await isDeleted(onItsWay, superseded));
		if (isLeft) ingestion.old.push({ uniqueId: superseded, wasAttached: false, is: 'detached' });
		if (isUnread || !current?.isAttached) await untilIndexed(ingestion, task.file.fileName);
		if (!current?.isAttached) await ingestion.attach();
		await ingestion.replaceOld(keepsOld ? 'never' : task.deleteOld);
	} finally {
		noteProgress(onItsWay, sha256);
	}
}

/** Nobody needs it once the newer content is in CometChat: one that could not be deleted is left to the next run. */
async function isDeleted({ item, run, task }: OnItsWay, uniqueId: string): Promise<boolean> {
	const { uid } = task;
	const place = { run, item, sourceType: SOURCE_TYPE, uid };
	return (await caught(deleteIfUnused(place, uniqueId))) === undefined;
}

async function untilIndexed(ingestion: Ingestion, fileName: string): Promise<void> {
	const failure = await caught(ingestion.waitUntilIndexed());
	if (!isItemFailure(failure)) return;
	const hasFailed = [...ingestion.log.statuses.values()].includes(FAILED);
	throw hasFailed ? notReadable(fileName) : failure;
}

/** How far it came, for the next run. */
function noteProgress({ ingestion, sent, state, task }: OnItsWay, sha256: string): void {
	const { log, old } = ingestion;
	const [arrived] = log.documents;
	if (arrived === undefined) return;
	const { uniqueId } = arrived;
	const step = log.attached.includes(uniqueId) ? 'attached' : 'uploaded';
	const left = old.filter(({ is }) => is === 'attached' || is === 'detached');
	const isKnown = sent !== undefined && sent.step !== 'removed';
	const before = isKnown ? sent : sentFile(uniqueId, sha256, step);
	const now = { uniqueId, sha256, step, old: left.map((one) => one.uniqueId) } as const;
	state.agentFor(task.uid).files.set(task.name, { ...before, ...now });
}

/** What the row of a file says of how far it came. */
function progressOf({ log, old, target }: Ingestion, statusBefore?: string) {
	const [name = ''] = target.names;
	const uniqueId = log.documents.at(0)?.uniqueId;
	const status = uniqueId === undefined ? undefined : log.statuses.get(uniqueId);
	const rows = old.map(({ uniqueId: id, is, reason }): Fields => {
		const action = is === 'attached' ? 'kept' : is === 'deleted' ? 'deleted' : 'removed';
		return { name, action, uniqueId: id, reason };
	});
	return { status: status ?? statusBefore, uniqueId, old: rows.length > 0 ? rows : undefined };
}

/** Entries without content that could not be taken away. */
function unfinishedOf({ log: { leftovers } }: Ingestion): Fields {
	return leftovers.length > 0 ? { unfinished: leftovers.map((entry) => ({ ...entry })) } : {};
}

function failedOf(onItsWay: OnItsWay, failure: ItemFailure): ItemResult {
	const { ingestion, item, task } = onItsWay;
	const failed = item.failed(failure, {}, item.state);
	const isOurs = failure instanceof UserError;
	return fileFailed(rowsOf(onItsWay), failed, task.file.fileName, {
		...progressOf(ingestion),
		...unfinishedOf(ingestion),
		// What to do, where that is more than an answer of CometChat.
		...(isOurs && { reason: `${failure.title}. ${failure.hint}` }),
	});
}

function nothingChanged(fileName: string): ItemState {
	const detail = `Nothing was changed for ${quoted(fileName)}.`;
	return { effect: 'not applied', detail, hint: '' };
}

function notReadable(fileName: string): UserError {
	const what = `CometChat was not able to read ${quoted(fileName)}`;
	return new UserError(what, READABLE, { cause: 'configuration-invalid' });
}

const READABLE =
	'Replace it in the folder with a file that opens, has no password and holds text, such as a PDF with text instead of scans.';

const GOES_ON = 'The next run of this workflow goes on from here.';
