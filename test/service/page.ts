/** A request for one page of a list that is sorted newest first. */
export interface PageRequest {
	limit: number;
}

/** One page. A place is how the list names where another page starts, which is not on that page. */
export interface Page<Entry, Place> {
	data: Entry[];
	meta: {
		current: { limit: number; count: number };
		previous?: { affix: 'prepend' } & Place;
		next?: { affix: 'append' } & Place;
	};
}

/** @param query Of a request that openapi.json has let through. */
export function readPageRequest(query: URLSearchParams): PageRequest {
	return { limit: Number(query.get('limit') ?? 10) };
}

/** Where a page starts, exclusive: when what stands there came, and its number among what came then. */
export function readCursor(query: URLSearchParams) {
	const [createdAt, sequence] = (query.get('cursor') ?? '').split('.');
	if (sequence === undefined) return undefined;
	return { createdAt: Number(createdAt), sequence: Number(sequence) };
}

/**
 * Cuts a page out of `found`, which is sorted newest first.
 *
 * @param age Compares an entry with where the page starts: negative if the entry is newer, positive
 *   if it is older. Left out: the page starts with the newest.
 */
export function cutPage<Entry, Place>(
	found: Entry[],
	{ limit }: PageRequest,
	placeOf: (entry: Entry) => Place,
	age?: (entry: Entry) => number,
): Page<Entry, Place> {
	const from = age === undefined ? 0 : found.filter((entry) => age(entry) <= 0).length;
	const to = from + limit;
	const data = found.slice(from, to);
	const meta: Page<Entry, Place>['meta'] = { current: { limit, count: data.length } };
	const [first, last] = [data[0], data.at(-1)];
	if (from > 0 && first !== undefined) meta.previous = { affix: 'prepend', ...placeOf(first) };
	if (to < found.length && last !== undefined) meta.next = { affix: 'append', ...placeOf(last) };
	return { data, meta };
}

/** The same page, in which the field that says where the next one begins has another name. */
export function nextNamed<Entry>(
	page: Page<Entry, object>,
	usual: string,
	name = usual,
): { data: Entry[]; meta: object } {
	const { next, ...meta } = page.meta;
	if (next === undefined) return page;
	const fields = Object.entries(next).map(([field, value]) => [
		field === usual ? name : field,
		value,
	]);
	return { data: page.data, meta: { ...meta, next: Object.fromEntries(fields) } };
}
