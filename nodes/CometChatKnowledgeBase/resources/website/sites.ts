import type { ItemContext } from '../../execution/itemContext';
import type { IngestionRun } from '../../ingestion/ingestionRun';
import { recordCreated } from '../../ingestion/inventory';
import type { ItemFailure } from '../../results/apiError';
import { isItemFailure } from '../../results/apiError';
import type { Fields } from '../../results/itemResult';
import type { Document } from '../../service/documents';
import { detailsOf, documentPages } from '../../service/documents';
import { readWholeList } from '../../service/wholeList';
import { listed, quoted } from '../../values/quoting';
import { sourceTypeOf } from '../../values/sourceTypes';

import { comparableAddress, isSameAddress } from './address';

/** As CometChat calls the kind, in its addresses. */
export const WEBSITE = 'website';

/** The websites of the account, by their addresses: a crawl does not say which one it has made. */
export class Sites {
	/** What this run has had crawled, or gone on with, by address: the website, or why there is none. */
	private readonly ours = new Map<string, string | ItemFailure>();

	/** Those of an address as they were listed last. */
	private readonly lists = new Map<string, Document[]>();

	constructor(private readonly run: IngestionRun) {}

	/** For items with the same address that come after this one. */
	recordOurs(address: string, outcome: string | ItemFailure): void {
		this.ours.set(comparableAddress(address), outcome);
	}

	/** The one of this run. It is not crawled twice: what failed fails for all items. */
	oursId(address: string): string | undefined {
		const outcome = this.ours.get(comparableAddress(address));
		if (isItemFailure(outcome)) throw outcome;
		return outcome;
	}

	/** Those of an address, as far as this run has read the list. */
	async at(item: ItemContext, address: string): Promise<Document[]> {
		const last = this.lists.get(comparableAddress(address));
		if (last) return last;
		const records = await this.run.inventory.list.whole(item);
		return this.keep(address, records.all());
	}

	/** Those of an address now, and websites of others that are new. */
	async atNow(item: ItemContext, address: string): Promise<SiteList> {
		const { inventory } = this.run;
		const known = await this.at(item, address);
		const isKnown = ({ uniqueId }: Document) => inventory.record(uniqueId) !== undefined;
		const sinceMs = Math.min(...known.map(({ createdAt }) => msOf(createdAt) ?? 0));
		// The newest come first: behind the oldest of the address, or the first known one, there is none.
		const isBehind = (one: Document) =>
			known.length > 0 ? (msOf(one.createdAt) ?? 0) <= sinceMs : isKnown(one);
		const records = await readWholeList(documentPages(item), {
			isLast: ({ entries }) => entries.some(isBehind),
		});
		const others = records.filter(
			(one) => isWebsite(one) && !isKnown(one) && !isSiteAt(one, address),
		);
		const sites = this.keep(address, records);
		sites.filter((one) => !isKnown(one)).forEach((one) => recordCreated(inventory, one));
		return { sites, others };
	}

	private keep(address: string, records: Document[]): Document[] {
		const sites = records.filter((record) => isSiteAt(record, address));
		this.lists.set(comparableAddress(address), sites);
		return sites;
	}

	/** What tells websites apart. */
	described(sites: Document[]): string {
		const timeZone = this.run.context.getTimezone();
		const each = sites.map((record) =>
			[
				quoted(record.sourceName ?? ''),
				...detailsOf(record, timeZone),
				`ID ${record.uniqueId}`,
			].join(', '),
		);
		return listed(each, '; ');
	}
}

/** What came of looking at the list. */
export interface SiteList {
	/** Those of the address. */
	sites: Document[];
	/** New websites of other addresses: CometChat may have followed a redirection. */
	others: Document[];
}

/** A time of CometChat's. */
export function msOf(time: Fields[string]): number | undefined {
	return typeof time === 'number' ? time : undefined;
}

function isWebsite({ type }: Document): boolean {
	return sourceTypeOf(type ?? 'uploads') === WEBSITE;
}

function isSiteAt(record: Document, address: string): boolean {
	return isWebsite(record) && isSameAddress(record.sourceName ?? '', address);
}
