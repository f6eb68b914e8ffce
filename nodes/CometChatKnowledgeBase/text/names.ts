/**
 * A name as it is compared: white space counts as one plain space, and none at its ends. macOS writes `ü` as two
 * characters, `u` and a mark, which look like the one that everybody else writes and are another text (Unicode's NFC).
 */
export function normalizeName(name: string): string {
	return name.normalize('NFC').replace(/\s+/gu, ' ').trim();
}

/** As two texts that a person takes for one are written alike. */
export function foldForSearch(text: string): string {
	return normalizeName(text).toLowerCase();
}
