const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const { moduleNameMapper } = require('./test/libraries.cjs');

// n8n-core keeps its encryption key and the tests' files in n8n's user folder, so each execution has its own temporary
// folder instead of a real one.
process.env.N8N_USER_FOLDER = folderOfThisRun('n8n-nodes-cometchat-tests-');
// The engine would print every error that a test causes.
process.env.N8N_LOG_LEVEL = 'silent';

/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: '<rootDir>/test/environment.cjs',
	roots: ['<rootDir>/test'],
	testMatch: ['**/*.test.ts'],
	// A limit against endless tests, not a measure, because these machines may be slow.
	testTimeout: 180_000,
	// Both cores until the end.
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
			// The folder of another user is no reason to stop.
		}
	};
	// A killed process could not remove its folder.
	for (const name of fs.readdirSync(os.tmpdir())) {
		if (name.startsWith(prefix) && hasEnded(Number.parseInt(name.slice(prefix.length), 10))) {
			remove(path.join(os.tmpdir(), name));
		}
	}
	const folder = fs.mkdtempSync(path.join(os.tmpdir(), `${prefix}${process.pid}-`));
	process.once('exit', () => remove(folder));
	// With a key, because otherwise each worker would write one, and read the incomplete key of another.
	fs.mkdirSync(path.join(folder, '.n8n'));
	// With these folders, because n8n removes empty folders of files, maybe while another worker creates them.
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
		// False for the process of another user, to which no signal is allowed.
		return error.code === 'ESRCH';
	}
}
