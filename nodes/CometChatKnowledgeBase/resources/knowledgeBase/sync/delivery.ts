import type { ItemContext } from '../../../execution/itemContext';
import type { Attachment } from '../../../input/binary';
import type { ItemFailure } from '../../../results/apiError';
import { caught, isItemFailure, mayBeDone } from '../../../results/apiError';
import type { CreatedRecord } from '../../../results/itemResult';
import type { Progress } from '../../../results/progress';
import { describeProgress } from '../../../results/progress';
import { deleteOne, isUnknownFile } from '../../../service/deletion';
import type { StatusById } from '../../../service/statuses';
import { FAILED } from '../../../service/statuses';
import { recordOf } from '../../../service/uploads';
import { FileUploads } from '../../../ingestion/fileUploads';
import type { IngestionRun } from '../../../ingestion/ingestionRun';
import type { DeleteOld } from '../../../ingestion/oldVersions';
import { whyToKeep } from '../../../ingestion/oldVersions';

export interface OldVersion {
	uniqueId: string;
	name?: string;
	wasAttached: boolean;
	is: 'attached' | 'detached' | 'kept' | 'deleted';
	reason?: string;
}

/** Where an upload is that nobody may need. */
interface Where {
	run: IngestionRun;
	item: ItemContext;
	sourceType: string;
	uid: string;
}

/** @returns Why it is still there; undefined if it is deleted. */
export async function deleteIfUnused(
	{ run, item, sourceType, uid }: Where,
	id: string,
): Promise<string | undefined> {
	const proof = { uid };
	const why = await whyToKeep(item, run.inventory, id, proof);
	if (why !== undefined) return why;
	const answer = await caught(deleteOne(item, sourceType, id));
	if (isItemFailure(answer) && !isUnknownFile(answer)) throw answer;
	run.inventory.noteDeleted(id);
	return undefined;
}

export class Delivery {
	readonly log: {
		arrived: CreatedRecord[];
		attached: string[];
		statuses: StatusById;
		leftovers: CreatedRecord[];
		mayHaveLeftover: boolean;
		unknown?: Progress['unknown'];
	} = {
		...{ arrived: [], statuses: new Map(), attached: [], leftovers: [], mayHaveLeftover: false },
	};
	old: OldVersion[] = [];
	constructor(
		private readonly run: IngestionRun,
		private readonly item: ItemContext,
		readonly target: { sourceType: string; names: string[]; uid: string; again?: string },
	) {}
	async upload(files: Attachment[]): Promise<void> {
		const uploads = new FileUploads(this.run, this.item);
		const failure = await uploads.send(files, async (id) => await this.run.inventory.existed(id));
		const { log, target } = this;
		log.arrived = uploads.done.map(recordOf);
		log.leftovers = uploads.open.map(recordOf);
		log.mayHaveLeftover = uploads.mayBeOpen;
		for (const { uniqueId, name: sourceName } of log.arrived)
			this.run.inventory.noteCreated({ uniqueId, sourceName, type: target.sourceType });
		if (failure) this.fail(failure, uploads.open.length > 0 ? 'upload' : undefined);
		this.tell();
	}
	goOn(uniqueId: string, isAttached = false): void {
		this.log.arrived.push({ uniqueId, name: this.target.names[0] ?? '' });
		if (isAttached) this.log.attached.push(uniqueId);
		this.item.noteName(uniqueId, this.target.names[0] ?? '');
		this.tell();
	}
	async waitUntilIndexed(): Promise<void> {
		const failure = await this.run.indexing.untilIndexed(this.item, this.ids, this.log.statuses);
		if (failure) this.fail(failure);
	}
	async attach(): Promise<void> {
		const answer = await this.change('add', this.ids);
		if (isItemFailure(answer)) {
			for (const id of this.ids) this.run.inventory.noteMayBeAttached(id);
			this.fail(answer, 'attach');
		}
		for (const id of this.ids) this.run.inventory.noteAttached(this.target.uid, id, true);
		this.log.attached.push(...this.ids);
		this.tell();
	}
	async replaceOld(choice: DeleteOld): Promise<void> {
		this.old = this.old.filter(({ uniqueId }) => !this.ids.includes(uniqueId));
		if (this.old.length === 0) return;
		this.item.finish();
		const {
			run,
			item,
			target: { uid, sourceType },
		} = this;
		for (const one of this.old) {
			if (one.is !== 'attached') continue;
			const removed = await this.change('remove', [one.uniqueId]);
			if (isItemFailure(removed)) this.fail(removed, 'detach');
			one.is = 'detached';
			run.inventory.noteAttached(uid, one.uniqueId, false);
		}
		for (const one of this.old) {
			if (one.is !== 'detached') continue;
			if (choice === 'never') {
				one.is = 'kept';
				continue;
			}
			const why =
				choice === 'always'
					? undefined
					: await whyToKeep(item, run.inventory, one.uniqueId, { uid, attached: this.ids[0] });
			if (why !== undefined) {
				one.is = 'kept';
				one.reason = why;
				continue;
			}
			const answer = await caught(deleteOne(item, sourceType, one.uniqueId));
			if (isItemFailure(answer) && !isUnknownFile(answer)) this.fail(answer, 'delete');
			run.inventory.noteDeleted(one.uniqueId);
			one.is = 'deleted';
		}
	}
	private get ids() {
		return this.log.arrived.map(({ uniqueId }) => uniqueId);
	}
	private async change(operation: 'add' | 'remove', uniqueIds: string[]) {
		const { uid, sourceType } = this.target;
		return await this.run.permits.without(
			async () =>
				await this.run.agentChanges.send(this.item, { operation, uid, sourceType, uniqueIds }),
		);
	}
	private fail(failure: ItemFailure, unknown?: Progress['unknown']): never {
		if (mayBeDone(failure)) this.log.unknown = unknown;
		this.tell();
		throw failure;
	}
	private tell(): void {
		const { log, old, target } = this;
		const { attached, statuses, ...rest } = log;
		this.item.standing = describeProgress({
			wanted: target.names,
			...rest,
			unreadable: this.ids.filter((id) => statuses.get(id) === FAILED),
			agent: { attached },
			old: old.flatMap(({ uniqueId, is }) =>
				is === 'attached' || is === 'detached' ? [{ uniqueId, is }] : [],
			),
			again: target.again,
		});
	}
}
