import type { Fields } from '../../../results/itemResult';
import type { FoundPage } from '../../../service/websites';
import { listed, quoted } from '../../../values/quoting';
import { timeMs } from '../../../values/times';

/*
 * What is wanted is compared with what is there: the websites of an address, by the pages that an item wants.
 *
 * | Of the wanted pages              | changed lately | not     |
 * | -------------------------------- | -------------- | ------- |
 * | some are to come, others read    | under way      | whole   |
 * | some are to come, none read      | under way      | useless |
 * | all have ended, some read        | whole          | whole   |
 * | all have ended, or there is none | useless        | useless |
 *
 * The one of this run counts, or else the newest that is not useless:
 *
 * | It is                                   | Skip  | Refresh | Fail  |
 * | --------------------------------------- | ----- | ------- | ----- |
 * | not there                               | crawl | crawl   | crawl |
 * | of this run, or under way               | take  | take    | take  |
 * | whole, new, and the agent lacks it (*)  | take  | take    | take  |
 * | whole otherwise                         | take  | crawl   | fail  |
 *
 * (*) A run that broke off has left it.
 *
 * What is taken or was crawled is read to its end (`isToRead`), and the newest whole one is what agents are to have.
 */

/** A website of the address, as it was when it was looked at. */
export interface SiteThere {
	uniqueId: string;
	pages: SitePages;
	hasChangedLately: boolean;
	/** Whether the agent of the item has it, or there is none that is to; undefined where that is not known. */
	isAttached?: boolean;
}

type Action = { kind: 'crawl' } | { kind: 'take' | 'fail'; site: SiteThere };

/** The longest that a crawl and its indexing may take here: what has changed since may still be at work. */
export const YOUNG_MS = 3 * 60 * 60_000;

/** Whether something has happened to a website or to one of its pages, as far as CometChat gives times. */
export function hasChangedLately(record: Fields, found: FoundPage[], nowMs: number): boolean {
	return [record, ...found].some(({ createdAt, updatedAt, lastCrawledAt }) =>
		[createdAt, updatedAt, lastCrawledAt].some((time) => nowMs - timeOf(time) < YOUNG_MS),
	);
}

/** A time of CometChat's; 0 where it gives none. */
export function timeOf(time: Fields[string]): number {
	return timeMs(time) ?? 0;
}

export function stageOf({ pages, hasChangedLately }: SiteThere): 'under way' | 'whole' | 'useless' {
	if (isUnfinished(pages) && hasChangedLately) return 'under way';
	return pages.read.length > 0 ? 'whole' : 'useless';
}

/**
 * @param sites Newest first, here and below.
 * @param oursId The one that this run has crawled, or taken.
 */
export function decideSite(
	sites: SiteThere[],
	ifThere: 'fail' | 'refresh' | 'skip',
	oursId?: string,
): Action {
	const ours = sites.find(({ uniqueId }) => uniqueId === oursId);
	const site = ours ?? sites.find((one) => stageOf(one) !== 'useless');
	if (site === undefined) return { kind: 'crawl' };
	const isLeft = !site.isAttached && site.hasChangedLately;
	if (ours || stageOf(site) === 'under way' || isLeft || ifThere === 'skip') {
		return { kind: 'take', site };
	}
	return ifThere === 'refresh' ? { kind: 'crawl' } : { kind: 'fail', site };
}

/** Whether wanted pages are to be read, or are being read: beside others, those that have been for long may never end. */
export function isToRead({ pages, hasChangedLately }: SiteThere): boolean {
	const { waiting, open, read } = pages;
	return waiting.length > 0 || (open.length > 0 && (hasChangedLately || read.length === 0));
}

/** @param oursId One that counts in any case: of those that are older, none is looked for. */
export function newestWholeSite(sites: SiteThere[], oursId?: string): SiteThere | undefined {
	return sites.find((site) => site.uniqueId === oursId || stageOf(site) === 'whole');
}

/** The websites beside the one that is wanted. */
interface Others {
	/** It takes the place of these: of all that are older, and of what has no page that was read. */
	old: SiteThere[];
	/** They stay: another execution may be at work on them. */
	underWay: SiteThere[];
	/** They stay: with more than twice as many of the wanted pages. The site may have been down since. */
	larger: SiteThere[];
}

/** @param wanted Left out: none of them is. */
export function othersThan(wanted: SiteThere | undefined, sites: SiteThere[]): Others {
	const others: Others = { old: [], underWay: [], larger: [] };
	let isOlder = false;
	for (const site of sites) {
		const { pages, hasChangedLately } = site;
		const isToCome = isUnfinished(pages) || pages.found.length === 0;
		if (site.uniqueId === wanted?.uniqueId) isOlder = true;
		else if (isToCome && hasChangedLately) others.underWay.push(site);
		else if (wanted && isOlder && pages.read.length > 2 * wanted.pages.read.length)
			others.larger.push(site);
		else if (isOlder || isEmpty(site)) others.old.push(site);
	}
	return others;
}

/** Whether nobody can answer from it, and nothing is to come, also for another choice of pages. */
function isEmpty({ pages, hasChangedLately }: SiteThere): boolean {
	return !hasChangedLately && !pages.found.some(({ status }) => status === 'processed');
}

/** The pages of a website, as they are for an item that wants some of them. */
export interface SitePages {
	/** All of them. */
	found: FoundPage[];
	/** Of those that are wanted: what agents answer from. */
	read: FoundPage[];
	failed: FoundPage[];
	/** Nobody has had them read yet. */
	waiting: FoundPage[];
	/** Those of which CometChat has not said how they ended. */
	open: FoundPage[];
	/** They were left out when others were chosen, and are not read any more. */
	leftOut: FoundPage[];
	/** Those that are not wanted. */
	others: FoundPage[];
}

/** As CometChat compares addresses, by its pages: a part of the address, letter by letter. */
export function containsAny(address: string, parts: string[]): boolean {
	return parts.some((part) => address.includes(part));
}

/** @param match Parts of the addresses of the pages that are wanted; none: all are. */
export function sitePages(found: FoundPage[], match: string[]): SitePages {
	const isWanted = ({ url }: FoundPage) => match.length === 0 || containsAny(url, match);
	const wanted = found.filter(isWanted);
	const withStatus = (status: string) => wanted.filter((page) => page.status === status);
	const over = ['processed', 'failed', 'discovered', 'skipped'];
	return {
		found,
		read: withStatus('processed'),
		failed: withStatus('failed'),
		waiting: withStatus('discovered'),
		leftOut: withStatus('skipped'),
		open: wanted.filter(({ status = '' }) => !over.includes(status)),
		others: found.filter((page) => !isWanted(page)),
	};
}

/** Whether there are pages of which more is to come. */
export function isUnfinished({ waiting, open }: SitePages): boolean {
	return waiting.length > 0 || open.length > 0;
}

/** More would bury the item; Website: Get Pages has them all. */
export const MOST_FAILED_NAMED = 10;

/**
 * What of a website differs from what an item wants, as clauses.
 *
 * @param before As it was, if it was read anew in its place.
 */
export function warningsOf(pages: SitePages, address: string, before?: SitePages): string[] {
	const name = quoted(address);
	const { found, read, failed, waiting, open, leftOut, others } = pages;
	const unfinished = [...open, ...waiting];
	const surplus = others.filter(({ status }) => status === 'processed');
	const isSmaller = before !== undefined && before.read.length > 2 * read.length;
	const notes = [
		isSmaller &&
			`CometChat has read ${name} anew in its place, and indexed ${count(read)}, ${before.read.length} before: if the site was down, run the item again`,
		unfinished.length > 0 &&
			`CometChat has not finished ${count(unfinished)} of ${name}, and agents answer from the others: ${addressesOf(unfinished)}`,
		leftOut.length > 0 &&
			`${count(leftOut)} of ${name} that this item wants were left out when it was indexed, and that choice holds: 'If the Site Is There' set to Refresh crawls it anew with this one`,
		surplus.length > 0 &&
			`CometChat has indexed pages of ${name} that do not match 'Index Only Addresses With', and agents with this website answer from them: ${addressesOf(surplus)}`,
		failed.length > 0 &&
			`${failed.length} of ${found.length} pages of ${name} could not be read: the item names up to ten of them, and Website: Retry Pages sends them again`,
	];
	return notes.filter((note) => note !== false);
}

function count(pages: FoundPage[]): string {
	return `${pages.length} ${pages.length === 1 ? 'page' : 'pages'}`;
}

export function addressesOf(pages: FoundPage[]): string {
	return listed(pages.map(({ url }) => quoted(url)));
}

/** As output fields: of all pages, whoever wants them. */
export function countFields({ found, waiting, open }: SitePages): Fields {
	const having = (status: string) => found.filter((page) => page.status === status);
	const [processed, failed] = [having('processed').length, having('failed')];
	const pagesOpen = waiting.length + open.length;
	return {
		pagesFound: found.length,
		pagesProcessed: processed,
		pagesFailed: failed.length,
		pagesSkipped: found.length - processed - failed.length - pagesOpen,
		pagesOpen,
		...(failed.length > 0 && {
			failedPages: failed.slice(0, MOST_FAILED_NAMED).map(({ url }) => url),
		}),
	};
}
