const { rm } = require('node:fs/promises');
const { dest, src } = require('gulp');

/** Removes what an earlier build left, so that a deleted file cannot be published. */
async function clean() {
	await rm('dist', { recursive: true, force: true });
}

/** tsc emits code and codex files; the icons are all that is left to copy. */
function buildIcons() {
	// `encoding: false`: gulp 5 reads files as UTF-8 otherwise, which corrupts a PNG.
	// Returned, so that gulp waits for the last file.
	return src('nodes/**/*.svg', { encoding: false }).pipe(dest('dist/nodes'));
}

module.exports = { clean, 'build:icons': buildIcons };
