const base = require('../../jest.config.js');

/** The tables for the pure rules alone: fast, and the same each time. */
module.exports = {
	...base,
	rootDir: '../..',
	roots: ['<rootDir>/test/rules'],
	// Texts that are bad for regular expressions take seconds, for every mutant.
	testPathIgnorePatterns: ['/node_modules/', '/rules/hostile\\.test'],
	// Broken code often never ends: a test that fails costs less than a worker that is killed.
	testTimeout: 3000,
};
