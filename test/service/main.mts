import { parseArgs } from 'node:util';

import type { IndexingRule, LogEntry, Rule } from './service.js';
import { startService } from './service.js';

const HELP = `Starts a stand-in for CometChat's REST API on this machine, to try the node against.
It follows CometChat's public documentation; it is not the live service.

  npm run service -- [flags]

  --port <number>         Port on 127.0.0.1 (4010)
  --upload-port <number>  Port of the host that takes the bytes of uploads (any free port)
  --key <text>            REST API Key that is accepted (demo-key)
  --auth-key <text>       Auth Key, refused with 403 (demo-auth-key)
  --agents <number>       Make up so many agents (three with names)
  --records <number>      Make up so many indexed files (none)
  --latency-ms <number>   How long every answer takes (0)
  --rate-limit <number>   Requests per minute, 429 above (no limit)
  --fail <uid:status>     Every change of this agent fails with this status; uid "*" is any agent.
                          With a third part, only so many times: support-bot:503:2. Repeatable.
  --indexing-ms <number>  How long the indexing of one file or text takes (3000)
  --fail-indexing <name>  The indexing of this file, or of the text of this title, fails. Repeatable.
  --answer-ms <number>    How long an agent takes for its answer (1000); the user who may ask is "checker"
  --strict                Only what is known and indexed can be added to an agent
  --help                  This text
`;

/** Reads the command line; throws on an unknown flag. */
function readFlags() {
	return parseArgs({
		options: {
			port: { type: 'string', default: '4010' },
			'upload-port': { type: 'string', default: '0' },
			key: { type: 'string', default: 'demo-key' },
			'auth-key': { type: 'string', default: 'demo-auth-key' },
			agents: { type: 'string' },
			records: { type: 'string', default: '0' },
			'latency-ms': { type: 'string', default: '0' },
			'rate-limit': { type: 'string' },
			fail: { type: 'string', multiple: true, default: [] },
			'indexing-ms': { type: 'string', default: '3000' },
			'fail-indexing': { type: 'string', multiple: true, default: [] },
			'answer-ms': { type: 'string', default: '1000' },
			strict: { type: 'boolean', default: false },
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
	const indexingRules = values['fail-indexing'].map(indexingFailure);
	const files = values.strict ? 'refuse' : 'accept';
	const service = await startService({
		port: wholeNumber('port', values.port),
		apiKey: values.key,
		authKey: values['auth-key'],
		agents: values.agents === undefined ? undefined : wholeNumber('agents', values.agents),
		records: wholeNumber('records', values.records),
		uploads: { port: wholeNumber('upload-port', values['upload-port']) },
		indexing: { ms: wholeNumber('indexing-ms', values['indexing-ms']) },
		answering: { ms: wholeNumber('answer-ms', values['answer-ms']) },
		unknownFiles: files,
		unindexedFiles: files,
		latencyMs: wholeNumber('latency-ms', values['latency-ms']),
		rateLimit:
			rateLimit === undefined
				? undefined
				: { requests: wholeNumber('rate-limit', rateLimit), windowMs: 60_000 },
		onEntry: printEnds(),
	});
	service.script(...rules);
	service.scriptIndexing(...indexingRules);
	const uids = service.agents().map(({ uid }) => uid);
	const more = uids.length > 10 ? `, … ${uids.length} in all` : '';
	console.log(`Base URL      ${service.baseUrl}`);
	console.log(`Upload host   ${service.uploadOrigin}`);
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

function indexingFailure(fileName: string): IndexingRule {
	return { for: { fileName }, times: Infinity, ends: 'failed' };
}

/** Prints a line for each request when it has ended. */
function printEnds(): (entry: LogEntry) => void {
	const arrivedAtMs = new Map<number, number>();
	return (entry) => {
		const { request, method, path, atMs } = entry;
		if (entry.kind === 'arrived') {
			arrivedAtMs.set(request, atMs);
			return;
		}
		const tookMs = atMs - (arrivedAtMs.get(request) ?? atMs);
		arrivedAtMs.delete(request);
		const { host, uniqueIds = [], received } = entry;
		// The query of an upload is as good as a password, and long.
		const shown = host === 'uploads' ? path.split('?')[0] : path;
		const ids = uniqueIds.length === 0 ? '' : `, IDs: ${uniqueIds.length}`;
		const bytes = received === undefined ? '' : `, bytes: ${received.bytes}`;
		const end = entry.kind === 'answered' ? entry.status : entry.kind;
		console.log(`#${request} ${method} ${shown}${ids}${bytes}: ${end}, ${tookMs} ms`);
	};
}

await main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
