const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const { moduleNameMapper } = require('./test/libraries.cjs');

// n8n-core keeps its encryption key and the tests' files in n8n's user folder; the tests must not touch a real
// one. Each run has its own, until it ends.
process.env.N8N_USER_FOLDER = folderOfThisRun('n8n-nodes-cometchat-tests-');
// The engine prints every error that a test provokes.
process.env.N8N_LOG_LEVEL = 'silent';

/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: '<rootDir>/test/environment.cjs',
	roots: ['<rootDir>/test'],
	testMatch: ['**/*.test.ts'],
	// A guard against hanging, not a measure: these machines are slow at times.
	testTimeout: 180_000,
	// Both cores to the end.
	maxWorkers: 2,
	testSequencer: '<rootDir>/test/sequencer.cjs',
	globalSetup: '<rootDir>/test/libraries.cjs',
	moduleNameMapper,
	transform: { '\\.ts$': '<rootDir>/test/transform.cjs' },
};

function folderOfThisRun(prefix) {
	const remove = (folder) => {
		try {
			fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
		} catch {
			// One of another user: no reason for this run not to begin.
		}
	};
	// A run that was killed could not remove its own.
	for (const name of fs.readdirSync(os.tmpdir())) {
		if (name.startsWith(prefix) && hasEnded(Number.parseInt(name.slice(prefix.length), 10))) {
			remove(path.join(os.tmpdir(), name));
		}
	}
	const folder = fs.mkdtempSync(path.join(os.tmpdir(), `${prefix}${process.pid}-`));
	process.once('exit', () => remove(folder));
	// Workers that find no key would each write one, and read what another has half written.
	fs.mkdirSync(path.join(folder, '.n8n'));
	// n8n removes the folders of files that leave them empty: one worker's, just as another makes them anew.
	const files = path.join(folder, '.n8n/storage/workflows/workflow/executions');
	fs.mkdirSync(files, { recursive: true });
	fs.writeFileSync(path.join(files, 'never-empty'), '');
	const settings = JSON.stringify({ encryptionKey: 'of-the-tests-alone' });
	fs.writeFileSync(path.join(folder, '.n8n/config'), settings, { mode: 0o600 });
	return folder;
}

function hasEnded(pid) {
	try {
		process.kill(pid, 0);
		return false;
	} catch (error) {
		// Not one of another user, which may not be asked.
		return error.code === 'ESRCH';
	}
}
