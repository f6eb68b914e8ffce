const base = require('../../jest.config.js');

/** The tables for the pure rules alone: fast, and the same each time. */
module.exports = {
	...base,
	rootDir: '../..',
	roots: ['<rootDir>/test/rules'],
	// The stand-in's own tests, which wait for real sockets.
	testPathIgnorePatterns: ['/node_modules/', '/service[A-Z]?\\w*\\.test'],
};
