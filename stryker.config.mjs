import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * `npm run test:mutants`: breaks the pure rules, one small thing at a time, and looks whether a table of
 * `test/rules` notices. What survives is read by a person, and goes into a table or out of the code.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
	testRunner: 'jest',
	jest: {
		configFile: 'jest.config.js',
		// Each rule's own table has to notice, in half a second a mutant instead of five. Broken code often
		// never ends: a test that fails costs less than a worker that is killed.
		config: {
			roots: ['<rootDir>/test/rules'],
			// It knows no `<rootDir>` there.
			testEnvironment: './test/environment.cjs',
			testTimeout: 3000,
		},
		enableFindRelatedTests: true,
	},
	coverageAnalysis: 'perTest',
	incremental: true,
	incrementalFile: 'reports/mutants.json',
	ignorePatterns: ['dist', 'docs', 'bench', 'examples', '.real-n8n', 'reports'],
	// What a run that is killed leaves behind would be linted.
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
