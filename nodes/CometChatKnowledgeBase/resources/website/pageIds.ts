import { idList } from '../../input/fileIds';
import { readPathValue } from '../../input/identifiers';
import { quoted } from '../../values/quoting';
import { UserError, isRecord, readable } from '../../values/userError';

const REMEDY =
	"Give the IDs of the pages, as Website: Get Pages gives them as 'urlId': a list, or a text with commas or new lines between them.";

/** Each once, in the order given; never none. An entry may be the page itself, as Get Pages gives it. */
export function readPageIds(value: unknown): string[] {
	return readable("'Page IDs'", () => {
		const entries = idList(value, "'Page IDs'");
		if (entries.length === 0) throw new UserError("'Page IDs' is empty", REMEDY);
		const ids = new Set<string>();
		// By index: a hole in a list must be found.
		for (let index = 0; index < entries.length; index++) {
			const id = readPageId(entries[index]);
			ids.add(id);
		}
		return [...ids];
	});
}

function readPageId(entry: unknown): string {
	const id = isRecord(entry) ? entry.urlId : entry;
	if (typeof id === 'string' && /^\s*https?:/i.test(id)) {
		throw new UserError(
			`'Page IDs' holds ${quoted(id)}, which is the address of a page, not its ID`,
			REMEDY,
		);
	}
	return readPathValue(id, "An entry of 'Page IDs'", REMEDY);
}
