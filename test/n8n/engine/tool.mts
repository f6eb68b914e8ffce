import { textAt } from '../fields.mjs';
import { assertSucceeded, sentByAgent } from '../expectation.mjs';
import { assertHolds, type Prove } from '../prove.mjs';
import type { Environment } from './environment.mjs';

export async function proveTool(prove: Prove, environment: Environment): Promise<void> {
	const { service, languageModel, reset, run } = environment;

	await prove(
		"as a tool of n8n's AI Agent: the model fills in the fields, a failure reaches it in words, and it can try again",
		async () => {
			reset();
			languageModel.script(
				{ call: { Agent: 'nobody', File_IDs: 'returns-2026' } },
				{ call: { Agent: 'support-bot', File_IDs: '' } },
				{ call: { Agent: 'support-bot', File_IDs: 'returns-2026, returns-faq' } },
				{ say: 'Added.' },
			);
			const execution = await run('agent-tool');
			assertSucceeded(execution);
			const said = textAt(execution.items('AI Agent')[0], 'json', 'output');
			assertHolds(said === 'Added.', `The agent said "${said}".`);
			const [tool] = languageModel.tools();
			assertHolds(tool?.name === 'Add_Files_to_Knowledge_Base', `The tool is ${tool?.name}.`);
			assertHolds(tool.arguments.join() === 'Agent,File_IDs', `It takes ${tool.arguments.join()}.`);
			assertHolds(/knowledge base/i.test(tool.description), `Its description: ${tool.description}`);

			const told = languageModel.toolResults();
			for (const [index, words] of [
				['CometChat does not know this agent', 'ERR_AGENT_NOT_FOUND', "Check 'Agent'"],
				["'File IDs' is empty", 'Nothing was sent'],
				['"success":true', '"uid":"support-bot"', '"returns-2026"', '"returns-faq"'],
			].entries()) {
				const lacking = words.filter((word) => told[index]?.includes(word) !== true);
				assertHolds(lacking.length === 0, `Not told ${lacking.join()}: ${told[index]}`);
			}
			const sent = JSON.stringify(sentByAgent(service));
			const expected =
				'{"nobody":["add uploads returns-2026"],"support-bot":["add uploads returns-2026,returns-faq"]}';
			assertHolds(sent === expected, `Sent: ${sent}`);
		},
	);
}
