import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import {
	cpSync,
	existsSync,
	mkdirSync,
	readFileSync,
	rmSync,
	statfsSync,
	writeFileSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { npm, runChild } from './child.mjs';
import { at, fieldsOf, readJson, requiredText } from './fields.mjs';
import { showProgress } from './progress.mjs';

export const REPOSITORY = resolve(import.meta.dirname, '../..');
/** Everything that the real n8n needs or makes; git ignores it. */
export const REAL_N8N = join(REPOSITORY, '.real-n8n');

const NEWEST = join(import.meta.dirname, 'install');
const MANIFEST_FILES = ['package.json', 'package-lock.json'];
/** The same for every version; they lie beside the newest. */
const SHARED_FILES = ['.npmrc', 'sqlite3/package.json', 'sqlite3/index.js'];

export interface InstalledN8n {
	/** Path of a Node that this n8n can run on. */
	node: string;
	/** Path of n8n's command. */
	n8n: string;
	version: string;
}

/** A folder with a committed package.json and lock file, and where to install what they name. */
interface Manifest {
	folder: string;
	target: string;
	/** Written last: an install without it was interrupted. */
	stamp: string;
}

/**
 * Installs n8n from npm into .real-n8n, unless the committed lock file is installed already.
 *
 * @param folder Holds the manifest of an n8n; left out: of the newest.
 */
export async function installN8n(folder = NEWEST): Promise<InstalledN8n> {
	const target = targetOf(folder);
	const manifest = { folder, target, stamp: join(target, 'installed') };
	const node = nodeForN8n(manifest);
	const stamp = currentStamp(manifest);
	if (!existsSync(manifest.stamp) || readFileSync(manifest.stamp, 'utf8') !== stamp) {
		await installPackages(manifest);
		checkThatItRuns(node, target);
		writeFileSync(manifest.stamp, stamp);
	}
	const n8n = join(target, 'node_modules/n8n');
	const version = requiredText(readJson(join(n8n, 'package.json')), 'version');
	return { node, n8n: join(n8n, 'bin/n8n'), version };
}

function targetOf(folder: string): string {
	return join(REAL_N8N, folder === NEWEST ? 'n8n' : `n8n-${basename(folder)}`);
}

/** This Node if this n8n runs on it, otherwise the one that npm carries for this platform. */
function nodeForN8n({ folder, target }: Manifest): string {
	const lock = readJson(join(folder, 'package-lock.json'));
	const range = requiredText(lock, 'packages', 'node_modules/n8n', 'engines', 'node');
	const [oldest = 0, newest = Infinity] = nodeMajors(range);
	const major = Number.parseInt(process.versions.node, 10);
	if (major >= oldest && major <= newest) return process.execPath;

	const name = `node-${process.platform}-${process.arch}`;
	if (at(lock, 'packages', `node_modules/${name}`) !== undefined) {
		return join(target, 'node_modules', name, 'bin/node');
	}
	const wanted = newest === Infinity ? `Node ${oldest} or newer` : `Node ${oldest} to ${newest}`;
	throw new Error(
		`n8n needs ${wanted}; this is Node ${process.versions.node} on ` +
			`${process.platform}-${process.arch}, where npm carries no Node to install. ` +
			`Put ${wanted} on PATH and run this again.`,
	);
}

/** n8n writes `>=24`, or `>=18.17 <= 22`. */
function nodeMajors(range: string): number[] {
	return [...range.matchAll(/(\d+)(?:\.[\dx]+)*/g)].map(([, major]) => Number(major));
}

/** Changes whenever what is installed would no longer be what is asked for. */
function currentStamp({ folder }: Manifest): string {
	const hash = createHash('sha256').update(`${process.platform}-${process.arch}`);
	for (const [from, file] of filesOf(folder)) hash.update(readFileSync(join(from, file)));
	return hash.digest('hex');
}

function filesOf(folder: string): Array<[from: string, file: string]> {
	return [
		...MANIFEST_FILES.map((file): [string, string] => [folder, file]),
		...SHARED_FILES.map((file): [string, string] => [NEWEST, file]),
	];
}

async function installPackages({ folder, target, stamp }: Manifest): Promise<void> {
	mkdirSync(target, { recursive: true });
	rmSync(stamp, { force: true });
	for (const [from, file] of filesOf(folder)) cpSync(join(from, file), join(target, file));
	const version = requiredText(readJson(join(folder, 'package.json')), 'dependencies', 'n8n');
	const lock = fieldsOf(at(readJson(join(folder, 'package-lock.json')), 'packages'));
	// Without those that are for one platform only: not all of them will come.
	const packages = Object.keys(lock).filter((path) => at(lock, path, 'os') === undefined);
	await showProgress(
		`Installing n8n ${version} from npm`,
		() =>
			runChild({
				// --prefix: npm would look for a manifest further up if this one were missing.
				...npm('ci', '--prefix', target, '--loglevel=error', '--prefer-offline'),
				cwd: target,
				env: process.env,
				logFile: `${target}.install.log`,
			}),
		() => {
			const here = packages.filter((path) => existsSync(join(target, path, 'package.json')));
			return `${here.length} of ${packages.length} packages`;
		},
	).catch((cause: unknown) => {
		throw new Error(`n8n ${version} could not be installed. ${spaceLeft(target)}`, { cause });
	});
}

/** npm may end without a word where there is none. */
function spaceLeft(folder: string): string {
	const { bavail, bsize, ffree } = statfsSync(folder);
	const gigabytes = ((bavail * bsize) / 1e9).toFixed(1);
	return `In ${folder} there is space for ${gigabytes} GB and ${ffree} files; n8n needs up to 2.5 GB.`;
}

/** Catches here, in words, what would otherwise be a riddle in n8n's log: a binary that won't load. */
function checkThatItRuns(node: string, target: string): void {
	const probe = `new (require('sqlite3').Database)(':memory:')`;
	try {
		execFileSync(node, ['-e', probe], { cwd: target, stdio: 'pipe' });
	} catch (error) {
		throw new Error(
			`n8n is installed, but Node (${node}) or the SQLite driver does not run on this machine.`,
			{ cause: error },
		);
	}
}
