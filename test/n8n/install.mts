import { createHash } from 'node:crypto';
import {
	cpSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statfsSync,
	writeFileSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { npm, runChild } from './child.mjs';
import { at, readJson, requiredText } from './fields.mjs';
import { showProgress } from './progress.mjs';

export const REPOSITORY = resolve(import.meta.dirname, '../..');
/** The folder for everything that the real n8n needs or makes; git ignores it. */
export const REAL_N8N = join(REPOSITORY, '.real-n8n');

const NEWEST = join(import.meta.dirname, 'install');
const VERSIONS = join(import.meta.dirname, 'versions');
/** A folder for each n8n other than the newest: the oldest that the README promises, and others. */
export const OLDER = readdirSync(VERSIONS).map((version) => join(VERSIONS, version));

const MANIFEST_FILES = ['package.json', 'package-lock.json'];
/** The files for each version, which are next to the newest. */
const SHARED_FILES = ['.npmrc', 'sqlite3/package.json', 'sqlite3/index.js'];

export interface InstalledN8n {
	/** The path of a Node that can run this n8n. */
	node: string;
	n8n: string;
	version: string;
}

/** Installs n8n from npm into .real-n8n, unless it is there. @param folder Its manifest; left out: the newest. */
export async function installN8n(folder = NEWEST): Promise<InstalledN8n> {
	const target = join(REAL_N8N, folder === NEWEST ? 'n8n' : `n8n-${basename(folder)}`);
	const node = nodeForN8n(folder, target);
	// Written last, because an install without it was interrupted.
	const stampFile = join(target, 'installed');
	const stamp = currentStamp(folder);
	if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== stamp) {
		rmSync(stampFile, { force: true });
		await installPackages(folder, target);
		writeFileSync(stampFile, stamp);
	}
	const n8n = join(target, 'node_modules/n8n');
	const version = requiredText(readJson(join(n8n, 'package.json')), 'version');
	return { node, n8n: join(n8n, 'bin/n8n'), version };
}

/** Returns this Node if it can run this n8n, otherwise the Node in an npm package for this platform. */
function nodeForN8n(folder: string, target: string): string {
	const lock = readJson(join(folder, 'package-lock.json'));
	const range = requiredText(lock, 'packages', 'node_modules/n8n', 'engines', 'node');
	const [oldest = 0, newest = Infinity] = nodeMajors(range);
	const major = Number.parseInt(process.versions.node, 10);
	if (major >= oldest && major <= newest) return process.execPath;

	const platform = `${process.platform}-${process.arch}`;
	if (at(lock, 'packages', `node_modules/node-${platform}`) !== undefined) {
		return join(target, `node_modules/node-${platform}/bin/node`);
	}
	throw new Error(
		`n8n needs Node ${range}; this is ${process.versions.node} on ${platform}, where npm carries ` +
			'no Node to install. Put one on PATH that fits and run this again.',
	);
}

/** Returns the major versions in n8n's range: `>=24`, or `>=18.17 <= 22`. */
function nodeMajors(range: string): number[] {
	return [...range.matchAll(/(\d+)(?:\.[\dx]+)*/g)].map(([, major]) => Number(major));
}

/** Returns a text that changes whenever the installed files would no longer be the requested ones. */
function currentStamp(folder: string): string {
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

async function installPackages(folder: string, target: string): Promise<void> {
	mkdirSync(target, { recursive: true });
	for (const [from, file] of filesOf(folder)) cpSync(join(from, file), join(target, file));
	const version = requiredText(readJson(join(folder, 'package.json')), 'dependencies', 'n8n');
	await showProgress(`Installing n8n ${version} from npm`, () =>
		runChild({
			// --prefix: npm would look for a manifest further up if this one were missing.
			...npm('ci', '--prefix', target, '--loglevel=error', '--prefer-offline'),
			cwd: target,
			env: process.env,
			logFile: `${target}.install.log`,
		}),
	).catch((cause: unknown) => {
		// Without space, npm may end silently.
		const { bavail, bsize, ffree } = statfsSync(target);
		const space = `${((bavail * bsize) / 1e9).toFixed(1)} GB and ${ffree} files`;
		const words = `n8n ${version} could not be installed. It needs 2.5 GB; there is space for ${space}.`;
		throw new Error(words, { cause });
	});
}

// As a program, it installs the newest n8n, or the `older`, in advance.
if (process.argv[1] === import.meta.filename) {
	for (const folder of process.argv[2] === 'older' ? OLDER : [NEWEST]) await installN8n(folder);
}
