import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { npm, runChild } from './child.mjs';
import { at, fieldsOf, readJson, requiredText } from './fields.mjs';
import { showProgress } from './progress.mjs';

export const REPOSITORY = resolve(import.meta.dirname, '../..');
/** Everything that the real n8n needs or makes; git ignores it. */
export const REAL_N8N = join(REPOSITORY, '.real-n8n');

const MANIFEST = join(import.meta.dirname, 'install');
const MANIFEST_FILES = [
	'package.json',
	'package-lock.json',
	'.npmrc',
	'sqlite3/package.json',
	'sqlite3/index.js',
];
const INSTALLED = join(REAL_N8N, 'n8n');
/** Written last: an install without it was interrupted. */
const STAMP = join(INSTALLED, 'installed');
const OLDEST_NODE_MAJOR = 24;

export interface InstalledN8n {
	/** Path of a Node that this n8n can run on. */
	node: string;
	/** Path of n8n's command. */
	n8n: string;
	version: string;
}

/** Installs n8n from npm into .real-n8n, unless the committed lock file is installed already. */
export async function installN8n(): Promise<InstalledN8n> {
	const node = nodeForN8n();
	const stamp = currentStamp();
	if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== stamp) {
		await installPackages();
		checkThatItRuns(node);
		writeFileSync(STAMP, stamp);
	}
	const n8n = join(INSTALLED, 'node_modules/n8n');
	const version = requiredText(readJson(join(n8n, 'package.json')), 'version');
	return { node, n8n: join(n8n, 'bin/n8n'), version };
}

/** This Node if it is new enough, otherwise the one that npm carries for this platform. */
function nodeForN8n(): string {
	const major = Number.parseInt(process.versions.node, 10);
	if (major >= OLDEST_NODE_MAJOR) return process.execPath;

	const name = `node-${process.platform}-${process.arch}`;
	if (at(readJson(join(MANIFEST, 'package.json')), 'optionalDependencies', name) !== undefined) {
		return join(INSTALLED, 'node_modules', name, 'bin/node');
	}
	throw new Error(
		`n8n needs Node ${OLDEST_NODE_MAJOR} or newer; this is Node ${process.versions.node} on ` +
			`${process.platform}-${process.arch}, where npm carries no Node to install. ` +
			`Put Node ${OLDEST_NODE_MAJOR} on PATH and run this again.`,
	);
}

/** Changes whenever what is installed would no longer be what is asked for. */
function currentStamp(): string {
	const hash = createHash('sha256').update(`${process.platform}-${process.arch}`);
	for (const file of MANIFEST_FILES) hash.update(readFileSync(join(MANIFEST, file)));
	return hash.digest('hex');
}

async function installPackages(): Promise<void> {
	mkdirSync(INSTALLED, { recursive: true });
	rmSync(STAMP, { force: true });
	for (const file of MANIFEST_FILES) cpSync(join(MANIFEST, file), join(INSTALLED, file));
	const lock = fieldsOf(at(readJson(join(MANIFEST, 'package-lock.json')), 'packages'));
	// Without those that are for one platform only: not all of them will come.
	const packages = Object.keys(lock).filter((path) => at(lock, path, 'os') === undefined);
	await showProgress(
		'Installing n8n from npm, a few minutes the first time',
		() =>
			runChild({
				// --prefix: npm would look for a manifest further up if this one were missing.
				...npm('ci', '--prefix', INSTALLED, '--loglevel=error', '--prefer-offline'),
				cwd: INSTALLED,
				env: process.env,
				logFile: join(REAL_N8N, 'install.log'),
			}),
		() => {
			const here = packages.filter((path) => existsSync(join(INSTALLED, path, 'package.json')));
			return `${here.length} of ${packages.length} packages`;
		},
	);
}

/** Catches here, in words, what would otherwise be a riddle in n8n's log: a binary that won't load. */
function checkThatItRuns(node: string): void {
	const probe = `new (require('sqlite3').Database)(':memory:')`;
	try {
		execFileSync(node, ['-e', probe], { cwd: INSTALLED, stdio: 'pipe' });
	} catch (error) {
		throw new Error(
			`n8n is installed, but Node (${node}) or the SQLite driver does not run on this machine.`,
			{ cause: error },
		);
	}
}
