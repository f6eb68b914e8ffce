import { isRecord } from '../values/validationIssue';
import { StepFailure } from '../results/itemFailure';

/** A part of a list, and where the next one begins. */
export interface ListPage<Entry> {
	entries: Entry[];
	/** Undefined after the last page. */
	next?: string;
}

/** Where the next page begins, by the name that the list gives it; undefined after the last page. */
export function readNext(meta: unknown, name: string): string | undefined {
	const next = isRecord(meta) && isRecord(meta.next) ? meta.next[name] : undefined;
	return typeof next === 'string' || typeof next === 'number' ? String(next) : undefined;
}

/** A million entries at 100 a page: what goes on longer has no end. */
const MOST_PAGES = 10_000;

/**
 * Reads a list page by page, to its end or until enough is found. It is whole or an error: whoever
 * takes half a list for all of it adds a second copy, or finds nothing where there is something. An
 * entry that two pages show counts once, since a list may move while it is read.
 *
 * @param pageFrom Gives the first page, or the one at this place, or why there is none.
 * @param fits Which entries count.
 * @param isLast Whether what follows this page is of no interest.
 */
export async function readWholeList<Entry, Failure>(
	pageFrom: (next: string | undefined, found: number) => Promise<ListPage<Entry> | Failure>,
	isFailure: (page: ListPage<Entry> | Failure) => page is Failure,
	idOf: (entry: Entry) => string,
	{
		fits = () => true,
		limit = Infinity,
		isLast = () => false,
	}: {
		fits?: (entry: Entry) => boolean;
		limit?: number;
		isLast?: (page: ListPage<Entry>) => boolean;
	} = {},
): Promise<Entry[] | Failure | StepFailure> {
	const found: Entry[] = [];
	const ids = new Set<string>();
	let next: string | undefined;
	for (let pages = 0; pages < MOST_PAGES; pages++) {
		const page = await pageFrom(next, found.length);
		if (isFailure(page)) return page;
		const before = ids.size;
		for (const entry of page.entries) {
			if (ids.has(idOf(entry))) continue;
			ids.add(idOf(entry));
			if (fits(entry)) found.push(entry);
		}
		next = page.next;
		if (next === undefined || found.length >= limit || isLast(page)) return found.slice(0, limit);
		// A page that leads back to an earlier one shows nothing new, and so does one that leads nowhere.
		if (ids.size === before) break;
	}
	return ENDLESS;
}

const ENDLESS = new StepFailure(
	"CometChat's list does not come to an end",
	'If it stays like this, ask CometChat.',
	{
		said: 'A page of it shows nothing new, and names a next one all the same; so it can not be told what is there.',
		again: 'Run it again later.',
		cause: 'temporarily-unavailable',
	},
);
