import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * `npm run test:mutants`: breaks the pure rules, one small change at a time, and checks whether a table of
 * `test/rules` fails. A developer adds a row for each surviving mutant, or removes the code.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
	testRunner: 'jest',
	jest: {
		configFile: 'jest.config.js',
		// Each rule's own table must fail, in half a second per mutant instead of five. Broken code is often endless: a
		// failed test costs less than a killed worker.
		config: {
			roots: ['<rootDir>/test/rules'],
			// Stryker doesn't support `<rootDir>` here.
			testEnvironment: './test/environment.cjs',
			testTimeout: 3000,
		},
		enableFindRelatedTests: true,
	},
	coverageAnalysis: 'perTest',
	incremental: true,
	incrementalFile: 'reports/mutants.json',
	ignorePatterns: ['dist', 'docs', 'bench', 'examples', '.real-n8n', 'reports'],
	// Outside of the repository, because files of a killed process would be linted.
	tempDirName: join(tmpdir(), 'cometchat-mutants'),
	concurrency: 2,
	timeoutMS: 6000,
	reporters: ['clear-text', 'progress'],
	mutate: [
		'nodes/CometChatKnowledgeBase/text/*.ts',
		'nodes/CometChatKnowledgeBase/http/{rateLimiter,attemptResult,retryPolicy,sendRequest}.ts',
		'nodes/CometChatKnowledgeBase/fields/{ids,plainPath}.ts',
		'nodes/CometChatKnowledgeBase/fields/fileInfo.ts',
		'nodes/CometChatKnowledgeBase/api/pagination.ts',
		'nodes/CometChatKnowledgeBase/operations/concurrency.ts',
		'nodes/CometChatKnowledgeBase/delivery/usage.ts',
		'nodes/CometChatKnowledgeBase/delivery/plan.ts',
		'nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/{missing,planFile}.ts',
		'nodes/CometChatKnowledgeBase/resources/website/crawl/plan.ts',
		'nodes/CometChatKnowledgeBase/trigger/difference.ts',
	],
};
