import type { SitePages } from './sitePages';
import { isUnfinished } from './sitePages';

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
 * The newest that is not useless counts, and of the whole ones the newest is what agents are to have:
 *
 * | The newest is                             | Skip          | Refresh       | Fail          |
 * | ----------------------------------------- | ------------- | ------------- | ------------- |
 * | not there                                 | crawl         | crawl         | crawl         |
 * | under way                                 | go on with it | go on with it | go on with it |
 * | of this run, and pages are to come        | go on with it | go on with it | go on with it |
 * | of this run otherwise                     | keep          | keep          | keep          |
 * | whole, new, and the item's agent lacks it *| keep          | keep          | keep          |
 * | whole, and nobody has had some pages read | go on with it | crawl         | fail          |
 * | whole otherwise                           | keep          | crawl         | fail          |
 *
 * (*) A run that broke off has left it.
 */

/** A website of the address. */
export interface SiteThere {
	uniqueId: string;
	/** The last that has happened to it or to one of its pages: a Unix time in milliseconds; 0 if that is not known. */
	changedAt: number;
	pages: SitePages;
	/** Whether the agent of the item has it; undefined where that is not known. */
	isAttached?: boolean;
}

export interface Wish {
	ifThere: 'fail' | 'refresh' | 'skip';
	/** Whether it is for an agent. */
	hasAgent: boolean;
	/** The one that this run has crawled, or gone on with. */
	oursId?: string;
	nowMs: number;
}

export type Action = { kind: 'crawl' } | { kind: 'goOn' | 'keep' | 'fail'; site: SiteThere };

/** The longest that a crawl and its indexing may take here: what has changed since may still be at work. */
export const YOUNG_MS = 3 * 60 * 60_000;

function isYoung({ changedAt }: SiteThere, nowMs: number): boolean {
	return nowMs - changedAt < YOUNG_MS;
}

export function stageOf(site: SiteThere, nowMs: number): 'under way' | 'whole' | 'useless' {
	if (isUnfinished(site.pages) && isYoung(site, nowMs)) return 'under way';
	return site.pages.read.length > 0 ? 'whole' : 'useless';
}

/** @param sites Newest first, here and below. */
export function decide(sites: SiteThere[], { ifThere, hasAgent, oursId, nowMs }: Wish): Action {
	const ours = sites.find(({ uniqueId }) => uniqueId === oursId);
	const site = ours ?? sites.find((one) => stageOf(one, nowMs) !== 'useless');
	if (site === undefined) return { kind: 'crawl' };
	if (stageOf(site, nowMs) === 'under way') return { kind: 'goOn', site };
	if (ours) return { kind: isUnfinished(site.pages) ? 'goOn' : 'keep', site };
	if (hasAgent && !site.isAttached && isYoung(site, nowMs)) return { kind: 'keep', site };
	if (ifThere === 'skip') return { kind: site.pages.waiting.length > 0 ? 'goOn' : 'keep', site };
	return ifThere === 'refresh' ? { kind: 'crawl' } : { kind: 'fail', site };
}

export function newestWhole(sites: SiteThere[], nowMs: number): SiteThere | undefined {
	return sites.find((site) => stageOf(site, nowMs) === 'whole');
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
export function othersThan(
	wanted: SiteThere | undefined,
	sites: SiteThere[],
	nowMs: number,
): Others {
	const others: Others = { old: [], underWay: [], larger: [] };
	let isOlder = false;
	for (const site of sites) {
		const isPresent = stageOf(site, nowMs) === 'under way';
		if (site.uniqueId === wanted?.uniqueId) isOlder = true;
		else if (isPresent) others.underWay.push(site);
		else if (wanted && isOlder && site.pages.read.length > 2 * wanted.pages.read.length)
			others.larger.push(site);
		else if (isOlder || isEmpty(site, nowMs)) others.old.push(site);
	}
	return others;
}

/** Whether nobody can answer from it, and nothing is to come: no page of it may have been found yet. */
function isEmpty(site: SiteThere, nowMs: number): boolean {
	const isRead = site.pages.found.some(({ status }) => status === 'processed');
	return !isRead && !isYoung(site, nowMs);
}
