/** Plays the random executions: `npm run test:model -- --help`. */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

const HELP = `Plays random weeks of all operations, and random nights of Sync Folder, against the stand-in.

  npm run test:model -- [--of NAME] [--runs 500] [--seed 123] [--path 1:2:3] [--list]

  --of     only one operation, such as website.crawl; sync for the nights
  --runs   how many stories of each operation, or of nights; many more than npm test if left out
  --seed   the first one; others each time if left out (npm test: always the same)
  --path   of the nights: one run only, as a failure names it
  --list   does not stop at what breaks, but lists by promise which seeds break it

Prints the seed first. A failure prints the simplest run that fails, and how to repeat it.
`;

/** The factor of executions compared to `npm test`: about a minute on two cores. */
const TIMES = { weeks: 2, nights: 6 };

const { values } = parseArgs({
	options: {
		runs: { type: 'string' },
		seed: { type: 'string' },
		path: { type: 'string' },
		of: { type: 'string' },
		list: { type: 'boolean' },
		help: { type: 'boolean', default: false },
	},
});

if (values.help) {
	process.stdout.write(HELP);
} else {
	const { path, of, list } = values;
	const runs = values.runs === undefined ? undefined : wholeNumber(values.runs, '--runs');
	const seed = values.seed === undefined ? randomInt(2 ** 31) : wholeNumber(values.seed, '--seed');
	const again = Object.entries({ of, runs, seed, path }).flatMap(([name, value]) =>
		value === undefined ? [] : [`--${name} ${value}`],
	);
	process.stdout.write(`Again: npm run test:model -- ${again.join(' ')}\n`);
	const model = JSON.stringify({ MODEL: { times: TIMES, runs, seed, path, of, list } });
	const suites = { every: 'test/model', sync: 'test/model/nights', other: 'test/model/weeks' };
	const suite = suites[of === undefined ? 'every' : of === 'sync' ? 'sync' : 'other'];
	const { status } = spawnSync('npx', ['jest', suite, '--globals', model], {
		stdio: 'inherit',
	});
	process.exitCode = status ?? 1;
}

function wholeNumber(text: string, name: string): number {
	if (/^-?\d+$/.test(text)) return Number(text);
	process.stderr.write(`${name} is no whole number.\n\n${HELP}`);
	process.exit(2);
}
