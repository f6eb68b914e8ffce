import { existsSync, readFileSync } from 'node:fs';

interface Place {
	line: number;
	column: number;
}

export interface Mutant {
	status: string;
	replacement: string;
	location: { start: Place; end: Place };
}

/** As Stryker writes it. Lines and columns begin at 1. */
export interface Report {
	files: Record<string, { source: string; mutants: Mutant[] }>;
}

/** By reason, then by file. */
type Named = Record<string, Record<string, string[]>>;

const NODE = 'nodes/CometChatKnowledgeBase/';

const ARROW = '  =>  ';

/**
 * Compares what survived with `named.json`: the mutants that no test can or need notice, by reason and file,
 * each as the line before and after.
 */
export function compareWithNamed({ files }: Report): void {
	const survivors = new Set(
		Object.entries(files).flatMap(([file, { source, mutants }]) =>
			mutants
				.filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
				.map((mutant) => `${file.replace(NODE, '')}: ${shown(source, mutant)}`),
		),
	);
	const broken = Object.keys(files).map((file) => file.replace(NODE, ''));
	const reasons: Named = JSON.parse(readFileSync(new URL('named.json', import.meta.url), 'utf8'));
	const named = new Set(
		Object.values(reasons).flatMap((byFile) =>
			Object.entries(byFile)
				.filter(([file]) => broken.includes(file))
				.flatMap(([file, mutants]) => mutants.map((one) => `${file}: ${one}`)),
		),
	);
	const stale = staleOf(reasons);
	const unnamed = [...survivors].filter((one) => !named.has(one));
	const gone = [...named].filter((one) => !survivors.has(one));
	for (const one of unnamed) console.log(`✗ survived, and is not in named.json: ${one}`);
	for (const one of gone) console.log(`✗ is in named.json, and did not survive: ${one}`);
	for (const one of stale) console.log(`✗ is in named.json, and its code is not there: ${one}`);
	if (unnamed.length + gone.length + stale.length === 0)
		console.log(`✓ all ${named.size} survivors are named`);
	else process.exitCode = 1;
}

/** Of those in `named.json`, also of files that were not broken, the ones whose lines have changed. */
function staleOf(reasons: Named): string[] {
	return Object.values(reasons).flatMap((byFile) =>
		Object.entries(byFile).flatMap(([file, mutants]) => {
			const path = `${NODE}${file}`;
			const source = existsSync(path) ? inOneLine(readFileSync(path, 'utf8')) : '';
			return mutants
				.filter((one) => !source.includes(one.split(ARROW)[0] ?? ''))
				.map((one) => `${file}: ${one}`);
		}),
	);
}

/** Its line, or lines, before and after. */
export function shown(source: string, { location: { start, end }, replacement }: Mutant): string {
	const lines = source.split('\n').slice(start.line - 1, end.line);
	const before = (lines[0] ?? '').slice(0, start.column - 1);
	const after = (lines.at(-1) ?? '').slice(end.column - 1);
	return [lines.join(' '), `${before}${replacement}${after}`].map(inOneLine).join(ARROW);
}

function inOneLine(text: string): string {
	return text.replace(/\s+/g, ' ').trim();
}
