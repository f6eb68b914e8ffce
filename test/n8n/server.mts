import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { endChild, killChild, npm, runChild, startUntilReady, type Command } from './child.mjs';
import { installN8n, REAL_N8N, type InstalledN8n } from './install.mjs';
import { freePort } from './port.mjs';
import { N8nRest } from './rest.mjs';

export interface N8nOptions {
	/** The folder of n8n's database, community nodes and log. */
	userFolder: string;
	/** The package, as `npm pack` makes it; left out: it is in the user folder already. */
	tarball?: string;
	/** 0, or left out: any free port. */
	port?: number;
	/** The version of n8n; left out: the newest. */
	installed?: InstalledN8n;
	/** More environment variables for n8n, such as `N8N_LOG_LEVEL`. */
	env?: NodeJS.ProcessEnv;
}

export interface RunningProcess {
	/** The file with its output since its last start. */
	readonly logFile: string;
	/** The process ID of n8n, not of its task runners. */
	readonly pid: number;
	readonly hasEnded: boolean;
	/** Ends it after its current work. */
	stop(): Promise<void>;
	kill(): Promise<void>;
	/** Starts a killed process again with its data, at the same URL. */
	startAgain(): Promise<void>;
}

/** A running n8n with the package installed and its owner signed in. */
export interface RunningN8n extends RunningProcess {
	baseUrl: string;
	rest: N8nRest;
	/** The folder of its database and log, and the home of its user. */
	userFolder: string;
}

/** The first start runs more than 260 migrations: a few seconds, or minutes on a busy machine. */
const LONGEST_START_MS = 300_000;

export async function startN8n(options: N8nOptions): Promise<RunningN8n> {
	const place = await prepare(options);
	const port = await freePort(options.port);
	const baseUrl = `http://127.0.0.1:${port}`;
	// /healthz responds before the migrations have run, and readiness before the REST routes exist.
	const urls = [`${baseUrl}/healthz/readiness`, `${baseUrl}/rest/settings`];
	const running = await launch(place, 'start', { N8N_PORT: String(port) }, urls);
	const rest = new N8nRest(baseUrl);
	try {
		await rest.signIn();
	} catch (error) {
		await running.stop();
		throw error;
	}
	return Object.assign(running, { baseUrl, rest, userFolder: options.userFolder });
}

/** Starts a worker, which runs executions of an n8n's queue. @param options With the `env` of this n8n. */
export async function startWorker(options: N8nOptions): Promise<RunningProcess> {
	const place = await prepare(options);
	const port = await freePort(options.port);
	const env = {
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
		QUEUE_HEALTH_CHECK_PORT: String(port),
		N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
	};
	return await launch(place, 'worker', env, [`http://127.0.0.1:${port}/healthz/readiness`]);
}

/** The paths and environment of an n8n, for its server and its workers. */
type Place = Pick<Command, 'cwd' | 'env'> & InstalledN8n;

async function prepare({ userFolder, tarball, ...options }: N8nOptions): Promise<Place> {
	const installed = options.installed ?? (await installN8n());
	if (tarball !== undefined) await installNodePackage(userFolder, tarball);
	linkWorkflowLibrary(userFolder, installed);
	linkCache(userFolder);
	const env = { ...environment(userFolder, installed.node), ...options.env };
	return { ...installed, cwd: userFolder, env };
}

/** @param urls The URLs that respond once it is ready. */
async function launch(
	place: Place,
	command: 'start' | 'worker',
	env: Record<string, string>,
	urls: string[],
): Promise<RunningProcess> {
	const answer = async () => {
		for (const url of urls) if (!(await fetch(url)).ok) return false;
		return true;
	};
	let starts = 0;
	const startIt = async () => {
		starts += 1;
		const logFile = join(place.cwd, starts === 1 ? 'n8n.log' : `n8n-${starts}.log`);
		// Each process has a broker for its task runners, with its own port.
		const broker = { N8N_RUNNERS_BROKER_PORT: String(await freePort()) };
		const child = await startUntilReady(
			{
				...{ file: place.node, args: [place.n8n, command], cwd: place.cwd, logFile },
				env: { ...place.env, ...env, ...broker },
			},
			() => answer().catch(() => false),
			LONGEST_START_MS,
		);
		return { logFile, child };
	};
	let running = await startIt();
	return {
		get logFile() {
			return running.logFile;
		},
		get pid() {
			return running.child.pid ?? 0;
		},
		get hasEnded() {
			return (running.child.exitCode ?? running.child.signalCode) !== null;
		},
		stop: async () => await endChild(running.child),
		kill: async () => await killChild(running.child),
		startAgain: async () => {
			running = await startIt();
		},
	};
}

/** Installs the package as n8n does for its users: into the community folder, without peers. */
async function installNodePackage(userFolder: string, tarball: string): Promise<void> {
	const folder = join(userFolder, '.n8n/nodes');
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
	await runChild({
		...npm('install', tarball, '--prefix', folder, '--ignore-scripts', '--omit=dev', '--omit=peer'),
		cwd: folder,
		env: { ...process.env, npm_config_audit: 'false', npm_config_fund: 'false' },
		logFile: join(userFolder, 'npm.log'),
	});
}

/** Links n8n's own n8n-workflow: otherwise, the node would find the version of this repository first. */
function linkWorkflowLibrary(userFolder: string, { n8n }: InstalledN8n): void {
	const resolved = createRequire(n8n).resolve('n8n-workflow');
	const name = join('node_modules', 'n8n-workflow');
	const library = resolved.slice(0, resolved.lastIndexOf(name) + name.length);
	const link = join(userFolder, name);
	mkdirSync(dirname(link), { recursive: true });
	rmSync(link, { force: true });
	symlinkSync(library, link, 'dir');
}

/** Links n8n's cache into a node_modules: otherwise `npm run lint` would read thousands of files of its editor. */
function linkCache(userFolder: string): void {
	const link = join(userFolder, '.cache');
	const cache = join('node_modules', '.cache');
	mkdirSync(join(userFolder, cache), { recursive: true });
	rmSync(link, { recursive: true, force: true });
	symlinkSync(cache, link, 'dir');
}

/** Returns an environment without the shell's variables, because an N8N_ or DB_ variable must not reach this n8n. */
function environment(userFolder: string, node: string): NodeJS.ProcessEnv {
	return {
		PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`,
		HOME: userFolder,
		NO_COLOR: '1',
		// The next start uses the compiled code.
		NODE_COMPILE_CACHE: join(REAL_N8N, 'compiled'),
		// Without a setting, n8n makes an encryption key in this folder.
		N8N_USER_FOLDER: userFolder,
		N8N_PROTOCOL: 'http',
		N8N_HOST: '127.0.0.1',
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_SECURE_COOKIE: 'false',
		// The others keep n8n from sending data to its maker.
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_DIAGNOSTICS_CONFIG_FRONTEND: '',
		N8N_DIAGNOSTICS_CONFIG_BACKEND: '',
		EXTERNAL_FRONTEND_HOOKS_URLS: '',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		N8N_DISABLED_MODULES: 'mcp-registry,instance-ai,insights',
		N8N_MCP_ACCESS_ENABLED: 'false',
	};
}
