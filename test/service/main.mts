import { parseArgs } from 'node:util';

import type { LogEntry, Rule } from './service.js';
import { startService } from './service.js';

const HELP = `Starts a stand-in for CometChat's REST API on this machine, to try the node against.
It follows CometChat's public documentation; it is not the live service.

  npm run service -- [flags]

  --port <number>         Port on 127.0.0.1 (4010)
  --key <text>            REST API Key that is accepted (demo-key)
  --auth-key <text>       Auth Key, refused with 403 (demo-auth-key)
  --agents <number>       Make up so many agents (three with names)
  --latency-ms <number>   How long every answer takes (0)
  --rate-limit <number>   Requests per minute, 429 above (no limit)
  --fail <uid:status>     Every change of this agent fails with this status; uid "*" is any agent.
                          With a third part, only so many times: support-bot:503:2. Repeatable.
  --help                  This text
`;

/** Reads the command line; throws on an unknown flag. */
function readFlags() {
	return parseArgs({
		options: {
			port: { type: 'string', default: '4010' },
			key: { type: 'string', default: 'demo-key' },
			'auth-key': { type: 'string', default: 'demo-auth-key' },
			agents: { type: 'string' },
			'latency-ms': { type: 'string', default: '0' },
			'rate-limit': { type: 'string' },
			fail: { type: 'string', multiple: true, default: [] },
			help: { type: 'boolean', default: false },
		},
	}).values;
}

async function main(): Promise<void> {
	const values = readFlags();
	if (values.help) {
		console.log(HELP);
		return;
	}
	const rateLimit = values['rate-limit'];
	const rules = values.fail.map(failure);
	const service = await startService({
		port: wholeNumber('port', values.port),
		apiKey: values.key,
		authKey: values['auth-key'],
		agents: values.agents === undefined ? undefined : wholeNumber('agents', values.agents),
		latencyMs: wholeNumber('latency-ms', values['latency-ms']),
		rateLimit:
			rateLimit === undefined
				? undefined
				: { requests: wholeNumber('rate-limit', rateLimit), windowMs: 60_000 },
		onEntry: printEnds(),
	});
	service.script(...rules);
	const uids = service.agents().map(({ uid }) => uid);
	const more = uids.length > 10 ? `, … ${uids.length} in all` : '';
	console.log(`Base URL      ${service.baseUrl}`);
	console.log(`REST API Key  ${values.key}`);
	console.log(`Agents        ${uids.slice(0, 10).join(', ')}${more}`);
	console.log('Ctrl-C stops it.\n');
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => service.stop());
}

function wholeNumber(flag: string, text: string): number {
	if (!/^\d+$/.test(text)) throw new Error(`--${flag} takes a whole number, not "${text}".`);
	return Number(text);
}

function failure(text: string): Rule {
	const [, uid, status, times] = /^(.+?):([2-5]\d\d)(?::(\d+))?$/.exec(text) ?? [];
	if (uid === undefined) {
		throw new Error(`--fail takes uid:status or uid:status:times, not "${text}".`);
	}
	return {
		for: uid === '*' ? {} : { uid },
		times: times === undefined ? Infinity : Number(times),
		status: Number(status),
	};
}

/** Prints a line for each request when it has ended. */
function printEnds(): (entry: LogEntry) => void {
	const arrivedAtMs = new Map<number, number>();
	return (entry) => {
		const { request, kind, method, path, atMs, uniqueIds } = entry;
		if (kind === 'arrived') {
			arrivedAtMs.set(request, atMs);
			return;
		}
		const tookMs = atMs - (arrivedAtMs.get(request) ?? atMs);
		arrivedAtMs.delete(request);
		const files = uniqueIds === undefined ? '' : `, ${uniqueIds.length} in uniqueIds`;
		const end = kind === 'answered' ? entry.status : kind;
		console.log(`#${request} ${method} ${path}${files}: ${end}, ${tookMs} ms`);
	};
}

await main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
