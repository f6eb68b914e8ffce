const { join } = require('node:path');

const base = require('../../jest.config.js');

/** All tests, for `inNode.mts`: in one process they meet a file's mutants one after another. */
module.exports = {
	...base,
	rootDir: join(__dirname, '../..'),
	testEnvironment: join(__dirname, 'environment.cjs'),
	transform: { '^.+\\.ts$': join(__dirname, 'instrumented.cjs') },
	globals: { MS_A_TURN_IN_HASTE: 50 },
	// Each test runs several times.
	restoreMocks: true,
	reporters: [],
	maxWorkers: 2,
};
