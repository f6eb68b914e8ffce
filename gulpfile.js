const { readFile, rm, writeFile } = require('node:fs/promises');
const { build } = require('esbuild');
const { dest, src } = require('gulp');
const { minify } = require('uglify-js');

const { n8n } = require('./package.json');

/** Removes what an earlier build left, so that a deleted file cannot be published. */
async function clean() {
	await rm('dist', { recursive: true, force: true });
}

/**
 * One file for the node and one for the credential: n8n loads them at its start, and sixty files made
 * the package a fifth larger. Functions keep their names, so that a stack trace can be read.
 */
async function buildCode() {
	const { metafile } = await build({
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
		metafile: true,
	});
	for (const file of Object.keys(metafile.outputs)) {
		// Not by esbuild: it shortens the names of functions, too.
		const { code, error } = minify(await readFile(file, 'utf8'), {
			mangle: { keep_fnames: true },
			compress: false,
			output: { max_line_len: 160 },
		});
		if (error) throw error;
		await writeFile(file, code);
	}
}

/** What stands beside the code: icons, and what n8n knows of the node. */
function buildFiles() {
	// `encoding: false`: gulp 5 reads files as UTF-8 otherwise, which corrupts a PNG.
	// Returned, so that gulp waits for the last file.
	return src(['nodes/**/*.{svg,node.json}'], { encoding: false }).pipe(dest('dist/nodes'));
}

module.exports = { clean, 'build:code': buildCode, 'build:files': buildFiles };
