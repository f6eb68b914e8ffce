import type { ItemContext } from '../../execution/itemContext';
import type { IngestionRun } from '../../ingestion/ingestionRun';
import { whyToKeep } from '../../ingestion/oldVersions';
import { isItemFailure, mayBeDone } from '../../results/apiError';
import type { Fields } from '../../results/itemResult';
import type { Progress } from '../../results/progress';
import { describeProgress } from '../../results/progress';
import { deleteOne, isUnknownFile } from '../../service/deletion';

export interface OldVersion {
	uniqueId: string;
	name?: string;
	wasAttached: boolean;
	is: 'attached' | 'detached' | 'kept' | 'deleted';
	reason?: string;
}
export function oldRows(old: readonly OldVersion[]): Array<Fields & { name: string }> {
	return old.map(({ uniqueId, name = uniqueId, wasAttached, is, reason }) => {
		const isRemoved = wasAttached && is !== 'attached';
		const action = is === 'deleted' ? 'deleted' : isRemoved ? 'removed' : 'kept';
		return { name, action, uniqueId, ...(reason !== undefined && { reason }) };
	});
}

export class Delivery {
	old: OldVersion[] = [];
	private arrived: string[] = [];
	private attached: string[] = [];
	private unknown: Progress['unknown'];
	constructor(
		private readonly run: IngestionRun,
		private readonly item: ItemContext,
		private readonly target: {
			sourceType: string;
			names: readonly string[];
			uid?: string;
			again?: string;
		},
	) {}
	goOn(id: string, isAttached = false): void {
		this.arrived.push(id);
		if (isAttached) this.attached.push(id);
		this.tell();
	}
	async attach(): Promise<void> {
		const { uid } = this.target;
		const missing = this.arrived.filter((id) => !this.attached.includes(id));
		if (uid === undefined || missing.length === 0) return this.tell();
		await this.change('add', uid, missing);
		this.attached.push(...missing);
		missing.forEach((id) => this.run.inventory.noteAttached(uid, id, true));
		this.tell();
	}
	async replaceOld(_choice: 'ifUnused'): Promise<void> {
		const { uid } = this.target;
		this.old = this.old.filter(({ uniqueId }) => !this.arrived.includes(uniqueId));
		if (this.old.length === 0) return;
		this.item.finish();
		for (const one of this.old) {
			if (one.is !== 'attached' || uid === undefined) continue;
			await this.change('remove', uid, [one.uniqueId]);
			one.is = 'detached';
			this.run.inventory.noteAttached(uid, one.uniqueId, false);
		}
		for (const one of this.old) if (one.is === 'detached') await this.deleteOld(one);
		this.tell();
	}
	private async deleteOld(one: OldVersion): Promise<void> {
		const { uid } = this.target;
		const why = await whyToKeep(this.item, this.run.inventory, one.uniqueId, {
			uid,
			attached: uid === undefined ? undefined : this.arrived[0],
		});
		if (why) return void Object.assign(one, { is: 'kept', reason: why });
		const deleted: unknown = await deleteOne(this.item, this.target.sourceType, one.uniqueId).catch(
			(thrown: unknown) => thrown,
		);
		if (isItemFailure(deleted) && !isUnknownFile(deleted)) {
			if (mayBeDone(deleted)) this.unknown = 'delete';
			this.tell();
			throw deleted;
		}
		this.run.inventory.noteDeleted(one.uniqueId);
		one.is = 'deleted';
	}
	private async change(operation: 'add' | 'remove', uid: string, uniqueIds: string[]) {
		const { agentChanges, permits } = this.run;
		const change = { operation, uid, sourceType: this.target.sourceType, uniqueIds };
		const sent = await permits.without(async () => await agentChanges.send(this.item, change));
		if (sent === true) return;
		if (mayBeDone(sent)) this.unknown = operation === 'add' ? 'attach' : 'detach';
		this.tell();
		throw sent;
	}
	private tell(): void {
		const { target, arrived, attached, old, unknown } = this;
		this.item.standing = describeProgress({
			wanted: target.names,
			arrived: arrived.map((uniqueId) => ({ uniqueId, name: target.names[0] ?? '' })),
			...(target.uid !== undefined && { agent: { attached } }),
			old: old.flatMap(({ uniqueId, is }) =>
				is === 'attached' || is === 'detached' ? [{ uniqueId, is }] : [],
			),
			again: target.again,
			unknown,
		});
	}
}
