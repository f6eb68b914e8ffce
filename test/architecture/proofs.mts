/**
 * Whoever changes a file of the product finds the test to run first: by its name, in a folder of `test/rules`
 * or `test/node` that is called like one of the file's own, or in the map of CONTRIBUTING.md. The map names
 * no file that has such a test, and nothing that is not there. Whether a test proves much is not seen here.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import ts from 'typescript';

import { filesIn, PRODUCT_FILES, ROOT } from './files.mts';

const NODE = 'nodes/CometChatKnowledgeBase';
const HEADING = '### Which test proves what';
/** What proves a file of types alone. */
const COMPILER = 'npm run typecheck';

/** What the check looks at. */
interface House {
	/** Of the product. */
	files: string[];
	/** And the programs of this folder. */
	tests: string[];
	/** CONTRIBUTING.md. */
	page: string;
}

/** A line of the map; a `*` in it is any part of a name. */
interface Line {
	files: string[];
	proofs: string[];
}

const house: House = {
	files: PRODUCT_FILES,
	tests: [...filesIn('test', '.test.ts'), ...filesIn('test/architecture', '.mts')],
	page: readFileSync(path.join(ROOT, 'CONTRIBUTING.md'), 'utf8'),
};

const FILE = `${NODE}/values/planted.ts`;
const UNPROVEN = `${FILE} has no test of its name, and no line in the map`;

/** What is added to the house, and the complaint that it has to bring; undefined if there is none. */
const PLANTED: Array<{ file?: string; test?: string; line?: string; complaint?: string }> = [
	{ file: FILE, complaint: UNPROVEN },
	{ file: FILE, test: 'test/rules/values/planted.test.ts' },
	{ file: FILE, test: 'test/rules/trigger/planted.test.ts', complaint: UNPROVEN },
	{ file: FILE, test: 'test/service/values/planted.test.ts', complaint: UNPROVEN },
	{ file: FILE, line: '| `values` | `planted` | `test/architecture/shown.mts` |' },
	{
		file: FILE,
		line: '| `values` | `planted` | `test/rules/values/planted*.test.ts` |',
		complaint: 'the map has test/rules/values/planted*.test.ts, which is not there',
	},
	{
		file: FILE,
		line: '| `values` | `planted` | the tests |',
		complaint: `the map has no test for ${FILE}`,
	},
	{
		test: 'test/rules/account/sign.test.ts',
		complaint: `the map has ${NODE}/account/sign.ts, which has test/rules/account/sign.test.ts`,
	},
	{
		line: '| `values` | `planted` | `test/architecture/shown.mts` |',
		complaint: `the map has ${FILE}, which is not there`,
	},
	{
		line: '| `account` | `sign` | `test/architecture/shown.mts` |',
		complaint: `the map has ${NODE}/account/sign.ts more than once`,
	},
	{
		line: `| \`account\` | \`sign\` | \`${COMPILER}\` |`,
		complaint: `${NODE}/account/sign.ts is more than types, which the compiler alone does not prove`,
	},
];

let failed = 0;
const before = complaints(house);
for (const { file, test, line, complaint } of PLANTED) {
	const found = complaints({
		files: [...house.files, ...(file === undefined ? [] : [file])],
		tests: [...house.tests, ...(test === undefined ? [] : [test])],
		page: line === undefined ? house.page : house.page.replace(HEADING, `${HEADING}\n\n${line}`),
	}).filter((one) => !before.includes(one));
	const planted = [file, test, line].filter((one) => one !== undefined).join(' with ');
	const isSo = complaint === undefined ? found.length === 0 : found.includes(complaint);
	check(isSo, `${planted}: ${found.join('; ') || 'nothing to complain of'}`);
}
for (const complaint of before) check(false, complaint);
const mapped = linesOf(house).flatMap(({ files }) => files);
check(house.files.length >= 100, `${house.files.length} files of the product were found`);
check(mapped.length >= 40, `${mapped.length} of them have a line in the map`);
console.log(failed === 0 ? 'all passed' : `${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function complaints(here: House): string[] {
	const { files, tests } = here;
	const lines = linesOf(here);
	const inMap = lines.flatMap((line) => line.files);
	const missing = files.filter(
		(file) => !inMap.includes(file) && testOf(file, tests) === undefined,
	);
	return [
		...missing.map((file) => `${file} has no test of its name, and no line in the map`),
		...inMap.flatMap((file, at) => {
			const test = testOf(file, tests);
			return [
				...(files.includes(file) ? [] : [`the map has ${file}, which is not there`]),
				...(test === undefined ? [] : [`the map has ${file}, which has ${test}`]),
				...(inMap.indexOf(file) === at ? [] : [`the map has ${file} more than once`]),
			];
		}),
		...lines.flatMap(({ files: of, proofs }) => [
			...(proofs.length > 0 ? [] : [`the map has no test for ${of.join(', ')}`]),
			...proofs
				.filter((proof) => proof !== COMPILER && meant(proof, tests).length === 0)
				.map((proof) => `the map has ${proof}, which is not there`),
			...(proofs.join() === COMPILER
				? of.filter((file) => files.includes(file) && !isOfTypes(file))
				: []
			).map((file) => `${file} is more than types, which the compiler alone does not prove`),
		]),
	];
}

/** The test of its name: in the folder of another room, or of the stand-in, it is about something else. */
function testOf(file: string, tests: string[]): string | undefined {
	const { dir, name } = path.posix.parse(file);
	return tests.find((test) => {
		const [, kind = '', room = ''] = test.split('/');
		const isOfRoom = ['rules', 'node'].includes(kind) && dir.split('/').includes(room);
		return isOfRoom && test.endsWith(`/${name}.test.ts`);
	});
}

/** Of the table in the section: a folder of the node or the repository, files without their ending, proofs. */
function linesOf({ files, page }: House): Line[] {
	const [, after = ''] = page.split(`\n${HEADING}\n`);
	const [section = ''] = after.split(/\n#+ /);
	return [...section.matchAll(/^\|(.*`.*)\|(.*`.*)\|(.*)\|$/gm)].map(
		([, folders = '', names = '', proofs = '']) => {
			const [folder = ''] = quotedIn(folders);
			const home = folder === 'credentials' ? folder : path.posix.join(NODE, folder);
			const named = quotedIn(names).map((name) => path.posix.join(home, `${name}.ts`));
			// One that is not there stays, to be complained of.
			const found = named.flatMap((name) => {
				const fitting = meant(name, files);
				return fitting.length > 0 ? fitting : [name];
			});
			return { files: found, proofs: quotedIn(proofs) };
		},
	);
}

function quotedIn(cell: string): string[] {
	return [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);
}

/** Those that a path with `*` in it stands for. */
function meant(pattern: string, all: string[]): string[] {
	const parts = pattern.split('*').map((part) => part.replace(/[.()[\]+?^$\\{}|]/g, '\\$&'));
	const fits = new RegExp(`^${parts.join('[^/]*')}$`);
	return all.filter((one) => fits.test(one));
}

/** Whether nothing is left of it once it is compiled. */
function isOfTypes(file: string): boolean {
	const source = readFileSync(path.join(ROOT, file), 'utf8');
	const compilerOptions = { module: ts.ModuleKind.ESNext, removeComments: true };
	return ts.transpileModule(source, { compilerOptions }).outputText.trim() === 'export {};';
}

function check(isSo: boolean, what: string): void {
	if (!isSo) failed += 1;
	console.log(`${isSo ? '✓' : '✗'} ${what}`);
}
