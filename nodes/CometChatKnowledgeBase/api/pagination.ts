import { UserError } from '../text/failure';
import { isRecord } from '../text/json';
import type { Shape } from './shape';
import { anything, id, list, optional, shape } from './shape';

/** A page of a list. */
export interface ListPage<Entry> {
	entries: Entry[];
	/** The start of the next page; undefined after the last page. */
	next?: string;
}

/**
 * Reads a page of a list as CometChat documents it: `meta.next[name]` is the start of the next page, and is missing on
 * the last page. Any other page is undefined: an incomplete list would hide documents that must not be deleted.
 */
export function pageOf<Entry>(
	entry: Shape<Entry>,
	name: string,
	most: number,
): Shape<ListPage<Entry>> {
	const read = shape({ data: list(entry), meta: optional(anything) });
	return (body) => {
		const { data: entries, meta } = read(body) ?? {};
		if (entries === undefined) return undefined;
		const { next, current } = isRecord(meta) ? meta : {};
		if (next) {
			const place = isRecord(next) ? next[name] : undefined;
			const found = id(typeof place === 'number' ? String(place) : place);
			return found === undefined ? undefined : { entries, next: found };
		}
		const mayBeFirst = entries.length === most && !isRecord(current);
		return mayBeFirst ? undefined : { entries };
	};
}

/**
 * Reads the pages of a list, until the caller stops. An entry on two pages is returned once, because a list may change
 * while it is read.
 *
 * @param pageAt Requests a page; its second parameter is the number of entries until then.
 */
export async function* pagesOf<Entry>(
	pageAt: (next: string | undefined, found: number) => Promise<ListPage<Entry>>,
	idOf: (entry: Entry) => string,
	from?: string,
): AsyncGenerator<ListPage<Entry>> {
	const ids = new Set<string>();
	let next = from;
	for (;;) {
		const before = ids.size;
		const page = await pageAt(next, before);
		const entries: Entry[] = [];
		for (const entry of page.entries) {
			if (!ids.has(idOf(entry))) entries.push(entry);
			ids.add(idOf(entry));
		}
		yield { ...page, entries };
		if (page.next === undefined) return;
		// Without new entries, the next page would be an earlier page or the same page again.
		if (ids.size === before) throw UNREADABLE_CURSOR;
		next = page.next;
	}
}

/** Reads the entries on the first page of a list. */
export async function firstPage<Entry>(pages: AsyncIterable<ListPage<Entry>>): Promise<Entry[]> {
	const { entries } = await pagesUntil(pages, () => true);
	return entries;
}

/** Reads all entries of a list. */
export async function allPages<Entry>(pages: AsyncIterable<ListPage<Entry>>): Promise<Entry[]> {
	const { entries } = await pagesUntil(pages, () => false);
	return entries;
}

/** Reads a list until enough entries are found. @param isFound Is given the entries of a page, and all until then. */
export async function pagesUntil<Entry>(
	pages: AsyncIterable<ListPage<Entry>>,
	isFound: (page: Entry[], all: Entry[]) => boolean,
	mostPages = Infinity,
): Promise<ListPage<Entry>> {
	const entries: Entry[] = [];
	let count = 0;
	for await (const page of pages) {
		count += 1;
		for (const entry of page.entries) entries.push(entry);
		if (isFound(page.entries, entries) || count >= mostPages) return { entries, next: page.next };
	}
	return { entries };
}

/** Reads the first matching entries of a list. `isCut`: whether the list may contain more. */
export async function firstEntries<Entry>(
	pages: AsyncIterable<ListPage<Entry>>,
	limit: number,
	fits: (entry: Entry) => boolean = () => true,
): Promise<{ entries: Entry[]; isCut: boolean }> {
	const found: Entry[] = [];
	const { next } = await pagesUntil(pages, (page) => {
		found.push(...page.filter(fits));
		return found.length >= limit;
	});
	const isCut = found.length > limit || next !== undefined;
	return { entries: found.slice(0, limit), isCut };
}

export const UNREADABLE_CURSOR = new UserError(
	"CometChat's list could not be read to the end",
	'',
	{
		detail:
			"CometChat didn't report where the next page of the list starts. The node stopped, because the list would be incomplete.",
		retryHint:
			'Try again later. If this keeps happening, update this node or contact CometChat support.',
		cause: 'temporarily-unavailable',
	},
);
