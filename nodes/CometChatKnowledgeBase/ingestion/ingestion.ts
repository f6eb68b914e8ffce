import type { ItemContext } from '../execution/itemContext';
import type { InputFile } from '../input/binary';
import { ApiError, caught, mayBeDone, onFailure } from '../results/apiError';
import type { Progress } from '../results/progress';
import { isReady } from '../service/statuses';
import type { DeleteOld } from './fields';
import { FileUploads } from './fileUploads';
import type { IngestionLog, Target } from './ingestionLog';
import { failedRow, stateOf } from './ingestionLog';
import type { IngestionRun } from './ingestionRun';
import { changeAgent } from './ingestionRun';
import { recordCreated } from './inventory';
import type { OldVersion } from './replacement';
import { deleteOld, deleteSuperseded, detachOld } from './replacement';

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
		readonly run: IngestionRun,
		private readonly item: ItemContext,
		readonly target: Target,
	) {}

	/** All four, the first by `upload`: waits as well where something is to be replaced. */
	async ingest(
		upload: () => Promise<void>,
		{ waits, deleteOld: choice }: { waits: boolean; deleteOld: DeleteOld },
	): Promise<void> {
		await upload();
		const { run, item, old, target } = this;
		const replaces = old.length > 0 && (target.uid !== undefined || choice !== 'never');
		const give = async () => {
			if (waits || replaces) await this.waitUntilIndexed();
			await this.attach();
		};
		await onFailure(give(), async () => {
			if (choice === 'never') return;
			item.mustComplete = true;
			await caught(deleteSuperseded({ run, item, ...target }, old, choice));
			this.tell();
		});
		await this.replaceOld(choice);
	}

	/** Sends files to CometChat, one after another. */
	async upload(files: InputFile[]): Promise<void> {
		const { run, item, log, target } = this;
		await this.step(undefined, async () => {
			await onFailure(new FileUploads(run, item, log).send(files), (failure) => {
				// What was taken away again is not there, whatever has become of its bytes.
				if (log.leftovers.length > 0 && mayBeDone(failure)) log.unknown = 'upload';
			});
		});
		for (const { uniqueId, name: sourceName } of log.documents) {
			recordCreated(run.inventory, { uniqueId, sourceName, type: target.sourceType });
		}
	}

	/** Makes the next document in another way. @param create Gives its ID. */
	async create(create: () => Promise<string>): Promise<void> {
		await this.step('upload', async () => this.goOn(await create()));
	}

	/** Goes on with one that is in CometChat already, or even with the agent. @param status As far as it is known. */
	goOn(uniqueId: string, isAttached = false, status?: string): void {
		const { item, log, target } = this;
		const name = target.names[log.documents.length] ?? uniqueId;
		log.documents.push({ uniqueId, name });
		item.log.names.set(uniqueId, name);
		if (status !== undefined) log.statuses.set(uniqueId, status);
		if (isAttached) log.attached.push(uniqueId);
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
			if (isOver || this.old.some(({ is }) => is === 'attached')) return;
			// One file that can't be read is no reason for the agent to lack the others.
			item.mustComplete = true;
			await caught(this.attach(ids.filter((id) => isReady(log.statuses.get(id)))));
		});
	}

	/** Lets the agent answer from them, if there is one. */
	async attach(ids = this.ids): Promise<void> {
		const { run, item, log } = this;
		const { sourceType, uid } = this.target;
		const uniqueIds = ids.filter((id) => !log.attached.includes(id));
		await this.step('attach', async () => {
			if (uid === undefined || uniqueIds.length === 0) return;
			const { own } = run.inventory;
			const change = { operation: 'add' as const, uid, sourceType, uniqueIds };
			await onFailure(changeAgent(run, item, change), (failure) => {
				if (mayBeDone(failure)) uniqueIds.forEach((id) => own.recordMaybeAttached(id));
			});
			log.attached.push(...uniqueIds);
			for (const id of uniqueIds) own.recordAttached(uid, id, true);
		});
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
		const replacement = { run, item, ...target, newId };
		await this.step('detach', async () => await detachOld(replacement, this.old));
		await this.step('delete', async () => await deleteOld(replacement, this.old, choice));
	}

	/** @param name What may be done all the same if its answer is lost. */
	private async step(name: Progress['unknown'], work: () => Promise<void>): Promise<void> {
		try {
			await onFailure(work(), (failure) => {
				if (name !== undefined && mayBeDone(failure)) this.log.unknown = name;
			});
		} finally {
			this.tell();
		}
	}

	/** What an error says of how far it came, and what its row shows. */
	private tell(): void {
		this.item.shown = failedRow(this);
		this.item.state = stateOf(this);
	}

	private get ids(): string[] {
		return this.log.documents.map(({ uniqueId }) => uniqueId);
	}
}
