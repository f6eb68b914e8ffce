/**
 * A function of the product fits on a screen and takes few things: at most 40 lines, at most four parameters.
 * Who reads it sees the whole of it, and who calls it doesn't have to count its arguments.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import ts from 'typescript';

import { PRODUCT_FILES, ROOT } from './files.mts';

const MOST_LINES = 40;
const MOST_PARAMETERS = 4;

const body = (lines: number) => `{${'\n'.repeat(lines - 1)}}`;
const FIVE = 'a: 1, b: 2, c: 3, d: 4, e: 5';

/** Each kind of function, too long or with too many parameters, and what is neither or is no function. */
const PLANTED = `
/**
 * Leading docs are not lines of a function.
 */
function within(a: 1, b: 2, c: 3, d: 4) ${body(40)}
function long() ${body(41)}
function wide(${FIVE}) {}
async function longSignature(
	a: 1,
) ${body(39)}
class Class {
	constructor(private readonly a: 1, b: 2, c: 3, d: 4, e: 5) {}
	method() ${body(41)}
	get accessor() ${body(41)}
	set accessor(value) ${body(41)}
	field = () => ${body(41)};
	bodiless(${FIVE}): void;
}
const object = { objectMethod() ${body(41)}, arrow: () => ${body(41)} };
const expression = function () ${body(41)};
const returned = (${FIVE}) => a;
const table = () => ({${'\n'.repeat(40)}});
declare function overloaded(${FIVE}): void;
type Called = (${FIVE}) => void;
interface Interface { signature(${FIVE}): void }
call(() => ${body(41)});
const literal = {${'\n'.repeat(60)}};
`;
const SEEN = [
	...['long', 'wide', 'longSignature', 'constructor', 'method', 'accessor', 'accessor', 'field'],
	...['bodiless', 'objectMethod', 'arrow', 'expression', 'returned', 'table', 'overloaded'],
	...['Called', 'signature', 'unnamed'],
];

let functions = 0;
let tooLarge = 0;
for (const file of PRODUCT_FILES) {
	for (const found of functionsIn(readFileSync(path.join(ROOT, file), 'utf8'))) {
		functions += 1;
		const excess = excessOf(found);
		if (excess === '') continue;
		tooLarge += 1;
		console.log(`✗ ${file}:${found.line} ${found.name} ${excess}`);
	}
}

const seen = functionsIn(PLANTED).flatMap((one) => (excessOf(one) === '' ? [] : [one.name]));
const isSeeing = seen.join() === SEEN.join();
if (!isSeeing) console.log(`✗ of the planted functions it complained of: ${seen.join(', ')}`);
if (functions < 600) console.log(`✗ only ${functions} functions were found`);
const isWhole = isSeeing && tooLarge === 0 && functions >= 600;
console.log(
	isWhole
		? `✓ ${functions} functions have at most ${MOST_LINES} lines and ${MOST_PARAMETERS} parameters each`
		: `${tooLarge} of ${functions} functions are too long or take too much`,
);
process.exitCode = isWhole ? 0 : 1;

/** A function and its size. */
interface Measured {
	readonly line: number;
	readonly name: string;
	readonly lines: number;
	readonly parameters: number;
}

/** Each function of a file, those inside of others too, and each signature that has no body. */
function functionsIn(text: string): Measured[] {
	const source = ts.createSourceFile('file.ts', text, ts.ScriptTarget.ES2022, true);
	const found: Measured[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isFunctionLike(node)) found.push(measured(node, source));
		ts.forEachChild(node, visit);
	};
	visit(source);
	return found;
}

/** From the first line of its signature, which leading docs are not part of, to its last line. */
function measured(node: ts.SignatureDeclaration, source: ts.SourceFile): Measured {
	const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1;
	const line = lineAt(node.getStart(source));
	return {
		line,
		name: nameOf(node, source),
		lines: lineAt(node.getEnd()) - line + 1,
		parameters: node.parameters.length,
	};
}

/** Its own name, or that of the constant, the field or the type that it is. */
function nameOf(node: ts.SignatureDeclaration, source: ts.SourceFile): string {
	if (ts.isConstructorDeclaration(node)) return 'constructor';
	const { parent } = node;
	const isHeld =
		ts.isPropertyAssignment(parent) ||
		ts.isPropertyDeclaration(parent) ||
		ts.isPropertySignature(parent) ||
		ts.isTypeAliasDeclaration(parent);
	const name = ts.getNameOfDeclaration(node) ?? (isHeld ? parent.name : undefined);
	return name?.getText(source) ?? 'unnamed';
}

/** What is too much of it, in words; empty for nothing. */
function excessOf({ lines, parameters }: Measured): string {
	return [
		...(lines > MOST_LINES ? [`has ${lines} lines`] : []),
		...(parameters > MOST_PARAMETERS ? [`takes ${parameters} parameters`] : []),
	].join(' and ');
}
