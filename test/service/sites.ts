import { flag, list, number, optional, text, type Given } from './shapes';

/** A page of the web, as a crawler would find it. */
export interface SitePage {
	/** May be a path, which leads on from the site's address. */
	url: string;
	/** Its address if left out. */
	title?: string;
	/** A sentence with its address if left out. */
	content?: string;
	/** How many links lead there from the start; 0 if left out. */
	depth?: number;
	/** How many times reading it fails, `Infinity` for always; 0 if left out. */
	fails?: number;
}

export interface Site {
	/** In the order in which they are found; none: the address is there, and nothing can be found. */
	pages: SitePage[];
	/** Addresses. Left out: the site has no sitemap. */
	sitemap?: string[];
}

/** What is out there, by the address of a page to start from, or by origin for all its addresses. */
export type Sites = Record<string, Site>;

export const CRAWL = {
	...{ url: text(), maxDepth: optional(number(1, 10)), maxPages: optional(number(1, 10_000)) },
	...{ include: optional(list(text())), exclude: optional(list(text())) },
	fetchSitemap: optional(flag),
};

/** What a crawl is asked for. */
export type CrawlRequest = Given<typeof CRAWL>;

/** @param url A valid address. */
export function siteAt(url: string, sites: Sites): Site | undefined {
	const names = [url, withoutSlash(url), `${withoutSlash(url)}/`, new URL(url).origin];
	return names.map((name) => sites[name]).find((site) => site !== undefined);
}

/** The pages that a crawl finds, with whole addresses. */
export function findPages(site: Site, asked: CrawlRequest): SitePage[] {
	const { url, maxDepth = 3, maxPages = 100, include = [], exclude = [] } = asked;
	return site.pages
		.map((page) => ({ ...page, url: new URL(page.url, url).href }))
		.filter(({ depth = 0 }) => depth <= maxDepth)
		.filter((page) => include.length === 0 || include.some((part) => page.url.includes(part)))
		.filter((page) => !exclude.some((part) => page.url.includes(part)))
		.slice(0, maxPages);
}

export function withoutSlash(url: string): string {
	return url.replace(/\/$/, '');
}
