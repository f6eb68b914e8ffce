/**
 * Returns a name in the form for comparisons: with single plain spaces, and none at the ends. macOS writes `ü` as two
 * characters, `u` and a mark, which look like the usual single character but differ from it (Unicode's NFC).
 */
export function normalizeName(name: string): string {
	return name.normalize('NFC').replace(/\s+/gu, ' ').trim();
}

/** Returns a text in the form for searches, where upper and lower case are equal, too. */
export function foldForSearch(text: string): string {
	return normalizeName(text).toLowerCase();
}
