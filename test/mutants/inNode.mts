import { spawn } from 'node:child_process';
import {
	appendFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import type { Mutant as MadeMutant } from '@stryker-mutator/api/core';
import { Instrumenter } from '@stryker-mutator/instrumenter';

import { Compiler } from './compiler.mts';
import { type Mutant, type Report, shown } from './named.mts';

/** Which tests are to notice what is broken in which files, those first that are about it; as parts of their paths. */
const SUBJECTS = [
	{
		folder: 'resources/knowledgeBase/sync',
		files: ['goneRule', 'executionEnd'],
		tests: ['rules/resources/(goneRule|executionEnd)', 'node/knowledgeBase/goneFiles'],
	},
	{
		folder: 'resources/knowledgeBase/sync',
		files: ['syncDecision', 'syncNote'],
		tests: ['rules/resources/sync', 'node/knowledgeBase/sync'],
	},
	{
		folder: 'resources/knowledgeBase/sync',
		files: ['absentFiles'],
		tests: ['rules/resources/absentFiles', 'node/knowledgeBase/goneFiles'],
	},
	{
		folder: 'resources/knowledgeBase/sync',
		files: ['goneFiles', 'takingOut', 'folder'],
		tests: ['node/knowledgeBase/goneFiles', 'node/knowledgeBase/(agentLists|syncFiles)'],
	},
	{
		folder: 'resources/knowledgeBase/sync',
		files: ['syncFiles'],
		tests: ['node/knowledgeBase/syncFiles', 'node/knowledgeBase/goneFiles'],
	},
	{
		folder: 'resources/knowledgeBase/sync',
		files: ['syncedFile', 'notedHoldings'],
		tests: ['node/knowledgeBase/sync', 'node/knowledgeBase/(agentLists|goneFiles|large)'],
	},
	{
		folder: 'resources/knowledgeBase',
		files: ['idCheck'],
		tests: ['node/knowledgeBase/(idCheck|changeFiles)'],
	},
	{
		folder: 'resources/knowledgeBase',
		files: ['oldUploads', 'replaceFile'],
		tests: [
			'rules/resources/oldUploads',
			'node/knowledgeBase/(replac|agentLists|large)',
			'node/knowledgeBase/syncFiles',
		],
	},
	{
		folder: 'ingestion',
		files: ['inventory', 'ingestion', 'oldVersions', 'records', 'report', 'wordings'],
		tests: [
			'node/(knowledgeBase/(replac|agentLists|large)|document/(upload|afterUpload)|text/)',
			'node/knowledgeBase/syncFiles',
		],
	},
	{
		folder: 'ingestion',
		files: ['agentChanges'],
		tests: [
			'node/knowledgeBase/(combining|notFound|changeFiles|syncInBundles|replacingSeveral)',
			'node/document/afterUpload',
		],
	},
	{
		folder: 'ingestion',
		files: ['fileUploads'],
		tests: ['node/document/(upload|afterUpload)', 'node/knowledgeBase/replacingFails'],
	},
	{
		folder: 'bundling',
		files: ['splitResult'],
		tests: [
			'rules/bundling/splitResult',
			'node/knowledgeBase/(combining|changeFiles|notFound)',
			'node/document/delete',
		],
	},
	{ folder: 'trigger', files: ['reading'], tests: ['rules/trigger/', 'node/trigger/'] },
	{ folder: '', files: ['poll'], tests: ['node/trigger/'] },
];

/** Words are proven by `docs/messages.md` and the tables; of the other literals the compiler knows what may stand there. */
const EXCLUDED = ['StringLiteral'];

/** Not those of amounts, which take seconds, nor those that need a slow clock. What only they notice survives here. */
const ALL_BUT_SLOW =
	'^(?!.*(130,000 files|In an account of|costs one request for a hundred|cost a logarithm|that is not watched|In a run that stops, all that))';

/** Tests that take longer meet only what no other has noticed. */
const QUICK_MS = 1000;

/** Beyond the time that a test has. */
const GRACE_MS = 30_000;

const REPORT = 'reports/mutants-in-node.json';

interface Line {
	id: string;
	outcome: 'loaded' | 'broken' | 'passed' | 'noticed' | 'hung';
	file?: string;
	test?: string;
}

/** What came of it until now, of all files that there are still. */
export function readReport(): Report {
	if (!existsSync(REPORT)) return { files: {} };
	const { files }: Report = JSON.parse(readFileSync(REPORT, 'utf8'));
	return { files: Object.fromEntries(Object.entries(files).filter(([path]) => existsSync(path))) };
}

/**
 * Breaks what has no table of its own, and looks which tests of the node notice. Stryker makes the mutants; its
 * runner would load n8n's engine anew for each of them.
 *
 * @param parts Of the paths of the files to break; all are if there is none.
 * @param last What it noticed counts as noticed.
 */
export async function breakInNode(parts: string[], last: Report = { files: {} }): Promise<void> {
	const report = readReport();
	for (const { folder, files, tests } of SUBJECTS) {
		const paths = files
			.map((name) => join('nodes/CometChatKnowledgeBase', folder, `${name}.ts`))
			.filter((path) => parts.length === 0 || parts.some((part) => path.includes(part)));
		for (const path of paths) {
			report.files[path] = await broken(path, tests, noticedBefore(last.files[path]));
			mkdirSync('reports', { recursive: true });
			writeFileSync(REPORT, JSON.stringify(report, null, '\t'));
		}
	}
}

/** Of those of one line that read alike, all were. */
function noticedBefore(last: Report['files'][string] | undefined): ReadonlySet<string> {
	const noticed = new Set<string>();
	const survived = new Set<string>();
	for (const mutant of last?.mutants ?? []) {
		const isNoticed = mutant.status === 'Killed' || mutant.status === 'Timeout';
		(isNoticed ? noticed : survived).add(shown(last?.source ?? '', mutant));
	}
	return new Set([...noticed].filter((one) => !survived.has(one)));
}

async function broken(
	path: string,
	tests: string[],
	before: ReadonlySet<string>,
): Promise<Report['files'][string]> {
	const began = Date.now();
	const source = readFileSync(path, 'utf8');
	const { files, mutants: made } = await instrumenter().instrument(
		[{ name: path, mutate: true, content: source }],
		{ plugins: null, excludedMutations: EXCLUDED, ignorers: [] },
	);
	// It makes those that are excluded, too, and says so.
	const mutants = made.filter(({ status }) => status !== 'Ignored');
	const place = mkdtempSync(join(tmpdir(), 'cometchat-mutants-'));
	for (const { name, content } of files) {
		mkdirSync(dirname(join(place, name)), { recursive: true });
		writeFileSync(join(place, name), content);
	}
	const toTry = mutants.filter((one) => {
		const isNoticed = before.has(shown(source, mutantOf(one, [])));
		if (isNoticed) recordNoticed(place, one.id);
		return !isNoticed;
	});
	compileEach(path, source, toTry, place);
	for (const longestMs of [QUICK_MS, Infinity]) {
		for (const pattern of tests) {
			while (await runTests(place, pattern, longestMs))
				console.log(`${path}: one that hung was ended`);
		}
	}
	const lines = linesOf(place);
	for (const { file, test } of lines.filter(({ outcome }) => outcome === 'broken')) {
		console.log(`✗ fails also as it is: ${file}: ${test}`);
		process.exitCode = 1;
	}
	const result = { source, mutants: mutants.map((one) => mutantOf(one, lines)) };
	rmSync(place, { recursive: true });
	const counted = result.mutants.filter(({ status }) => status !== 'Ignored');
	const noticed = counted.filter(({ status }) => ['Killed', 'Timeout'].includes(status));
	const minutes = Math.ceil((Date.now() - began) / 60_000);
	console.log(`${path}: ${noticed.length} of ${counted.length} noticed, ${minutes} min`);
	return result;
}

/** What does not compile is noticed by `npm test`, and needs no other test. */
function compileEach(path: string, source: string, mutants: MadeMutant[], place: string): void {
	const compiler = new Compiler(path);
	for (const { id, location, replacement } of mutants) {
		const [from, to] = [location.start, location.end].map((at) => indexOf(source, at));
		const text = `${source.slice(0, from)}${replacement}${source.slice(to)}`;
		if (compiler.refuses(text)) recordNoticed(place, id);
	}
}

function recordNoticed(place: string, id: string): void {
	appendFileSync(join(place, 'log'), `${JSON.stringify({ id, outcome: 'noticed' })}\n`);
}

function indexOf(text: string, { line, column }: MadeMutant['location']['start']): number {
	const before = text.split('\n').slice(0, line);
	return before.join('\n').length + (line > 0 ? 1 : 0) + column;
}

function instrumenter(): Instrumenter {
	const silent = () => {};
	const off = () => false;
	return new Instrumenter({
		isTraceEnabled: off,
		isDebugEnabled: off,
		isInfoEnabled: off,
		isWarnEnabled: off,
		isErrorEnabled: off,
		isFatalEnabled: off,
		trace: silent,
		debug: silent,
		info: silent,
		warn: silent,
		error: silent,
		fatal: silent,
	});
}

/** @returns Whether it has to go on, since a mutant was ended that blocked its process. */
async function runTests(place: string, tests: string, longestMs: number): Promise<boolean> {
	const args = ['jest', '--config', 'test/mutants/inNode.config.cjs', tests, '-t', ALL_BUT_SLOW];
	const given = { MUTANTS_FOLDER: place, MUTANTS_LONGEST_MS: String(longestMs) };
	const env = { ...process.env, ...given };
	const jest = spawn('npx', args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
	let hasHung = false;
	const watch = setInterval(() => {
		for (const name of readdirSync(place).filter((one) => one.startsWith('doing-'))) {
			const doing = join(place, name);
			const { id, timeoutMs } = JSON.parse(readFileSync(doing, 'utf8') || '{}');
			if (Date.now() - statSync(doing).mtimeMs < timeoutMs + GRACE_MS) continue;
			rmSync(doing);
			if (id === undefined) continue;
			appendFileSync(join(place, 'log'), `${JSON.stringify({ id, outcome: 'hung' })}\n`);
			try {
				process.kill(Number(name.replace('doing-', '')), 'SIGKILL');
				hasHung = true;
			} catch {
				// It has ended by itself.
			}
		}
	}, 5000);
	await new Promise((resolve) => jest.once('close', resolve));
	clearInterval(watch);
	return hasHung;
}

function linesOf(place: string): Line[] {
	const log = join(place, 'log');
	if (!existsSync(log)) return [];
	return readFileSync(log, 'utf8')
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line));
}

function mutantOf({ id, location, replacement }: MadeMutant, lines: Line[]): Mutant {
	const outcomes = new Set(lines.filter((line) => line.id === id).map(({ outcome }) => outcome));
	const status = outcomes.has('noticed')
		? 'Killed'
		: outcomes.has('hung')
			? 'Timeout'
			: outcomes.has('passed')
				? 'Survived'
				: // It would have to be loaded anew.
					outcomes.has('loaded')
					? 'Ignored'
					: 'NoCoverage';
	const { start, end } = location;
	const shift = ({ line, column }: typeof start) => ({ line: line + 1, column: column + 1 });
	return { status, replacement, location: { start: shift(start), end: shift(end) } };
}
