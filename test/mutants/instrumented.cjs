const { existsSync, readFileSync } = require('node:fs');
const { join, relative } = require('node:path');

const { createTransformer } = require('ts-jest').default;

const tsJest = createTransformer({ tsconfig: 'test/tsconfig.jest.json' });

/** What Stryker's instrumenter has made of a file, if it is one to break: all its mutants, none of them active. */
function instrumented(source, path, { config }) {
	const broken = join(process.env.MUTANTS_FOLDER, relative(config.rootDir, path));
	return existsSync(broken) ? readFileSync(broken, 'utf8') : source;
}

module.exports = {
	canInstrument: false,
	getCacheKey: (source, path, options) =>
		tsJest.getCacheKey(instrumented(source, path, options), path, options),
	process: (source, path, options) =>
		tsJest.process(instrumented(source, path, options), path, options),
};
