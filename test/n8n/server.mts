import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { endChild, killChild, npm, runChild, startUntilReady, type Command } from './child.mjs';
import { installN8n, REAL_N8N, type InstalledN8n } from './install.mjs';
import { freePort } from './port.mjs';
import { N8nRest } from './rest.mjs';

export interface N8nOptions {
	/** Where this n8n keeps its database, its community nodes and its log. */
	userFolder: string;
	/** The packed node package, as `npm pack` makes it; left out: the user folder has it already. */
	tarball?: string;
	/** 0, or left out: any that is free. */
	port?: number;
	/** Which n8n; left out: the newest. */
	installed?: InstalledN8n;
	/** More environment variables for n8n, such as `N8N_LOG_LEVEL`. */
	env?: NodeJS.ProcessEnv;
}

/** One of n8n's processes. */
export interface RunningProcess {
	/** Of what it has printed since it was started last. */
	readonly logFile: string;
	/** Of n8n's own process, not of the task runners that it starts. */
	readonly pid: number;
	readonly hasEnded: boolean;
	/** Lets it finish what it has begun. */
	stop(): Promise<void>;
	/** Ends it in the middle of whatever it does. */
	kill(): Promise<void>;
	/** Starts one that was killed again, on what it has kept, at the same address. */
	startAgain(): Promise<void>;
}

/** A running n8n with the package installed and its owner signed in. */
export interface RunningN8n extends RunningProcess {
	baseUrl: string;
	rest: N8nRest;
	/** Its database, its log, and the home of the user that runs it. */
	userFolder: string;
}

/** First start-up runs more than 260 migrations: a few seconds here, minutes on a busy machine. */
const LONGEST_START_MS = 300_000;

export async function startN8n(options: N8nOptions): Promise<RunningN8n> {
	const place = await prepare(options);
	const port = await freePort(options.port);
	const baseUrl = `http://127.0.0.1:${port}`;
	// /healthz answers before the migrations have run, readiness before the REST routes exist.
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

/**
 * One of several processes that take a queue's executions from an n8n.
 *
 * @param options With the `env` of the n8n that it works for: queue, database, encryption key.
 */
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

/** Where and how one n8n runs: the same for its server and a worker. */
type Place = Pick<Command, 'cwd' | 'env'> & InstalledN8n;

async function prepare({ userFolder, tarball, ...options }: N8nOptions): Promise<Place> {
	const installed = options.installed ?? (await installN8n());
	if (tarball !== undefined) await installNodePackage(userFolder, tarball);
	linkWorkflowLibrary(userFolder, installed);
	linkCache(userFolder);
	const env = { ...environment(userFolder, installed.node), ...options.env };
	return { ...installed, cwd: userFolder, env };
}

/** @param urls What must answer before it is ready. */
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
		// Each process has a broker for its task runners, and the port is not shared.
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

/**
 * The node finds n8n's own n8n-workflow last, after those of all folders above it. For users there
 * are none; here it would be this repository's, which is not that of an older n8n.
 */
function linkWorkflowLibrary(userFolder: string, { n8n }: InstalledN8n): void {
	const resolved = createRequire(n8n).resolve('n8n-workflow');
	const name = join('node_modules', 'n8n-workflow');
	const library = resolved.slice(0, resolved.lastIndexOf(name) + name.length);
	const link = join(userFolder, name);
	mkdirSync(dirname(link), { recursive: true });
	rmSync(link, { force: true });
	symlinkSync(library, link, 'dir');
}

/**
 * n8n lays the thousands of files of its editor into its cache. `npm run lint` would read them all:
 * n8n's strict lint takes no ignores, and only passes over what is in a node_modules.
 */
function linkCache(userFolder: string): void {
	const link = join(userFolder, '.cache');
	const cache = join('node_modules', '.cache');
	mkdirSync(join(userFolder, cache), { recursive: true });
	rmSync(link, { recursive: true, force: true });
	symlinkSync(cache, link, 'dir');
}

/** Built from nothing: an N8N_ or DB_ variable of the shell must not reach this n8n. */
function environment(userFolder: string, node: string): NodeJS.ProcessEnv {
	return {
		PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`,
		HOME: userFolder,
		NO_COLOR: '1',
		// What one start has compiled, the next need not.
		NODE_COMPILE_CACHE: join(REAL_N8N, 'compiled'),
		// Unless a setting brings one, n8n makes an encryption key of its own in there.
		N8N_USER_FOLDER: userFolder,
		N8N_PROTOCOL: 'http',
		N8N_HOST: '127.0.0.1',
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_SECURE_COOKIE: 'false',
		// The rest keeps it from calling home.
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
