/**
 * Breaks the node, one small thing at a time, and looks which tests notice: the pure rules by their tables, with
 * Stryker, then the rest by the tests of the node. Compares what survived with `named.json`.
 *
 * `--mutate <files>`: only these rules; `--in-node [part of a path]…`: only these others; `--survivors [part of
 * a path]…`: of these others only what is new, or was not noticed by the last run; `--named`: none, the report of
 * the last run is read again.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { breakInNode, readReport } from './inNode.mts';
import { compareWithNamed, type Report } from './named.mts';

const RULES = 'reports/mutants.json';

const [first, ...others] = process.argv.slice(2);
if (first === undefined || first === '--mutate') breakRules(process.argv.slice(2));
if (first === undefined || first === '--in-node') await breakInNode(others);
if (first === '--survivors') await breakInNode(others, readReport());

const rules: Report = existsSync(RULES) ? JSON.parse(readFileSync(RULES, 'utf8')) : { files: {} };
compareWithNamed({ files: { ...rules.files, ...readReport().files } });

function breakRules(given: string[]): void {
	// Outside of the repository: what a run that is killed leaves behind would be linted.
	const folder = ['--tempDirName', join(tmpdir(), 'cometchat-mutants')];
	const args = ['stryker', 'run', 'test/mutants/stryker.json', ...folder, ...given];
	const { status } = spawnSync('npx', args, { stdio: 'inherit' });
	if (status !== 0) process.exit(status ?? 1);
}
