import type { Attachment } from '../input/binary';
import { ItemContext } from '../execution/itemContext';
import type { RequestOptions } from '../requests/sendRequest';
import type { ServiceRequest } from '../requests/transport';
import type { ItemFailure } from '../results/apiError';
import { caught, explainedBy, isItemFailure, mayBeDone, ApiError } from '../results/apiError';
import type { Failed, Fields, Succeeded } from '../results/itemResult';
import { sentences } from '../results/itemResult';
import { quoted } from '../values/quoting';
import { explainUnknownText } from '../results/messages';
import type { ChangeOperation } from '../service/attachments';
import { deleteOne, isUnknownFile } from '../service/deletion';
import type { StatusById } from '../service/statuses';
import { isReady } from '../service/statuses';
import type { Upload } from '../service/uploads';
import { recordOf } from '../service/uploads';
import { FileUploads } from './fileUploads';
import type { IngestionRun } from './ingestionRun';
import type { DeleteOld, OldVersion } from './oldVersions';
import { FOREIGN, OldVersions, whyToKeep } from './oldVersions';
import type { Progress, Report, Step, Wording } from './report';
import { reportOf } from './report';
import type { Json } from '../values/json';
import { attempt } from '../service/apiClient';

/** Where documents go. */
export interface Target {
	/** As CometChat calls the kind. */
	sourceType: string;
	/** How a person calls them, in the order of the item. */
	names: string[];
	/** The agent; left out for none. */
	uid?: string;
	/** How it is told how far they came. */
	wording: Wording;
}

/**
 * Documents of an item on their way to an agent. What brings them a part of it says whether it goes on; how
 * far they came is kept here, and told by `succeeded` and `failed`.
 */
export class Ingestion {
	/** What has become of the indexing of each document, as far as it was asked for. */
	readonly statuses: StatusById = new Map();

	private readonly uploads: FileUploads;

	/** What the agent had of the document before. */
	readonly oldVersions = new OldVersions();

	/** Those that have arrived. */
	private ids: string[] = [];

	/** Those that the agent has, although another of the item could not be read. */
	private readableIds: string[] = [];

	/** The last that is done for all of them. */
	private reachedStep?: Step;

	/** The one that came next and whose answer was lost. */
	private unknownStep?: Step;

	private stoppedBy?: ItemFailure;

	constructor(
		private readonly run: IngestionRun,
		private readonly target: Target,
		readonly steps = new ItemContext(run),
	) {
		this.uploads = new FileUploads(run, steps);
	}

	/** Brings files into CometChat, one after another. */
	async upload(files: Attachment[]): Promise<boolean> {
		const { inventory } = this.run;
		const failure = await caught(this.uploads.send(files));
		const { done, open } = this.uploads;
		this.ids = done.map(({ uploadId }) => uploadId);
		if (isItemFailure(failure)) return this.stop(failure, open.length > 0 ? 'uploaded' : undefined);
		for (const { uploadId, fileName } of done) {
			const { sourceType: type } = this.target;
			inventory.noteCreated({ uniqueId: uploadId, sourceName: fileName, type });
		}
		return this.reach('uploaded');
	}

	/** Writes a document into CometChat with one request that gives its ID. */
	async create(
		request: ServiceRequest,
		read: (body: Json | undefined) => string | undefined,
		repeat: RequestOptions['repeat'],
	): Promise<boolean> {
		const uniqueId = await attempt(this.steps, request, read, { repeat });
		if (uniqueId instanceof ApiError) return this.stop(uniqueId, 'uploaded');
		const name = this.target.names[this.ids.length];
		if (name !== undefined) this.steps.noteCreated({ uniqueId, name });
		const { sourceType: type } = this.target;
		this.run.inventory.noteCreated({ uniqueId, sourceName: name, type });
		return this.arrived(uniqueId);
	}

	/** Changes a document where it is: its ID stays. Once more after a lost answer does no harm. */
	async update(
		uniqueId: string,
		request: ServiceRequest,
		read: (body: Json | undefined) => true | undefined,
	): Promise<boolean> {
		const name = this.target.names[this.ids.length] ?? uniqueId;
		this.steps.noteName(uniqueId, name);
		const answer = explainedBy(explainUnknownText, await attempt(this.steps, request, read));
		if (answer instanceof ApiError) return this.stop(answer, 'uploaded');
		return this.arrived(uniqueId);
	}

	/** Goes on with a document that is in CometChat as it should be. */
	arrived(uniqueId: string): true {
		this.ids = [...this.ids, uniqueId];
		if (this.ids.length === this.target.names.length) this.reach('uploaded');
		return true;
	}

	/** Goes on with a document that is in CometChat already, or even with the agent. */
	take({ uniqueId, isAttached }: { uniqueId: string; isAttached: boolean }): void {
		this.ids = [uniqueId];
		this.reach(isAttached ? 'added' : 'uploaded');
	}

	/** Brings what has arrived to the agent, if there is one. */
	async deliver(waitUntilIndexed: boolean): Promise<boolean> {
		return (!waitUntilIndexed || (await this.untilIndexed())) && (await this.attach());
	}

	/** Waits until CometChat has read them: its guide asks for that before they are attached. */
	private async untilIndexed(): Promise<boolean> {
		if (this.has('indexed')) return true;
		const { run, ids, statuses, steps, target } = this;
		const areTexts = target.sourceType === 'text';
		const failure = await caught(run.indexing.untilIndexed(steps, ids, statuses, areTexts));
		if (!isItemFailure(failure)) return this.reach('indexed');
		this.stop(failure);
		const readable = ids.filter((id) => isReady(statuses.get(id)));
		const isOver = failure instanceof ApiError || failure.more.because === 'cancelled';
		// Old versions of several names go together or not at all.
		if (readable.length > 0 && !isOver && this.oldVersions.left.length === 0) {
			await this.attachOnly(readable);
		}
		return false;
	}

	/** One file that can't be read is no reason for the agent to lack the others. */
	private async attachOnly(readable: string[]): Promise<void> {
		const { uid } = this.target;
		if (uid === undefined) return;
		this.steps.finish();
		const attached = await this.change('add', uid, readable);
		if (isItemFailure(attached)) {
			if (!mayBeDone(attached)) return;
			this.unknownStep = 'added';
			readable.forEach((id) => this.run.inventory.noteMayBeAttached(id));
			return;
		}
		this.readableIds = readable;
		for (const id of readable) this.run.inventory.noteAttached(uid, id, true);
	}

	/** Lets the agent answer from them, if there is one. */
	private async attach(): Promise<boolean> {
		const { uid } = this.target;
		if (uid === undefined || this.has('added')) return true;
		const attached = await this.change('add', uid, this.ids);
		if (isItemFailure(attached)) {
			if (mayBeDone(attached)) this.ids.forEach((id) => this.run.inventory.noteMayBeAttached(id));
			return this.stop(attached, 'added');
		}
		for (const id of this.ids) this.run.inventory.noteAttached(uid, id, true);
		return this.reach('added');
	}

	/**
	 * Brings what is new, and takes the old versions out. The order is the promise: the agent has what is new,
	 * and can answer from it, before an old one is taken from it.
	 *
	 * @param arrive Brings it into CometChat.
	 */
	async bring(
		arrive: () => Promise<boolean>,
		waitUntilIndexed: boolean,
		deleteOld: DeleteOld,
	): Promise<void> {
		const hasOld = this.oldVersions.left.length > 0;
		// What goes to no agent takes nothing from one.
		const takes = this.target.uid !== undefined || deleteOld !== 'never';
		const waits = waitUntilIndexed || (hasOld && takes);
		if ((await arrive()) && (await this.deliver(waits))) await this.takeOldOut(deleteOld);
	}

	/** Brings a new version, if it is not there already. */
	async replace(file: Attachment, deleteOld: DeleteOld): Promise<void> {
		const arrive = async () => this.has('uploaded') || (await this.uploadVersion(file));
		await this.bring(arrive, true, deleteOld);
	}

	private async uploadVersion(file: Attachment): Promise<boolean> {
		return await this.upload([file]);
	}

	/**
	 * Takes the old versions from the agent, which has the new one by now, and deletes them if that is
	 * wanted. From here on the item goes to its end, whatever becomes of others.
	 */
	private async takeOldOut(deleteOld: DeleteOld): Promise<void> {
		const { uid } = this.target;
		const [newId] = this.ids;
		// Under the old ID the new version has overwritten the old one: to remove it would leave the agent without.
		for (const id of this.ids) this.oldVersions.forget(id);
		const { left, out } = this.oldVersions;
		if (newId === undefined || (uid === undefined ? out : left).length === 0) return;
		this.steps.finish();
		if (uid !== undefined && !(await this.detachOld(uid, newId))) return;
		this.reach('removed');
		const proof = uid === undefined ? {} : { uid, attached: newId };
		for (const one of this.oldVersions.out) {
			if (!(await this.deleteOld(one, deleteOld, proof))) return;
		}
		if (this.oldVersions.kept.length === 0) this.reach('deleted');
	}

	private async detachOld(uid: string, newId: string): Promise<boolean> {
		for (const oldId of this.oldVersions.held) {
			const removed = await this.change('remove', uid, [oldId]);
			if (isItemFailure(removed)) {
				if (mayBeDone(removed)) this.oldVersions.mark(oldId, 'held', MAY_BE_REMOVED);
				return this.stop(removed, 'removed');
			}
			this.oldVersions.mark(oldId, 'out');
			this.run.inventory.noteAttached(uid, oldId, false);
			this.run.inventory.noteReplaced(uid, oldId, newId);
		}
		return true;
	}

	/** Deletes an old version that the agent has no longer, unless it is to be kept. */
	private async deleteOld(
		{ uniqueId, isForeign }: OldVersion,
		deleteOld: DeleteOld,
		proof: { uid?: string; attached?: string },
	): Promise<boolean> {
		const { oldVersions, run, steps, target } = this;
		const why = await this.whyToKeep(uniqueId, isForeign === true, deleteOld, proof);
		if (why !== undefined) {
			oldVersions.mark(uniqueId, 'kept', why === NOT_WANTED ? undefined : why);
			return true;
		}
		const deleted = await caught(deleteOne(steps, target.sourceType, uniqueId));
		// Another run may have been faster.
		if (isItemFailure(deleted) && !isUnknownFile(deleted)) {
			if (mayBeDone(deleted)) oldVersions.mark(uniqueId, 'out', MAY_BE_DELETED);
			return this.stop(deleted, 'deleted');
		}
		run.inventory.noteDeleted(uniqueId);
		oldVersions.mark(uniqueId, 'deleted');
		return true;
	}

	private async whyToKeep(
		uniqueId: string,
		isForeign: boolean,
		deleteOld: DeleteOld,
		proof: { uid?: string; attached?: string },
	): Promise<string | typeof NOT_WANTED | undefined> {
		if (deleteOld === 'never') return proof.uid === undefined ? WITHOUT_AGENT : NOT_WANTED;
		if (isForeign) return FOREIGN;
		if (deleteOld === 'always') return undefined;
		return await whyToKeep(this.steps, this.run.inventory, uniqueId, proof);
	}

	/** The one document, also if it is only announced: its bytes may have arrived. */
	get newId(): string | undefined {
		// Of several entries, the bytes went to the last: the others were refused.
		return this.ids.at(0) ?? this.uploads.open.at(-1)?.uploadId;
	}

	/** Those that have arrived. */
	get uniqueIds(): readonly string[] {
		return this.ids;
	}

	/** Files whose bytes have arrived by this item. */
	get uploaded(): readonly Upload[] {
		return this.uploads.done;
	}

	/** How a person calls the documents. */
	get names(): string[] {
		return this.target.names;
	}

	/** What they are and where they go, as output fields. */
	get place(): Fields {
		const { sourceType, uid } = this.target;
		return uid === undefined
			? { sourceType }
			: { sourceType, agentName: this.run.inventory.agentName(uid), uid };
	}

	/** Entries without content that could not be taken away. */
	get openEntries() {
		return this.uploads.open.map(recordOf);
	}

	/** The same as an output field; no field if there are none. */
	get unfinished(): Fields {
		return this.openEntries.length > 0 ? { unfinished: this.openEntries } : {};
	}

	/** Where the document is: the steps behind it, by this item or before. */
	get reached(): Step[] {
		return STEPS.slice(0, STEPS.findIndex((step) => step === this.reachedStep) + 1);
	}

	get notDeleted(): string | undefined {
		return this.oldVersions.reason;
	}

	get failure(): ItemFailure | undefined {
		return this.stoppedBy;
	}

	get addedToAgent(): boolean | 'unknown' | 'partly' {
		if (this.readableIds.length > 0) return 'partly';
		return this.unknownStep === 'added' ? 'unknown' : this.has('added');
	}

	has(step: Step): boolean {
		return this.reached.includes(step);
	}

	succeeded(json: Fields): Succeeded {
		return this.steps.done([json]);
	}

	/**
	 * @param shown What the item asked for, and how far that came.
	 * @param goOn How to go on, in the place of what the report says.
	 */
	failed(
		failure: ItemFailure,
		shown: (report: Report) => Fields,
		goOn = (told?: string) => told,
	): Failed {
		const report = reportOf(this.progress(), this.target.wording);
		return this.steps.failed(failure, shown(report), { ...report, goOn: goOn(report.goOn) });
	}

	private progress(): Progress {
		const { ids, oldVersions: old, statuses, uploads } = this;
		const { names, uid } = this.target;
		return {
			names,
			ids,
			readable: this.readableIds,
			newId: this.newId,
			reached: this.reachedStep,
			unknown: this.unknownStep,
			hasAgent: uid !== undefined,
			old: { held: old.held, left: old.left.map(({ uniqueId }) => uniqueId) },
			entries: {
				count: uploads.open.length,
				mayBeMore: uploads.mayBeOpen,
				words: leftOver(uploads),
			},
			statuses,
		};
	}

	private async change(
		operation: ChangeOperation,
		uid: string,
		uniqueIds: string[],
	): Promise<true | ApiError> {
		const { agentChanges, permits } = this.run;
		const change = { operation, uid, sourceType: this.target.sourceType, uniqueIds };
		// Whoever waits for the agent holds nothing that others could use meanwhile.
		return await permits.without(async () => await agentChanges.send(this.steps, change));
	}

	private reach(step: Step): true {
		this.reachedStep = step;
		return true;
	}

	/**
	 * Ends the way here.
	 *
	 * @param step What may be done all the same, if the failure does not tell.
	 */
	stop(failure: ItemFailure, step?: Step): false {
		this.stoppedBy = failure;
		this.unknownStep = mayBeDone(failure) ? step : undefined;
		return false;
	}
}

function leftOver({ open, mayBeOpen }: FileUploads): string {
	const [entries, them] = open.length === 1 ? ['an entry', 'it'] : ['entries', 'them'];
	const named = open.map(({ fileName, uploadId }) => `${quoted(fileName)} (ID ${uploadId})`);
	return sentences(
		open.length > 0 &&
			`CometChat may show ${entries} without content: ${named.join(', ')}. Delete ${them} with Document: Delete.`,
		mayBeOpen &&
			'It is not known whether CometChat made an entry for it. Such an entry has no content, and no agent has it.',
	);
}

/** The user wants it to stay. */
const NOT_WANTED = Symbol('not wanted');

const WITHOUT_AGENT: string =
	"'Add to Agent' is off, so nothing takes its place. Replace and Delete deletes it, unless an agent has it.";

const MAY_BE_REMOVED: string = 'It is not known whether it was taken from the agent';

const MAY_BE_DELETED: string = 'It is not known whether it was deleted';

const STEPS: Step[] = ['uploaded', 'indexed', 'added', 'removed', 'deleted'];
