import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { readAccount } from '../../nodes/CometChatKnowledgeBase/account/account.js';
import { Redaction } from '../../nodes/CometChatKnowledgeBase/account/redaction.js';
import { readAddress } from '../../nodes/CometChatKnowledgeBase/resources/website/address.js';
import type { HttpRequest } from './answer.js';
import { sendOnce } from './answer.js';
import type { Settings } from './client.js';
import { Probe } from './probe.js';
import { exitCodeOf, runProbe, summaryLines } from './run.js';

const HOW_TO_RUN = `With your own app's values in the environment:

  COMETCHAT_APP_ID=…  COMETCHAT_REGION=us|eu|in  COMETCHAT_API_KEY=…  npm run probe

  COMETCHAT_BASE_URL    address of a dedicated deployment, instead of the region; it is sent the app ID
                        in a header, if there is one

  npm run probe -- --json               the findings as JSON
  npm run probe -- --files-may-be-made  upload a few tiny files, write a text or two, make a user who
                                        asks an agent one question, and delete all of that: without
                                        it nothing is asked about uploads, texts, answers and deletion
  npm run probe -- --site https://…     let CometChat crawl this one page, and no other; the website
                                        that comes of it goes to the agent, and is deleted
  npm run probe -- --site https://… --crawl-twice
                                        crawl the page a second time, and let it be read again

An agent is made and deleted again; your own agents, files and texts are only listed, never changed.
Each answer is saved below probe-answers/, without the key, upload addresses, that page's address, and
names and IDs of your own: files that you can hand on.`;

const TIMEOUT_MS = 15_000;

/** npm and tsx pass on a Ctrl-C that the terminal has sent to this process already. */
const SAME_SIGNAL_MS = 2000;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

async function main(): Promise<void> {
	const { help, json, ...flags } = parseArgs({
		options: {
			json: { type: 'boolean', default: false },
			'files-may-be-made': { type: 'boolean', default: false },
			site: { type: 'string' },
			'crawl-twice': { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	}).values;
	if (help) {
		console.log(HOW_TO_RUN);
		return;
	}
	const value = (name: string) => process.env[`COMETCHAT_${name}`]?.trim() ?? '';
	const [baseUrl, apiKey] = [value('BASE_URL'), value('API_KEY')];
	const region = baseUrl === '' ? value('REGION').toLowerCase() : 'custom';
	const appId = value('APP_ID');
	const fields = { region, appId, customAppId: appId, baseUrl, apiKey };
	const account = readAccount(fields);
	const site = flags.site === undefined ? undefined : readAddress(flags.site);
	const issues = [account, site].flatMap((value) =>
		// By its shape: this file and those it imports have not the same class.
		typeof value === 'object' && 'what' in value
			? `${value.what.replace("'Address'", '--site')}. ${value.remedy}`
			: [],
	);
	if ('apiKey' in account && typeof site !== 'object' && apiKey !== '') {
		const filesMayBeMade = flags['files-may-be-made'];
		const crawlTwice = flags['crawl-twice'];
		await probe({ fields, account, filesMayBeMade, site, crawlTwice }, json);
		return;
	}
	const why = apiKey === '' ? 'there is no COMETCHAT_API_KEY in the environment' : issues[0];
	// The first words are for everybody who might take this for a pass.
	if (json) console.log(JSON.stringify({ probe: 'not run', why, how: HOW_TO_RUN }, null, '\t'));
	else console.log(`not run: ${why}\n\n${HOW_TO_RUN}`);
	process.exitCode = apiKey === '' ? 0 : 1;
}

async function probe(settings: Settings, json: boolean): Promise<void> {
	const redaction = new Redaction(settings.account);
	const write = (text: string) => console.log(redaction.text(text));
	// A folder of its own for each run: an answer from before is never lost.
	const folder = join('probe-answers', new Date().toISOString().replace(/[:.]/g, '-'));
	let answers = `The answers are saved in ${folder}.`;
	let interruptedAtMs: number | undefined;
	const asked = new Probe(settings, {
		send: async (request: HttpRequest) => await sendOnce(request, request.timeoutMs ?? TIMEOUT_MS),
		pause: async (waitMs: number) => await pause(waitMs),
		nowMs: () => Date.now(),
		newId: () => randomUUID(),
		print: json ? () => undefined : write,
		/** Never throws: what cannot be saved must not keep the probe from going on. */
		save(fileName: string, text: string): void {
			try {
				mkdirSync(folder, { recursive: true });
				writeFileSync(join(folder, fileName), text);
			} catch (error) {
				answers = `The answers could not be saved: ${error instanceof Error ? error.message : error}.`;
			}
		},
		isInterrupted: () => interruptedAtMs !== undefined,
	});
	const interrupt = () => {
		if (interruptedAtMs === undefined) {
			interruptedAtMs = Date.now();
			const what = 'everything that was made is deleted first. Ctrl-C again leaves at once.';
			console.error(`\nStopping: ${what}`);
		} else if (Date.now() - interruptedAtMs > SAME_SIGNAL_MS) {
			for (const line of asked.throwaways.left()) console.error(redaction.text(line));
			process.exit(2);
		}
	};
	for (const signal of SIGNALS) process.on(signal, interrupt);
	const report = await runProbe(asked);
	if (json) write(JSON.stringify({ probe: 'run', ...report, answers }, null, '\t'));
	else for (const line of [...summaryLines(report), answers]) write(line);
	process.exitCode = exitCodeOf(report);
	for (const signal of SIGNALS) process.off(signal, interrupt);
}

// A reader that has gone away (`| head`) must not keep the probe from deleting what it has made.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

await main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : 'The probe failed.');
	process.exitCode = 1;
});
