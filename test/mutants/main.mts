/**
 * Runs Stryker, then compares what survived with `named.json`: the mutants that no test can or need notice,
 * by reason and file, each as the line before and after.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Place {
	line: number;
	column: number;
}

interface Mutant {
	status: string;
	replacement: string;
	location: { start: Place; end: Place };
}

interface Report {
	files: Record<string, { source: string; mutants: Mutant[] }>;
}

/** By reason, then by file. */
type Named = Record<string, Record<string, string[]>>;

const NODE = 'nodes/CometChatKnowledgeBase/';

const [first = '', ...others] = process.argv.slice(2);
if (first !== '--named') {
	// Outside of the repository: what a run that is killed leaves behind would be linted.
	const folder = ['--tempDirName', join(tmpdir(), 'cometchat-mutants')];
	const args = ['stryker', 'run', 'test/mutants/stryker.json', ...folder, first, ...others];
	const { status } = spawnSync('npx', args.filter(Boolean), { stdio: 'inherit' });
	if (status !== 0) process.exit(status ?? 1);
}

const { files }: Report = JSON.parse(readFileSync('reports/mutants.json', 'utf8'));
const survivors = new Set(
	Object.entries(files).flatMap(([file, { source, mutants }]) =>
		mutants
			.filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
			.map((mutant) => `${file.replace(NODE, '')}: ${shown(source, mutant)}`),
	),
);

const reasons: Named = JSON.parse(readFileSync(new URL('named.json', import.meta.url), 'utf8'));
const named = new Set(
	Object.values(reasons).flatMap((byFile) =>
		Object.entries(byFile).flatMap(([file, mutants]) => mutants.map((one) => `${file}: ${one}`)),
	),
);

const unnamed = [...survivors].filter((one) => !named.has(one));
const gone = [...named].filter((one) => !survivors.has(one));
for (const one of unnamed) console.log(`✗ survived, and is not in named.json: ${one}`);
for (const one of gone) console.log(`✗ is in named.json, and did not survive: ${one}`);
if (unnamed.length + gone.length === 0) console.log(`✓ all ${named.size} survivors are named`);
else process.exitCode = 1;

/** Its line, or lines, before and after. */
function shown(source: string, { location: { start, end }, replacement }: Mutant): string {
	const lines = source.split('\n').slice(start.line - 1, end.line);
	const before = (lines[0] ?? '').slice(0, start.column - 1);
	const after = (lines.at(-1) ?? '').slice(end.column - 1);
	return [lines.join(' '), `${before}${replacement}${after}`]
		.map((text) => text.replace(/\s+/g, ' ').trim())
		.join('  =>  ');
}
