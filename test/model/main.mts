/** Runs the model: `npm run test:model -- --help`. */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

const HELP = `Plays random runs of the node against the stand-in and checks what the README promises.

  npm run test:model -- [--runs 5000] [--seed fresh | 123] [--path 1:2:3]

  --runs   how many; 5000 if left out (npm test: 2000)
  --seed   which ones; 'fresh', the default, for others each time (npm test: always the same)
  --path   one run only, as a failure names it, with its seed

A failure prints the simplest run that fails, and how to repeat it.
`;

const { values } = parseArgs({
	options: {
		runs: { type: 'string', default: '5000' },
		seed: { type: 'string', default: 'fresh' },
		path: { type: 'string' },
		help: { type: 'boolean', default: false },
	},
});

if (values.help) {
	process.stdout.write(HELP);
} else {
	const runs = wholeNumber(values.runs, '--runs');
	const seed = values.seed === 'fresh' ? randomInt(2 ** 31) : wholeNumber(values.seed, '--seed');
	const model = JSON.stringify({ MODEL: { runs, seed, path: values.path } });
	const { status } = spawnSync('npx', ['jest', 'test/model', '--globals', model], {
		stdio: 'inherit',
	});
	process.exitCode = status ?? 1;
}

function wholeNumber(text: string, name: string): number {
	if (/^-?\d+$/.test(text)) return Number(text);
	process.stderr.write(`${name} is no whole number.\n\n${HELP}`);
	process.exit(2);
}
