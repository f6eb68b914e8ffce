import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import axios from 'axios';

import { withoutKey } from '../../nodes/CometChatKnowledgeBase/account/account.js';
import { throughAxios } from './http.js';
import { runProbe } from './probe.js';
import { exitCodeOf, notRunLines, summaryLines } from './report.js';
import { HOW_TO_RUN, NO_KEY, readSettings, type Settings } from './settings.js';
import { Throwaways } from './throwaways.js';

const TIMEOUT_MS = 15_000;

/** npm and tsx pass on a Ctrl-C that the terminal has sent to this process already. */
const SAME_SIGNAL_MS = 2000;

function readFlags() {
	return parseArgs({
		options: {
			json: { type: 'boolean', default: false },
			'files-may-be-made': { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	}).values;
}

async function main(): Promise<void> {
	const { json, help, 'files-may-be-made': filesMayBeMade } = readFlags();
	if (help) {
		console.log(HOW_TO_RUN);
		return;
	}
	const settings = readSettings(process.env, filesMayBeMade);
	if (settings === NO_KEY) {
		notRun('there is no COMETCHAT_API_KEY in the environment', json);
	} else if ('what' in settings) {
		// Not `instanceof`: tsx gives this program another copy of that class than settings.ts has.
		notRun(`${settings.what}. ${settings.remedy}`, json);
		process.exitCode = 1;
	} else {
		await probe(settings, json);
	}
}

function notRun(why: string, json: boolean): void {
	if (json) console.log(JSON.stringify({ probe: 'not run', why, how: HOW_TO_RUN }, null, '\t'));
	else for (const line of notRunLines(why)) console.log(line);
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
	const answers = answersFolder();
	let interruptedAtMs: number | undefined;
	const interrupt = () => {
		if (interruptedAtMs === undefined) {
			interruptedAtMs = Date.now();
			console.error(
				'\nStopping: everything that was made is deleted first. Ctrl-C again leaves at once.',
			);
		} else if (Date.now() - interruptedAtMs > SAME_SIGNAL_MS) {
			for (const sentence of throwaways.left())
				console.error(withoutKey(sentence, settings.account));
			process.exit(2);
		}
	};
	const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
	for (const signal of signals) process.on(signal, interrupt);

	const machine = {
		send: throughAxios(axios),
		pause: async (waitMs: number) => {
			await pause(waitMs);
		},
		nowMs: () => Date.now(),
		newId: () => randomUUID(),
		print: json ? () => undefined : write,
		save: answers.save,
		isInterrupted: () => interruptedAtMs !== undefined,
		timeoutMs: TIMEOUT_MS,
	};
	try {
		const report = await runProbe(settings, machine, throwaways);
		if (json)
			write(JSON.stringify({ probe: 'run', ...report, answers: answers.where() }, null, '\t'));
		else for (const line of [...summaryLines(report), answers.where()]) write(line);
		process.exitCode = exitCodeOf(report);
	} finally {
		for (const signal of signals) process.off(signal, interrupt);
	}
}

// A reader that has gone away (`| head`) must not keep the probe from deleting what it has made.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

await main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : 'The probe failed.');
	process.exitCode = 1;
});
