import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { withoutKey } from '../../nodes/CometChatKnowledgeBase/account/account.js';
import type { Settings } from './client.js';
import { sendOnce } from './http.js';
import { exitCodeOf, notRunLines, summaryLines } from './report.js';
import { runProbe } from './run.js';
import { HOW_TO_RUN, NO_KEY, readSettings } from './settings.js';
import { Throwaways } from './throwaways.js';

const TIMEOUT_MS = 15_000;

/** npm and tsx pass on a Ctrl-C that the terminal has sent to this process already. */
const SAME_SIGNAL_MS = 2000;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

async function main(): Promise<void> {
	const { help, json, ...flags } = parseArgs({
		options: {
			json: { type: 'boolean', default: false },
			'files-may-be-made': { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	}).values;
	if (help) {
		console.log(HOW_TO_RUN);
		return;
	}
	const settings = readSettings(process.env, flags['files-may-be-made']);
	if (typeof settings === 'object' && 'account' in settings) {
		await probe(settings, json);
		return;
	}
	const isWithoutKey = settings === NO_KEY;
	// Not `instanceof`: tsx gives this program another copy of that class than settings.ts has.
	const why =
		typeof settings === 'object'
			? `${settings.what}. ${settings.remedy}`
			: 'there is no COMETCHAT_API_KEY in the environment';
	if (json) console.log(JSON.stringify({ probe: 'not run', why, how: HOW_TO_RUN }, null, '\t'));
	else for (const line of notRunLines(why)) console.log(line);
	process.exitCode = isWithoutKey ? 0 : 1;
}

/** A folder of its own for each run: an answer from before is never lost. */
function answersFolder() {
	const folder = join('probe-answers', new Date().toISOString().replace(/[:.]/g, '-'));
	let failure: string | undefined;
	return {
		/** Never throws: what can not be saved must not keep the probe from going on. */
		save(fileName: string, text: string): void {
			try {
				mkdirSync(folder, { recursive: true });
				writeFileSync(join(folder, fileName), text);
			} catch (error) {
				failure ??= error instanceof Error ? error.message : String(error);
			}
		},
		where: () =>
			failure === undefined
				? `The answers are saved in ${folder}.`
				: `The answers could not be saved: ${failure}.`,
	};
}

async function probe(settings: Settings, json: boolean): Promise<void> {
	const write = (text: string) => console.log(withoutKey(text, settings.account));
	const throwaways = new Throwaways();
	const { save, where } = answersFolder();
	let interruptedAtMs: number | undefined;
	const interrupt = () => {
		if (interruptedAtMs === undefined) {
			interruptedAtMs = Date.now();
			const what = 'everything that was made is deleted first. Ctrl-C again leaves at once.';
			console.error(`\nStopping: ${what}`);
		} else if (Date.now() - interruptedAtMs > SAME_SIGNAL_MS) {
			for (const line of throwaways.left()) console.error(withoutKey(line, settings.account));
			process.exit(2);
		}
	};
	for (const signal of SIGNALS) process.on(signal, interrupt);

	const machine = {
		send: sendOnce,
		pause: async (waitMs: number) => await pause(waitMs),
		nowMs: () => Date.now(),
		newId: () => randomUUID(),
		print: json ? () => undefined : write,
		save,
		isInterrupted: () => interruptedAtMs !== undefined,
		timeoutMs: TIMEOUT_MS,
	};
	const report = await runProbe(settings, machine, throwaways);
	if (json) write(JSON.stringify({ probe: 'run', ...report, answers: where() }, null, '\t'));
	else for (const line of [...summaryLines(report), where()]) write(line);
	process.exitCode = exitCodeOf(report);
	for (const signal of SIGNALS) process.off(signal, interrupt);
}

// A reader that has gone away (`| head`) must not keep the probe from deleting what it has made.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

await main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : 'The probe failed.');
	process.exitCode = 1;
});
