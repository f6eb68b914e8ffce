/** For Jest: removes the types, which `npm run typecheck` has checked. */
const { createHash } = require('node:crypto');
const { transformSync, version } = require('esbuild');

module.exports = {
	process: (text, sourcefile) =>
		transformSync(text, {
			sourcefile,
			loader: 'ts',
			format: 'cjs',
			target: 'node20',
			sourcemap: 'external',
			sourcesContent: false,
		}),
	getCacheKey: (text, file) =>
		createHash('sha256').update([version, file, text, 'no sources'].join('\0')).digest('hex'),
};
