import type { SitePages } from './sitePages';
import { isUnfinished } from './sitePages';

/*
 * What is wanted is compared with what is there: the websites of an address, by the pages that an item wants.
 *
 * | Of the wanted pages                                | changed lately | not          |
 * | -------------------------------------------------- | -------------- | ------------ |
 * | none are there                                     | useless        | useless      |
 * | some are to come, none read                        | under way      | useless      |
 * | some are being read, others read                   | under way      | whole        |
 * | some nobody has had read, others read              | under way      | lacking      |
 * | all have ended, some read                          | whole          | whole        |
 * | all have ended, none read                          | useless        | useless      |
 *
 * The newest that is not useless counts, and of the whole ones the newest is what agents are to have:
 *
 * | The newest is                                | Skip          | Refresh       | Fail          |
 * | -------------------------------------------- | ------------- | ------------- | ------------- |
 * | not there                                    | crawl         | crawl         | crawl         |
 * | under way                                    | go on with it | go on with it | go on with it |
 * | lacking                                      | go on with it | crawl         | go on with it |
 * | whole, new, and the item's agent lacks it *  | keep          | take          | take          |
 * | whole otherwise                              | keep          | crawl         | fail          |
 * | of this run, under way or lacking            | go on with it | go on with it | go on with it |
 * | of this run otherwise                        | keep          | keep          | keep          |
 *
 * (*) A run that broke off has left it.
 */

/** A website of the address. */
export interface SiteThere {
	uniqueId: string;
	/** Unix times in milliseconds; undefined where CometChat does not say. */
	createdAt?: number;
	/** The last that has happened to it or to one of its pages. */
	changedAt?: number;
	pages: SitePages;
	/** Whether the agent of the item has it; undefined where that is not known. */
	isHeld?: boolean;
}

export interface Wish {
	ifThere: 'fail' | 'refresh' | 'skip';
	/** Whether it is for an agent. */
	hasAgent: boolean;
	/** The one that this run has crawled, or gone on with. */
	oursId?: string;
	nowMs: number;
}

export type Stage = 'under way' | 'whole' | 'lacking' | 'useless';

export type Action =
	/** With the one that is there meanwhile. */
	| { kind: 'crawl'; site?: SiteThere }
	| { kind: 'goOn'; site: SiteThere }
	| { kind: 'keep' | 'take'; site: SiteThere }
	| { kind: 'fail'; site: SiteThere };

/** The longest that a crawl and its indexing may take here: what has changed since may still be at work. */
export const YOUNG_MS = 3 * 60 * 60_000;

export function isYoung({ changedAt }: Pick<SiteThere, 'changedAt'>, nowMs: number): boolean {
	return changedAt !== undefined && nowMs - changedAt < YOUNG_MS;
}

export function stageOf(site: Pick<SiteThere, 'changedAt' | 'pages'>, nowMs: number): Stage {
	const { pages } = site;
	if (isUnfinished(pages) && isYoung(site, nowMs)) return 'under way';
	if (pages.read.length === 0) return 'useless';
	return pages.waiting.length > 0 ? 'lacking' : 'whole';
}

/** @param sites In any order. */
export function decide(sites: SiteThere[], wish: Wish): Action {
	const { ifThere, hasAgent, oursId, nowMs } = wish;
	const ours = sites.find(({ uniqueId }) => uniqueId === oursId);
	const [newest] = newestFirst(sites).filter((site) => stageOf(site, nowMs) !== 'useless');
	const site = ours ?? newest;
	if (site === undefined) return { kind: 'crawl' };
	const stage = stageOf(site, nowMs);
	if (stage === 'under way') return { kind: 'goOn', site };
	if (stage === 'lacking') return { kind: ifThere === 'refresh' && !ours ? 'crawl' : 'goOn', site };
	if (ours) return { kind: 'keep', site };
	if (ifThere === 'skip') return { kind: 'keep', site };
	if (hasAgent && !site.isHeld && isYoung(site, nowMs)) return { kind: 'take', site };
	return { kind: ifThere === 'refresh' ? 'crawl' : 'fail', site };
}

/** The newest whole one. */
export function newestWhole(sites: SiteThere[], nowMs: number): SiteThere | undefined {
	return newestFirst(sites).find((site) => stageOf(site, nowMs) === 'whole');
}

/** A website that stays beside the one that is wanted. */
export interface Stays {
	site: SiteThere;
	why: 'under way' | 'larger';
}

/**
 * What a website takes the place of: all that are older, and whatever has no page that was read. Others stay: what is
 * under way may be another execution's, and where one has more than twice as many of the wanted pages, the site may
 * have been down when the new one was read.
 */
export function superseded(
	{ uniqueId, pages }: Pick<SiteThere, 'uniqueId' | 'pages'>,
	sites: SiteThere[],
	nowMs: number,
): { old: SiteThere[]; stays: Stays[] } {
	const ordered = newestFirst(sites);
	const at = ordered.findIndex((site) => site.uniqueId === uniqueId);
	const others = ordered.filter((site, index) => {
		const isPassed = index > at || stageOf(site, nowMs) === 'under way' || isEmpty(site, nowMs);
		return isPassed && site.uniqueId !== uniqueId;
	});
	const stays = others.flatMap((site): Stays[] => {
		if (stageOf(site, nowMs) === 'under way') return [{ site, why: 'under way' }];
		const isLarger = site.pages.read.length > 2 * pages.read.length;
		return isLarger ? [{ site, why: 'larger' }] : [];
	});
	return { old: others.filter((one) => !stays.some(({ site }) => site === one)), stays };
}

/** Whether nobody can answer from it, and nothing is to come: no page of it may have been found yet. */
export function isEmpty(site: SiteThere, nowMs: number): boolean {
	const isRead = site.pages.found.some(({ status }) => status === 'processed');
	return !isRead && !isYoung(site, nowMs);
}

/** What has no time came before all that has. */
export function newestFirst<T extends Pick<SiteThere, 'createdAt'>>(sites: readonly T[]): T[] {
	return [...sites].sort((one, other) => (other.createdAt ?? 0) - (one.createdAt ?? 0));
}
