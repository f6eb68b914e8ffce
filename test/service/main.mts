import { type LogEntry, type Rule, type ServiceOptions, startService } from './service.js';

const HELP = `Starts a stand-in for CometChat's REST API on this machine, to try the node against.
It follows CometChat's public documentation; it is not the live service.

  npm run service -- ['options as JSON'] [--help]

The options are those of test/service/service.ts, and rules of misbehaviour. For example:

  {"port": 4010, "apiKey": "demo-key", "indexing": {"ms": 3000}}    as they are if left out
  {"agents": 40, "records": 500, "latencyMs": 300}                  a larger account, slower
  {"rateLimit": {"requests": 60, "windowMs": 60000}}                429 above 60 requests a minute
  {"rules": [{"for": {"uid": "support-bot"}, "status": 503, "times": 2}]}
                                         that agent's changes fail twice (see test/service/script.ts)
`;

const [given = '{}'] = process.argv.slice(2);
if (given === '--help') console.log(HELP);
else await start(JSON.parse(given));

async function start(asked: Partial<ServiceOptions> & { rules?: Rule[] }): Promise<void> {
	const { rules = [], ...options } = asked;
	const keys = { apiKey: 'demo-key', authKey: 'demo-auth-key' };
	const usual = { ...keys, port: 4010, indexing: { ms: 3000 }, onEntry: printEnd };
	const service = await startService({ ...usual, ...options });
	service.script(...rules);
	const uids = service.agents().map(({ uid }) => uid);
	console.log(`Base URL      ${service.baseUrl}`);
	console.log(`Upload host   ${service.uploadOrigin}`);
	console.log(`REST API Key  ${options.apiKey ?? keys.apiKey}`);
	console.log(`Agents        ${uids.slice(0, 10).join(', ')}${uids.length > 10 ? ' …' : ''}`);
	console.log('Ctrl-C stops it.\n');
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => service.stop());
}

/** Prints a line for each request after its end, without the query of an upload, which is as good as a password. */
function printEnd({ kind, request, method, host, path, uniqueIds, status }: LogEntry) {
	if (kind === 'arrived') return;
	const shown = host === 'uploads' ? path.split('?')[0] : path;
	const ids = uniqueIds === undefined ? '' : `, IDs: ${uniqueIds.length}`;
	console.log(`#${request} ${method} ${shown}${ids}: ${status ?? kind}`);
}
