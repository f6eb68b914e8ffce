const { rm } = require('node:fs/promises');
const { build } = require('esbuild');
const { dest, src } = require('gulp');

const { n8n } = require('./package.json');

/** Removes what an earlier build left, so that a deleted file cannot be published. */
async function clean() {
	await rm('dist', { recursive: true, force: true });
}

/**
 * One file for the node and one for the credential: n8n loads them at its start, and sixty files made
 * the package a fifth larger. Names stay as they are, so that a stack trace can be read.
 */
async function buildCode() {
	await build({
		entryPoints: [...n8n.nodes, ...n8n.credentials].map((file) =>
			file.replace(/^dist\/(.*)\.js$/, '$1.ts'),
		),
		outdir: 'dist',
		outbase: '.',
		bundle: true,
		external: ['n8n-workflow'],
		format: 'cjs',
		platform: 'node',
		target: 'node20.19',
		minifyWhitespace: true,
		lineLimit: 160,
	});
}

/** What stands beside the code: icons, and what n8n knows of the node. */
function buildFiles() {
	// `encoding: false`: gulp 5 reads files as UTF-8 otherwise, which corrupts a PNG.
	// Returned, so that gulp waits for the last file.
	return src(['nodes/**/*.{svg,node.json}'], { encoding: false }).pipe(dest('dist/nodes'));
}

module.exports = { clean, 'build:code': buildCode, 'build:files': buildFiles };
