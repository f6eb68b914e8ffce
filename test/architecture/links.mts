/**
 * Checks that the links of the pages, the node and the credential lead to existing files and headings, the promises in
 * test/promises.md to existing tests, and its sentences to a page, an example or the node: `npm run lint:links`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
const HOME = 'https://github.com/n8n-nodes-cometchat/n8n-nodes-cometchat';

const files = ['.', 'docs', 'nodes', 'credentials', 'examples', 'test'].flatMap((folder) =>
	readdirSync(path.join(ROOT, folder), { recursive: folder !== '.', encoding: 'utf8' })
		.filter((file) => !file.includes('node_modules'))
		.filter((file) =>
			(/nodes|examples/.test(folder) ? /\.(md|ts|json)$/ : /\.(md|credentials\.ts)$/).test(file),
		)
		.map((file) => path.join(folder, file)),
);

const links = files.flatMap((file) => {
	const found = file.endsWith('.md')
		? [...read(file).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
		: [...read(file).matchAll(/https:\/\/github\.com\/[^\s'"`)\\]+/g)].map(([target]) => target);
	return found.map((target) => ({ file, target: target.replace(HOME, '/') }));
});

const own = links.filter(({ target }) => !/^[a-z]+:|^\/\/issues$/.test(target));
const broken = own.filter(({ file, target }) => !leadsSomewhere(file, target));
for (const { file, target } of broken)
	console.error(`✗ ${file} leads to ${target}, which is not there`);
if (own.length < 40) console.error(`✗ only ${own.length} links were found`);
if (broken.length > 0 || own.length < 40) process.exitCode = 1;

const [promises = '', sentences = ''] = read('test/promises.md').split('\n## Sentences');
const unproven = [...rowsOf(promises), ...rowsOf(sentences)].flatMap(([, proof]) =>
	missingTests(proof),
);
const texts = files.filter((file) => !file.startsWith('test')).map((file) => plain(read(file)));
const unsaid = rowsOf(sentences).filter(([said]) => !texts.some((text) => text.includes(said)));
for (const test of unproven) console.error(`✗ test/promises.md names ${test}, which is not there`);
for (const [said] of unsaid) console.error(`✗ no page and no text of the node says: ${said}`);
if (unproven.length > 0 || unsaid.length > 0 || rowsOf(sentences).length < 40) process.exitCode = 1;

/** Returns the rows of a table that name a test: the promise, and its tests. */
function rowsOf(table: string): Array<[said: string, proof: string]> {
	const rows = table.matchAll(/^\| (.+?) +\| (`.+?) +\|$/gm);
	return [...rows].map(([, said = '', proof = '']) => [said, proof]);
}

/** Returns the missing tests of a proof, such as `` `node/run/failing`: busy, set to stop, `rules/hostile` ``. */
function missingTests(proof: string): string[] {
	return [...proof.matchAll(/`([^`]+)`(?:: ([^`]*))?/g)].flatMap(([, name = '', titles = '']) => {
		const file = ['.test.ts', '.mts', ''].map((ending) => `test/${name}${ending}`).find(isThere);
		if (file === undefined) return [name];
		const parts = titles.split(', ').filter((title) => title.trim() !== '');
		return parts.filter((title) => !read(file).includes(title)).map((title) => `${name}: ${title}`);
	});
}

/** Returns a text without Markdown characters, and links without their targets. */
function plain(text: string): string {
	return text
		.replace(/\]\([^)\s]+\)/g, '')
		.replace(/<\/?b>|[*_`[]/g, '')
		.replaceAll("\\'", "'");
}

function leadsSomewhere(from: string, target: string): boolean {
	const [place = '', anchor] = target.split('#');
	// The front page of the repository is its README.
	const inRoot = place.replace(/^\/+(blob\/main\/)?/, '') || 'README.md';
	const below = place.startsWith('/') ? inRoot : path.join(path.dirname(from), place);
	const file = place === '' ? from : below;
	if (!isThere(file)) return false;
	return anchor === undefined || anchor === 'readme' || anchorsOf(file).includes(anchor);
}

/** Returns the anchors that GitHub makes of headings: a repeated heading gets a number. */
function anchorsOf(file: string): string[] {
	const seen = new Map<string, number>();
	return [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => {
		const anchor = heading
			.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
			.toLowerCase()
			.replace(/[^\p{L}\p{N}_ -]/gu, '')
			.replaceAll(' ', '-');
		const before = seen.get(anchor) ?? 0;
		seen.set(anchor, before + 1);
		return before === 0 ? anchor : `${anchor}-${before}`;
	});
}

function isThere(file: string): boolean {
	return existsSync(path.join(ROOT, file));
}

function read(file: string): string {
	return readFileSync(path.join(ROOT, file), 'utf8');
}
