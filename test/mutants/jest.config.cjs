const base = require('../../jest.config.js');

/** The tables for the pure rules alone: fast, and the same each time. */
module.exports = {
	...base,
	rootDir: '../..',
	// Without the nodes: so Stryker runs the tests that import the broken file or its neighbours, and no
	// others. Each rule's own table has to notice, in half a second a mutant instead of five.
	roots: ['<rootDir>/test/rules'],
	// Texts that are bad for regular expressions take seconds, for every mutant.
	testPathIgnorePatterns: ['/node_modules/', '/rules/hostile\\.test'],
	// Broken code often never ends: a test that fails costs less than a worker that is killed.
	testTimeout: 3000,
};
