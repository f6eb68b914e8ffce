const base = require('../../jest.config.js');

/** The tables for the pure rules alone: fast, and the same each time. */
module.exports = {
	...base,
	rootDir: '../..',
	roots: ['<rootDir>/test/rules'],
};
