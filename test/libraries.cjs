/**
 * Bundles the libraries of the tests into one file. Jest would resolve and load modules for each test file: n8n's
 * engine has 2,000, which took three seconds each time. `environment.cjs` loads the bundle.
 */
const { createHash } = require('node:crypto');
const {
	existsSync,
	mkdirSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} = require('node:fs');
const path = require('node:path');
const { build } = require('esbuild');

const ROOT = path.join(__dirname, '..');

/** In one bundle, because the libraries share modules. */
const LIBRARIES = ['@n8n/di', '@sinonjs/fake-timers', 'axios', 'n8n-core', 'n8n-workflow'];

/** A new folder after each change of the installed packages. */
const FOLDER = path.join(ROOT, 'node_modules/.cache/test-libraries', installed());

/** For Jest: each library is its part of the bundle. */
const moduleNameMapper = Object.fromEntries(
	LIBRARIES.map((name) => [`^${name}$`, path.join(FOLDER, fileOf(name))]),
);

async function bundle() {
	if (existsSync(FOLDER)) return;
	const making = `${FOLDER}-${process.pid}`;
	mkdirSync(making, { recursive: true });
	await build({
		stdin: {
			contents: LIBRARIES.map((name) => `exports['${name}'] = () => require('${name}');`).join(''),
			resolveDir: ROOT,
		},
		bundle: true,
		platform: 'node',
		target: 'node20',
		outfile: path.join(making, 'bundle.js'),
		keepNames: true,
		// A smaller bundle is faster to read.
		minifyWhitespace: true,
		legalComments: 'none',
		// Native parts of n8n's monitoring in production.
		loader: { '.node': 'empty' },
		plugins: [whatIsNotInstalled],
		logLevel: 'error',
	});
	for (const name of LIBRARIES) {
		writeFileSync(
			path.join(making, fileOf(name)),
			`module.exports = testLibraries(require)['${name}']();\n`,
		);
	}
	try {
		renameSync(making, FOLDER);
	} catch {
		// Another process was faster.
		rmSync(making, { recursive: true });
	}
}

/** Makes missing optional libraries fail when they are required, as without a bundle. */
const whatIsNotInstalled = {
	name: 'what-is-not-installed',
	setup(bundler) {
		bundler.onResolve({ filter: /./ }, async ({ path: name, pluginData, ...asked }) => {
			if (pluginData?.isAsked) return undefined;
			const found = await bundler.resolve(name, { ...asked, pluginData: { isAsked: true } });
			return found.errors.length === 0 ? found : { path: name, external: true };
		});
	},
};

function installed() {
	const hash = createHash('sha256');
	for (const file of [path.join(ROOT, 'package-lock.json'), __filename])
		hash.update(readFileSync(file));
	return hash.digest('hex').slice(0, 16);
}

function fileOf(name) {
	return `${name.replaceAll(/\W/g, '-')}.js`;
}

module.exports = bundle;
module.exports.bundlePath = path.join(FOLDER, 'bundle.js');
module.exports.moduleNameMapper = moduleNameMapper;
