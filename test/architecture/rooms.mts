import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The plan of the house holds, and each of its rules notices a file that breaks it. */

const ROOT = path.resolve(import.meta.dirname, '../..');
const NODE = 'nodes/CometChatKnowledgeBase';

/** A file that imports what a rule forbids it. */
interface Violation {
	from: string;
	to: string;
	rule: string;
}

const NOWHERE = './nowhere';

/** What to add to a copy, and the rules that it breaks. */
const PLANTED: Array<{ file: string; imports: string; rules: string[] }> = [
	{
		file: `${NODE}/values/ranges.ts`,
		imports: '../requests/attemptResult',
		rules: ['room-values'],
	},
	{
		file: `${NODE}/requests/rateLimiter.ts`,
		imports: '../results/hints',
		rules: ['room-requests'],
	},
	{ file: `${NODE}/service/agents.ts`, imports: '../execution/items', rules: ['room-service'] },
	{ file: `${NODE}/input/binary.ts`, imports: '../service/agents', rules: ['room-input'] },
	{
		file: `${NODE}/concurrency/keyedQueue.ts`,
		imports: '../requests/sendRequest',
		rules: ['room-concurrency'],
	},
	{
		file: `${NODE}/bundling/sendBatch.ts`,
		imports: '../execution/operation',
		rules: ['room-bundling'],
	},
	{
		file: `${NODE}/execution/steps.ts`,
		imports: '../bundling/batches',
		rules: ['room-execution'],
	},
	{
		file: `${NODE}/execution/items.ts`,
		imports: '../ingestion/ingestion',
		rules: ['room-execution'],
	},
	{
		file: `${NODE}/ingestion/ingestion.ts`,
		imports: '../resources/registry',
		rules: ['room-ingestion'],
	},
	{
		file: `${NODE}/documents/content.ts`,
		imports: '../methods/askOnce',
		rules: ['room-documents'],
	},
	{ file: `${NODE}/account/sign.ts`, imports: '../requests/delays', rules: ['room-account'] },
	{ file: `${NODE}/results/errors.ts`, imports: '../input/options', rules: ['room-results'] },
	{ file: `${NODE}/methods/listFiles.ts`, imports: '../input/fields', rules: ['room-methods'] },
	{
		file: `${NODE}/resources/document/getStatus.ts`,
		imports: '../knowledgeBase/replaceFile',
		rules: ['resources-apart'],
	},
	{
		file: `${NODE}/trigger/checkpoint.ts`,
		imports: '../execution/items',
		rules: ['room-trigger'],
	},
	{ file: `${NODE}/poll.ts`, imports: './execution/items', rules: ['poll-apart'] },
	{ file: `${NODE}/run.ts`, imports: './trigger/checkpoint', rules: ['run-apart'] },
	{
		file: 'credentials/CometChatApi.credentials.ts',
		imports: '../nodes/CometChatKnowledgeBase/run',
		rules: ['credentials-first'],
	},
	{
		file: `${NODE}/run.ts`,
		imports: '../../test/service/service',
		rules: ['no-tests-in-the-product'],
	},
	{ file: `${NODE}/run.ts`, imports: NOWHERE, rules: ['resolvable'] },
	{ file: `${NODE}/values/validationIssue.ts`, imports: './sizes', rules: [] },
];

const copy = mkdtempSync(path.join(tmpdir(), 'rooms-'));
let failed = 0;
try {
	for (const part of ['nodes', 'credentials', 'test/service', 'tsconfig.json', 'package.json']) {
		cpSync(path.join(ROOT, part), path.join(copy, part), { recursive: true });
	}
	cpSync(path.join(ROOT, '.dependency-cruiser.cjs'), path.join(copy, '.dependency-cruiser.cjs'));
	symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'));
	check('the rooms as they are', violations(), []);
	for (const { file, imports } of PLANTED) {
		const whole = path.join(copy, file);
		writeFileSync(whole, `import '${imports}';\n${readFileSync(whole, 'utf8')}`);
	}
	// All at once: a look at the whole takes seconds.
	const found = violations();
	for (const { file, imports, rules } of PLANTED) {
		const target = imports === NOWHERE ? imports : path.join(path.dirname(file), imports);
		const broken = found.filter(({ from, to }) => from === file && to.startsWith(target));
		check(`${file} that imports ${imports}`, broken, rules);
	}
} finally {
	rmSync(copy, { recursive: true, force: true });
}
console.log(`${PLANTED.length + 1 - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function check(what: string, broken: Violation[], expected: string[]): void {
	const names = broken.map(({ rule }) => rule);
	const isSo =
		expected.length === 0 ? names.length === 0 : expected.every((rule) => names.includes(rule));
	if (!isSo) failed += 1;
	console.log(`${isSo ? '✓' : '✗'} ${what}: ${names.join(', ') || 'nothing broken'}`);
}

/** The rules that the copy breaks, and where. */
function violations(): Violation[] {
	const cruise = path.join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
	const parts = ['nodes', 'credentials', '--config', '.dependency-cruiser.cjs'];
	const { stdout, stderr } = spawnSync(
		process.execPath,
		[cruise, ...parts, '--output-type', 'json'],
		{ cwd: copy, encoding: 'utf8', maxBuffer: 100_000_000 },
	);
	const report: unknown = stdout === '' ? undefined : JSON.parse(stdout);
	const found: unknown = Object(Object(report).summary).violations;
	if (!Array.isArray(found)) throw new Error(`dependency-cruiser gave no report: ${stderr}`);
	return found.map((one) => {
		const { from, to, rule } = Object(one);
		return { from: String(from), to: String(to), rule: String(Object(rule).name) };
	});
}
