/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: 'node',
	roots: ['<rootDir>/test'],
	testMatch: ['**/*.test.ts'],
	// Types are checked once, by `npm run typecheck`; here they are only stripped.
	transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: 'test/tsconfig.jest.json' }] },
};
