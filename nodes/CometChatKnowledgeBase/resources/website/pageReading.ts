import { caught, isItemFailure } from '../../results/apiError';
import { processRequest, readProcessed } from '../../service/websites';
import { quoted } from '../../values/quoting';
import { UserError } from '../../values/userError';

import type { SiteItem } from './siteItem';
import { pagesOf } from './siteItem';
import type { SitePages } from './sitePages';
import { addressesOf, isUnfinished } from './sitePages';

const SHORTEST_PAUSE_MS = 1000;

const LONGEST_PAUSE_MS = 15_000;

/** A large site takes a hundred requests to look at: at this rate they are a tenth of the free plan's limit. */
const PAUSE_PER_100_PAGES_MS = 1200;

/** Lets CometChat read those wanted pages that nobody has had read yet. */
export async function startReading(site: SiteItem, uniqueId: string): Promise<SitePages> {
	const pages = await pagesOf(site, uniqueId);
	const { found, others, read, waiting } = pages;
	if (found.length === 0) throw noPages(site.task.address);
	if (others.length === found.length) throw noneChosen(pages);
	if (waiting.length === 0) return pages;
	if (read.length > 0) {
		site.say(
			`${waiting.length} pages of ${quoted(site.task.address)} had been left out before, perhaps by another choice of pages, and are read now: every agent with the website answers from them, too`,
		);
	}
	const excluded = others.map(({ urlId }) => urlId);
	// What becomes of a page that is named twice is not documented.
	const answer = await caught(
		site.item.call(processRequest(uniqueId, excluded), readProcessed, { repeat: 'never' }),
	);
	if (!isItemFailure(answer) && answer.urlsProcessed > 0) return pages;
	// A lost answer, or one that there is nothing to do: the pages themselves tell.
	const now = await pagesOf(site, uniqueId);
	if (now.waiting.length < waiting.length) return now;
	throw isItemFailure(answer) ? answer : noneTaken(waiting.length);
}

/** Waits until CometChat has said of each wanted page how it ended; when the time is up, what it has read counts. */
export async function untilRead(site: SiteItem, uniqueId: string): Promise<SitePages> {
	const { clock } = site.run;
	const startMs = clock.nowMs();
	const lastMs = startMs + site.task.maxIndexingMs;
	for (;;) {
		const pages = await pagesOf(site, uniqueId);
		const nowMs = clock.nowMs();
		if (!isUnfinished(pages) || nowMs >= lastMs) return someRead(site, pages);
		const growingMs = Math.min(Math.ceil((nowMs - startMs) / 2), LONGEST_PAUSE_MS);
		const sparingMs = Math.ceil(pages.found.length / 100) * PAUSE_PER_100_PAGES_MS;
		const pauseMs = Math.max(growingMs, sparingMs, SHORTEST_PAUSE_MS);
		await site.pause(Math.min(pauseMs, Math.max(lastMs - nowMs, 1)));
	}
}

/** The pages, if one of them could be read. */
export function someRead({ task }: SiteItem, pages: SitePages): SitePages {
	const { read, failed, waiting, open, leftOut } = pages;
	if (read.length > 0) return pages;
	const detail = `Indexed: 0, failed: ${failed.length}, left out: ${leftOut.length}, not yet: ${open.length + waiting.length}.`;
	if (isUnfinished(pages)) {
		throw new UserError(
			"CometChat did not finish indexing within 'Max Indexing Time (Minutes)'",
			'Raise that option under Options if this comes again.',
			{ detail, cause: 'temporarily-unavailable' },
		);
	}
	const which = task.pages.match.length > 0 ? " that matches 'Index Only Addresses With'" : '';
	const hint =
		leftOut.length > 0
			? "An earlier choice of pages has left them out, and that choice holds: give items with one address the same 'Pages', or crawl it anew with 'If the Site Is There' set to Refresh."
			: 'Look at its pages with Website: Get Pages, and check in a browser that they can be read without signing in. Website: Retry Pages sends them again.';
	throw new UserError(
		`CometChat has not indexed any page of ${quoted(task.address)}${which}`,
		hint,
		{ detail, cause: 'configuration-invalid' },
	);
}

export function noPages(address: string): UserError {
	return new UserError(
		`CometChat found no page at ${quoted(address)}`,
		"Open 'Address' in a browser without signing in. Check that the page has links that are not made by a script, that the site lets robots in, and that 'Only Addresses With' fits the address itself.",
		{
			retryHint: 'To go on, run the item again: it is then crawled anew.',
			cause: 'configuration-invalid',
		},
	);
}

function noneChosen({ found }: SitePages): UserError {
	return new UserError(
		`None of the ${found.length} pages that CometChat found matches 'Index Only Addresses With'`,
		`Correct 'Index Only Addresses With': within three hours, that does not crawl anew. Found were, for example: ${addressesOf(found)}.`,
		{ detail: 'No page was indexed.', cause: 'configuration-invalid' },
	);
}

function noneTaken(count: number): UserError {
	return new UserError(
		`CometChat has taken up none of the ${count} pages that were to be indexed`,
		'If it stays like this, ask CometChat.',
		{
			retryHint: 'To go on, run the item again: it does not crawl anew.',
			cause: 'temporarily-unavailable',
		},
	);
}
