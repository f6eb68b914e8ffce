import { isSameAddress } from '../../../nodes/CometChatKnowledgeBase/resources/website/address';
import { hasEnded } from '../../../nodes/CometChatKnowledgeBase/resources/website/siteCrawl';
import { explainUnknownWebsite } from '../../../nodes/CometChatKnowledgeBase/results/messages';
import { documentsOf } from '../../../nodes/CometChatKnowledgeBase/service/agents';
import type { KnowledgeBaseRecord } from '../../../nodes/CometChatKnowledgeBase/service/records';
import {
	readRecordPage,
	recordsRequest,
	STATUSES,
} from '../../../nodes/CometChatKnowledgeBase/service/records';
import { isReady } from '../../../nodes/CometChatKnowledgeBase/service/statuses';
import {
	crawlRequest,
	foundPagesRequest,
	PAGE_STATUSES,
	processRequest,
	readCrawl,
	readFoundPages,
	readProcessed,
	readRetried,
	retryPagesRequest,
} from '../../../nodes/CometChatKnowledgeBase/service/websites';
import type { Shown } from '../../../nodes/CometChatKnowledgeBase/values/shown';
import { sourceTypeOf } from '../../../nodes/CometChatKnowledgeBase/values/sourceTypes';
import type { Answer } from '../answer';
import { NotAsked } from '../client';
import type { Probe, Questions } from '../probe';
import { all, PAUSES_S } from '../probe';

/** A crawl may take minutes; the documented example, of a whole site, took two. */
const CRAWL_MS = 180_000;

/** How long is waited before each look for the new website, in seconds. */
const LOOKS_S = [0, 2, 5, 10, 15, 30];

/** As many documents may be there before: whoever reads no more cannot tell what is new. */
const MOST_LIST_PAGES = 20;

/**
 * What the account has before the crawl. Nothing else is ever taken for the probe's: a website has no name
 * of ours.
 */
async function listBefore(probe: Probe, site: string): Promise<KnowledgeBaseRecord[]> {
	const records: KnowledgeBaseRecord[] = [];
	let next: string | undefined;
	for (let read = 0; read < MOST_LIST_PAGES; read++) {
		const page = readRecordPage((await probe.ask(recordsRequest(next))).body);
		if (page === undefined) throw new NotAsked('the list of documents cannot be read');
		records.push(...page.entries);
		if (records.some((record) => isOf(record, site))) {
			throw new NotAsked('the account has a website with this address already: name another page');
		}
		if (page.next === undefined) return records;
		if (typeof page.next !== 'string') break;
		next = page.next;
	}
	throw new NotAsked('the account has more documents than the probe reads to tell what is new');
}

function isOf({ type, sourceName }: KnowledgeBaseRecord, site: string): boolean {
	return sourceTypeOf(type ?? 'uploads') === 'website' && isSameAddress(sourceName ?? '', site);
}

/** Nobody's clock is off by more. */
const HOUR_MS = 3_600_000;

/** Of that address, not there before, and no older than what was: a list may be late. */
function newIn(before: KnowledgeBaseRecord[], site: string, nowMs: number) {
	const known = new Set<string>(before.map(({ uniqueId }) => uniqueId));
	const newestMs = Math.max(
		nowMs - HOUR_MS,
		...before.map(({ createdAt }) => Number(createdAt) || 0),
	);
	return (record: KnowledgeBaseRecord) =>
		isOf(record, site) && !known.has(record.uniqueId) && Number(record.createdAt) >= newestMs;
}

/** One page, and no link from it is followed farther than CometChat's limits allow. */
function onePage(url: Shown) {
	const settings = { url, maxDepth: 1, maxPages: 1, include: [], exclude: [], fetchSitemap: false };
	return { ...crawlRequest(settings), timeoutMs: CRAWL_MS };
}

/**
 * Crawls, and looks for what is new.
 *
 * @param known The website that is there by now.
 */
async function crawlAndLook(probe: Probe, known?: string) {
	const { site, isNewSite } = probe.need('site');
	const startMs = probe.client.machine.nowMs();
	const { answer } = await probe.throwaways.make('website', [site], onePage(site), () => []);
	const tookMs = probe.client.machine.nowMs() - startMs;
	const told = readCrawl(answer.body);
	const found = { answer, tookMs, status: told?.status, isEnded: told && hasEnded(told) };
	let waitedS = 0;
	for (const pauseS of answer.isTaken === false ? [] : LOOKS_S) {
		await probe.client.rest(pauseS);
		waitedS += pauseS;
		const { records } = await probe.listed('');
		const fresh = records.filter((record) => isNewSite(record) && record.uniqueId !== known);
		if (fresh.length > 0) return { ...found, fresh, listedAfterS: waitedS };
		if (known !== undefined && waitedS > 15) break;
	}
	return { ...found, fresh: [], listedAfterS: undefined };
}

const KNOWN = PAGE_STATUSES.map(({ value }) => value);
const IN_WORK = ['discovered', 'processing'];

async function pagesOf(probe: Probe, id: string) {
	const answer = await probe.ask(foundPagesRequest(id));
	return { answer, pages: readFoundPages(answer.body)?.entries };
}

/** Looks at the pages until none is in work, for a time that is bounded. */
async function untilRead(probe: Probe, id: string) {
	const seen: string[] = [];
	for (const pauseS of [0, ...PAUSES_S]) {
		await probe.client.rest(pauseS);
		const { pages = [] } = await pagesOf(probe, id);
		const statuses = pages.map(({ status }) => String(status));
		for (const status of statuses) if (!seen.includes(status)) seen.push(status);
		if (!statuses.some((status) => IN_WORK.includes(status))) break;
	}
	return seen;
}

/** With one page of a site that the person has named, and the agent that was made. */
export const WEBSITES: Questions = {
	crawling: {
		asks: 'Crawling one page, and which website that has made',
		ourChoice:
			'takes completed for the end, and looks in the list for a new website, whatever its type, under the address that was given, but for the slash at its end',
		async answer(probe) {
			const site = probe.siteAllowed();
			const before = await listBefore(probe, site);
			const isNewSite = newIn(before, site, probe.client.machine.nowMs());
			probe.made.site = { site, isNewSite };
			probe.throwaways.isNewSite = isNewSite;
			const { fresh, isEnded, ...seen } = await crawlAndLook(probe);
			const [website, another] = fresh;
			if (website && !another) {
				probe.made.website = website.uniqueId;
				probe.throwaways.found('website', website.uniqueId);
			}
			const { type, status } = website ?? {};
			const isFound = seen.answer.isTaken && website !== undefined && another === undefined;
			const holds = all(seen.answer.isTaken, isEnded, isFound);
			return { ...seen, found: fresh.length, type, recordStatus: status, holds };
		},
	},
	'found-pages': {
		asks: 'The page that was found, and who has it indexed',
		ourChoice: `knows ${KNOWN.join(', ')}; has pages indexed that are discovered, and waits until each is processed or failed`,
		async answer(probe) {
			const id = probe.need('website');
			const { answer, pages } = await pagesOf(probe, id);
			if (pages === undefined) return { answer, holds: answer.isTaken && false };
			const [first] = pages.map(({ status }) => status);
			// The crawl itself may have them indexed.
			const processed =
				first === 'discovered' ? await probe.ask(processRequest(id, [])) : undefined;
			const seen = await untilRead(probe, id);
			probe.made.page = pages[0]?.urlId;
			const isAsked =
				processed && (processed.isTaken && readProcessed(processed.body)) !== undefined;
			const end = seen.at(-1) ?? '';
			const isEnd = IN_WORK.includes(end) ? undefined : KNOWN.includes(end);
			// Of none it is not known whether the page has no links, or was not read.
			const isOne = pages.length > 1 ? false : pages.length === 1 || undefined;
			const holds = all(isOne, processed?.isTaken ?? true, isAsked ?? true, isEnd);
			return { answer, pages: pages.length, first, processed, seen, holds };
		},
	},
	'website-status': {
		asks: 'Status of a website',
		ourChoice:
			'asks for it as for that of a file; relies on the statuses of the pages where it waits',
		async answer(probe) {
			const { answer, status = '' } = await probe.statusOf(probe.need('website'));
			const isKnown = STATUSES.some(({ value }) => value === status);
			return { answer, status, isReady: isReady(status), holds: answer.isTaken && isKnown };
		},
	},
	'website-adding': {
		asks: 'Giving a website to an agent',
		ourChoice:
			"adds it as website, takes success true for added, and finds it among the agent's files or websites",
		async answer(probe) {
			const id = probe.need('website');
			const added = await probe.change('add', 'website', id);
			const agent = await probe.shownAgent();
			const held = agent && documentsOf(agent);
			const isThere = held?.length ? held.some((one) => one === id) : undefined;
			const inWebsites = agent?.websites?.some((one) => one === id);
			return { added, isThere, inWebsites, holds: added.isApplied ? isThere : added.isApplied };
		},
	},
	'second-crawl': {
		asks: 'Crawling the same page again, and retrying it',
		ourChoice:
			'finds out in the list whether that has made a second website, and handles both; sends the IDs of pages, never none, to have them read again',
		async answer(probe) {
			const known = probe.need('website');
			const page = probe.need('page');
			probe.throwUnlessTwice();
			const retried = await probe.ask(retryPagesRequest(known, [page]));
			const afterRetry = await untilRead(probe, known);
			const { fresh, isEnded, ...crawled } = await crawlAndLook(probe, known);
			const [second, third] = fresh;
			// Without a new one it has read the first anew.
			probe.throwaways.found('website', second?.uniqueId ?? known);
			const { pages } = await pagesOf(probe, second?.uniqueId ?? known);
			const isOne = third === undefined;
			const isRetried = retried.isTaken && readRetried(retried.body) !== undefined;
			const holds = all(isRetried, crawled.answer.isTaken, isEnded, isOne);
			const made = fresh.length;
			return { retried, afterRetry, ...crawled, made, page: pages?.[0]?.status, holds };
		},
	},
	'website-deleting': {
		asks: 'Deleting a website, and once more',
		ourChoice:
			'takes success true for deleted, and says that no agent has it any more; takes 404 for deleted, if an answer was lost before',
		async answer(probe) {
			const id = probe.need('website');
			const before = await probe.shownAgent();
			const answer = await probe.throwaways.delete('website', id);
			const after = await probe.shownAgent();
			const again = await probe.throwaways.delete('website', id);
			const isIn = (agent?: typeof before) => agent && documentsOf(agent).some((one) => one === id);
			const isDetached = isIn(before) && after ? !isIn(after) : undefined;
			const isGone = again.isApplied === true || again.status === 404;
			const holds = all(answer.isApplied, isDetached, again.isOutage ? undefined : isGone);
			return { answer, isDetached, again, holds };
		},
	},
};

function isUnknownWebsite({ explanation }: Answer): boolean {
	return explainUnknownWebsite(explanation) !== undefined;
}

/** Of a website of the account only its pages are listed; nothing is sent to one. */
export const WEBSITE_PAGES: Questions = {
	'website-pages': {
		asks: 'Pages of a website, and of one that there is not',
		ourChoice: `reads urlId and url of each page, knows the statuses ${KNOWN.join(', ')}, and takes 404 for a website that there is not`,
		async answer(probe) {
			const unknown = await probe.ask(foundPagesRequest(probe.unknownId));
			const records = probe.made.records ?? [];
			const site = records.find(({ type = '' }) => sourceTypeOf(type) === 'website');
			if (site === undefined) return { unknown, holds: all(isUnknownWebsite(unknown), undefined) };
			const answer = await probe.ask(foundPagesRequest(site.uniqueId));
			const failed = await probe.ask(foundPagesRequest(site.uniqueId, { status: 'failed' }));
			const statusesIn = ({ body }: Answer) =>
				readFoundPages(body)?.entries.map(({ status = 'no status' }) => String(status));
			const statuses = [...new Set(statusesIn(answer))];
			// Whether it filters is only to know: the node looks by itself.
			const filtered = [...new Set(statusesIn(failed))];
			const isRead = [answer, failed].every((one) => statusesIn(one) !== undefined);
			const areKnown = statuses.every((status) => KNOWN.includes(status));
			const holds = all(isUnknownWebsite(unknown), isRead && areKnown);
			return { unknown, answer, failed, statuses, filtered, holds };
		},
	},
	'page-retry': {
		asks: 'Retrying pages of a website that there is not',
		ourChoice: 'takes 404 for pages that there are not, and never sends an empty list',
		async answer(probe) {
			const unknown = await probe.ask(retryPagesRequest(probe.unknownId, [probe.unknownId]));
			// Only to know: the node never sends one.
			const empty = await probe.ask(retryPagesRequest(probe.unknownId, []));
			return { unknown, empty, holds: isUnknownWebsite(unknown) };
		},
	},
};
