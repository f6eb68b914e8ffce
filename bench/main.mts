import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { installN8n, REPOSITORY } from '../test/n8n/install.mjs';
import { buildAndPack } from '../test/n8n/pack.mjs';
import { showProgress } from '../test/n8n/progress.mjs';
import { CASES, type BenchCase } from './cases.mjs';
import { drawChart } from './chart.mjs';
import { readFloor } from './floor.mjs';
import { machineFacts } from './machine.mjs';
import { prepareUserFolder, type Prepared } from './prepared.mjs';
import { readInN8n, type Reading } from './reading.mjs';
import { summarize } from './summary.mjs';
import { renderTable } from './table.mjs';

const HELP = `Measures the node in a real n8n, against n8n's own HTTP Request node and a bare axios loop.

  npm run bench -- [flags]

  --pairs <number>     How often each contestant runs, taking turns (3)
  --only <case,…>      Only these cases; prints the table and writes no files
  --help               This text

Cases: ${CASES.map(({ name }) => name).join(', ')}
`;

function readFlags() {
	const { values } = parseArgs({
		options: {
			pairs: { type: 'string', default: '3' },
			only: { type: 'string' },
			help: { type: 'boolean', default: false },
		},
	});
	const pairs = Number(values.pairs);
	if (!Number.isInteger(pairs) || pairs < 1) {
		throw new Error(`--pairs takes a whole number from 1, not "${values.pairs}".`);
	}
	return { ...values, pairs };
}

async function bench(): Promise<void> {
	const flags = readFlags();
	if (flags.help) {
		console.log(HELP);
		return;
	}
	const cases = casesNamed(flags.only);
	const prepared = await prepareUserFolder(await buildAndPack());
	await measure(cases, flags.pairs, prepared, flags.only === undefined);
}

function casesNamed(only: string | undefined): BenchCase[] {
	if (only === undefined) return CASES;
	return only.split(',').map((name) => {
		const found = CASES.find((each) => each.name === name);
		if (found === undefined) throw new Error(`There is no case ${name}.`);
		return found;
	});
}

/** @param isWhole Whether these are all cases, so that their results are the new ones. */
async function measure(
	cases: BenchCase[],
	pairs: number,
	prepared: Prepared,
	isWhole: boolean,
): Promise<void> {
	const readings: Reading[] = [];
	const wrong: string[] = [];
	for (const benchCase of cases) {
		const count = Math.min(pairs, benchCase.mostPairs ?? pairs);
		for (let pair = 1; pair <= count; pair++) {
			for (const node of ['ours', ...benchCase.beside] as const) {
				const step = `${benchCase.name}, ${pair} of ${count}, ${node}`;
				// A reading that could not be taken does not keep the others from being.
				try {
					const reading = await showProgress(step, () => read(node, benchCase, pair, prepared));
					readings.push(reading);
					console.log(`    ${inWords(reading)}`);
					if (reading.mismatch !== undefined) wrong.push(`${step}: ${reading.mismatch}`);
				} catch (error) {
					wrong.push(`${step}: ${error instanceof Error ? error.message : String(error)}`);
				}
			}
		}
	}
	const facts = await machineFacts();
	const summary = summarize(cases, readings);
	const table = await formatted('results.md', renderTable(summary, facts, pairs));
	console.log(`\n${table}`);
	if (isWhole) {
		const results = await formatted('results.json', JSON.stringify({ ...facts, pairs, readings }));
		writeFileSync(join(import.meta.dirname, 'results.json'), results);
		writeFileSync(join(import.meta.dirname, 'results.md'), table);
		writeFileSync(join(REPOSITORY, 'docs/bench.svg'), drawChart(summary));
	}
	for (const words of wrong) console.error(`✗ Left out of the medians: ${words}`);
	const missed = summary.filter(({ reached }) => reached === false);
	for (const { name, target } of missed) console.error(`✗ Not reached: ${name}, ${target}`);
	if (wrong.length > 0 || missed.length > 0) process.exitCode = 1;
}

function inWords(reading: Reading): string {
	const { seconds, ownSeconds, startBytes, peakBytes, requests, mostUploadsAtOnce } = reading;
	const own = ownSeconds === undefined ? '' : ` (the node ${ownSeconds.toFixed(2)} s)`;
	const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
	const memory = `${megabytes(peakBytes)} (+${megabytes(peakBytes - startBytes)})`;
	const uploads = mostUploadsAtOnce ? `, ${mostUploadsAtOnce} uploads at once` : '';
	return `${seconds.toFixed(2)} s${own}, ${memory}, ${requests} requests${uploads}`;
}

/** As `npm run lint` wants to find it. */
async function formatted(name: string, text: string): Promise<string> {
	const filepath = join(import.meta.dirname, name);
	return await format(text, { ...(await resolveConfig(filepath)), filepath });
}

async function read(
	node: 'ours' | BenchCase['beside'][number],
	benchCase: BenchCase,
	pair: number,
	prepared: Prepared,
): Promise<Reading> {
	return node === 'axios'
		? await readFloor(benchCase, pair, await installN8n())
		: await readInN8n(node, benchCase, pair, prepared);
}

await bench().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
