import type { ItemContext } from '../../execution/itemContext';
import { Ingestion } from '../../ingestion/ingestion';
import type { IngestionRun } from '../../ingestion/ingestionRun';
import { recordCreated } from '../../inventory/inventory';
import { oldRows, oldVersions } from '../../ingestion/replacement';
import type { ItemFailure } from '../../results/apiError';
import { ApiError, caught, isItemFailure } from '../../results/apiError';
import type { Fields } from '../../results/itemResult';
import type { Progress } from '../../results/progress';
import { describeProgress, GOES_ON } from '../../results/progress';
import type { Document } from '../../service/documents';
import { documentPages } from '../../service/documents';
import type { CrawlSettings } from '../../service/websites';
import { foundPages } from '../../service/websites';
import { readWholeList } from '../../service/wholeList';
import { sourceTypeOf } from '../../values/sourceTypes';

import { comparableAddress } from './address';
import type { SitePages, SiteThere } from './plan';
import { lastChange, sitePages, timeOf } from './plan';

/** As CometChat calls the type, in its addresses. */
export const WEBSITE = 'website';

/** What an item asks for. */
export interface CrawlTask {
	address: string;
	waits: boolean;
	/** The agent; left out for none. */
	uid?: string;
	/** Which pages are found, and of those the ones whose address contains one of some parts; none: all. */
	pages: CrawlSettings & { match: string[] };
	ifThere: 'fail' | 'refresh' | 'skip';
	maxCrawlMs: number;
	maxIndexingMs: number;
}

/** What a run has had crawled, or gone on with, by address: the ID of the website, or why there is none. */
export type OfThisRun = Map<string, string | ItemFailure>;

/** An item that brings a website, and what it has to say of it. */
export class SiteItem {
	/** What is said in the item, as sentences. */
	readonly reasons: string[] = [];

	constructor(
		readonly run: IngestionRun,
		private readonly ofThisRun: OfThisRun,
		readonly task: CrawlTask,
		readonly item: ItemContext,
	) {}

	/** Says in the item and under the output what needs somebody. @param clause Without its full stop. */
	say(clause: string): void {
		this.item.warn(clause);
		this.reasons.push(`${clause}.`);
	}

	/** For items with the same address that come after this one. */
	recordOurs(outcome: string | ItemFailure): void {
		this.ofThisRun.set(comparableAddress(this.task.address), outcome);
	}

	/** The website of this run. It is not crawled twice: what failed fails for all items. */
	get oursId(): string | undefined {
		const outcome = this.ofThisRun.get(comparableAddress(this.task.address));
		if (isItemFailure(outcome)) throw outcome;
		return outcome;
	}

	/** Says how things stand until the website is on its way to an agent. */
	recordProgress(progress: Partial<Pick<Progress, 'arrived' | 'unknown' | 'hint'>>): void {
		const wanted = [this.task.address];
		this.item.state = describeProgress({ wanted, arrived: [], hint: GOES_ON, ...progress });
	}

	/** A website on its way to the agent, or to none, in the place of others; left out: there is none. */
	ingestion(
		others: Array<Pick<SiteThere, 'uniqueId' | 'isAttached'>>,
		wanted?: Pick<SiteThere, 'uniqueId' | 'isAttached'>,
	): Ingestion {
		const { run, item, task } = this;
		const { address } = task;
		const uid = wanted && task.uid;
		const target = { sourceType: WEBSITE, names: [address], uid, hint: GOES_ON };
		const ingestion = new Ingestion(run, item, target);
		ingestion.old = oldVersions(
			others.map((one) => ({ ...one, sourceName: address })),
			({ isAttached }) => isAttached !== false,
		);
		if (wanted) ingestion.goOn(wanted.uniqueId, wanted.isAttached === true);
		return ingestion;
	}

	/** Deletes websites that no agent has, as far as CometChat proves it. @returns What has become of them. */
	async deleteUnused(sites: Array<Pick<SiteThere, 'uniqueId'>>): Promise<Fields[]> {
		const unused = sites.map(({ uniqueId }) => ({ uniqueId, isAttached: false }));
		const ingestion = this.ingestion(unused);
		await ingestion.replaceOld('ifUnused');
		return oldRows(ingestion.old);
	}

	/** Who waits holds nothing that others could use meanwhile. */
	async pause(pauseMs: number): Promise<void> {
		const { clock, permits } = this.run;
		if (pauseMs > 0) await permits.without(async () => await clock.delay(pauseMs));
	}
}

export async function pagesOf({ item, task }: SiteItem, uniqueId: string): Promise<SitePages> {
	return sitePages(await foundPages(item, uniqueId), task.pages.match);
}

/** Those of the address that CometChat's list shows by now, and did not when this run read it. */
export async function newSites(site: SiteItem): Promise<Document[]> {
	const { inventory } = site.run;
	const isKnown = ({ uniqueId }: Document) => inventory.record(uniqueId) !== undefined;
	// The newest come first.
	const listed = await readWholeList(documentPages(site.item), {
		isLast: ({ entries }) => entries.some(isKnown),
	});
	const sites = listed.filter((one) => isSiteOf(site, one) && !isKnown(one));
	for (const one of sites) recordCreated(inventory, one);
	return sites;
}

/**
 * The websites of the address, newest first.
 *
 * @param known What the item knows of them if it looks again: that is not asked for anew.
 */
export async function sitesThere(site: SiteItem, known?: SiteThere[]): Promise<SiteThere[]> {
	const { item, run } = site;
	if (known) await newSites(site);
	const isAttached = await attachedToAgent(site);
	const records = (await run.inventory.list.whole(item)).all().filter((one) => isSiteOf(site, one));
	const there: SiteThere[] = [];
	for (const record of records.sort(byTime)) {
		const { uniqueId } = record;
		const before = known?.find((one) => one.uniqueId === uniqueId);
		const pages = before?.pages ?? (await pagesIfThere(site, uniqueId));
		if (pages === undefined) continue;
		const changedAt = lastChange(record, pages.found);
		there.push(before ?? { uniqueId, changedAt, pages, isAttached: isAttached(uniqueId) });
	}
	return there;
}

/** Undefined if another execution has deleted it. */
async function pagesIfThere(site: SiteItem, uniqueId: string): Promise<SitePages | undefined> {
	const pages = await caught(pagesOf(site, uniqueId));
	if (!isItemFailure(pages)) return pages;
	if (!(pages instanceof ApiError) || pages.more.unknown !== WEBSITE) throw pages;
	site.run.inventory.list.records.remove(uniqueId);
	return undefined;
}

/** Whether the agent has a website. One that does not exist is found out before anything is crawled. */
async function attachedToAgent({ item, run, task }: SiteItem) {
	if (task.uid === undefined) return () => false;
	const { documents } = await run.inventory.agentFor(item, task.uid, WEBSITE);
	return (uniqueId: string) => documents?.has(uniqueId);
}

function isSiteOf({ task }: SiteItem, { type = 'uploads', sourceName = '' }: Document): boolean {
	const isWebsite = sourceTypeOf(type) === WEBSITE;
	return isWebsite && comparableAddress(sourceName) === comparableAddress(task.address);
}

/** The newest first. */
function byTime(one: Document, other: Document): number {
	return timeOf(other.createdAt) - timeOf(one.createdAt);
}
