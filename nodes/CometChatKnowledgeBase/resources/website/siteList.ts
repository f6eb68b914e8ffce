import type { ItemContext } from '../../execution/itemContext';
import type { IngestionRun } from '../../ingestion/ingestionRun';
import type { ItemFailure } from '../../results/apiError';
import { caught, isItemFailure } from '../../results/apiError';
import type { KnowledgeBaseRecord } from '../../service/records';
import { detailsOf, recordPages } from '../../service/records';
import { listed, quoted } from '../../values/quoting';
import { sourceTypeOf } from '../../values/sourceTypes';
import { comparableAddress, isSameAddress } from './address';
import { UserError } from '../../values/userError';

/** The records down to the page that has one which is known. */
async function newestOf(
	steps: ItemContext,
	isKnown: (record: KnowledgeBaseRecord) => boolean,
): Promise<KnowledgeBaseRecord[]> {
	const found: KnowledgeBaseRecord[] = [];
	for await (const { entries } of recordPages(steps)) {
		found.push(...entries);
		if (entries.some(isKnown)) break;
	}
	return found;
}

/** As CometChat calls the kind, in its addresses. */
export const WEBSITE = 'website';

/** The pauses before each look for a new website: CometChat's list may be late. */
export const LOOK_LONG_MS = [0, 2000, 5000, 10_000, 15_000, 30_000];

/** Where the website was there before, and CometChat may have read it anew in its place. */
export const LOOK_SHORTLY_MS = [0, 3000, 7000];

/** Where it has not. */
export const LOOK_ON_MS = [20_000, 30_000];

/** What came of looking for a website that is new. */
export interface SiteLook {
	/** Those of the address. */
	sites: KnowledgeBaseRecord[];
	/** Websites of other addresses that are new, too: CometChat may have followed a redirection. */
	others: KnowledgeBaseRecord[];
}

/** The websites of the account, by their addresses: a crawl does not say which one it has made. */
export class SiteList {
	/** What this run itself has crawled, or gone on with, by address. */
	private readonly crawled = new Map<string, KnowledgeBaseRecord>();

	/** What this run has let CometChat crawl, by address, also where nobody knows what became of it. */
	private readonly asked = new Set<string>();

	constructor(private readonly run: IngestionRun) {}

	noteAsked(address: string): void {
		this.asked.add(comparableAddress(address));
	}

	wasAsked(address: string): boolean {
		return this.asked.has(comparableAddress(address));
	}

	/** For items with the same address that come after this one. */
	noteCrawled(address: string, site: KnowledgeBaseRecord): void {
		this.crawled.set(comparableAddress(address), site);
	}

	wasCrawled({ uniqueId }: KnowledgeBaseRecord): boolean {
		return [...this.crawled.values()].some((site) => site.uniqueId === uniqueId);
	}

	/**
	 * The website of an address; of several the one that this run has crawled, or the one that the agent has, if
	 * that is one.
	 *
	 * @param documents Of the agent; left out: none is meant.
	 */
	async withAddress(
		steps: ItemContext,
		address: string,
		documents: readonly string[] = [],
	): Promise<KnowledgeBaseRecord | undefined | ItemFailure> {
		const crawled = this.crawled.get(comparableAddress(address));
		if (crawled) return crawled;
		const records = await caught(this.run.inventory.recordsFor(steps));
		if (isItemFailure(records)) return records;
		const sites = records.all().filter((record) => isSiteAt(record, address));
		const held = sites.filter(({ uniqueId }) => documents.includes(uniqueId));
		if (sites.length <= 1 || held.length === 1) return held[0] ?? sites[0];
		return this.several(address, sites);
	}

	/** Looks until a website of the address is listed that was not there when the run began. */
	async newSince(
		steps: ItemContext,
		address: string,
		pausesMs: number[],
	): Promise<SiteLook | ItemFailure> {
		const { clock, inventory, permits } = this.run;
		const isKnown = ({ uniqueId }: KnowledgeBaseRecord) => inventory.record(uniqueId) !== undefined;
		let look: SiteLook = { sites: [], others: [] };
		for (const pauseMs of pausesMs) {
			if (pauseMs > 0) await permits.without(async () => await clock.delay(pauseMs));
			// The newest come first.
			const listed = await caught(newestOf(steps, isKnown));
			if (isItemFailure(listed)) return listed;
			const fresh = listed.filter((record) => !isKnown(record) && isWebsite(record));
			look = {
				sites: fresh.filter((record) => isSiteAt(record, address)),
				others: fresh.filter((record) => !isSiteAt(record, address)),
			};
			if (look.sites.length > 0) break;
		}
		return look;
	}

	several(address: string, sites: KnowledgeBaseRecord[]): UserError {
		return new UserError(
			`CometChat has ${sites.length} websites with the address ${quoted(address)}`,
			`Delete those that are not needed with Document: Delete. They are: ${this.described(sites)}.`,
			{ cause: 'configuration-invalid' },
		);
	}

	/** What tells websites apart. */
	described(sites: KnowledgeBaseRecord[]): string {
		const timeZone = this.run.context.getTimezone();
		const each = sites.map((record) =>
			[
				`${quoted(record.sourceName ?? '')}`,
				...detailsOf(record, timeZone),
				`ID ${record.uniqueId}`,
			].join(', '),
		);
		return listed(each, '; ');
	}
}

function isWebsite({ type }: KnowledgeBaseRecord): boolean {
	return sourceTypeOf(type ?? 'uploads') === WEBSITE;
}

function isSiteAt(record: KnowledgeBaseRecord, address: string): boolean {
	return isWebsite(record) && isSameAddress(record.sourceName ?? '', address);
}
