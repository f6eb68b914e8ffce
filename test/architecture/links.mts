/**
 * Each link of a page, and each address of this repository in the nodes, the credential and the examples,
 * leads to a file that there is, and to a heading that it has.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
const HOME = 'https://github.com/n8n-nodes-cometchat/n8n-nodes-cometchat';

const files = ['', 'docs', 'nodes', 'credentials', 'examples'].flatMap((folder) =>
	readdirSync(path.join(ROOT, folder), { recursive: folder !== '', encoding: 'utf8' })
		.filter((file) => (folder === '' ? /\.md$/ : /\.(md|ts|json)$/).test(file))
		.map((file) => path.join(folder, file)),
);
const links = files.flatMap((file) => {
	const text = read(file);
	const found = file.endsWith('.md')
		? [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
		: [...text.matchAll(/https:\/\/github\.com\/[^\s'"`)\\]+/g)].map(([target]) => target);
	return found.map((target) => ({ file, target: target.replace(HOME, '/') }));
});
const own = links.filter(({ target }) => !/^[a-z]+:/.test(target));
const broken = own.filter(({ file, target }) => !leadsSomewhere(file, target));

for (const { file, target } of broken)
	console.log(`✗ ${file} leads to ${target}, which is not there`);
if (own.length < 100) console.log(`✗ only ${own.length} links were found`);
const isWhole = broken.length === 0 && own.length >= 100;
if (isWhole) console.log(`✓ ${own.length} links of the pages and the node lead to what is there`);
process.exitCode = isWhole ? 0 : 1;

function leadsSomewhere(from: string, target: string): boolean {
	const [place = '', anchor] = target.split('#');
	// The front page of the repository is its README.
	const inRoot = place.replace(/^\/+(blob\/main\/)?/, '') || 'README.md';
	const file =
		place === '' ? from : place.startsWith('/') ? inRoot : path.join(path.dirname(from), place);
	if (!existsSync(path.join(ROOT, file))) return false;
	return anchor === undefined || anchor === 'readme' || anchorsOf(file).includes(anchor);
}

/** As GitHub makes them of headings: one that stands there already gets a number. */
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

function read(file: string): string {
	return readFileSync(path.join(ROOT, file), 'utf8');
}
