import assert from 'node:assert/strict';
import { assertSucceeded, sentByAgent } from '../expectation.mjs';
import { textAt } from '../fields.mjs';
import type { Prove } from '../prove.mjs';
import type { Environment } from './environment.mjs';

export async function proveTool(prove: Prove, environment: Environment): Promise<void> {
	const { service, languageModel, reset, run } = environment;

	await prove(
		"as a tool of n8n's AI Agent: the model fills in the fields, a failure reaches it in words, and it can try again",
		async () => {
			reset();
			languageModel.script(
				{ call: { Agent: 'nobody', File_IDs: 'returns' } },
				{ call: { Agent: 'support-bot', File_IDs: '' } },
				{ call: { Agent: 'support-bot', File_IDs: 'returns, returns-faq' } },
				{ say: 'Added.' },
			);
			const execution = await run('agent-tool');
			assertSucceeded(execution);
			assert.equal(textAt(execution.items('AI Agent')[0], 'json', 'output'), 'Added.');
			const [tool] = languageModel.tools();
			assert.equal(tool?.name, 'Add_Files_to_Knowledge_Base');
			assert.deepEqual(tool.arguments, ['Agent', 'File_IDs']);
			assert.match(tool.description, /knowledge base/i);

			const [unknown = '', empty = '', added = ''] = languageModel.toolResults();
			assert.match(unknown, /CometChat does not know this agent.*Check 'Agent'/s);
			assert.match(empty, /'File IDs' is empty.*Nothing was sent/s);
			assert.match(added, /"success":true.*"returns".*"returns-faq"/s);
			assert.deepEqual(sentByAgent(service), {
				nobody: ['add uploads returns'],
				'support-bot': ['add uploads returns,returns-faq'],
			});
		},
	);
}
