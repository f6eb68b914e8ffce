const { mkdir, rm, writeFile } = require('node:fs/promises');
const Module = require('node:module');
const path = require('node:path');
const { build } = require('esbuild');
const { dest, src } = require('gulp');

const { n8n } = require('./package.json');

/** Removes the files of an earlier build, so that a deleted file cannot be published. */
async function clean() {
	await rm('dist', { recursive: true, force: true });
}

/** The file with the code of all nodes. */
const NODES = 'nodes/CometChatKnowledgeBase/nodes';

/**
 * Builds one file for the nodes and one for the credential, which n8n loads at its start. n8n looks for each node in a
 * file with its name, which only imports the node. The code is not minified: companies read community nodes before
 * they install them, and stack traces must be readable.
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

/** Returns the name of a file's source: `nodes/A/A.node` for `dist/nodes/A/A.node.js`. */
function entryOf(file) {
	return file.replace(/^dist\/(.*)\.js$/, '$1');
}

function sourceOf(file) {
	return `${entryOf(file)}.ts`;
}

/** A module with all nodes, which is in no file. */
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

/** Writes the output fields of each operation and of the trigger, where n8n looks for them before an execution. */
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

/** Returns the outputs in the source. */
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

/** Returns the JSON Schema of an example. */
function schemaOf(example) {
	if (Array.isArray(example)) return { type: 'array', items: schemaOf(example[0]) };
	if (typeof example !== 'object') return { type: typeof example };
	const properties = Object.entries(example).map(([name, value]) => [name, schemaOf(value)]);
	return { type: 'object', properties: Object.fromEntries(properties) };
}

/** Copies the files next to the code: icons, and n8n's facts about the node. */
function buildFiles() {
	// With `encoding: false`, because gulp 5 would otherwise read files as UTF-8 and corrupt a PNG. Returned, so that
	// gulp waits for the last file.
	return src(['nodes/**/*.{svg,node.json}'], { encoding: false }).pipe(dest('dist/nodes'));
}

module.exports = {
	clean,
	'build:code': buildCode,
	'build:schemas': buildSchemas,
	'build:files': buildFiles,
};
