/** Runs the fault model: `npm run test:model -- --help`. */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

const HELP = `Plays random runs of the node against the stand-in and checks what docs/ promises.

  npm run test:model -- [--of NAME] [--runs 500] [--seed 123] [--path 1:2:3]

  --of     only one operation, as its description in test/model names it
  --runs   how many of each operation; three times those of npm test if left out
  --seed   which ones; others each time if left out (npm test: always the same)
  --path   one run only, as a failure names it, with its name and seed

Prints the seed first. A failure prints the simplest run that fails, and how to repeat it.
`;

/** How many times the runs of `npm test` are played. */
const TIMES = 3;

const { values } = parseArgs({
	options: {
		runs: { type: 'string' },
		seed: { type: 'string' },
		path: { type: 'string' },
		of: { type: 'string' },
		help: { type: 'boolean', default: false },
	},
});

if (values.help) {
	process.stdout.write(HELP);
} else {
	const { path, of } = values;
	const runs = values.runs === undefined ? undefined : wholeNumber(values.runs, '--runs');
	const seed = values.seed === undefined ? randomInt(2 ** 31) : wholeNumber(values.seed, '--seed');
	if (path !== undefined && of === undefined) refuse('--path needs --of: which runs it is one of.');
	const again = Object.entries({ of, runs, seed, path }).flatMap(([name, value]) =>
		value === undefined ? [] : [`--${name} ${value}`],
	);
	process.stdout.write(`Again: npm run test:model -- ${again.join(' ')}\n`);
	const model = JSON.stringify({ MODEL: { times: TIMES, runs, seed, path, of } });
	const { status } = spawnSync('npx', ['jest', 'test/model', '--globals', model], {
		stdio: 'inherit',
	});
	process.exitCode = status ?? 1;
}

function wholeNumber(text: string, name: string): number {
	if (/^-?\d+$/.test(text)) return Number(text);
	return refuse(`${name} is no whole number.`);
}

function refuse(why: string): never {
	process.stderr.write(`${why}\n\n${HELP}`);
	process.exit(2);
}
