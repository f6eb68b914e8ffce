import type { FoundPage } from '../../service/websites';
import type { Fields } from '../../results/itemResult';

/** How far the pages of a website are. */
export interface PageCounts {
	found: number;
	processed: number;
	failed: number;
	/** Those that were left out, by CometChat or by the user's choice. */
	skipped: number;
	/** Those of which CometChat has not said how they ended. */
	open: number;
	/** Of those that have failed, the first addresses. */
	failedPages: string[];
}

/** More would bury the item; Website: Get Pages has them all. */
export const MOST_FAILED_NAMED = 10;

/** @param isChosen Which pages are to be indexed. */
export function countPages(pages: FoundPage[], isChosen: (page: FoundPage) => boolean): PageCounts {
	const failedPages = pages.filter(({ status }) => status === 'failed').map(({ url }) => url);
	const counts = {
		found: pages.length,
		processed: 0,
		failed: failedPages.length,
		skipped: 0,
		open: 0,
		failedPages: failedPages.slice(0, MOST_FAILED_NAMED),
	};
	for (const page of pages) {
		if (page.status === 'failed') continue;
		if (page.status === 'processed') counts.processed += 1;
		else if (page.status === 'skipped' || !isChosen(page)) counts.skipped += 1;
		else counts.open += 1;
	}
	return counts;
}

/** As output fields. */
export function countFields({
	found,
	processed,
	failed,
	skipped,
	open,
	failedPages,
}: PageCounts): Fields {
	return {
		pagesFound: found,
		pagesProcessed: processed,
		pagesFailed: failed,
		pagesSkipped: skipped,
		pagesOpen: open,
		...(failed > 0 && { failedPages }),
	};
}
