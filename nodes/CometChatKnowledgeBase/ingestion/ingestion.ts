import type { ItemContext } from '../execution/itemContext';
import type { InputFile } from '../input/binary';
import { ApiError, caught, isItemFailure, mayBeDone, onFailure } from '../results/apiError';
import type { Fields } from '../results/itemResult';
import type { Progress } from '../results/progress';
import { describeProgress } from '../results/progress';
import { FAILED, isReady } from '../service/statuses';
import { recordOf } from '../service/uploads';
import { newestWhole } from './decide';
import type { IngestionLog, Target } from './ingestionLog';
import { FileUploads } from './fileUploads';
import type { IngestionRun } from './ingestionRun';
import { changeAgent } from './ingestionRun';
import type { DeleteOld, OldVersion } from './replacement';
import { deleteOld, detachOld } from './replacement';
import { failedRow } from './rows';

/**
 * Documents of an item on their way to an agent, in four steps. Each throws if it cannot be done, and writes into the log
 * how far it came: what an error says of that is made from the log, in one place.
 *
 * The order is the promise: the agent has what is new, and can answer from it, before an old version is taken from it.
 */
export class Ingestion {
	readonly log: IngestionLog = {
		...{ documents: [], statuses: new Map(), attached: [], leftovers: [], mayHaveLeftover: false },
	};

	/** What is there of the documents; to be set before it is replaced. */
	old: OldVersion[] = [];

	constructor(
		private readonly run: IngestionRun,
		private readonly item: ItemContext,
		readonly target: Target,
	) {}

	/** All four, the first by `upload`: waits as well where something is to be replaced. */
	async ingest(
		upload: () => Promise<void>,
		{ waits, deleteOld: choice }: { waits: boolean; deleteOld: DeleteOld },
	): Promise<void> {
		await upload();
		const takes = this.target.uid !== undefined || choice !== 'never';
		const mustWait = waits || (takes && this.old.length > 0);
		await onFailure(this.give(mustWait), async () => await this.deleteSuperseded(choice));
		await this.replaceOld(choice);
	}

	private async give(waits: boolean): Promise<void> {
		if (waits) await this.waitUntilIndexed();
		await this.attach();
	}

	/** Brings files into CometChat, one after another. */
	async upload(files: InputFile[]): Promise<void> {
		const { run, item, log, target } = this;
		const uploads = new FileUploads(run, item);
		const before = log.documents;
		const failure = await caught(uploads.send(files));
		log.documents = [...before, ...uploads.done.map(recordOf)];
		log.leftovers = uploads.open.map(recordOf);
		log.mayHaveLeftover = uploads.mayBeOpen;
		// What was taken away again is not there, whatever has become of its bytes.
		if (log.leftovers.length > 0) this.noteIfUnknown(failure, 'upload');
		this.tell();
		if (isItemFailure(failure)) throw failure;
		for (const { uniqueId, name: sourceName } of log.documents) {
			run.inventory.recordCreated({ uniqueId, sourceName, type: target.sourceType });
		}
	}

	/** Brings the next document into CometChat in another way. @param create Gives its ID. */
	async create(create: () => Promise<string>): Promise<void> {
		await this.step('upload', async () => this.note(await create()));
	}

	/** Goes on with one that is in CometChat already, or even with the agent. @param status As far as it is known. */
	goOn(uniqueId: string, isAttached = false, status?: string): void {
		this.note(uniqueId);
		if (status !== undefined) this.log.statuses.set(uniqueId, status);
		if (isAttached) this.log.attached.push(uniqueId);
		this.tell();
	}

	/** Waits until CometChat has read them: its guide asks for that before they are attached. */
	async waitUntilIndexed(): Promise<void> {
		const { run, item, ids, log, target } = this;
		const areTexts = target.sourceType === 'text';
		const waiting = this.step(undefined, async () => {
			await run.indexing.untilIndexed(item, ids, log.statuses, areTexts);
		});
		await onFailure(waiting, async (failure) => {
			const isOver = failure instanceof ApiError || failure.more.because === 'cancelled';
			// Old versions of several names go together or not at all.
			if (!isOver && !this.old.some(({ is }) => is === 'attached')) await this.attachReadable();
		});
	}

	/** Lets the agent answer from them, if there is one. */
	async attach(): Promise<void> {
		const { ids, log } = this;
		const missing = ids.filter((id) => !log.attached.includes(id));
		await this.step('attach', async () => await this.addToAgent(missing));
	}

	/**
	 * Takes the old versions from the agent, and deletes them if that is wanted and nobody has them. From here on the item
	 * goes to its end, whatever becomes of others.
	 */
	async replaceOld(choice: DeleteOld): Promise<void> {
		const { run, item, ids, target } = this;
		// Under its ID the new version has overwritten the old one: to remove it would leave the agent without.
		this.old = this.old.filter(({ uniqueId }) => !ids.includes(uniqueId));
		if (this.old.length === 0) return;
		item.mustComplete = true;
		// Without an agent, no list shows the new one.
		const newId = target.uid === undefined ? undefined : ids[0];
		const place = { run, item, ...target, newId };
		await this.step('detach', async () => await detachOld(place, this.old));
		await this.step('delete', async () => await deleteOld(place, this.old, choice));
	}

	/** One file that can't be read is no reason for the agent to lack the others. */
	private async attachReadable(): Promise<void> {
		const { ids, item, log } = this;
		item.mustComplete = true;
		const readable = ids.filter((id) => isReady(log.statuses.get(id)));
		await caught(this.step('attach', async () => await this.addToAgent(readable)));
	}

	private async addToAgent(uniqueIds: string[]): Promise<void> {
		const { run, item, log } = this;
		const { sourceType, uid } = this.target;
		if (uid === undefined || uniqueIds.length === 0) return;
		const change = { operation: 'add' as const, uid, sourceType, uniqueIds };
		await onFailure(changeAgent(run, item, change), (failure) => {
			if (!mayBeDone(failure)) return;
			for (const id of uniqueIds) run.inventory.recordMaybeAttached(id);
		});
		log.attached.push(...uniqueIds);
		for (const id of uniqueIds) run.inventory.recordAttached(uid, id, true);
	}

	/**
	 * Of what runs before have left that came no further either, the newest whole one is enough: otherwise each run would
	 * leave one more.
	 */
	private async deleteSuperseded(choice: DeleteOld): Promise<void> {
		const { run, item, target } = this;
		if (choice === 'never') return;
		const left = this.old.filter(({ is }) => is === 'detached');
		const records = left.flatMap(({ uniqueId }) => run.inventory.record(uniqueId) ?? []);
		const whole = newestWhole(records)?.uniqueId;
		item.mustComplete = true;
		const place = { run, item, ...target };
		const superseded = left.filter(({ uniqueId }) => uniqueId !== whole);
		await caught(deleteOld(place, superseded, choice));
		this.tell();
	}

	private note(uniqueId: string): void {
		const { item, log, target } = this;
		const name = target.names[log.documents.length] ?? uniqueId;
		log.documents.push({ uniqueId, name });
		item.log.names.set(uniqueId, name);
	}

	/** @param name What may be done all the same if its answer is lost. */
	private async step(name: Progress['unknown'], work: () => Promise<void>): Promise<void> {
		try {
			await onFailure(work(), (failure) => this.noteIfUnknown(failure, name));
		} finally {
			this.tell();
		}
	}

	private noteIfUnknown(failure: unknown, name: Progress['unknown']): void {
		if (isItemFailure(failure) && mayBeDone(failure)) this.log.unknown = name;
	}

	/** What they are and where they go, as output fields. */
	get place(): Fields {
		const { sourceType, uid } = this.target;
		if (uid === undefined) return { sourceType };
		return { sourceType, agentName: this.run.inventory.agentName(uid), uid };
	}

	/** What an error says of how far it came, and what its row shows. */
	private tell(): void {
		const { item, log, old, target } = this;
		const { documents: arrived, attached, statuses, ...rest } = log;
		item.shown = failedRow(this);
		item.state = describeProgress({
			wanted: target.names,
			arrived,
			unreadable: arrived.flatMap(({ uniqueId }) =>
				statuses.get(uniqueId) === FAILED ? [uniqueId] : [],
			),
			...(target.uid !== undefined && { agent: { attached } }),
			old: old.flatMap(({ uniqueId, is }) =>
				is === 'attached' || is === 'detached' ? [{ uniqueId, is }] : [],
			),
			isChange: target.isChange,
			hint: target.hint,
			...rest,
		});
	}

	private get ids(): string[] {
		return this.log.documents.map(({ uniqueId }) => uniqueId);
	}
}
