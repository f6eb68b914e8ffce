/** Runs the model: `npm run test:model -- --help`. */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

const HELP = `Plays random runs of the node against the stand-in and checks what docs/ promises.

  npm run test:model -- [--runs 5000] [--of NAME] [--seed fresh | 123] [--path 1:2:3]

  --runs   how many; 5000 if left out (npm test: 2000). Those of 'model'; of the others, which take
           longer, 'documents' has half as many, 'replacing' three tenths
  --of     only 'model' (adding and removing files), 'documents' (uploading, writing, listing,
           deleting) or 'replacing'; all three if left out
  --seed   which ones; 'fresh', the default, for others each time (npm test: always the same)
  --path   one run only, as a failure names it, with its name and seed

A failure prints the simplest run that fails, and how to repeat it.
`;

const NAMES = ['model', 'documents', 'replacing'];

const { values } = parseArgs({
	options: {
		runs: { type: 'string', default: '5000' },
		seed: { type: 'string', default: 'fresh' },
		path: { type: 'string' },
		of: { type: 'string' },
		help: { type: 'boolean', default: false },
	},
});

if (values.help) {
	process.stdout.write(HELP);
} else {
	const runs = wholeNumber(values.runs, '--runs');
	const seed = values.seed === 'fresh' ? randomInt(2 ** 31) : wholeNumber(values.seed, '--seed');
	const { path, of } = values;
	if (of !== undefined && !NAMES.includes(of)) refuse(`--of is none of ${NAMES.join(', ')}.`);
	if (path !== undefined && of === undefined) refuse('--path needs --of: which runs it is one of.');
	const model = JSON.stringify({ MODEL: { runs, seed, path, of } });
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
