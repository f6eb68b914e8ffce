import { ItemContext } from '../../../execution/itemContext';
import { Ingestion } from '../../../ingestion/ingestion';
import type { IngestionRun } from '../../../ingestion/ingestionRun';
import type { Records } from '../../../ingestion/records';
import type { DeleteOld, OldVersion } from '../../../ingestion/oldVersions';
import { whyToKeep } from '../../../ingestion/oldVersions';
import { severalNamed } from '../../../ingestion/sameName';
import { OF_NEW_VERSION } from '../../../ingestion/wordings';
import type { Attachment } from '../../../input/binary';
import { contentHash } from '../../../input/contentHash';
import { composed } from '../../../input/document';
import type { ItemFailure } from '../../../results/apiError';
import { caught, isItemFailure } from '../../../results/apiError';
import type { ItemResult } from '../../../results/itemResult';
import { deleteOne, isUnknownFile } from '../../../service/deletion';
import type { KnowledgeBaseRecord } from '../../../service/records';
import { FAILED, isReady } from '../../../service/statuses';
import { quoted } from '../../../values/quoting';
import { shownTime } from '../../../values/times';
import { UserError } from '../../../values/userError';
import { SOURCE_TYPE } from '../oldUploads';
import type { Decision, Undecided } from './syncDecision';
import { decide, unchanged } from './syncDecision';
import { FileRows, oldRows } from './fileRow';
import type { NotedHoldings, SyncRun } from './notedHoldings';
import type { NotedFile, NotedVersion, SyncNote } from './syncNote';
import { isKnown, newFile, uploadsOf } from './syncNote';
import type { FileForAgent, UnkeptUploads } from './unkeptUploads';

/** What an item of Sync Files asks for. */
export interface SyncTask {
	uid: string;
	file: Attachment;
	modifiedMs?: number;
	deleteOld: DeleteOld;
	isDryRun: boolean;
}

/** More of what a file has left in CometChat is no longer told apart from what came from elsewhere. */
const MOST_OUT = 20;

/** A file of the folder on its way to an agent. */
export class SyncedFile {
	private readonly steps: ItemContext;

	private readonly rows: FileRows;

	private readonly name: string;

	/** The SHA-256 of the folder's content. */
	private sha256 = '';

	/** Of the upload that has it already, by CometChat. */
	private status?: string;

	private readonly run: IngestionRun;

	private readonly note: SyncNote;

	private readonly holdings: NotedHoldings;

	private readonly unkept: UnkeptUploads;

	constructor(
		{ run, note, holdings, unkept }: SyncRun,
		private readonly task: SyncTask,
	) {
		this.run = run;
		this.note = note;
		this.holdings = holdings;
		this.unkept = unkept;
		this.steps = new ItemContext(run);
		this.rows = new FileRows(task.uid, task.isDryRun, run.inventory);
		this.name = composed(task.file.fileName);
	}

	/** Makes the agent know it; if it is only tried, tells what would be done. */
	async bring(): Promise<ItemResult> {
		const { rows, steps, task } = this;
		const { file, isDryRun } = task;
		const decision = await this.compare();
		if (isItemFailure(decision)) {
			const consequence = `Nothing was changed for ${quoted(file.fileName)}.`;
			const standing = { effect: 'not applied' as const, consequence, goOn: '' as const };
			return rows.failed(steps.failed(decision, {}, standing), file.fileName, adviceOf(decision));
		}
		const { current, oldVersions, superseded } = decision;
		const isDone = current?.isAttached === true && oldVersions.length === 0 && !superseded;
		return isDryRun || isDone ? this.report(decision) : await this.carryOut(decision);
	}

	private get noted(): NotedFile | undefined {
		return this.note.filesOf(this.task.uid).get(this.name);
	}

	private set noted(file: NotedFile | undefined) {
		const files = this.note.filesOf(this.task.uid);
		if (file) files.set(this.name, { ...file, out: file.out.slice(-MOST_OUT) });
	}

	private get place(): FileForAgent {
		const { uid, file } = this.task;
		return { account: this.run.account, uid, fileName: file.fileName };
	}

	private async compare(): Promise<Decision | ItemFailure> {
		const { steps, run, task } = this;
		const { inventory } = run;
		const { uid, file, modifiedMs } = task;
		const sha256 = await caught(contentHash(file));
		if (isItemFailure(sha256)) return sha256;
		this.sha256 = sha256;
		const asNoted = await this.asNoted();
		if (asNoted) return asNoted;
		const records = await caught(inventory.recordsFor(steps));
		if (isItemFailure(records)) return records;
		const found = await caught(inventory.agentFor(steps, uid));
		if (isItemFailure(found)) return found;

		const { agent, documents } = found;
		const isTold = documents !== undefined;
		const notedAgent = this.note.agentFor(uid);
		notedAgent.wasTold ||= isTold;
		// Of an agent that has always shown none, it says nothing.
		const { files, websites = [] } = agent;
		const showsNone = notedAgent.wasTold && files?.length === 0 && websites.length === 0;
		const noted = await this.withoutUnreadable(records, documents);
		const versions = this.versions(records, noted, documents);
		const recordWithId = (id: string) => records.withId(id);
		const isListed = (id: string) => records.isListed(id);
		const nowMs = run.clock.nowMs();
		const unkept = this.unkept.of(this.place);
		const more = { isTold, showsNone, versions, unkept, recordWithId, isListed, nowMs };
		const decision = decide({ sha256, modifiedMs, noted, ...more });
		if (decision.kind !== 'decided') return this.whyUndecided(decision, versions, isTold);
		this.status = decision.current && records.withId(decision.current.uniqueId)?.status;
		return decision;
	}

	/** Where the agent has what is noted, once, and the folder has the same: no list is needed for that. */
	private async asNoted(): Promise<Decision | undefined> {
		const { holdings, note, sha256, steps } = this;
		const { uid, file } = this.task;
		const { current, pending, old } = this.noted ?? newFile();
		if (current?.sha256 !== sha256 || pending || old.length > 0) return undefined;
		const { uniqueId } = current;
		const holding = await holdings.of(steps, uid);
		if (!holding?.uploads.has(uniqueId)) return undefined;
		if (holding.named(file.fileName).some((id) => id !== uniqueId)) return undefined;
		note.agentFor(uid).wasTold = true;
		return unchanged(uniqueId);
	}

	/** The uploads that the agent has of the file; where it is not told, those that it may have. */
	private versions(
		records: Records,
		noted: NotedFile | undefined,
		documents: ReadonlySet<string> | undefined,
	) {
		const { uid, file } = this.task;
		const named = records.uploadsNamed(file.fileName).map(({ uniqueId }) => uniqueId);
		const sent = noted ? uploadsOf(noted).map(({ uniqueId }) => uniqueId) : [];
		const out = new Set(noted?.out.map(({ uniqueId }) => uniqueId));
		const given = sent.filter((id) => id !== noted?.pending?.uniqueId);
		const candidates = documents
			? [...named, ...sent].filter((id) => documents.has(id))
			: noted && isKnown(noted)
				? given
				: named.filter((id) => !out.has(id) && this.run.inventory.mayHave(uid, id));
		return [...new Set(candidates)].flatMap((id) => records.withId(id) ?? []);
	}

	/**
	 * Deletes what a run before has uploaded in vain: CometChat was not able to read it, and no agent got it.
	 * Otherwise such a file would leave one more every night.
	 */
	private async withoutUnreadable(
		records: Records,
		documents: ReadonlySet<string> | undefined,
	): Promise<NotedFile | undefined> {
		const { run, task, noted } = this;
		const { pending } = noted ?? {};
		if (noted === undefined || pending?.isOwn !== true || task.isDryRun) return noted;
		const { uniqueId, mayBeAttached = false } = pending;
		if (records.withId(uniqueId)?.status !== FAILED) return noted;
		const counted = this.counted(noted, pending);
		this.noted = counted;
		if (mayBeAttached || documents?.has(uniqueId)) return counted;
		if (isItemFailure(await caught(deleteOne(new ItemContext(run), SOURCE_TYPE, uniqueId))))
			return counted;
		run.inventory.noteDeleted(uniqueId);
		this.noted = { ...counted, pending: undefined };
		return this.noted;
	}

	/** With an upload that could not be read, which counts once: a run that stops may not have seen its end. */
	private counted(noted: NotedFile, { uniqueId, sha256 }: NotedVersion): NotedFile {
		const { unreadable } = noted;
		if (unreadable?.uniqueId === uniqueId) return noted;
		const tries = unreadable?.sha256 === sha256 ? unreadable.tries : 0;
		const lastMs = this.run.clock.nowMs();
		return { ...noted, unreadable: { sha256, tries: tries + 1, lastMs, uniqueId } };
	}

	private whyUndecided(
		undecided: Undecided,
		versions: KnowledgeBaseRecord[],
		isTold: boolean,
	): UserError {
		const { uid, file } = this.task;
		const { fileName } = file;
		const timeZone = this.run.context.getTimezone();
		if (undecided.kind === 'several') {
			const several = { name: fileName, found: versions, isTold, uid, timeZone };
			return severalNamed({ ...several, sourceType: SOURCE_TYPE });
		}
		const { tries, lastMs } = undecided.unreadable;
		const [last = '', next = ''] = [lastMs, undecided.nextMs].map((ms) => shownTime(ms, timeZone));
		return new UserError(
			`CometChat was not able to read ${quoted(fileName)} in ${tries} tries, the last one on ${last}`,
			`${READABLE} A changed file is sent at once; this one is tried again after ${next}.`,
		);
	}

	/** A file with which nothing is done, or nothing yet. */
	private report({ action, reason, current, oldVersions }: Decision): ItemResult {
		const { file, isDryRun } = this.task;
		if (!isDryRun && current) {
			this.noted = {
				current: this.versionOf(current.uniqueId),
				old: [],
				out: this.outBut(current.uniqueId),
			};
		}
		const old = oldRows(file.fileName, this.ingestion(oldVersions, current).oldVersions);
		const uniqueId = current?.uniqueId;
		const row = { action, name: file.fileName, reason: reason, status: this.status };
		return this.steps.done([this.rows.row({ ...row, uniqueId, old })]);
	}

	private async carryOut(decision: Decision): Promise<ItemResult> {
		const { file, deleteOld } = this.task;
		const { fileName: name } = file;
		const { current, action, reason } = decision;
		const { oldVersions, superseded } = await this.catchUp(decision);
		const ingestion = this.ingestion(oldVersions, current);
		// A service may give a freed ID again, to another content.
		if (!current) this.unkept.forget(this.place);
		await ingestion.replace(file, deleteOld);
		this.noteState(ingestion, oldVersions);
		if (superseded) await this.deleteSuperseded(superseded, ingestion);

		const { newId: uniqueId, statuses, unfinished } = ingestion;
		const status = uniqueId === undefined ? undefined : (statuses.get(uniqueId) ?? this.status);
		const old = oldRows(name, ingestion.oldVersions, uniqueId);
		const failure = status === FAILED ? unreadable(name) : ingestion.failure;
		if (failure === undefined) {
			const row = { action, name, reason: reason, status, uniqueId, old };
			return ingestion.succeeded({ ...this.rows.row(row), ...unfinished });
		}
		const failed = ingestion.failed(
			failure,
			() => ({}),
			// An empty one says that there is nothing to go on with.
			(goOn) => (goOn && this.note.isKept ? GOES_ON : goOn),
		);
		return this.rows.failed(failed, name, {
			...{ status, uniqueId, old },
			...unfinished,
			...adviceOf(failure),
		});
	}

	/** A version of the file on its way, in the place of those that the agent has. */
	private ingestion(oldVersions: OldVersion[], current: Decision['current']): Ingestion {
		const { run, steps } = this;
		const { uid, file } = this.task;
		const names = [file.fileName];
		const target = { sourceType: SOURCE_TYPE, names, uid, wording: OF_NEW_VERSION };
		const ingestion = new Ingestion(run, target, steps);
		ingestion.oldVersions.set(oldVersions);
		if (current) ingestion.take(current);
		return ingestion;
	}

	/**
	 * Gives the agent what an earlier run has uploaded and CometChat has read since, where the folder has a
	 * newer one by now: indexing may take longer than a run waits for it, night after night.
	 */
	private async catchUp(
		decision: Decision,
	): Promise<{ oldVersions: OldVersion[]; superseded?: NotedVersion }> {
		const { steps, run, task, noted } = this;
		const { oldVersions, superseded } = decision;
		if (superseded === undefined || noted === undefined || decision.current) return decision;
		// Another run may have brought a newer one.
		if (!decision.isAhead) return decision;
		const { uniqueId } = superseded;
		const records = await caught(run.inventory.recordsFor(steps));
		const record = isItemFailure(records) ? undefined : records.withId(uniqueId);
		if (!isReady(record?.status)) return decision;

		const ingestion = this.ingestion(oldVersions, { uniqueId, isAttached: false });
		await ingestion.replace(task.file, task.deleteOld);
		const { addedToAgent } = ingestion;
		if (addedToAgent === false) return decision;
		const { held, kept, left } = ingestion.oldVersions;
		this.noted = {
			...noted,
			...(addedToAgent === 'unknown'
				? { pending: { ...superseded, mayBeAttached: true } }
				: { current: superseded, pending: undefined }),
			old: left.map(uploadOf),
			out: [...noted.out, ...kept.map((id) => this.outOf(id))],
		};
		const others = left.map((one) => ({ ...one, mayBeAttached: held.includes(one.uniqueId) }));
		return { oldVersions: [{ uniqueId, mayBeAttached: true }, ...others] };
	}

	/** Notes how far it came, if that changes anything for a later run. */
	private noteState(ingestion: Ingestion, oldVersions: OldVersion[]): void {
		const { noted = newFile() } = this;
		const { addedToAgent, newId, statuses } = ingestion;
		if (newId === undefined || !ingestion.has('uploaded')) return;
		const isForeign = oldVersions.some((one) => one.uniqueId === newId && one.isForeign);
		const isUploaded = ingestion.uploaded.length > 0 && !isForeign;
		const version = { ...this.versionOf(newId), ...(isUploaded && { isOwn: true }) };
		const { pending } = noted;
		const superseded = pending && pending.uniqueId !== newId ? [uploadOf(pending)] : [];
		const others = this.outBut(newId);
		if (addedToAgent === true) {
			const { kept, left } = ingestion.oldVersions;
			const isLeft = ({ uniqueId }: { uniqueId: string }) =>
				left.some((one) => one.uniqueId === uniqueId) ||
				!oldVersions.some((one) => one.uniqueId === uniqueId);
			const old = [...oldVersions.filter(isLeft).map(uploadOf), ...superseded.filter(isLeft)];
			const out = [...others, ...kept.map((id) => this.outOf(id))];
			this.noted = { current: version, old, out };
			if (isUploaded && !this.note.isKept) this.unkept.remember(this.place, version);
			return;
		}
		const mayBeAttached = addedToAgent === 'unknown';
		const isBack = noted.out.some(({ uniqueId }) => uniqueId === newId);
		// What was there before stays noted as it is, unless the agent may have back what it had lost.
		if (!isUploaded && pending?.uniqueId !== newId && !(isBack && mayBeAttached)) return;
		this.noted = {
			...(statuses.get(newId) === FAILED ? this.counted(noted, version) : noted),
			pending: { ...version, ...(mayBeAttached && { mayBeAttached }) },
			old: [...noted.old, ...superseded],
			out: others,
		};
	}

	/** Once the newer content is in CometChat, nobody needs it any more. */
	private async deleteSuperseded({ uniqueId }: NotedVersion, newer: Ingestion): Promise<void> {
		const { run, task, noted } = this;
		const { inventory } = run;
		if (noted === undefined || newer.newId === uniqueId || !newer.has('uploaded')) return;
		const steps = new ItemContext(run);
		const found = await caught(inventory.agentFor(steps, task.uid));
		// Where the lists tell, somebody may have given it to another agent.
		const isTold = !isItemFailure(found) && found.documents !== undefined;
		if (isTold && (await whyToKeep(steps, inventory, uniqueId, { uid: task.uid })) !== undefined)
			return;
		const deleted = await caught(deleteOne(steps, SOURCE_TYPE, uniqueId));
		if (isItemFailure(deleted) && !isUnknownFile(deleted)) return;
		inventory.noteDeleted(uniqueId);
		this.noted = { ...noted, old: noted.old.filter((one) => one.uniqueId !== uniqueId) };
	}

	/** An upload that has the folder's content. */
	private versionOf(uniqueId: string): NotedVersion {
		return { uniqueId, sha256: this.sha256, isOwn: this.isOwn(uniqueId) };
	}

	/** An upload that the agent has no longer. */
	private outOf(uniqueId: string): NotedVersion {
		const { current, pending } = this.noted ?? {};
		const known = [current, pending].find((one) => one?.uniqueId === uniqueId);
		return { uniqueId, sha256: known?.sha256 ?? '', isOwn: this.isOwn(uniqueId) };
	}

	private isOwn(uniqueId: string): boolean {
		const { noted = newFile() } = this;
		const known = [...uploadsOf(noted), ...noted.out].find((one) => one.uniqueId === uniqueId);
		return known?.isOwn ?? false;
	}

	private outBut(uniqueId: string): NotedVersion[] {
		return (this.noted?.out ?? []).filter((one) => one.uniqueId !== uniqueId);
	}
}

function uploadOf({ uniqueId, ...one }: OldVersion | NotedVersion) {
	return { uniqueId, isOwn: 'isOwn' in one ? one.isOwn : one.isForeign !== true };
}

/** What happened and what to do, where that is more than an answer of CometChat. */
function adviceOf(failure: ItemFailure) {
	if (!(failure instanceof UserError)) return undefined;
	return { reason: `${failure.what}. ${failure.remedy}` };
}

function unreadable(name: string): UserError {
	const what: string = `CometChat was not able to read ${quoted(name)}`;
	return new UserError(what, READABLE, { cause: 'configuration-invalid' });
}

const READABLE: string =
	'Replace it in the folder with a file that opens, has no password and holds text, such as a PDF with text instead of scans.';

const GOES_ON = 'The next run of this workflow goes on from here.';
