import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endChild, exitOf, runChild, startChild, startUntilReady } from './child.mjs';
import { freePort } from './port.mjs';
import { findProgram } from './program.mjs';
import type { Backend } from './redis.mjs';

const DEBIAN_FOLDER = '/usr/lib/postgresql';
const USER = 'n8n';

/** Settings for speed, because the data need not survive a power failure. */
const FAST = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

export interface Database extends Backend {
	run(sql: string): Promise<void>;
}

/** Starts a separate PostgreSQL on loopback, with an empty database. */
export async function startPostgres(folder: string): Promise<Database> {
	mkdirSync(folder, { recursive: true });
	// Not below the repository, which PostgreSQL's user may be unable to read.
	const data = mkdtempSync(join(tmpdir(), 'cometchat-postgres-'));
	const become = unprivileged(data);
	const command = (name: string, ...args: string[]) => {
		const [file = '', ...before] = [...become, findProgram(name, 'postgresql', debianFolders())];
		const env = { PATH: process.env.PATH, LC_ALL: 'C' };
		const logFile = join(folder, `${name}.log`);
		return { file, args: [...before, ...args], cwd: data, env, logFile };
	};
	const initial = ['--no-sync', '--auth=trust', '--encoding=UTF8', `--username=${USER}`];
	await runChild(command('initdb', ...initial, data));
	const port = String(await freePort());
	const place = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${port}`];
	const settings = [...place, ...FAST].flatMap((setting) => ['-c', setting]);
	const at = ['-h', '127.0.0.1', '-p', port];
	const probe = command('pg_isready', ...at);
	const isReady = async () => (await exitOf(startChild(probe))) === 0;
	const child = await startUntilReady(
		command('postgres', '-D', data, ...settings),
		isReady,
		60_000,
	);
	return {
		env: {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: port,
			DB_POSTGRESDB_USER: USER,
			DB_POSTGRESDB_DATABASE: 'postgres',
		},
		run: async (sql) => await runChild(command('psql', ...at, '-U', USER, '-c', sql, 'postgres')),
		stop: async () => {
			await endChild(child);
			rmSync(data, { recursive: true, force: true });
		},
	};
}

/** Returns the folders of Debian's PostgreSQL programs, one for each version, which are not on PATH. */
function debianFolders(): string[] {
	if (!existsSync(DEBIAN_FOLDER)) return [];
	const versions = readdirSync(DEBIAN_FOLDER).sort((one, other) => Number(other) - Number(one));
	return versions.map((version) => join(DEBIAN_FOLDER, version, 'bin'));
}

/** Returns the user of PostgreSQL's Debian package for root, because PostgreSQL refuses to run as root. */
function unprivileged(data: string): string[] {
	if (process.getuid?.() !== 0) return [];
	execFileSync('chown', ['postgres:', data]);
	const setpriv = findProgram('setpriv', 'util-linux');
	return [setpriv, '--reuid=postgres', '--regid=postgres', '--clear-groups', '--'];
}
