/**
 * Node with the bundle of libraries (see `libraries.cjs`). The bundle is evaluated for each test file, but read and
 * compiled only once: Jest would also read and compile it each time.
 */
const { existsSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { dirname } = require('node:path');
const { Script } = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

const { bundlePath } = require('./libraries.cjs');

const CACHE = `${bundlePath}.cache-${process.version}`;

let script;

module.exports = class extends TestEnvironment {
	constructor(...given) {
		super(...given);
		let libraries;
		this.global.testLibraries = (require) => {
			if (libraries === undefined) {
				script ??= compile();
				libraries = {};
				script.runInContext(this.context)(libraries, require, dirname(bundlePath), bundlePath);
			}
			return libraries;
		};
	}

	async teardown() {
		// The cache contains the compiled functions that the first test file has called.
		if (script !== undefined && !existsSync(CACHE)) {
			const writing = `${CACHE}-${process.pid}`;
			writeFileSync(writing, script.createCachedData());
			renameSync(writing, CACHE);
		}
		await super.teardown();
	}
};

function compile() {
	// The bundle only contains ASCII, which is several times faster to read as Latin-1.
	const source = `(function (exports, require, __dirname, __filename) {${readFileSync(bundlePath, 'latin1')}\n})`;
	const cachedData = existsSync(CACHE) ? readFileSync(CACHE) : undefined;
	return new Script(source, { filename: bundlePath, cachedData });
}
