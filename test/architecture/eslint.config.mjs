/**
 * A function of the product fits on a screen and takes few things. Beside n8n's lint, whose settings must stay
 * as n8n has them, and parsed as it parses.
 */
import { config } from '@n8n/node-cli/eslint';

const [{ languageOptions }] = config.filter((part) => part.languageOptions?.parser !== undefined);

export default [
	{
		files: ['**/*.ts'],
		languageOptions,
		linterOptions: { reportUnusedDisableDirectives: 'off' },
		rules: {
			'max-lines-per-function': ['error', { max: 40, IIFEs: true }],
			'max-params': ['error', 4],
		},
	},
];
