/** Runs Stryker over the pure rules, then compares what survived with `named.json`. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { compareWithNamed } from './named.mts';

const [first = '', ...others] = process.argv.slice(2);
if (first !== '--named') {
	// Outside of the repository: what a run that is killed leaves behind would be linted.
	const folder = ['--tempDirName', join(tmpdir(), 'cometchat-mutants')];
	const args = ['stryker', 'run', 'test/mutants/stryker.json', ...folder, first, ...others];
	const { status } = spawnSync('npx', args.filter(Boolean), { stdio: 'inherit' });
	if (status !== 0) process.exit(status ?? 1);
}
compareWithNamed(JSON.parse(readFileSync('reports/mutants.json', 'utf8')));
