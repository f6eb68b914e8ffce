/**
 * Checks the package that `npm publish` would upload, made by npm itself: nothing unnecessary, nothing missing, small,
 * without runtime dependencies, readable, and accepted by n8n's scanner.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { analyzePackage } from '@n8n/scan-community-package/scanner/scanner.mjs';
import { resources } from '../../nodes/CometChatKnowledgeBase/resources/registry.js';
import { OUTPUT_FIELDS } from '../../nodes/CometChatKnowledgeBase/output/outputFields.js';
import { triggerOutput } from '../../nodes/CometChatKnowledgeBase/trigger/fields.js';

/** A limit to notice accidents, such as a bundled dependency. */
const MOST_BYTES = 160 * 1024;
const WANTED =
	/^(?:package\.json|README\.md|LICENSE\.md|dist\/(?:nodes|credentials)\/[\w./-]+\.(?:js|svg|node\.json)|dist\/nodes\/\w+\/__schema__\/[\w./]+\.json)$/;

/** The only modules that the code loads: n8n's own, a hash, and the bundle itself. */
const MODULES = ['n8n-workflow', 'node:crypto', './nodes'];
/** The longest line of the code has about 430 characters; minified code has thousands. */
const LONGEST_LINE = 1000;

const folder = mkdtempSync(join(tmpdir(), 'n8n-nodes-cometchat-tarball-'));
try {
	const complaints = await check(folder);
	for (const complaint of complaints) console.error(`  ✗ ${complaint}`);
	if (complaints.length > 0) process.exitCode = 1;
} finally {
	rmSync(folder, { recursive: true, force: true });
}

async function check(into: string): Promise<string[]> {
	const shell = process.platform === 'win32';
	execFileSync('npm', ['pack', '--silent', '--pack-destination', into], { shell });
	const manifest = readManifest('package.json');
	const tarball = join(into, `${manifest.name}-${manifest.version}.tgz`);
	execFileSync('tar', ['-xzf', tarball, '-C', into]);
	const packed = join(into, 'package');
	const paths = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' })
		.trim()
		.split('\n')
		.map((path) => path.replace(/^package\//, ''));
	const bytes = readFileSync(tarball).length;
	const { passed, details } = await analyzePackage(packed, ['**/*.js', 'package.json']);
	const { dependencies, n8n } = readManifest(join(packed, 'package.json'));
	const code = paths.filter((path) => path.endsWith('.js')).map((path) => readCode(packed, path));

	const loadable = createRequire(join(process.cwd(), 'package.json'));
	for (const path of [...n8n.nodes, ...n8n.credentials]) loadable(join(process.cwd(), path));

	const lines = code.flatMap(({ text }) => text.trimEnd().split('\n')).length;
	console.log(
		`Tarball: ${paths.length} files, ${(bytes / 1024).toFixed(1)} KB, ${lines} lines of code.`,
	);
	return [
		...paths.filter((path) => !WANTED.test(path)).map((path) => `${path} is of no use to users`),
		...['README.md', 'LICENSE.md', ...n8n.nodes, ...n8n.credentials, ...iconsOf(packed, paths)]
			.filter((path) => !paths.includes(path))
			.map((path) => `${path} is missing`),
		...missingSchemas(packed),
		...(bytes > MOST_BYTES ? [`it has ${bytes} bytes, more than ${MOST_BYTES}`] : []),
		...(Object.keys(dependencies).length > 0 ? ['it has runtime dependencies'] : []),
		...code.flatMap(unreadable),
		...(n8n.strict === true ? [] : ['n8n.strict is not true']),
		...(passed ? [] : [`n8n's scanner: ${details ?? ''}`]),
	];
}

interface Code {
	path: string;
	text: string;
}

function readCode(packed: string, path: string): Code {
	return { path, text: readFileSync(join(packed, path), 'utf8') };
}

/** Finds code that n8n's scanner accepts, but a reviewer wouldn't. */
function unreadable({ path, text }: Code): string[] {
	const loaded = [...text.matchAll(/\brequire\(([^)]*)\)/g)].map(([, name = '']) =>
		name.slice(1, -1),
	);
	// esbuild writes the source of each part of a bundle into a comment.
	const bundled = [...text.matchAll(/^\/\/ (.*node_modules\/.+)$/gm)].map(([, name = '']) => name);
	const isLong = text.split('\n').some((line) => line.length > LONGEST_LINE);
	return [
		...loaded.filter((name) => !MODULES.includes(name)).map((name) => `${path} loads ${name}`),
		...bundled.map((name) => `${path} contains ${name}`),
		...(/\b(?:fetch|XMLHttpRequest|WebSocket)\(/.test(text)
			? [`${path} goes past n8n's HTTP`]
			: []),
		...(isLong ? [`${path} has a line of more than ${LONGEST_LINE} characters`] : []),
	];
}

/** Returns the outputs whose fields n8n could not show before an execution, with their wrong fields. */
function missingSchemas(packed: string): string[] {
	const outputs = resources.flatMap(({ value: resource, operations }) =>
		operations.map(({ value, output }) => ({ path: `/${resource}/${value}`, output })),
	);
	// n8n's path contains the node's version. The schema of the trigger, without operations, is next to this folder.
	return [{ path: '', output: triggerOutput }, ...outputs].flatMap(({ path, output }) => {
		const file = `dist/nodes/CometChatKnowledgeBase/__schema__/v1.0.0${path}.json`;
		const { type, properties }: Schema = JSON.parse(readFileSync(join(packed, file), 'utf8'));
		const shown = Object.entries(properties).map((field) => `${field[0]}: ${field[1].type}`);
		// In the order of the vocabulary.
		const wanted = Object.entries(OUTPUT_FIELDS)
			.filter(([name]) => output.some((one) => one === name))
			.map(
				([name, { example }]) => `${name}: ${Array.isArray(example) ? 'array' : typeof example}`,
			);
		const isRight = type === 'object' && shown.join() === wanted.join();
		return isRight ? [] : [`${file} shows ${shown.join(', ')}, and not ${wanted.join(', ')}`];
	});
}

interface Schema {
	type: string;
	properties: Record<string, { type: string }>;
}

interface Manifest {
	name: string;
	version: string;
	dependencies: object;
	n8n: { strict: unknown; nodes: string[]; credentials: string[] };
}

function readManifest(file: string): Manifest {
	const { dependencies = {}, ...manifest }: Manifest = JSON.parse(readFileSync(file, 'utf8'));
	return { dependencies, ...manifest };
}

/** Returns the icons that the code names, as paths in the package. */
function iconsOf(packed: string, paths: string[]): string[] {
	return paths
		.filter((path) => path.endsWith('.js'))
		.flatMap((path) => {
			const code = readFileSync(join(packed, path), 'utf8');
			return [...code.matchAll(/'file:([^']+)'/g)].map(([, icon = '']) => join(path, '..', icon));
		});
}
