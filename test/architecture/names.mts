/**
 * A top-level name of the product stands for one thing: no two files declare the same, whether they export
 * it or not. Who searches for a name then finds what it is, and not what else is called so.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import ts from 'typescript';

import { PRODUCT_FILES, ROOT } from './files.mts';

/** Each kind of declaration, which the check has to see, and what looks like one and is none. */
const PLANTED = `
import { imported } from './elsewhere';
export { exported } from './elsewhere';
export type { ExportedType } from './elsewhere';
declare const declared: string;
const constant = 1, second = 2;
export const { field, other: renamed, ...rest } = imported;
const [place, , [nested] = []] = imported;
let variable;
function named(parameter: string): void { const local = parameter; }
export async function exportedFunction() {}
function overloaded(one: string): void;
function overloaded(one: unknown) {}
class Class { member = 1; }
export default class DefaultClass {}
interface Interface {}
interface Interface { more: string }
export type Type = string;
enum Enum { Member }
namespace Namespace { export const inside = 1; }
if (constant) { const inBlock = 1; }
`;
const SEEN = [
	...['declared', 'constant', 'second', 'field', 'renamed', 'rest', 'place', 'nested', 'variable'],
	...['named', 'exportedFunction', 'overloaded', 'Class', 'DefaultClass', 'Interface', 'Type'],
	...['Enum', 'Namespace'],
];

const homes = new Map<string, string[]>();
for (const file of PRODUCT_FILES) {
	for (const name of namesIn(readFileSync(path.join(ROOT, file), 'utf8'))) {
		homes.set(name, [...(homes.get(name) ?? []), file]);
	}
}
const shared = [...homes].filter(([, home]) => home.length > 1);

const seen = namesIn(PLANTED);
const isSeeing = seen.join() === SEEN.join();
if (!isSeeing) console.log(`✗ of the planted declarations it saw: ${seen.join(', ')}`);
for (const [name, home] of shared) console.log(`✗ ${name} is declared in ${home.join(', ')}`);
if (homes.size < 400) console.log(`✗ only ${homes.size} names were found`);
const isWhole = isSeeing && shared.length === 0 && homes.size >= 400;
console.log(
	isWhole
		? `✓ ${homes.size} top-level names stand for one thing each`
		: `${shared.length} of ${homes.size} top-level names are declared in more than one file`,
);
process.exitCode = isWhole ? 0 : 1;

/** What a file declares at its top, each name once: overloads and merged interfaces are one thing. */
function namesIn(source: string): string[] {
	const { statements } = ts.createSourceFile('file.ts', source, ts.ScriptTarget.ES2022);
	return [...new Set(statements.flatMap(declaredBy))];
}

function declaredBy(statement: ts.Statement): string[] {
	if (ts.isVariableStatement(statement)) {
		return statement.declarationList.declarations.flatMap(({ name }) => boundBy(name));
	}
	const isNamed =
		ts.isFunctionDeclaration(statement) ||
		ts.isClassDeclaration(statement) ||
		ts.isInterfaceDeclaration(statement) ||
		ts.isTypeAliasDeclaration(statement) ||
		ts.isEnumDeclaration(statement) ||
		ts.isModuleDeclaration(statement);
	return isNamed && statement.name !== undefined ? [statement.name.text] : [];
}

/** A name, or all those of a pattern. */
function boundBy(name: ts.BindingName): string[] {
	if (ts.isIdentifier(name)) return [name.text];
	return name.elements.flatMap((element) =>
		ts.isOmittedExpression(element) ? [] : boundBy(element.name),
	);
}
