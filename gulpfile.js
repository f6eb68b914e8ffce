const { mkdir, rm, writeFile } = require('node:fs/promises');
const Module = require('node:module');
const path = require('node:path');
const { build } = require('esbuild');
const { dest, src } = require('gulp');

const { n8n } = require('./package.json');

/** Removes what an earlier build left, so that a deleted file cannot be published. */
async function clean() {
	await rm('dist', { recursive: true, force: true });
}

/** Where the code of all nodes is. */
const NODES = 'nodes/CometChatKnowledgeBase/nodes';

/**
 * One file for the nodes and one for the credential, which n8n loads at its start. n8n looks for each node in a file of its name, which is a line that leads
 * there. Nothing is shortened: people who run community nodes in their company read them first, and a stack
 * trace must lead somewhere.
 */
async function buildCode() {
	const entries = Object.fromEntries(
		n8n.credentials.map((file) => [entryOf(file), sourceOf(file)]),
	);
	await build({
		entryPoints: { ...entries, [NODES]: 'all-nodes' },
		plugins: [allNodes],
		outdir: 'dist',
		bundle: true,
		external: ['n8n-workflow'],
		format: 'cjs',
		platform: 'node',
		target: 'node20.19',
	});
	for (const file of n8n.nodes) {
		const { name } = path.parse(entryOf(file));
		const nodeClass = name.replace(/\.node$/, '');
		const line = `exports.${nodeClass} = require('./${path.basename(NODES)}').${nodeClass};\n`;
		await writeFile(file, line);
	}
}

/** `dist/nodes/A/A.node.js` as esbuild names what it makes: `nodes/A/A.node`. */
function entryOf(file) {
	return file.replace(/^dist\/(.*)\.js$/, '$1');
}

function sourceOf(file) {
	return `${entryOf(file)}.ts`;
}

/** A module that has all nodes, and stands in no file. */
const allNodes = {
	name: 'all-nodes',
	setup({ onResolve, onLoad }) {
		onResolve({ filter: /^all-nodes$/ }, () => ({ path: 'all-nodes', namespace: 'all-nodes' }));
		onLoad({ filter: /.*/, namespace: 'all-nodes' }, () => ({
			contents: n8n.nodes.map((file) => `export * from './${sourceOf(file)}';`).join('\n'),
			resolveDir: __dirname,
		}));
	},
};

/** What an operation or the trigger gives, where n8n looks for it to show it before a run. */
async function buildSchemas() {
	const { OUTPUT_FIELDS, resources, triggerOutput } = await outputs();
	const { dir } = path.parse(n8n.nodes[0]);
	const write = async (name, output) => {
		const inOrder = Object.entries(OUTPUT_FIELDS).filter(([field]) => output.includes(field));
		const examples = inOrder.map(([field, { example }]) => [field, example]);
		const schema = { version: 1, ...schemaOf(Object.fromEntries(examples)) };
		const file = path.join(dir, '__schema__', `${name}.json`);
		await mkdir(path.dirname(file), { recursive: true });
		await writeFile(file, JSON.stringify(schema));
	};
	await write('v1.0.0', triggerOutput);
	for (const { value: resource, operations } of resources) {
		for (const { value: operation, output } of operations)
			await write(`v1.0.0/${resource}/${operation}`, output);
	}
}

/** What the source says of outputs. */
async function outputs() {
	const files = ['resources/registry', 'output/outputFields', 'trigger/fields'];
	const contents = files.map((file) => `export * from './${path.dirname(NODES)}/${file}';`);
	const { outputFiles } = await build({
		stdin: { contents: contents.join('\n'), resolveDir: __dirname },
		write: false,
		bundle: true,
		external: ['n8n-workflow'],
		format: 'cjs',
		platform: 'node',
	});
	const loaded = new Module(__filename, module);
	loaded.paths = module.paths;
	loaded._compile(outputFiles[0].text, __filename);
	return loaded.exports;
}

/** The JSON Schema of what looks like this. */
function schemaOf(example) {
	if (Array.isArray(example)) return { type: 'array', items: schemaOf(example[0]) };
	if (typeof example !== 'object') return { type: typeof example };
	const properties = Object.entries(example).map(([name, value]) => [name, schemaOf(value)]);
	return { type: 'object', properties: Object.fromEntries(properties) };
}

/** What stands beside the code: icons, and what n8n knows of the node. */
function buildFiles() {
	// `encoding: false`: gulp 5 reads files as UTF-8 otherwise, which corrupts a PNG.
	// Returned, so that gulp waits for the last file.
	return src(['nodes/**/*.{svg,node.json}'], { encoding: false }).pipe(dest('dist/nodes'));
}

module.exports = {
	clean,
	'build:code': buildCode,
	'build:schemas': buildSchemas,
	'build:files': buildFiles,
};
