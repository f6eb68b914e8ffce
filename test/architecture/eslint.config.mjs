/**
 * A function of the product fits on a screen and takes few things, and a class has few members. Beside n8n's lint, whose settings must stay
 * as n8n has them, and parsed as it parses.
 */
import { config } from '@n8n/node-cli/eslint';

/** Its constructor not counted. */
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
