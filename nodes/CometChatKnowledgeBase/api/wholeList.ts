import { isWhole } from '../account/redaction';
import { UserError } from '../values/failure';
import { isRecord } from '../values/json';
import type { Shape } from './shape';
import { anything, list, optional, shape } from './shape';

/** A part of a list, and where the next one begins. */
export interface ListPage<Entry> {
	entries: Entry[];
	/** Undefined after the last page. */
	next?: Next;
}

/** Where a page begins; `UNREADABLE` if there is one, and nobody here can tell where. */
export type Next = string | typeof UNREADABLE;

export const UNREADABLE = Symbol('a place in a list that cannot be read');

/**
 * Where the next page begins; undefined after the last page. Documented is that there is a `next` only
 * where there is such a page: what names no place is the end, whatever its form, and what names one in
 * a way that this node does not know is not.
 *
 * @param name The name that the list gives it.
 * @param isFull Whether the page has as many entries as were asked for.
 */
export function readNext(meta: unknown, name: string, isFull: boolean): Next | undefined {
	const { next, current, ...others } = isRecord(meta) ? meta : {};
	const found = isRecord(next) ? next[name] : undefined;
	if (typeof found === 'number' || (typeof found === 'string' && found !== '')) {
		// A cursor from which the API key was removed leads elsewhere.
		return isWhole(String(found)) ? String(found) : UNREADABLE;
	}
	const further = Object.entries(others).filter(([key]) => /next|more/i.test(key));
	const goesOn = [next, ...further.map(([, value]) => value)].some(saysMore);
	// A full one that nothing is said of may be the first of many.
	return goesOn || (isFull && !isRecord(current)) ? UNREADABLE : undefined;
}

/** The direction alone leads nowhere. */
function saysMore(value: unknown): boolean {
	if (!isRecord(value)) return ![undefined, null, '', false].some((nothing) => nothing === value);
	return Object.entries(value).some(([name, part]) => name !== 'affix' && saysMore(part));
}

/**
 * Reads a page of a list: its entries in `data`, and in `meta` where the next one begins.
 *
 * @param name The name that the list gives that place.
 * @param most How many entries a page has at most.
 */
export function pageOf<Entry>(
	entry: Shape<Entry>,
	name: string,
	most: number,
): Shape<ListPage<Entry>> {
	const read = shape({ data: list(entry), meta: optional(anything) });
	return (body) => {
		const found = read(body);
		if (found === undefined) return undefined;
		const { data: entries, meta } = found;
		return { entries, next: readNext(meta, name, entries.length === most) };
	};
}

/**
 * The pages of a list, one after another; whoever has enough stops asking. An entry that two pages show comes
 * once, since a list may move while it is read.
 *
 * @param pageAt Also gets how many entries have been found by then.
 * @param from Where an earlier reading has ended; left out: the first page.
 * @throws UserError where it cannot be told how the list goes on: whoever takes half a list for all of it adds a
 *   second copy, finds nothing where there is something, or deletes what another agent has.
 */
export async function* pagesOf<Entry>(
	pageAt: (next: string | undefined, found: number) => Promise<ListPage<Entry>>,
	idOf: (entry: Entry) => string,
	from?: Next,
): AsyncGenerator<ListPage<Entry>> {
	const ids = new Set<string>();
	let next = from;
	for (;;) {
		if (next === UNREADABLE) throw CUT_OFF;
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
		if (page.next !== UNREADABLE && ids.size === before) throw CUT_OFF;
		next = page.next;
	}
}

/** Told if a list goes on behind the last entry that was wanted; `isSure`: not only behind what does not count. */
export type OnCut = (isSure: boolean) => void;

/** How much of a list is read. */
interface Extent<Entry> {
	/** Which entries count; left out: all. */
	fits?: (entry: Entry) => boolean;
	limit?: number;
	/** Whether what follows this page is of no interest. */
	isLast?: (page: ListPage<Entry>) => boolean;
	onCut?: OnCut;
}

/** The entries of a list, to its end or until enough is found. */
export async function readList<Entry>(
	pages: AsyncIterable<ListPage<Entry>>,
	{ fits, limit = Infinity, isLast = () => false, onCut }: Extent<Entry> = {},
): Promise<Entry[]> {
	const found: Entry[] = [];
	for await (const page of pages) {
		for (const entry of page.entries) if (fits?.(entry) ?? true) found.push(entry);
		if (found.length < limit && !isLast(page)) continue;
		const isMore = found.length > limit;
		const goesOn = found.length === limit && page.next !== undefined;
		if (isMore || goesOn) onCut?.(isMore || (!fits && page.next !== UNREADABLE));
		break;
	}
	return found.slice(0, limit);
}

/** For `isLast`: a page is the last one if it is enough, or if so many pages were read. */
export function withinPages<Page>(isEnough: (page: Page) => boolean, most: number) {
	let pages = 0;
	return (page: Page) => {
		pages += 1;
		return isEnough(page) || pages >= most;
	};
}

export const CUT_OFF = new UserError(
	"CometChat's list goes on in a way that this node cannot follow",
	'If it stays like this, look for a newer version of this node; if there is none, ask CometChat.',
	{
		detail:
			'A page of it does not say where the next one begins, or names one that shows nothing new; so it cannot be told what is there.',
		retryHint: 'Run it again later.',
		cause: 'temporarily-unavailable',
	},
);
