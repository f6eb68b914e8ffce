import { isWhole } from '../../account/redaction';
import type { Fields } from '../../results/itemResult';
import type { FoundPage } from '../../service/websites';
import { listed, quoted } from '../../values/quoting';

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
export function notesOf(pages: SitePages, address: string, before?: SitePages): string[] {
	const name = quoted(address);
	const { read, waiting, open, leftOut, others } = pages;
	const unfinished = [...open, ...waiting];
	const surplus = others.filter(({ status }) => status === 'processed');
	// A secret was taken out of their address, and the rest with it.
	const hidden = others.filter(({ url, status }) => !isWhole(url) && status !== 'processed');
	const isSmaller = before !== undefined && before.read.length > 2 * read.length;
	const notes = [
		isSmaller &&
			`CometChat has read ${name} anew in its place, and indexed ${count(read)}, ${before.read.length} before: if the site was down, run the item again`,
		unfinished.length > 0 &&
			`CometChat has not finished ${count(unfinished)} of ${name}, and agents answer from the others: ${addressesOf(unfinished)}`,
		leftOut.length > 0 &&
			`${count(leftOut)} of ${name} that this item wants were left out when it was indexed, and that choice holds: 'If the Site Is There' set to Refresh crawls it anew with this one`,
		hidden.length > 0 &&
			`${count(hidden)} of ${name} with a secret in the address, such as ?token=, cannot be compared with 'Index Only Addresses With', and nobody has had them read`,
		surplus.length > 0 &&
			`CometChat has indexed pages of ${name} that do not match 'Index Only Addresses With', and agents with this website answer from them: ${addressesOf(surplus)}`,
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
