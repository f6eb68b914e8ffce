const UNITS = ['KB', 'MB', 'GB', 'TB'];

/** In words, as `61.3 MB`. */
export function sizeWords(bytes: number): string {
	if (bytes < 1000) return `${bytes} bytes`;
	let size = bytes / 1000;
	let unit = 0;
	// What would be rounded to 1000.0 has the next unit.
	while (size >= 999.95 && unit < UNITS.length - 1) {
		size /= 1000;
		unit += 1;
	}
	return `${size.toFixed(1)} ${UNITS[unit]}`;
}
