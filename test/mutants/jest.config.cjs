const base = require('../../jest.config.js');

/** The tables for the pure rules alone: fast, and the same each time. */
module.exports = {
	...base,
	rootDir: '../..',
	roots: ['<rootDir>/test/rules'],
	// Broken code often never ends: a test that fails costs less than a worker that is killed.
	testTimeout: 3000,
};
