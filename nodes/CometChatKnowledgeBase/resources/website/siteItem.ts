import type { ItemContext, ItemState } from '../../execution/itemContext';
import { Ingestion } from '../../ingestion/ingestion';
import type { IngestionRun } from '../../ingestion/ingestionRun';
import type { OldVersion } from '../../ingestion/replacement';
import { oldRows } from '../../ingestion/replacement';
import type { Fields } from '../../results/itemResult';
import { sentences } from '../../results/itemResult';
import type { Progress } from '../../results/progress';
import { describeProgress, GOES_ON } from '../../results/progress';
import { UserError } from '../../values/userError';

import type { CrawlTask } from './crawlFields';
import type { SiteThere } from './plan';
import type { Sites } from './sites';
import { WEBSITE } from './sites';

/** An item that brings a website, and what it has to say of it. */
export class SiteItem {
	/** What is said in the item, as sentences. */
	readonly reasons: string[] = [];

	/** What was brought in order before anything new was crawled, as a sentence. */
	inOrder = '';

	constructor(
		readonly run: IngestionRun,
		readonly sites: Sites,
		readonly task: CrawlTask,
		readonly item: ItemContext,
	) {}

	/** Says in the item and under the output what needs somebody. @param clause Without its full stop. */
	say(clause: string): void {
		this.item.warn(clause);
		this.reasons.push(`${clause}.`);
	}

	/** In a run by hand, the browser's console shows it: n8n has no other place for a run that goes on. */
	tell(words: string): void {
		this.run.context.sendMessageToUI(words);
	}

	/** How things stand until the website is on its way to an agent. */
	progress(progress: Partial<Pick<Progress, 'arrived' | 'unknown' | 'hint'>>): void {
		const wanted = [this.task.address];
		this.stand(describeProgress({ wanted, arrived: [], hint: GOES_ON, ...progress }));
	}

	/** The same in other words; whatever was brought in order before counts as well. */
	stand({ effect, detail, hint }: ItemState): void {
		this.item.state = {
			effect: effect === 'not applied' && this.inOrder !== '' ? 'partly applied' : effect,
			detail: sentences(this.inOrder, detail),
			hint,
		};
	}

	/** A website on its way to the agent, or to none, in the place of others. */
	ingestion(
		{ uniqueId, isHeld }: Pick<SiteThere, 'uniqueId' | 'isHeld'>,
		others: SiteThere[],
	): Ingestion {
		const ingestion = this.ingestionTo(this.task.destination.uid);
		ingestion.old = others.map((one) => this.asOld(one));
		ingestion.goOn(uniqueId, isHeld === true);
		this.show({ uniqueId, old: oldRows(ingestion.old) });
		return ingestion;
	}

	/** Deletes websites that no agent has, as far as CometChat proves it. @returns What has become of them. */
	async deleteUnused(sites: Array<Pick<SiteThere, 'uniqueId'>>): Promise<Fields[]> {
		const ingestion = this.ingestionTo(undefined);
		ingestion.old = sites.map(({ uniqueId }) => this.asOld({ uniqueId, isHeld: false }));
		await ingestion.replaceOld('ifUnused');
		return oldRows(ingestion.old);
	}

	private ingestionTo(uid: string | undefined): Ingestion {
		const { run, item, task } = this;
		const target = { sourceType: WEBSITE, names: [task.address], uid, again: GOES_ON };
		return new Ingestion(run, item, target);
	}

	private asOld({ uniqueId, isHeld }: Pick<SiteThere, 'uniqueId' | 'isHeld'>): OldVersion {
		const wasAttached = isHeld !== false;
		const is = wasAttached ? 'attached' : 'detached';
		return { uniqueId, name: this.task.address, wasAttached, is };
	}

	/** What the item shows if it fails from here on. */
	show(fields: Fields): void {
		Object.assign(this.item.shown, fields);
	}

	/** Who waits holds nothing that others could use meanwhile. */
	async pause(pauseMs: number): Promise<void> {
		const { clock, permits } = this.run;
		if (pauseMs > 0) await permits.without(async () => await clock.delay(pauseMs));
		if (clock.isCancelled()) {
			throw new UserError('The run stopped while CometChat was reading the website', '', {
				because: 'cancelled',
			});
		}
	}
}
