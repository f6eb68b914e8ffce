import { UserError } from '../text/failure';
import { isRecord } from '../text/json';
import type { Shape } from './shape';
import { anything, id, list, optional, shape } from './shape';

/** A part of a list. */
export interface ListPage<Entry> {
	entries: Entry[];
	/** Where the next page begins; undefined after the last page. */
	next?: string;
}

/**
 * Reads a page of a list as CometChat documents it: `meta.next` says where the next page begins, and is missing on the
 * last page. Any other page is undefined: half a list that passes for all of it would hide what must not be deleted.
 *
 * @param name The name of that place in `meta.next`.
 * @param most How many entries a page has at most.
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
 * The pages of a list, one after another; whoever has enough stops asking. An entry that two pages show comes
 * once, since a list may move while it is read.
 *
 * @param pageAt Also gets how many entries have been found by then.
 * @param from Where an earlier reading has ended; left out: the first page.
 * @throws UserError if a page leads to one that shows nothing new.
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
		// A page that leads back to an earlier one shows nothing new, and so does one that leads nowhere.
		if (ids.size === before) throw UNREADABLE_CURSOR;
		next = page.next;
	}
}

/** The entries on the first page of a list. */
export async function firstPage<Entry>(pages: AsyncIterable<ListPage<Entry>>): Promise<Entry[]> {
	const { entries } = await pagesUntil(pages, () => true);
	return entries;
}

/** All entries of a list. */
export async function allPages<Entry>(pages: AsyncIterable<ListPage<Entry>>): Promise<Entry[]> {
	const { entries } = await pagesUntil(pages, () => false);
	return entries;
}

/**
 * The entries of a list up to the page with which enough is found, and where the list continues.
 *
 * @param isFound Gets the entries of a page, and all entries up to this page.
 */
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

/** The first entries of a list that fit. `isCut`: whether the list may contain more. */
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
