/**
 * Reports user-visible texts that need a second reading, by the rules of "Words for users" in CONTRIBUTING.md:
 * `npm run lint:english`, or `npm run lint:english -- <part of a path>` for some files.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { listAt, textAt } from '../n8n/fields.mjs';

interface UserText {
	file: string;
	line: number;
	text: string;
}

/** Pages may have longer sentences than the texts of the node. */
const mostWords = (file: string) => (/^(?:nodes|credentials)\b/.test(file) ? 20 : 25);

/** Words that the glossary replaces. A text that n8n's linter requires word for word is not checked. */
const FORBIDDEN: ReadonlyArray<readonly [words: RegExp, instead: string]> = [
	[/\bfor good\b/i, 'permanently'],
	[/\banew\b/i, 'again'],
	[/\bby hand\b/i, 'manually'],
	[/\b(?:step|node) before\b|\bearlier step\b/i, 'previous node'],
	[/\b(?:broke|broken|breaks) off\b/i, 'stopped halfway'],
	[/\b(?:go|goes|going|gone|went) on\b/i, 'continue'],
	[/\bgone\b/i, 'removed, deleted or missing'],
	[/\bbr(?:ing|ings|inging|ought)\b/i, 'contain, return or upload'],
	[/\b(?:beside|behind)\b/i, 'in addition to, after'],
	[/\btak(?:e|es|ing|en)\b|\btook\b/i, 'accept, use or remove'],
	[/\b(?:give|gives|giving|given|gave)\b/i, 'return, add or enter'],
	[/\b(?:lack|lacks|lacked|lacking)\b/i, "doesn't have"],
	[/\b(?:hold|holds|held)\b/i, 'contain'],
	[/\b(?:stand|stands|standing|stood)\b/i, 'is'],
	[/\b(?:tell|tells|told)\b/i, 'report, show'],
	[/\b(?:does not|doesn't|did not|didn't) say\b/i, "doesn't report"],
	[/\bnot known\b/i, 'unknown'],
	[/\bswitch(?:ed|es)?\b/i, 'turn on, turn off'],
	[/\bpick(?:ed|s)?\b/i, 'choose'],
	[/(?<!mail )\baddress(?:es)?\b/i, 'URL'],
	[/\bsites?\b/i, 'website'],
	[/\ba text\b(?! (?:entry|file|box|that))/i, 'text entry'],
	[/(?<!text )\bentr(?:y|ies)\b/i, 'document'],
	[/\bleftovers?\b/i, 'empty document'],
	[/\bask CometChat\b/i, 'contact CometChat support'],
	[/\bstays? like this\b/i, 'keeps happening'],
	[/\b(?:was|were) not able to\b/i, "couldn't"],
	[
		/\b(?:a|the|this|that|each|every|last|next|earlier|previous|first|second|other|two|such) runs?\b/i,
		'execution',
	],
	[/\b(?:has|have|had) (?:it|them)\b/i, 'use'],
	[/\b(?:becomes?|become) of\b/i, 'happens to'],
	[/\b(?:is|are) to (?:be|have)\b/i, 'should'],
	[/\bof (?:that|this) name\b/i, 'with this name'],
	[/\b(?:not applied|partly applied|unusable)\b/i, 'not done, partly done, invalid input'],
	[/\bin its place\b/i, 'replaces'],
];

const PATTERNS: ReadonlyArray<readonly [pattern: RegExp, rule: string]> = [
	[
		/^(?:change|raise|set|leave|add|switch|pick|choose) (?:it|them)\b/i,
		'first say what the field is',
	],
	[/(?<!`[^`]*);(?: |$)/, 'no semicolon'],
	[
		/\bwhat\b(?! (?:to|happens|happened)\b)(?! this node outputs)/i,
		'a noun instead of a clause with "what"',
	],
	[
		/\b(?:(?<!(?:only|at least|exactly|than) )one|ones|those|none)(?=[.,:)]|$)/i,
		'a noun instead of one, ones, those, none',
	],
];

/** Placeholders are examples, and n8n's linter requires the descriptions of an upsert and of 'Return All'. */
const EXEMPT =
	/^e\.g\. |^Create a new record, or update the current one if it already exists|only up to a given limit$/;

const [part = ''] = process.argv.slice(2);
const texts = [
	...sources().flatMap(textsOfSource),
	...workflows().flatMap(notesOf),
	...pages().flatMap(sentencesOf),
];
const findings = texts.flatMap((one) =>
	complaintsOf(one).map((rule) => `${one.file}:${one.line} ${rule}\n    ${one.text}`),
);
for (const finding of findings) console.error(`✗ ${finding}`);
console.log(`${findings.length} findings in ${texts.length} texts.`);
if (findings.length > 0) process.exitCode = 1;
// Without any texts, the search itself is broken.
if (part === '' && texts.length < 600) throw new Error(`Only ${texts.length} texts were found`);

function complaintsOf({ file, text }: UserText): string[] {
	const most = mostWords(file);
	if (EXEMPT.test(text)) return [];
	const words = FORBIDDEN.flatMap(([pattern, instead]) => {
		const [found] = pattern.exec(text) ?? [];
		return found === undefined ? [] : [`"${found}": ${instead}`];
	});
	const rules = PATTERNS.flatMap(([pattern, rule]) => (pattern.test(text) ? [rule] : []));
	const isLong = text
		.split(/[.!?](?:\s|$)|\n/)
		.some((sentence) => sentence.split(/\s+/).filter((word) => /\w/.test(word)).length > most);
	return [...words, ...rules, ...(isLong ? [`more than ${most} words in a sentence`] : [])];
}

function sources(): string[] {
	return ['nodes', 'credentials'].flatMap((folder) => filesIn(folder, /\.ts$/));
}

function workflows(): string[] {
	return filesIn('examples', /\.json$/);
}

/** The pages for users. The reference is made from the node's texts, and reviewers ask in their own words. */
function pages(): string[] {
	const inDocs = filesIn('docs', /(?<!reference|for-reviewers)\.md$/);
	return 'README.md'.includes(part) ? ['README.md', ...inDocs] : inDocs;
}

function filesIn(folder: string, ending: RegExp): string[] {
	return readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.map((file) => join(folder, file))
		.filter((file) => ending.test(file) && file.includes(part));
}

/** Returns the texts of a source file: four words or more, except for imports and n8n's hints for AI builders. */
function textsOfSource(file: string): UserText[] {
	const source = ts.createSourceFile(
		file,
		readFileSync(file, 'utf8'),
		ts.ScriptTarget.Latest,
		true,
	);
	const found: UserText[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || isBuilderHint(node)) return;
		const text = textOf(node);
		if (text === undefined) return ts.forEachChild(node, visit);
		const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
		if (isSentence(text)) found.push({ file, line, text });
		// The expressions in a template may contain texts, too.
		ts.forEachChild(node, (child) => {
			if (!ts.isStringLiteralLike(child)) visit(child);
		});
	};
	visit(source);
	return found;
}

function isBuilderHint(node: ts.Node): boolean {
	return ts.isPropertyAssignment(node) && node.name.getText() === 'builderHint';
}

function textOf(node: ts.Node): string | undefined {
	if (ts.isStringLiteralLike(node)) return node.text;
	if (!ts.isTemplateExpression(node)) return undefined;
	const rest = node.templateSpans.map(({ literal }) => `X${literal.text}`);
	return [node.head.text, ...rest].join('');
}

function isSentence(text: string): boolean {
	return text.split(/\s+/).filter((word) => /[a-z]{2}|^[AaI]$|^X$/.test(word)).length >= 4;
}

function notesOf(file: string): UserText[] {
	const nodes = listAt(JSON.parse(readFileSync(file, 'utf8')), 'nodes');
	return nodes
		.filter((node) => textAt(node, 'type') === 'n8n-nodes-base.stickyNote')
		.map((node) => ({ file, line: 1, text: textAt(node, 'parameters', 'content') }));
}

function sentencesOf(file: string): UserText[] {
	return readFileSync(file, 'utf8')
		.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
		.replace(/`[^`\n]*`/g, '`…`')
		.split('\n')
		.flatMap((line, index) =>
			line
				.split('|')
				.map((cell) => ({ file, line: index + 1, text: cell.replace(/^[\s>*#-]+/, '') })),
		)
		.filter(({ text }) => isSentence(text));
}
