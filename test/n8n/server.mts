import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endChild, endOf, exitOf, npm, runChild, startChild } from './child.mjs';
import { installN8n } from './install.mjs';
import { N8nRest } from './rest.mjs';

export interface N8nOptions {
	/** Where this n8n keeps its database, its community nodes and its log. */
	userFolder: string;
	/** The packed node package, as `npm pack` makes it. */
	tarball: string;
	/** 0, or left out: any that is free. */
	port?: number;
}

/** A running n8n with the package installed and its owner signed in. */
export interface RunningN8n {
	baseUrl: string;
	rest: N8nRest;
	logFile: string;
	stop(): Promise<void>;
}

/** First start-up runs more than 260 migrations: a few seconds here, a minute on a slow disk. */
const LONGEST_START_MS = 180_000;

export async function startN8n({ userFolder, tarball, port }: N8nOptions): Promise<RunningN8n> {
	const { node, n8n } = await installN8n();
	await installNodePackage(userFolder, tarball);
	const [editorPort, brokerPort] = [await freePort(port), await freePort()];
	const baseUrl = `http://127.0.0.1:${editorPort}`;
	const logFile = join(userFolder, 'n8n.log');
	const child = startChild({
		file: node,
		args: [n8n, 'start'],
		cwd: userFolder,
		env: environment(userFolder, node, editorPort, brokerPort),
		logFile,
	});
	try {
		const rest = new N8nRest(baseUrl);
		await untilReady(baseUrl, child);
		await rest.signIn();
		return { baseUrl, rest, logFile, stop: () => endChild(child) };
	} catch (error) {
		await endChild(child);
		throw new Error(`n8n did not start. ${endOf(logFile)}`, { cause: error });
	}
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

/** Built from nothing: an N8N_ or DB_ variable of the shell must not reach this n8n. */
function environment(
	userFolder: string,
	node: string,
	editorPort: number,
	brokerPort: number,
): NodeJS.ProcessEnv {
	return {
		PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`,
		HOME: userFolder,
		NO_COLOR: '1',
		// n8n makes an encryption key of its own in there.
		N8N_USER_FOLDER: userFolder,
		N8N_PROTOCOL: 'http',
		N8N_HOST: '127.0.0.1',
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_PORT: String(editorPort),
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
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

/** /healthz answers before the migrations have run, readiness before the REST routes exist. */
async function untilReady(baseUrl: string, child: ChildProcess): Promise<void> {
	const lastTryMs = Date.now() + LONGEST_START_MS;
	for (const path of ['/healthz/readiness', '/rest/settings']) {
		while (!(await answers(baseUrl + path))) {
			if (child.exitCode !== null || child.signalCode !== null) {
				throw new Error(`n8n ended with ${await exitOf(child)}.`);
			}
			if (Date.now() > lastTryMs) {
				throw new Error(`${path} does not answer after ${LONGEST_START_MS / 1000} s.`);
			}
			await sleep(200);
		}
	}
}

async function answers(url: string): Promise<boolean> {
	try {
		return (await fetch(url)).ok;
	} catch {
		return false;
	}
}

/**
 * The given port, or one that the operating system has free. A port that is taken must not get
 * through: whoever answers there would be taken for the n8n that was started.
 */
async function freePort(port = 0): Promise<number> {
	const server = createServer().listen(port, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	server.close();
	await once(server, 'close');
	return typeof address === 'object' && address !== null ? address.port : port;
}
