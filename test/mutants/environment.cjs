const { appendFileSync, existsSync, readFileSync, writeFileSync } = require('node:fs');
const { join, relative } = require('node:path');

const { TestEnvironment } = require('jest-environment-node');

const FOLDER = process.env.MUTANTS_FOLDER;
const LOG = join(FOLDER, 'log');

/** A test that takes longer meets no mutants. */
const LONGEST_MS = Number(process.env.MUTANTS_LONGEST_MS);

/**
 * Runs each test once as it is, and once more for each mutant that it reached and that no test has noticed
 * yet. To Jest these are retries; nothing is loaded anew. What came of each is a line of the log.
 */
module.exports = class extends TestEnvironment {
	constructor(config, context) {
		super(config, context);
		this.file = relative(config.projectConfig.rootDir, context.testPath);
		this.global[Symbol.for('RETRY_TIMES')] = 1_000_000;
		this.global[Symbol.for('RETRY_IMMEDIATELY')] = true;
		// What Stryker's instrumented code asks for, and where it counts.
		this.stryker = { mutantCoverage: { static: {}, perTest: {} }, currentTestId: undefined };
		this.global.__stryker__ = this.stryker;
	}

	handleTestEvent({ name, test }) {
		const { stryker } = this;
		if (name === 'run_start') {
			stryker.currentTestId = 'between tests';
			for (const id of Object.keys(stryker.mutantCoverage.static)) this.log(id, 'loaded');
		}
		if (name === 'test_start') {
			if (test.invocations === 1) stryker.currentTestId = fullNameOf(test);
			else this.activate(test);
		}
		if (name === 'test_done') this.end(test);
	}

	/** Before a retry. */
	activate(test) {
		const { stryker } = this;
		const [id] = this.left;
		stryker.activeMutant = id;
		stryker.hitCount = 0;
		stryker.hitLimit = 10_000 + 100 * this.reached[id];
		test.timeout = 10_000 + 5 * this.lastedMs;
		this.doing({ id, timeoutMs: test.timeout });
	}

	end(test) {
		const { stryker } = this;
		const hasFailed = test.errors.length > 0;
		const fullName = fullNameOf(test);
		if (stryker.activeMutant === undefined) {
			stryker.currentTestId = 'between tests';
			this.reached = stryker.mutantCoverage.perTest[fullName] ?? {};
			this.lastedMs = test.duration;
			// One that fails as it is notices nothing.
			if (hasFailed) this.log('', 'broken', fullName);
			const isLong = test.duration > LONGEST_MS;
			this.left = hasFailed || isLong ? [] : this.stillToRun(fullName);
		} else {
			this.log(stryker.activeMutant, hasFailed ? 'noticed' : 'passed', fullName);
			this.doing({});
			stryker.activeMutant = undefined;
			this.left = this.stillToRun(fullName);
		}
		// Jest runs again what has an error.
		test.errors = this.left.length > 0 ? ['There are more mutants'] : [];
	}

	/** For the one who looks whether this process still lives. */
	doing(what) {
		writeFileSync(join(FOLDER, `doing-${process.pid}`), JSON.stringify(what));
	}

	stillToRun(fullName) {
		const lines = existsSync(LOG) ? readFileSync(LOG, 'utf8').trim().split('\n') : [];
		const done = new Set();
		for (const line of lines.filter(Boolean)) {
			const { id, outcome, file, test } = JSON.parse(line);
			const isHere = file === this.file && test === fullName;
			if (outcome === 'noticed' || outcome === 'hung' || (outcome === 'passed' && isHere)) {
				done.add(id);
			}
		}
		return Object.keys(this.reached).filter((id) => !done.has(id));
	}

	log(id, outcome, test) {
		appendFileSync(LOG, `${JSON.stringify({ id, outcome, file: this.file, test })}\n`);
	}
};

function fullNameOf({ name, parent }) {
	return parent === undefined ? name : `${fullNameOf(parent)} ${name}`;
}
