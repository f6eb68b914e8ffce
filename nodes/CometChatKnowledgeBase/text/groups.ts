/** Groups entries by their keys, in the order in which a key first occurs. An entry may be in several groups. */
export function groupBy<Entry, Key>(
	entries: Iterable<Entry>,
	keysOf: (entry: Entry) => Key[],
): Map<Key, Entry[]> {
	const groups = new Map<Key, Entry[]>();
	for (const entry of entries) {
		for (const key of new Set(keysOf(entry))) {
			const group = groups.get(key) ?? [];
			groups.set(key, group);
			group.push(entry);
		}
	}
	return groups;
}

/** Splits entries into lists of at most `most` entries, in order. */
export function chunk<Entry>(entries: Entry[], most: number): Entry[][] {
	const count = Math.ceil(entries.length / most);
	return Array.from({ length: count }, (_, at) => entries.slice(at * most, (at + 1) * most));
}
