import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import type { Account } from '../../nodes/CometChatKnowledgeBase/http/account.js';
import { readAccount } from '../../nodes/CometChatKnowledgeBase/http/account.js';
import { Client, sendOnce } from './client.js';
import { page } from './questions.js';
import { exitCodeOf, runProbe, summaryLines } from './run.js';

const HOW_TO_RUN = `Put the values of your own app into the environment:

  COMETCHAT_APP_ID=…  COMETCHAT_REGION=us|eu|in  COMETCHAT_API_KEY=…  npm run probe

  COMETCHAT_BASE_URL=…  instead of the region: the URL of a dedicated deployment
  npm run probe -- --yes             creates its own documents without asking you
  npm run probe -- --site https://…  also crawls this page, of a website that is new to your account`;

const WHAT_IS_MADE = `May the probe create an agent, a few tiny files, a text entry and a user named
n8n-probe-…-safe-to-delete, and let the user ask the agent a question? The probe deletes them again.
It only lists your own agents, documents and users. (y/N) `;

async function isAllowed(): Promise<boolean> {
	if (!process.stdin.isTTY) return false;
	const terminal = createInterface({ input: process.stdin, output: process.stdout });
	const answer = await terminal.question(WHAT_IS_MADE);
	terminal.close();
	return /^y(?:es)?$/i.test(answer.trim());
}

function readOrRefusal(fields: Record<string, string>): Account | Error {
	try {
		return readAccount(fields);
	} catch (thrown) {
		return thrown instanceof Error ? thrown : new Error(String(thrown));
	}
}

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: { page: { type: 'boolean' }, yes: { type: 'boolean' }, site: { type: 'string' } },
	});
	const table = readFileSync('test/probe/questions.txt', 'utf8');
	if (values.page) return writeFileSync('docs/not-verified.md', page(table));
	const value = (name: string) => process.env[`COMETCHAT_${name}`] ?? '';
	const [baseUrl, apiKey, appId] = [value('BASE_URL'), value('API_KEY'), value('APP_ID')];
	const region = baseUrl === '' ? value('REGION') : 'custom';
	const account = readOrRefusal({ region, appId, customAppId: appId, baseUrl, apiKey });
	const isSite = /^https?:\/\/[^?#]+$/.test(values.site ?? 'https://none');
	if (account instanceof Error || !isSite) {
		const why = account instanceof Error ? account.message : '--site is a URL without ? and #';
		console.log(
			`not run: ${apiKey === '' ? 'COMETCHAT_API_KEY is not set' : why}\n\n${HOW_TO_RUN}`,
		);
		process.exitCode = apiKey === '' ? 0 : 1;
		return;
	}
	let isStopped = false;
	const stop = () => {
		isStopped = true;
		console.error('\nStopping. First, the probe deletes everything that it created.');
	};
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
	const client = new Client(account, {
		send: sendOnce,
		pause,
		print: (line) => console.log(line),
		isStopped: () => isStopped,
	});
	const mayMake = values.yes ?? (await isAllowed());
	const mark = randomUUID().slice(0, 8);
	const report = await runProbe(client, table, mark, mayMake, values.site);
	for (const line of summaryLines(report)) console.log(line);
	process.exitCode = exitCodeOf(report);
}

// If the reader of the output ends (`| head`), the probe must still delete its documents.
process.stdout.on('error', () => undefined);

await main();
