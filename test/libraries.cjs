/**
 * Before the tests, the libraries that they load are bundled into one file. Jest resolves and loads modules
 * anew for every test file: of n8n's engine there are 2,000, which took three seconds each time. The bundle
 * is loaded by `environment.cjs`.
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

/** Together, because they share modules with one another. */
const LIBRARIES = ['@n8n/di', '@sinonjs/fake-timers', 'axios', 'n8n-core', 'n8n-workflow'];

/** Another one as soon as anything else is installed. */
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
		// What is not there need not be read.
		minifyWhitespace: true,
		legalComments: 'none',
		// Native parts, of what watches n8n in production.
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
		// Another run was faster.
		rmSync(making, { recursive: true });
	}
}

/** Optional libraries of the libraries: an error when they are asked for, as without a bundle. */
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
