import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import axios from 'axios';

import { withoutKey } from '../../nodes/CometChatKnowledgeBase/account/account.js';
import { throughAxios } from './client.js';
import { HOW_TO_RUN, NO_KEY, readGiven, type Given } from './given.js';
import { runProbe } from './probe.js';
import { exitCodeOf, notRunLines, summaryLines } from './report.js';
import { Undo } from './undo.js';

const TIMEOUT_MS = 15_000;

/** npm and tsx pass on a Ctrl-C that the terminal has sent to this process already. */
const SAME_SIGNAL_MS = 2000;

function readFlags() {
	return parseArgs({
		options: {
			json: { type: 'boolean', default: false },
			'agent-may-change': { type: 'boolean', default: false },
			'files-may-be-made': { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	}).values;
}

async function main(): Promise<void> {
	const {
		json,
		help,
		'agent-may-change': agentMayChange,
		'files-may-be-made': filesMayBeMade,
	} = readFlags();
	if (help) {
		console.log(HOW_TO_RUN);
		return;
	}
	const given = readGiven(process.env, { agentMayChange, filesMayBeMade });
	if (given === NO_KEY) {
		notRun('there is no COMETCHAT_API_KEY in the environment', json);
	} else if ('what' in given) {
		// Not `instanceof`: tsx gives this program another copy of that class than given.ts has.
		notRun(`${given.what}. ${given.remedy}`, json);
		process.exitCode = 1;
	} else {
		await probe(given, json);
	}
}

function notRun(why: string, json: boolean): void {
	if (json) console.log(JSON.stringify({ probe: 'not run', why, how: HOW_TO_RUN }, null, '\t'));
	else for (const line of notRunLines(why)) console.log(line);
}

async function probe(given: Given, json: boolean): Promise<void> {
	const write = (text: string) => console.log(withoutKey(text, given.account));
	const undo = new Undo();
	let interruptedAtMs: number | undefined;
	const interrupt = () => {
		if (interruptedAtMs === undefined) {
			interruptedAtMs = Date.now();
			console.error('\nStopping: everything is put back first. Ctrl-C again leaves at once.');
		} else if (Date.now() - interruptedAtMs > SAME_SIGNAL_MS) {
			for (const sentence of undo.left()) console.error(withoutKey(sentence, given.account));
			process.exit(2);
		}
	};
	const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
	for (const signal of signals) process.on(signal, interrupt);

	const around = {
		send: throughAxios(axios),
		pause: async (waitMs: number) => {
			await pause(waitMs);
		},
		nowMs: () => Date.now(),
		newId: () => randomUUID(),
		print: json ? () => undefined : write,
		isInterrupted: () => interruptedAtMs !== undefined,
		timeoutMs: TIMEOUT_MS,
	};
	try {
		const report = await runProbe(given, around, undo);
		if (json) write(JSON.stringify({ probe: 'run', ...report }, null, '\t'));
		else for (const line of summaryLines(report)) write(line);
		process.exitCode = exitCodeOf(report);
	} finally {
		for (const signal of signals) process.off(signal, interrupt);
	}
}

// A reader that has gone away (`| head`) must not keep the probe from putting everything back.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

await main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : 'The probe failed.');
	process.exitCode = 1;
});
