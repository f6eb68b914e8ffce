import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endChild, exitOf, runChild, startChild, startUntilReady } from './child.mjs';
import { freePort } from './port.mjs';
import { findProgram } from './program.mjs';
import type { Backend } from './redis.mjs';

const DEBIAN_FOLDER = '/usr/lib/postgresql';
const USER = 'n8n';

/** Starts a PostgreSQL of its own, on loopback, with an empty database. */
export async function startPostgres(folder: string): Promise<Backend> {
	const find = (name: string) => findProgram(name, 'postgresql', debianFolders());
	const [initdb, postgres, isReady] = [find('initdb'), find('postgres'), find('pg_isready')];
	mkdirSync(folder, { recursive: true });
	// Not below the repository: the user that PostgreSQL runs as may have no way in there.
	const data = mkdtempSync(join(tmpdir(), 'cometchat-postgres-'));
	const remove = () => rmSync(data, { recursive: true, force: true });
	const place = { cwd: data, env: { PATH: process.env.PATH, LC_ALL: 'C' } };
	const asPostgres = unprivileged(data);
	await runChild({
		...asPostgres(
			initdb,
			'--no-sync',
			'--auth=trust',
			'--encoding=UTF8',
			`--username=${USER}`,
			data,
		),
		...place,
		logFile: join(folder, 'initdb.log'),
	});

	const port = String(await freePort());
	// It lives as long as this run: nothing needs to survive a power cut.
	const fast = ['fsync', 'synchronous_commit', 'full_page_writes'];
	const values = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${port}`];
	const settings = [...values, ...fast.map((name) => `${name}=off`)];
	const command = {
		...asPostgres(postgres, '-D', data, ...settings.flatMap((setting) => ['-c', setting])),
		...place,
		logFile: join(folder, 'postgres.log'),
	};
	const probe = { file: isReady, args: ['-h', '127.0.0.1', '-p', port], ...place };
	const takesConnections = async () => {
		const logFile = join(folder, 'pg_isready.log');
		return (await exitOf(startChild({ ...probe, logFile }))) === 0;
	};
	const child = await startUntilReady(command, takesConnections, 30_000).catch((error: unknown) => {
		remove();
		throw error;
	});
	// After the child's own handler: a process whose files vanish may live on.
	process.once('exit', remove);
	const stop = async () => {
		await endChild(child);
		process.off('exit', remove);
		remove();
	};
	return {
		env: {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: port,
			DB_POSTGRESDB_USER: USER,
			DB_POSTGRESDB_DATABASE: 'postgres',
		},
		stop,
	};
}

/** Debian keeps PostgreSQL's programs off PATH, in a folder for each version. */
function debianFolders(): string[] {
	if (!existsSync(DEBIAN_FOLDER)) return [];
	const versions = readdirSync(DEBIAN_FOLDER).sort((one, other) => Number(other) - Number(one));
	return versions.map((version) => join(DEBIAN_FOLDER, version, 'bin'));
}

/** PostgreSQL refuses to run as root: then it gets the user that its Debian package has made. */
function unprivileged(data: string) {
	const plain = (file: string, ...args: string[]) => ({ file, args });
	if (process.getuid?.() !== 0) return plain;
	const [uid, gid] = [idOf('-u'), idOf('-g')];
	chownSync(data, uid, gid);
	const become = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--'];
	const file = findProgram('setpriv', 'util-linux');
	return (...program: [string, ...string[]]) => plain(file, ...become, ...program);
}

function idOf(option: '-u' | '-g'): number {
	return Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
}
