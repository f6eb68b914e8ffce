/** 'append': the entries that are older than where the page starts; 'prepend': the newer ones. */
export type Affix = 'append' | 'prepend';

/** One page of a list that is sorted newest first. */
export interface Page<Entry> {
	data: Entry[];
	/** The first of the page, if there are newer ones before it. */
	before?: Entry;
	/** The last of the page, if there are older ones behind it. */
	after?: Entry;
}

/**
 * Cuts a page out of `found`, which is sorted newest first.
 *
 * @param age Compares an entry with where the page starts, which is not on the page: negative if
 *   the entry is newer, positive if it is older. Left out: the page starts with the newest.
 */
export function cutPage<Entry>(
	found: Entry[],
	limit: number,
	affix: Affix,
	age?: (entry: Entry) => number,
): Page<Entry> {
	const { from, to } = place(found, limit, affix, age);
	const data = found.slice(from, to);
	return {
		data,
		before: from > 0 ? data[0] : undefined,
		after: to < found.length ? data.at(-1) : undefined,
	};
}

/** Where the page lies: from inclusive, to exclusive. */
function place<Entry>(
	found: Entry[],
	limit: number,
	affix: Affix,
	age?: (entry: Entry) => number,
): { from: number; to: number } {
	if (age === undefined) return { from: 0, to: limit };
	if (affix === 'append') {
		const from = found.filter((entry) => age(entry) <= 0).length;
		return { from, to: from + limit };
	}
	const to = found.filter((entry) => age(entry) < 0).length;
	return { from: Math.max(0, to - limit), to };
}
