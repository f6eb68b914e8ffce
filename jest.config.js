const os = require('node:os');
const path = require('node:path');

// n8n-core keeps its encryption key in n8n's user folder; the tests must not touch a real one.
process.env.N8N_USER_FOLDER = path.join(os.tmpdir(), 'n8n-nodes-cometchat-tests');
// The engine prints every error that a test provokes.
process.env.N8N_LOG_LEVEL = 'silent';

/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: 'node',
	roots: ['<rootDir>/test'],
	testMatch: ['**/*.test.ts'],
	// A guard against hanging, not a measure: these machines are slow at times.
	testTimeout: 180_000,
	// Much of their time the tests wait: more than there are cores on a small machine.
	maxWorkers: 3,
	// Types are checked once, by `npm run typecheck`; here they are only stripped.
	transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: 'test/tsconfig.jest.json' }] },
};
