import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { installN8n } from '../test/n8n/install.mjs';
import { buildAndPack } from '../test/n8n/pack.mjs';
import { showProgress } from '../test/n8n/progress.mjs';
import { CASES } from './cases.mjs';
import { prepareUserFolder, read, type Reading } from './reading.mjs';
import { inOneLine, renderTable, rowsOf } from './table.mjs';

const HELP = `Measures the node in a real n8n, against n8n's own HTTP Request node.

  npm run bench -- [flags]

  --pairs <number>     How often each contestant runs, taking turns (3)
  --only <case,…>      Only these cases; prints the table and writes no file
  --help               This text

Cases: ${CASES.map(({ name }) => name).join(', ')}
`;

const { values: flags } = parseArgs({
	options: {
		pairs: { type: 'string', default: '3' },
		only: { type: 'string' },
		help: { type: 'boolean', default: false },
	},
});
if (flags.help) console.log(HELP);
else await bench(Number(flags.pairs), flags.only?.split(','));

/** @param only The names of the cases; left out: all cases, whose results replace the old ones. */
async function bench(pairs: number, only?: string[]): Promise<void> {
	const cases = CASES.filter(({ name }) => only === undefined || only.includes(name));
	if (!(pairs >= 1) || (only !== undefined && cases.length !== only.length)) throw new Error(HELP);
	await prepareUserFolder(await buildAndPack());
	const readings: Reading[] = [];
	for (const benchCase of cases) {
		const count = Math.min(pairs, benchCase.mostPairs ?? pairs);
		const contestants = benchCase.isAlone
			? (['ours'] as const)
			: (['ours', 'httpRequest'] as const);
		for (let pair = 1; pair <= count; pair++) {
			for (const node of contestants) {
				const step = `${benchCase.name}, ${pair} of ${count}, ${node}`;
				// A failed reading does not stop the others.
				try {
					readings.push(await showProgress(step, async () => await read(node, benchCase)));
				} catch (error) {
					console.error(`✗ ${step}:`, error);
					process.exitCode = 1;
				}
			}
		}
		// Printed now, so that a stopped bench has shown its readings.
		console.log(rowsOf([benchCase], readings).map(inOneLine).join(''));
	}
	const rows = rowsOf(cases, readings);
	const filepath = join(import.meta.dirname, 'results.md');
	// In the format that `npm run lint` requires.
	const style = { ...(await resolveConfig(filepath)), filepath };
	const table = await format(renderTable(rows, pairs, await machineFacts()), style);
	console.log(`\n${table}`);
	if (only === undefined) writeFileSync(filepath, table);
	if (rows.some(({ isMissed }) => isMissed)) process.exitCode = 1;
}

/** Returns the facts about the machine that readers need, without its name. */
async function machineFacts(): Promise<string> {
	const { node, version } = await installN8n();
	const nodeVersion = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
	const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}`;
	const gigabytes = Math.round(totalmem() / 2 ** 30);
	const date = new Date().toISOString().slice(0, 10);
	return `${date}, n8n ${version}, Node.js ${nodeVersion}, ${machine}, ${gigabytes} GB, ${process.platform}-${process.arch}.`;
}
