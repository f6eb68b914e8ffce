/**
 * The limits of functions and classes in the product: a function fits on a screen and has few parameters, and a class
 * has few members. Separate from n8n's lint, whose settings must not change, but with n8n's parser.
 */
import { config } from '@n8n/node-cli/eslint';

/** Without the constructor. */
const MOST_MEMBERS = 12;
const CONSTRUCTOR = 'MethodDefinition[kind="constructor"]';
const message = `A class has ${MOST_MEMBERS} members at most.`;

const [{ languageOptions }] = config.filter((part) => part.languageOptions?.parser !== undefined);

export default [
	{
		files: ['**/*.ts'],
		languageOptions,
		linterOptions: { reportUnusedDisableDirectives: 'off' },
		rules: {
			'max-lines-per-function': ['error', { max: 40, IIFEs: true }],
			'max-params': ['error', 4],
			'no-restricted-syntax': [
				'error',
				...[
					`ClassBody:has(> ${CONSTRUCTOR}) > :nth-child(${MOST_MEMBERS + 2})`,
					`ClassBody:not(:has(> ${CONSTRUCTOR})) > :nth-child(${MOST_MEMBERS + 1})`,
				].map((selector) => ({ selector, message })),
			],
		},
	},
];
